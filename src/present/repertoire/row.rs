//! The games that left the lines in a position with a move.

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Fen};

use crate::{
    chess::SanPlus,
    present::{
        list::{ListHead, Row, number, text, word},
        numbered::numbered,
    },
    query::{DepartureKind, DepartureSums, Repertoire, Results},
    record::GameId,
};

/// Games that left the lines in one position with one move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DepartureRow {
    /// Why.
    pub kind: DepartureKind,
    /// The line that leads to the position, as the repertoire has it.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The move with its number; `None` if the games ended there.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// What the lines play there.
    pub book: Vec<String>,
    /// The games.
    #[serde(flatten)]
    pub results: Results,
    /// What the owner's side scored in percent of the games with a result, rounded; `None` if there is none.
    pub score: Option<u64>,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The game with the highest sum of both ratings; of equal ones the first.
    pub best_game: Option<GameId>,
}

impl DepartureRow {
    pub(super) fn new(repertoire: &Repertoire, sum: &DepartureSums) -> Option<DepartureRow> {
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
}

/// The score of a side in percent, half up.
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
    const HEAD: ListHead = ListHead {
        columns: &[
            text("kind"),
            text("line"),
            text("fen"),
            text("move"),
            text("book"),
            number("games"),
            number("white"),
            number("draws"),
            number("black"),
            number("other"),
            number("score"),
            number("last_year"),
            number("best_game"),
        ],
        shown: &[
            number("games"),
            number("score"),
            number("year"),
            number("game"),
            word("move"),
            text("lines have"),
            text("after"),
        ],
        noun: None,
        one_line: true,
    };

    fn cells(&self) -> Vec<String> {
        let kind = match self.kind {
            DepartureKind::Reply => "reply",
            DepartureKind::Own => "own",
            DepartureKind::End => "end",
            DepartureKind::Finished => "finished",
        };
        let mut cells = vec![
            kind.to_owned(),
            self.line.clone(),
            self.fen.clone(),
            self.played.clone().unwrap_or_default(),
            self.book.join(" "),
        ];
        cells.extend(self.results.all().map(|games| games.to_string()));
        cells.extend([known(self.score), known(self.last_year), known(self.best_game)]);
        cells
    }

    fn shown_cells(&self) -> Vec<String> {
        let percent = self.score.map_or(String::new(), |score| format!("{score}%"));
        vec![
            self.results.games.to_string(),
            percent,
            known(self.last_year),
            known(self.best_game),
            self.played.clone().unwrap_or_default(),
            self.book.join(" "),
            self.line.clone(),
        ]
    }
}

fn known<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    #[test]
    fn a_score_is_that_of_the_side_in_percent_and_rounded() {
        let counts = |[white, draws, black]: [u64; 3]| Results { white, draws, black, ..Results::default() };
        let of = |side, results| score(counts(results).of(side));
        assert_eq!(of(Color::White, [1, 0, 0]), Some(100));
        assert_eq!(of(Color::Black, [1, 1, 1]), Some(50));
        assert_eq!(of(Color::Black, [2, 0, 1]), Some(33));
        assert_eq!(of(Color::White, [2, 0, 1]), Some(67));
        assert_eq!(of(Color::White, [0, 0, 0]), None);
    }
}
