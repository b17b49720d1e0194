//! How much an archive contains.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::archive::{ArchiveError, Maintenance, totals::Totals};

/// How much an archive contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The numbers of each kind of game, most games first.
    pub kinds: Vec<KindExtent>,
    /// The first date with a known year, packed (see [`Date::packed`](plybook_chess::chess::Date::packed)).
    pub first_date: Option<u32>,
    /// The last date.
    pub last_date: Option<u32>,
}

/// The games of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindExtent {
    /// The number of its [`GameKind`](plybook_record::GameKind).
    pub id: u8,
    /// The number of games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
}

impl Maintenance<'_> {
    /// How much the archive contains. Without a row of totals, every game is read.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn extent(self) -> Result<Extent, ArchiveError> {
        let mut kinds: BTreeMap<u8, KindExtent> = BTreeMap::new();
        let mut dates: Vec<u32> = Vec::new();
        for archive in self.archive.files().each() {
            let own = Totals::now(&archive.db).map_err(|error| archive.db.error(error))?;
            for (id, (games, plies)) in own.kinds {
                let kind = kinds.entry(id).or_insert(KindExtent { id, games: 0, plies: 0 });
                kind.games += games;
                kind.plies = kind.plies.saturating_add(plies);
            }
            dates.extend(own.dates.into_iter().flat_map(<[u32; 2]>::from));
        }
        let mut kinds: Vec<KindExtent> = kinds.into_values().collect();
        kinds.sort_unstable_by_key(|kind| (Reverse(kind.games), kind.id));
        Ok(Extent { kinds, first_date: dates.iter().min().copied(), last_date: dates.iter().max().copied() })
    }
}
