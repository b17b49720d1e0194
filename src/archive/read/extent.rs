//! How much there is in an archive.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

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
        let mut kinds: BTreeMap<u8, KindExtent> = BTreeMap::new();
        let mut dates: Vec<u32> = Vec::new();
        for archive in self.each_part() {
            let read = || Ok((archive.kinds_of_games()?, archive.first_and_last_date()?));
            let (own, own_dates) = read().map_err(|error| archive.error(error))?;
            for KindExtent { id, games, plies } in own {
                let kind = kinds.entry(id).or_insert(KindExtent { id, games: 0, plies: 0 });
                kind.games += games;
                kind.plies = kind.plies.saturating_add(plies);
            }
            dates.extend(own_dates.into_iter().flatten());
        }
        let mut kinds: Vec<KindExtent> = kinds.into_values().collect();
        kinds.sort_unstable_by_key(|kind| (Reverse(kind.games), kind.id));
        Ok(Extent { kinds, first_date: dates.iter().min().copied(), last_date: dates.iter().max().copied() })
    }

    fn first_and_last_date(&self) -> rusqlite::Result<[Option<u32>; 2]> {
        let sql = "SELECT min(date), max(date) FROM section WHERE date >= 512";
        self.db.query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?]))
    }

    /// What there is of each kind. SQLite would sort the games by their sections first.
    fn kinds_of_games(&self) -> rusqlite::Result<Vec<KindExtent>> {
        const KINDS: &str =
            "SELECT section.id, variant FROM section JOIN tag_layout ON tag_layout.id = section.layout";
        let mut kinds = self.db.prepare_cached(KINDS)?;
        let kinds = kinds.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let kinds: HashMap<i64, u8> = kinds.collect::<Result<_, _>>()?;
        let mut found: BTreeMap<u8, KindExtent> = BTreeMap::new();
        let mut games = self.db.prepare_cached("SELECT section, plies FROM game")?;
        let mut games = games.query([])?;
        while let Some(game) = games.next()? {
            let Some(id) = kinds.get(&game.get(0)?).copied() else { continue };
            let kind = found.entry(id).or_insert(KindExtent { id, games: 0, plies: 0 });
            kind.games += 1;
            kind.plies = kind.plies.saturating_add(game.get::<_, i64>(1)?.max(0).cast_unsigned());
        }
        Ok(found.into_values().collect())
    }
}
