//! An opening book in the Polyglot format, from which chess programs play: for each position the moves that games
//! played there, weighted by their results.
//!
//! As in an [`Exploration`](crate::query::Exploration), a game counts once in a position, under the move that it played
//! at its last visit; a game that ended there does not count. Only games of standard chess and Chess960 with a result
//! count, and no damaged games.
//!
//! # Stability
//!
//! The format is external. An entry has 16 bytes, all numbers big-endian: the key of the position (8 bytes), the move
//! (2), its weight (2), and 4 bytes in which programs may store what they learn, all 0.

mod collect;

use collect::{KeyRange, moves_of};

use super::{Context, explore::unsorted, in_batches};
use crate::{
    archive::{Filter, Result},
    limits::MAX_BOOK_MOVES,
    position_index::MoveCode,
    record::{GameMetadata, StoredMoves},
};

/// Which games and moves a book contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyglotOptions {
    /// The plies from the start of a game that count.
    pub max_ply: usize,
    /// The minimum number of games of a move.
    pub min_games: u32,
}

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyglotEntry {
    /// The Polyglot key of the position; it includes the en passant square whenever a pawn is next to the one that
    /// moved.
    pub key: u64,
    /// The squares of the move and the promotion piece, in the encoding that Polyglot shares with [`MoveCode`].
    pub code: MoveCode,
    /// Twice the wins of the side to move, plus the draws. If a move of the position exceeds 65,535, the weights of all
    /// its moves are scaled down proportionally, but none to 0.
    pub weight: u16,
}

impl PolyglotEntry {
    /// The entry in the format of a book.
    pub fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.number().to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }
}

/// A book under construction: part by part, in the order of the keys.
///
/// The memory of a part is limited, so the archive may be of any size; the games are replayed again for each part.
///
/// ```
/// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, query::{Context, PolyglotBook, PolyglotOptions}};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let options = PolyglotOptions { max_ply: 20, min_games: 2 };
/// let mut book = PolyglotBook::new(Context::new(&archive), &Filter::default(), options);
/// let mut bytes = Vec::new();
/// while let Some(entries) = book.next_part()? {
///     bytes.extend(entries.into_iter().flat_map(|entry| entry.bytes()));
/// }
/// assert!(!bytes.is_empty() && bytes.len() % 16 == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolyglotBook<'a> {
    context: Context<'a>,
    filter: Filter,
    options: PolyglotOptions,
    /// The maximum number of moves of a part.
    most: usize,
    /// The first key of the next part; `None` after the last one.
    next: Option<u64>,
}

impl<'a> PolyglotBook<'a> {
    /// A book of the games that match a filter.
    pub fn new(context: Context<'a>, filter: &Filter, options: PolyglotOptions) -> PolyglotBook<'a> {
        PolyglotBook { context, filter: unsorted(filter), options, most: MAX_BOOK_MOVES, next: Some(0) }
    }

    /// The next entries, sorted by key, the best move of a position first; `None` after the last part. The watch
    /// receives the number of games replayed for this part.
    pub fn next_part(&mut self) -> Result<Option<Vec<PolyglotEntry>>> {
        let Some(first) = self.next.take() else { return Ok(None) };
        let mut part = KeyRange::new(first, self.most);
        let work = |games: Vec<(StoredMoves, GameMetadata)>| -> Vec<_> {
            let played = |(moves, facts): &_| moves_of(moves, facts, self.options.max_ply);
            games.iter().filter_map(played).flatten().collect()
        };
        let games = self.context.archive.list(&self.filter);
        in_batches(self.context, games, work, |moves| part.add(moves))?;
        let (entries, next) = part.into_entries(self.options.min_games);
        self.next = next;
        Ok(Some(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        archive::Archive,
        import::{Options, import_paths},
    };

    #[test]
    fn a_book_is_the_same_however_small_its_parts_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        import_paths(&path, &["data/famous.pgn".into()], &Options::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let book = |most: usize| {
            let options = PolyglotOptions { max_ply: 30, min_games: 1 };
            let mut book = PolyglotBook {
                most,
                ..PolyglotBook::new(Context::new(&archive), &Filter::default(), options)
            };
            let (mut parts, mut entries) = (0, Vec::new());
            while let Some(part) = book.next_part().unwrap() {
                parts += 1;
                entries.extend(part);
            }
            (parts, entries)
        };
        let (parts, whole) = book(1 << 20);
        assert!(parts == 1 && whole.len() > 500, "{parts} parts, {} entries", whole.len());
        assert!(whole.is_sorted_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight))));
        for most in [1, 2, 64, 1000] {
            let (parts, same) = book(most);
            assert!(parts > 1 && same == whole, "{most}: {parts} parts, {} entries", same.len());
        }
    }
}
