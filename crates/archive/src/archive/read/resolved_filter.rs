//! Lookups before the games of a filter are selected, shared by all its statements: the players and events that its
//! names match, the location of these players' games, and the sections that pass.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{filter::Filter, sections::sections_that_pass};
use crate::archive::{
    keys::{KeyKind, stored_between},
    write::BUCKET_BITS,
};

/// Most players matching a pattern for which the games are looked up player by player.
const MOST_PLAYERS: usize = 1000;

/// Row ids as JSON arrays, to be bound to a statement.
#[derive(Debug, Default)]
pub(in crate::archive) struct ResolvedFilter {
    pub(super) player: Option<String>,
    pub(super) opponent: Option<String>,
    pub(super) white: Option<String>,
    pub(super) black: Option<String>,
    pub(super) event: Option<String>,
    pub(super) sections: Option<String>,
    /// The sections with the first games of a list, without duplicates.
    pub(super) leading_sections: Option<String>,
    /// Where the games of these players are: numbers of buckets of 16 ids. `None` if that does not help.
    pub(super) buckets: Option<BTreeSet<u64>>,
}

/// The row ids of the players that match the names of a filter: player, opponent, White, Black.
pub(in crate::archive) type Named = [Option<Vec<i64>>; 4];

impl ResolvedFilter {
    /// Looks up what a filter needs.
    pub(in crate::archive) fn of(db: &Connection, filter: &Filter) -> rusqlite::Result<ResolvedFilter> {
        let mut named = Named::default();
        for (players, pattern) in named.iter_mut().zip(filter.players()) {
            *players = pattern.map(|pattern| players_named(db, pattern)).transpose()?;
        }
        ResolvedFilter::with(db, filter, named)
    }

    /// The same if the players are already known.
    pub(in crate::archive) fn with(
        db: &Connection,
        filter: &Filter,
        named: Named,
    ) -> rusqlite::Result<ResolvedFilter> {
        let (mut found, mut players) = (ResolvedFilter::default(), [const { None }; 4]);
        for (players, named) in players.iter_mut().zip(named).filter_map(|(to, named)| Some((to, named?))) {
            found.stay_with(db, &named)?;
            *players = Some(json(&named));
        }
        [found.player, found.opponent, found.white, found.black] = players;
        if let Some(pattern) = &filter.event {
            let sql = "SELECT id FROM event WHERE name_matches(name, ?1)";
            found.event = Some(json(&ids(db, sql, [pattern])?));
        }
        if filter.speed.is_some() || filter.casual.is_some() {
            found.sections = Some(json(&sections_that_pass(db, filter.speed.as_ref(), filter.casual)?));
        }
        Ok(found)
    }

    /// Keeps only buckets in which one of some players has a game, unless there are too many.
    pub(super) fn stay_with(&mut self, db: &Connection, players: &[i64]) -> rusqlite::Result<()> {
        if players.len() > MOST_PLAYERS {
            return Ok(());
        }
        let mut buckets = BTreeSet::new();
        for player in players {
            buckets.extend(self::buckets(db, *player)?);
        }
        self.buckets = Some(match self.buckets.take() {
            Some(before) => before.intersection(&buckets).copied().collect(),
            None => buckets,
        });
        Ok(())
    }
}

/// Where the games of a player are: numbers of buckets of 16 ids.
pub(super) fn buckets(db: &Connection, player: i64) -> rusqlite::Result<Vec<u64>> {
    let (first, bucket) = (player.cast_unsigned() << BUCKET_BITS, (1 << BUCKET_BITS) - 1);
    let keys = stored_between(db, KeyKind::Players, first, first | bucket)?;
    Ok(keys.into_iter().map(|key| key & bucket).collect())
}

/// The integers that a statement returns.
pub(super) fn ids(
    db: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<Vec<i64>> {
    db.prepare_cached(sql)?.query_map(parameters, |row| row.get(0))?.collect()
}

pub(super) fn json<T: serde::Serialize>(numbers: &T) -> String {
    // Serializing integers cannot fail.
    serde_json::to_string(numbers).unwrap_or_default()
}

/// The ids of the players whose names match a pattern.
pub(super) fn players_named(db: &Connection, pattern: &str) -> rusqlite::Result<Vec<i64>> {
    ids(db, "SELECT id FROM player WHERE player_matches(name, ?1)", [pattern])
}
