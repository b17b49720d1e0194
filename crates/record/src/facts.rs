//! What statistics ask of a game besides its moves.

use super::GameId;
use plybook_chess::rules::Outcome;

/// Of a stored game: how it ended, how strong the players were, and when it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// Its number in the archive.
    pub id: GameId,
    /// The result that the PGN gave.
    pub result: Outcome,
    /// White's rating; `None` if it is not known. A rating of 0, as many files write for it, is none.
    pub white_elo: Option<u32>,
    /// Black's rating, likewise.
    pub black_elo: Option<u32>,
    /// The date, packed (see [`Date::packed`](plybook_chess::chess::Date::packed)); 0 if it is not known.
    pub date: u32,
}

impl GameFacts {
    /// The year of the date; `None` if it is not known.
    #[inline]
    pub fn year(&self) -> Option<u16> {
        u16::try_from(self.date >> 9).ok().filter(|year| *year > 0)
    }
}
