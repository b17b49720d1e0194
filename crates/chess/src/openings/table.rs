//! The tables of named positions.

use shakmaty::{Chess, Position, san::SanPlus};

use super::Opening;
use crate::chess::Untouched;

/// The tables: code, name and line, separated by tabs, after a header line.
const TEXTS: [&str; 5] = [
    include_str!("../../../../data/openings/a.tsv"),
    include_str!("../../../../data/openings/b.tsv"),
    include_str!("../../../../data/openings/c.tsv"),
    include_str!("../../../../data/openings/d.tsv"),
    include_str!("../../../../data/openings/e.tsv"),
];

/// The Polyglot keys of the positions, line by line. Playing all lines takes longer than most commands.
const KEYS: &str = include_str!("../../../../data/openings/keys.txt");

/// The named positions, in order.
pub(super) fn openings() -> impl Iterator<Item = Opening> {
    rows().zip(KEYS.lines()).filter_map(|([eco, name, moves], key)| {
        let key = u64::from_str_radix(key, 16).ok()?;
        // Between words is one space, and the number of a move ends with a point.
        let of = |byte: u8| moves.bytes().filter(|found| *found == byte).count();
        Some(Opening { eco, name, moves, plies: of(b' ') + 1 - of(b'.'), key })
    })
}

/// The unmoved pawns and castling rights that at least one named position needs; minimal sets only.
pub(super) fn untouched() -> Vec<Untouched> {
    let mut least = Vec::new();
    each_position(|_, position| Untouched::of(position).add(&mut least));
    least
}

/// Code, name and moves of all lines, in order.
fn rows() -> impl Iterator<Item = [&'static str; 3]> {
    TEXTS.into_iter().flat_map(|text| text.lines().skip(1)).filter_map(|row| {
        let mut columns = row.split('\t');
        Some([columns.next()?, columns.next()?, columns.next()?])
    })
}

/// The moves of a line, without numbers.
fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split_whitespace().filter(|word| !word.ends_with('.'))
}

/// Calls a function with each line and the position after it, in alphabetical order, so that a common beginning is played
/// only once.
fn each_position(mut each: impl FnMut(&'static str, &Chess)) {
    let mut lines: Vec<&str> = rows().map(|[_, _, moves]| moves).collect();
    lines.sort_unstable();
    // The last line: each word with the position after it.
    let mut played: Vec<(&str, Chess)> = Vec::new();
    for moves in lines {
        let mut plies = 0;
        for word in words(moves) {
            if played.get(plies).is_none_or(|(known, _)| *known != word) {
                played.truncate(plies);
                let mut position = played.last().map_or_else(Chess::new, |(_, position)| position.clone());
                let Some(m) = word.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok())
                else {
                    break;
                };
                position.play_unchecked(m);
                played.push((word, position));
            }
            plies += 1;
        }
        if let Some((_, position)) = plies.checked_sub(1).and_then(|last| played.get(last)) {
            each(moves, position);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use shakmaty::{Bitboard, Color, EnPassantMode, File, Rank, zobrist::Zobrist64};

    use super::*;

    #[test]
    fn keys_and_plies_are_those_of_the_lines() {
        let mut keys = HashMap::new();
        each_position(|moves, position| {
            keys.insert(moves, position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        });
        for opening in openings() {
            assert_eq!(opening.plies, words(opening.moves).count(), "{}", opening.moves);
        }
        let lines: String = rows().map(|[_, _, moves]| format!("{:016x}\n", keys[moves])).collect();
        // Not `assert_eq`, which would escape the text that the file must have.
        assert!(KEYS == lines, "data/openings/keys.txt must be:\n{lines}");
    }

    #[test]
    fn positions_with_the_same_name_are_in_consecutive_lines() {
        let names: Vec<[&str; 2]> = rows().map(|[eco, name, _]| [eco, name]).collect();
        let distinct: HashSet<[&str; 2]> = names.iter().copied().collect();
        assert_eq!(names.chunk_by(|one, next| one == next).count(), distinct.len());
    }

    /// This guarantees that the castling rook is unique, so that the Polyglot key alone identifies the position also
    /// in Chess960.
    #[test]
    fn castling_rooks_of_named_positions_are_unique() {
        each_position(|moves, position| {
            for rook in position.castles().castling_rights() {
                let (rank, side) = (Bitboard::from_rank(rook.rank()), rook.file() < File::E);
                let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
                let rooks = position.board().rooks() & position.board().by_color(color) & rank;
                let same = rooks.into_iter().filter(|other| (other.file() < File::E) == side).count();
                assert_eq!(same, 1, "{moves}");
            }
        });
    }
}
