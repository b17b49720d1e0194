//! The numeric columns that filters can refer to.

use std::ops::RangeInclusive;

/// A number in the row of a game or of its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameNumber {
    /// The packed date (see [`Date::packed`](plybook_chess::chess::Date::packed)).
    Date,
    /// The rating of White.
    WhiteElo,
    /// The rating of Black.
    BlackElo,
    /// The code of the ECO tag, A00 = 0 to E99 = 499.
    Eco,
    /// The result, encoded as in [`result_number`](plybook_record::result_number).
    Result,
    /// The number of plies.
    Plies,
}

impl GameNumber {
    pub(super) const fn sql(self) -> &'static str {
        match self {
            GameNumber::Date => "section.date",
            GameNumber::WhiteElo => "game.white_elo",
            GameNumber::BlackElo => "game.black_elo",
            GameNumber::Eco => "game.eco",
            GameNumber::Result => "game.result",
            GameNumber::Plies => "game.plies",
        }
    }
}

/// Merges adjacent ranges, because SQLite limits the number of conditions.
pub(super) fn merged(ranges: &[RangeInclusive<u32>]) -> Vec<RangeInclusive<u32>> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<u32>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*range.end().max(last.end());
            }
            _ => merged.push(range),
        }
    }
    merged
}
