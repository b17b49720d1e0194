//! How much there is in an archive.

use crate::archive::{Archive, ArchiveError};

/// How much there is in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// What there is of each kind of game, those with most games first.
    pub kinds: Vec<KindExtent>,
    /// The first date of which the year is known, packed (see [`Date::packed`](crate::chess::Date::packed)).
    pub first_date: Option<u32>,
    /// The last one.
    pub last_date: Option<u32>,
}

/// The games of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindExtent {
    /// The number of its [`GameKind`](crate::record::GameKind).
    pub id: u8,
    /// The number of games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
}

impl Archive {
    /// How much there is in the archive: one look at every game.
    ///
    /// # Errors
    /// SQLite's.
    pub fn extent(&self) -> Result<Extent, ArchiveError> {
        let read = || -> rusqlite::Result<Extent> {
            // A sum that overflows would be an error; no archive has so many plies that are real.
            let kinds = "
                SELECT tag_layout.variant, total(games), total(plies)
                FROM (SELECT section, count(*) AS games, total(plies) AS plies FROM game GROUP BY section) AS played
                JOIN section ON section.id = played.section JOIN tag_layout ON tag_layout.id = section.layout
                GROUP BY tag_layout.variant ORDER BY total(games) DESC, tag_layout.variant";
            let mut kinds = self.db.prepare_cached(kinds)?;
            let kind = |row: &rusqlite::Row<'_>| {
                let [games, plies] = [row.get::<_, f64>(1)?, row.get(2)?].map(|sum| sum as u64);
                Ok(KindExtent { id: row.get(0)?, games, plies })
            };
            let kinds = kinds.query_map([], kind)?.collect::<Result<_, _>>()?;
            let dates = "SELECT min(date), max(date) FROM section WHERE date >= 512";
            let dates = self.db.query_row(dates, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(Extent { kinds, first_date: dates.0, last_date: dates.1 })
        };
        read().map_err(|error| self.error(error))
    }
}
