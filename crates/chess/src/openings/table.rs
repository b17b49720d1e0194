//! Reads and plays the tables of named positions.

use shakmaty::{Chess, EnPassantMode, Position, san::SanPlus, zobrist::Zobrist64};

use super::Opening;
use crate::chess::Untouched;

/// The tables: code, name and line, separated by tabs, after a header line.
pub(super) const TEXTS: [&str; 5] = [
    include_str!("../../../../data/openings/a.tsv"),
    include_str!("../../../../data/openings/b.tsv"),
    include_str!("../../../../data/openings/c.tsv"),
    include_str!("../../../../data/openings/d.tsv"),
    include_str!("../../../../data/openings/e.tsv"),
];

/// A named position.
pub(super) struct OpeningLine {
    /// Its name, and the line that leads to it.
    pub opening: Opening,
    /// Its unmoved pawns and castling rights.
    pub untouched: Untouched,
}

/// The lines of the tables, in order, without those that cannot be played.
pub(super) fn lines(texts: [&'static str; 5]) -> Vec<OpeningLine> {
    let rows = texts.into_iter().flat_map(|text| text.lines().skip(1));
    let mut rows: Vec<(usize, [&str; 3])> = (0..).zip(rows.filter_map(columns)).collect();
    // Lines are sorted so that a common beginning is played only once.
    rows.sort_unstable_by_key(|(_, [_, _, moves])| *moves);
    let mut played = LastLine::default();
    let mut lines: Vec<(usize, OpeningLine)> =
        rows.into_iter().filter_map(|(place, row)| Some((place, played.line(row)?))).collect();
    lines.sort_unstable_by_key(|(place, _)| *place);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn columns(row: &'static str) -> Option<[&'static str; 3]> {
    let mut columns = row.split('\t');
    Some([columns.next()?, columns.next()?, columns.next()?])
}

/// The last line played: each word with the position after it.
#[derive(Default)]
struct LastLine(Vec<(&'static str, Chess)>);

impl LastLine {
    fn line(&mut self, [eco, name, moves]: [&'static str; 3]) -> Option<OpeningLine> {
        let mut plies = 0;
        for word in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
            if self.0.get(plies).is_none_or(|(played, _)| *played != word) {
                self.0.truncate(plies);
                let mut position = self.0.last().map_or_else(Chess::new, |(_, position)| position.clone());
                let m = word.parse::<SanPlus>().ok()?.san.to_move(&position).ok()?;
                position.play_unchecked(m);
                self.0.push((word, position));
            }
            plies += 1;
        }
        let (_, position) = self.0.get(plies.checked_sub(1)?)?;
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let opening = Opening { eco, name, moves, plies, key };
        Some(OpeningLine { opening, untouched: Untouched::of(position) })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Color, File, Rank};

    use super::*;

    /// This guarantees that the castling rook is unique, so that the Polyglot key alone identifies the position also
    /// in Chess960.
    #[test]
    fn castling_rooks_of_named_positions_are_unique() {
        for OpeningLine { opening, .. } in lines(TEXTS) {
            let position = opening.position();
            for rook in position.castles().castling_rights() {
                let (rank, side) = (Bitboard::from_rank(rook.rank()), rook.file() < File::E);
                let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
                let rooks = position.board().rooks() & position.board().by_color(color) & rank;
                let same = rooks.into_iter().filter(|other| (other.file() < File::E) == side).count();
                assert_eq!(same, 1, "{}", opening.moves);
            }
        }
    }
}
