//! A name in an archive, with the number of its games and their years.

use serde::Serialize;

/// A name and its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CountedName {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The first year with a game, if known.
    pub first_year: Option<u32>,
    /// The last year.
    pub last_year: Option<u32>,
}

impl CountedName {
    /// The years of its games, if known: `2001–2023`.
    pub fn years(&self) -> Option<String> {
        let (first, last) = (self.first_year?, self.last_year?);
        Some(if first == last { first.to_string() } else { format!("{first}–{last}") })
    }

    /// Counts another game, with its year if known.
    pub fn add(&mut self, year: Option<u16>) {
        self.games += 1;
        if let Some(year) = year.map(u32::from) {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
    }
}
