//! How much an archive contains, for people and for a catalogue.

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

/// What an archive contains, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// The number of games.
    pub games: u64,
    /// The last id.
    pub last_id: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The lowest and the highest rating of any player.
    pub ratings: Option<[i64; 2]>,
    /// The first and the last ECO code: see [`eco`](plybook_chess::openings::eco).
    pub openings: Option<[u16; 2]>,
    /// The first and the last date with a known year, packed (see
    /// [`Date::packed`](plybook_chess::chess::Date::packed)).
    pub dates: Option<[u32; 2]>,
    /// The number of player names.
    pub players: u64,
    /// The number of event names.
    pub events: u64,
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

    /// What the archive contains, in numbers. Reads every game once.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn holdings(self) -> Result<Holdings, ArchiveError> {
        let games = "SELECT count(*), coalesce(max(id), 0), coalesce(sum(plies), 0),
                            min(eco), max(eco), min(white_elo), max(white_elo), min(black_elo), max(black_elo)
                     FROM game";
        let dates = "SELECT min(date), max(date) FROM section WHERE date >= 512";
        let names = "SELECT (SELECT count(*) FROM player), (SELECT count(*) FROM event)";
        self.archive.db.attempt(|db| {
            let _snapshot = db.unchecked_transaction()?;
            let number = |number: i64| number.max(0).cast_unsigned();
            let mut holdings = db.query_row(games, [], |row| {
                let elo: [Option<i64>; 4] = [row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?];
                let (least, greatest) = (elo.iter().flatten().min(), elo.iter().flatten().max());
                Ok(Holdings {
                    games: number(row.get(0)?),
                    last_id: number(row.get(1)?),
                    plies: number(row.get(2)?),
                    openings: pair(row.get(3)?, row.get(4)?),
                    ratings: pair(least.copied(), greatest.copied()),
                    ..Holdings::default()
                })
            })?;
            holdings.dates = db.query_row(dates, [], |row| Ok(pair(row.get(0)?, row.get(1)?)))?;
            let names = db.query_row(names, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            (holdings.players, holdings.events) = (number(names.0), number(names.1));
            Ok(holdings)
        })
    }
}

fn pair<T>(first: Option<T>, last: Option<T>) -> Option<[T; 2]> {
    Some([first?, last?])
}
