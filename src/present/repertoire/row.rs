//! The games that left the repertoire in a position with a move.

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Fen};

use crate::{
    chess::SanPlus,
    columns::{Cell, ColumnOf, number, text, word},
    present::{list::Row, numbered::numbered},
    query::{DepartureKind, DepartureSums, Repertoire, Results},
    record::GameId,
};

/// Games that left the repertoire in the same position with the same move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DepartureRow {
    /// The reason.
    pub kind: DepartureKind,
    /// The line of the repertoire that leads to the position.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The move with its number; `None` if the games ended there.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// The moves of the repertoire in the position.
    pub book: Vec<String>,
    /// The games.
    #[serde(flatten)]
    pub results: Results,
    /// The score of the repertoire's side in percent of the games with a result, rounded; `None` if there are none.
    pub score: Option<u64>,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The game with the highest sum of ratings; of several, the first.
    pub best_game: Option<GameId>,
}

impl DepartureRow {
    /// The row of some games; `None` if they are those of another repertoire.
    pub fn new(repertoire: &Repertoire, sum: &DepartureSums) -> Option<DepartureRow> {
        let position = repertoire.position(sum.place)?;
        let games = &sum.games;
        Some(DepartureRow {
            kind: sum.kind,
            line: line(repertoire, sum.place),
            fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            played: sum.played.map(|m| numbered(position, &SanPlus::from_move(position.clone(), m), true)),
            book: repertoire.moves(sum.place),
            results: games.results,
            score: score(games.results.of(repertoire.owner())),
            last_year: games.last_year,
            best_game: games.best.map(|best| best.id),
        })
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            DepartureKind::Reply => "reply",
            DepartureKind::Own => "own",
            DepartureKind::End => "end",
            DepartureKind::Finished => "finished",
        }
    }
}

/// The score of a side in percent, rounded half up.
fn score([wins, draws, losses]: [u64; 3]) -> Option<u64> {
    let games = wins + draws + losses;
    (games > 0).then(|| (100 * (2 * wins + draws) + games) / (2 * games))
}

/// The moves of a line that leads to a position of a repertoire.
pub(super) fn line(repertoire: &Repertoire, place: usize) -> String {
    let moves = repertoire.line(place);
    let moves = moves.into_iter().enumerate();
    let words: Vec<String> = moves.map(|(at, (position, san))| numbered(position, san, at == 0)).collect();
    words.join(" ")
}

impl Row for DepartureRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("kind", |row| row.kind_name().into()),
        text("line", |row| row.line.as_str().into()),
        text("fen", |row| row.fen.as_str().into()),
        text("move", |row| row.played.clone().into()),
        text("book", |row| Cell::joined(&row.book, " ")),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
        number("score", |row| row.score.into()),
        number("last_year", |row| row.last_year.into()),
        number("best_game", |row| row.best_game.into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        number("games", |row| row.results.games.into()),
        number("score", |row| row.score.map(|score| format!("{score}%")).into()),
        number("year", |row| row.last_year.into()),
        number("game", |row| row.best_game.into()),
        word("move", |row| row.played.clone().into()),
        text("lines have", |row| Cell::joined(&row.book, " ")),
        text("after", |row| row.line.as_str().into()),
    ];
    const ONE_LINE: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    #[test]
    fn a_score_is_the_rounded_percentage_of_the_side() {
        let counts = |[white, draws, black]: [u64; 3]| Results { white, draws, black, ..Results::default() };
        let of = |side, results| score(counts(results).of(side));
        assert_eq!(of(Color::White, [1, 0, 0]), Some(100));
        assert_eq!(of(Color::Black, [1, 1, 1]), Some(50));
        assert_eq!(of(Color::Black, [2, 0, 1]), Some(33));
        assert_eq!(of(Color::White, [2, 0, 1]), Some(67));
        assert_eq!(of(Color::White, [0, 0, 0]), None);
    }
}
