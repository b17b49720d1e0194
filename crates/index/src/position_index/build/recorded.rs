//! The encoded positions of games: each game has a header with its id and their number, followed by the positions. They
//! are written while a game is read or replayed, and kept in this form until the segment is built.

use std::ops::Range;

use super::visits::{POSITION, Visit, keep_last, visit, write_positions};
use plybook_chess::chess::{Move, QuickChess, RunningKey};
use plybook_record::GameId;

/// Bytes of a game's header.
const HEAD: usize = 12;

/// The id of a game that was read but not stored.
pub(super) const NOT_STORED: GameId = 0;

/// The positions of games. They share one buffer: allocating and freeing memory per game would take longer than
/// recording it.
#[derive(Clone, Debug, Default)]
pub struct RecordedPositions {
    pub(super) bytes: Vec<u8>,
    /// Buffer for the current game.
    visits: Vec<Visit>,
    /// The key of the current position, while positions are being recorded.
    key: Option<RunningKey>,
}

impl RecordedPositions {
    /// Starts recording a game of chess, with the usual start position or one that may be indexed.
    pub fn begin(&mut self, start: &QuickChess) {
        self.visits.clear();
        let mut key = RunningKey::of(start);
        visit(&mut key, start, None, &mut self.visits);
        self.key = Some(key);
    }

    /// Records a move, and the position after it.
    pub fn go_on(&mut self, m: Move, position: &QuickChess) {
        if let Some(key) = &mut self.key {
            visit(key, position, Some(m), &mut self.visits);
        }
    }

    /// Discards the current game.
    pub fn forget(&mut self) {
        self.key = None;
    }

    /// Finishes the current game. Returns its range; `None` if nothing is being recorded.
    pub fn add_shown(&mut self) -> Option<Range<usize>> {
        self.key.take()?;
        keep_last(&mut self.visits);
        let from = self.bytes.len();
        self.bytes.reserve(HEAD + self.visits.len() * POSITION);
        self.bytes.extend_from_slice(&NOT_STORED.to_le_bytes());
        self.bytes.extend_from_slice(&(self.visits.len() as u32).to_le_bytes());
        write_positions(&self.visits, &mut self.bytes);
        Some(from..self.bytes.len())
    }

    /// The positions of the game at a range, which has now been stored with an id.
    pub(super) fn store(&mut self, game: Range<usize>, id: GameId) -> &[u8] {
        let Some((head, positions)) = self.bytes.get_mut(game).and_then(<[u8]>::split_first_chunk_mut) else {
            return &[];
        };
        let [of_id @ .., _, _, _, _]: &mut [u8; HEAD] = head;
        *of_id = id.to_le_bytes();
        positions
    }
}

/// The id of the first of some games, and the range of its positions.
#[inline]
fn first_game(bytes: &[u8]) -> Option<(GameId, Range<usize>)> {
    let [a, b, c, d, e, f, g, h, count @ ..] = *bytes.first_chunk::<HEAD>()?;
    let (id, count) = (GameId::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count));
    Some((id, HEAD..bytes.len().min(HEAD + count as usize * POSITION)))
}

/// Marks some games as not stored, and passes on their positions. Returns whether there were any.
pub(super) fn forget_games(
    mut bytes: &mut [u8],
    is_forgotten: impl Fn(GameId) -> bool,
    mut each: impl FnMut(&[u8]),
) -> bool {
    let mut are_any = false;
    while let Some((id, positions)) = first_game(bytes) {
        let game;
        (game, bytes) = bytes.split_at_mut(positions.end);
        if id != NOT_STORED && is_forgotten(id) {
            are_any = true;
            each(game.get(positions).unwrap_or_default());
            game.iter_mut().zip(NOT_STORED.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        }
    }
    are_any
}

/// The games that have been stored: ids, and encoded positions.
pub(super) fn stored_games(mut bytes: &[u8]) -> impl Iterator<Item = (GameId, &[u8])> {
    let games = std::iter::from_fn(move || {
        let (id, positions) = first_game(bytes)?;
        let game;
        (game, bytes) = bytes.split_at(positions.end);
        Some((id, game.get(positions)?))
    });
    games.filter(|(id, _)| *id != NOT_STORED)
}
