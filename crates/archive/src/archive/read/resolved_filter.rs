//! Lookups before the games of a filter are selected, shared by all its statements: the players and events that its
//! names match, the location of these players' games, and the sections that pass. The first page of a sorted list is
//! searched among the games with the first names or dates, to avoid reading the names of all games.

use std::collections::{BTreeSet, HashMap};

use rusqlite::{Connection, Result};

use super::{
    filter::{Filter, Sort},
    sections::sections_that_pass,
};
use crate::archive::{
    bounded::Bounded,
    checksum::has_changes,
    integers::integers,
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
    pub(in crate::archive) fn of(db: &Bounded, filter: &Filter) -> Result<ResolvedFilter> {
        let mut named = Named::default();
        for (players, pattern) in named.iter_mut().zip(filter.players()) {
            *players = pattern.map(|pattern| db.named.ids(db, pattern)).transpose()?;
        }
        ResolvedFilter::with(db, filter, named)
    }

    /// The same if the players are already known.
    pub(in crate::archive) fn with(db: &Connection, filter: &Filter, named: Named) -> Result<ResolvedFilter> {
        let (mut found, mut players) = (ResolvedFilter::default(), [const { None }; 4]);
        for (players, named) in players.iter_mut().zip(named).filter_map(|(to, named)| Some((to, named?))) {
            found.stay_with(db, &named)?;
            *players = Some(json(&named));
        }
        [found.player, found.opponent, found.white, found.black] = players;
        if let Some(pattern) = &filter.event {
            let sql = "SELECT id FROM event WHERE name_matches(name, ?1)";
            found.event = Some(json(&integers(db, sql, [pattern])?));
        }
        if filter.speed.is_some() || filter.casual.is_some() {
            found.sections = Some(json(&sections_that_pass(db, filter.speed.as_ref(), filter.casual)?));
        }
        Ok(found)
    }

    /// Keeps only buckets in which one of some players has a game, unless there are too many.
    pub(super) fn stay_with(&mut self, db: &Connection, players: &[i64]) -> Result<()> {
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
pub(super) fn buckets(db: &Connection, player: i64) -> Result<Vec<u64>> {
    let (first, bucket) = (player.cast_unsigned() << BUCKET_BITS, (1 << BUCKET_BITS) - 1);
    let keys = stored_between(db, KeyKind::Players, first, first | bucket)?;
    Ok(keys.into_iter().map(|key| key & bucket).collect())
}

pub(super) fn json<T: serde::Serialize>(numbers: &T) -> String {
    // Serializing integers cannot fail.
    serde_json::to_string(numbers).unwrap_or_default()
}

/// Most games in a first page.
const MOST: u64 = 1 << 12;

impl ResolvedFilter {
    /// Candidates that include the first games of a list: all games if there are fewer than requested. `None` if
    /// scanning all games is as fast.
    pub(in crate::archive) fn leading(db: &Connection, filter: &Filter) -> Result<Option<ResolvedFilter>> {
        let wanted = filter.limit.map_or(u64::MAX, |limit| limit.saturating_add(filter.offset));
        // After a change, a name or a section may have no games.
        if wanted == 0 || wanted > MOST || filter.has_conditions() || has_changes(db)? {
            return Ok(None);
        }
        let Filter { sort, descending, .. } = *filter;
        let mut leading = ResolvedFilter::default();
        let listed = |sections: Result<Vec<i64>>| sections.map(|sections| Some(json(&sections)));
        match sort {
            Sort::White | Sort::Black => {
                // Half of the players may have played only Black.
                let players = first_names(db, "player", 2 * wanted, descending)?;
                leading.stay_with(db, &players)?;
                let side = if sort == Sort::White { &mut leading.white } else { &mut leading.black };
                *side = Some(json(&players));
            }
            Sort::Date => leading.leading_sections = listed(sections_by_date(db, wanted, descending))?,
            Sort::Event => leading.leading_sections = listed(sections_by(db, "event", wanted, descending))?,
            Sort::Site => leading.leading_sections = listed(sections_by(db, "site", wanted, descending))?,
            _ => return Ok(None),
        }
        Ok(Some(leading))
    }
}

/// The ids of the first names of a table.
fn first_names(db: &Connection, table: &str, count: u64, descending: bool) -> Result<Vec<i64>> {
    let direction = if descending { "DESC" } else { "ASC" };
    integers(db, &format!("SELECT id FROM {table} ORDER BY name {direction} LIMIT ?1"), [count.cast_signed()])
}

/// The first sections by date: this many, and all others with the date of the last one. Each has a game.
fn sections_by_date(db: &Connection, count: u64, descending: bool) -> Result<Vec<i64>> {
    let comes_first = |one: &i64, other: &i64| if descending { other.cmp(one) } else { one.cmp(other) };
    let bound = if descending { ">=" } else { "<=" };
    let sql = format!("SELECT date, id FROM section WHERE date <> 0 AND date {bound} ?1");
    let mut find = db.prepare_cached(&sql)?;
    let mut until = |date: i64| -> Result<Vec<(i64, i64)>> {
        find.query_map([date], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let last = usize::try_from(count - 1).unwrap_or(usize::MAX);
    let mut found = match likely_bound(db, count, descending)? {
        Some(date) => until(date)?,
        None => Vec::new(),
    };
    if found.len() <= last {
        found = until(if descending { i64::MIN } else { i64::MAX })?;
    }
    if last < found.len() {
        let (_, &mut (day, _), _) = found.select_nth_unstable_by(last, |(a, _), (b, _)| comes_first(a, b));
        found.retain(|(date, _)| comes_first(date, &day).is_le());
    }
    Ok(found.into_iter().map(|(_, id)| id).collect())
}

/// A date that probably has at least this many sections up to it, and not many more. Sorting the dates of all sections
/// would take longer than finding the games.
fn likely_bound(db: &Connection, count: u64, descending: bool) -> Result<Option<i64>> {
    const SAMPLE: u64 = 1 << 10;
    let Some(last) = integers(db, "SELECT coalesce(max(id), 0) FROM section", [])?.pop() else {
        return Ok(None);
    };
    let step = (last.unsigned_abs() / SAMPLE).max(1);
    let sample: Vec<u64> = (1..=SAMPLE).map(|place| place * step).collect();
    let direction = if descending { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT date FROM json_each(?1) CROSS JOIN section ON section.id = value
         WHERE date <> 0 ORDER BY date {direction} LIMIT 1 OFFSET ?2"
    );
    // Twice the expected number, and some more for small counts.
    let place = (2 * count / step + 8).cast_signed();
    Ok(integers(db, &sql, rusqlite::params![json(&sample), place])?.pop())
}

/// The first sections by the name of their event or site: this many, and all others with the name of the last one.
fn sections_by(db: &Connection, table: &str, count: u64, descending: bool) -> Result<Vec<i64>> {
    let names = first_names(db, table, count, descending)?;
    let places: HashMap<i64, usize> = names.iter().copied().zip(0..).collect();
    let sql = format!("SELECT id, {table} FROM section WHERE {table} IN (SELECT value FROM json_each(?1))");
    let mut find = db.prepare_cached(&sql)?;
    let found = find.query_map([json(&names)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(i64, i64)> = found.collect::<Result<_, _>>()?;
    let mut found: Vec<_> = found.iter().map(|(id, name)| (places.get(name), id)).collect();
    found.sort_unstable();
    let last = usize::try_from(count - 1).ok().and_then(|last| found.get(last)).map(|(place, _)| *place);
    let within = found.into_iter().filter(|(place, _)| last.is_none_or(|last| *place <= last));
    Ok(within.map(|(_, id)| *id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;
    use plybook_record::GameId;

    #[test]
    fn first_page_equals_the_start_of_the_full_list() {
        let folder = tempfile::tempdir().unwrap();
        let tag = |name: &str, number: usize, values: usize| match number % values {
            0 => String::new(),
            1 => format!("[{name} \"?\"]\n"),
            value => format!("[{name} \"{name} {}\"]\n", value * 7919 % values),
        };
        let game = |number: usize| {
            let date = match number % 23 {
                0 => String::new(),
                1 => "[Date \"????.??.??\"]\n".to_owned(),
                day => format!("[Date \"19{:02}.05.{day:02}\"]\n", number % 31),
            };
            let (event, site) = (tag("Event", number / 3, 40), tag("Site", number / 5, 11));
            let (white, black) = (tag("White", number, 37), tag("Black", number, 101));
            format!("{event}{site}{date}[Round \"{number}\"]\n{white}{black}\n1. e4 *\n\n")
        };
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&pgn, (0..1500).map(game).collect::<String>()).unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let found =
            |filter: &Filter| -> Vec<GameId> { archive.list::<GameId>(filter).map(Result::unwrap).collect() };
        let leading = |filter: &Filter| -> Option<Vec<GameId>> {
            let leading = ResolvedFilter::leading(&archive.db, filter).unwrap()?;
            let (sql, values) = filter.query(&leading, "game.id", "");
            let mut statement = archive.db.prepare(&sql).unwrap();
            let found = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0)).unwrap();
            Some(found.map(Result::unwrap).collect())
        };
        let some = Filter { white: Some("White 1*".to_owned()), ..Filter::default() };
        let sorts = [Sort::Id, Sort::White, Sort::Black, Sort::Date, Sort::Event, Sort::Site, Sort::Elo];
        let lists = [Filter::default(), some].into_iter().flat_map(|of| {
            sorts.into_iter().flat_map(move |sort| {
                [false, true].map(|descending| Filter { sort, descending, ..of.clone() })
            })
        });
        for all in lists {
            // Without a limit, all games are sorted.
            let every = found(&all);
            for (offset, limit) in [(0, 1), (0, 20), (7, 20), (600, 200), (1490, 20), (2000, 5)] {
                let part = Filter { offset, limit: Some(limit), ..all.clone() };
                let expected: Vec<_> =
                    every.iter().skip(offset as usize).take(limit as usize).copied().collect();
                assert_eq!(found(&part), expected, "{part:?}");
                let among_leading = leading(&part);
                let has_leading = all.white.is_none() && !matches!(all.sort, Sort::Id | Sort::Elo);
                assert_eq!(among_leading.is_some(), has_leading, "{part:?}");
                // Not all games need to be scanned.
                if [(0, 20), (7, 20), (600, 200)].contains(&(offset, limit)) {
                    assert!(among_leading.is_none_or(|leading| leading == expected), "{part:?}");
                }
            }
        }
    }
}
