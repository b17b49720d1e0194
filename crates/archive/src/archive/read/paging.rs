//! Long reads split into short statements: games are read into memory in batches, and returned after their statement
//! has ended. So even a slow reader never blocks a writer or a checkpoint of its log, and a file whose pages form a
//! cycle cannot block a reader forever. The bytes of a batch are limited.

use std::{collections::VecDeque, ops::RangeInclusive};

use rusqlite::{Row, types::Value};

use super::{
    GameSet,
    filter::Filter,
    filter_sql::SOURCE,
    resolved_filter::{Named, ResolvedFilter},
};
use crate::archive::{
    Archive, ArchiveError, Result,
    changes::removed,
    parts::{PagesOfParts, PartView},
};
use plybook_chess::limits::READ_MEMORY;
use plybook_record::GameId;

/// Most games in a batch.
// A reader that kept its snapshot during an import let the log grow to 1.2 GB, next to an archive of 38 MB. So no
// statement outlives a batch.
const MOST: usize = 512;

/// Number of ids that are found in one step if games are not found in the order of ids, or only after scanning names:
/// few at first, so that the beginning of a list arrives quickly.
const FIRST_IDS: u64 = 1 << 10;
const MOST_IDS: u64 = 1 << 20;

/// What to read of each game.
#[derive(Debug)]
pub struct Selected<T> {
    /// Lists of columns; the first column is the id.
    pub columns: &'static [&'static str],
    /// Tables that are joined to those of a filter.
    pub tables: &'static str,
    /// Converts a row; `None` to skip it.
    pub read: fn(&Archive, &Row<'_>) -> rusqlite::Result<Option<T>>,
    /// Estimates the bytes in memory.
    pub bytes: fn(&T) -> usize,
}

impl<T> Clone for Selected<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Selected<T> {}

/// What was read of games, by id.
type GamesById<T> = Vec<(GameId, Option<Keyed<T>>)>;

/// What was read of a game, after its sort key if requested.
type Keyed<T> = (Value, T);

/// Games read by one statement.
struct PageBatch<T> {
    games: GamesById<T>,
    /// Whether the statement has no more rows.
    ended: bool,
}

/// Reads the games of a file that pass a filter, in the filter's order. Games that are added meanwhile are not
/// included. After an error the iterator ends.
#[derive(Debug)]
pub(in crate::archive) struct Pages<T> {
    filter: Filter,
    looked_up: ResolvedFilter,
    /// The candidates for the first page of a sorted list.
    leading: Option<ResolvedFilter>,
    wanted: Selected<T>,
    /// The players that match names, if known.
    named: Option<Named>,
    /// Whether to return sort keys.
    with_keys: bool,
    /// What has been read but not returned; an error is the last.
    ready: VecDeque<Result<Keyed<T>>>,
    state: PagingState,
}

/// The reading position.
#[derive(Debug)]
enum PagingState {
    Start,
    /// Batches in the order of ids, each found by its first id.
    ByKey {
        from: GameId,
        last: GameId,
        left: Option<u64>,
    },
    /// Finding the games again for each batch would be slow: ids first, then rows.
    ByIds(Ids),
    Ended,
}

/// Ids of games whose rows are still to be read.
#[derive(Debug)]
struct Ids {
    found: VecDeque<GameId>,
    /// Number of candidates that have been checked.
    seen: usize,
    /// Number of passing games before the next ones, and how many to return.
    offset: u64,
    left: u64,
    /// The number of ids found in one step.
    most: u64,
}

impl Archive {
    /// Reads the games that pass a filter.
    pub(in crate::archive) fn pages<T: PartView>(
        &self,
        filter: &Filter,
        wanted: Selected<T>,
    ) -> impl Iterator<Item = Result<T>> + use<'_, T> {
        let mut one = self.is_one().then(|| Pages::new(filter, wanted, false, None));
        let mut several = (!self.is_one()).then(|| PagesOfParts::new(self, filter, wanted));
        std::iter::from_fn(move || match &mut one {
            Some(pages) => pages.next(self),
            None => several.as_mut()?.next(),
        })
    }
}

impl<T> Pages<T> {
    /// Before anything is read. The players that match names may be known already.
    pub(in crate::archive) fn new(
        filter: &Filter,
        wanted: Selected<T>,
        with_keys: bool,
        named: Option<Named>,
    ) -> Pages<T> {
        Pages {
            filter: filter.clone(),
            looked_up: ResolvedFilter::default(),
            leading: None,
            wanted,
            named,
            with_keys,
            ready: VecDeque::new(),
            state: PagingState::Start,
        }
    }

    /// The next game; always from the same file.
    pub(in crate::archive) fn next(&mut self, archive: &Archive) -> Option<Result<T>> {
        self.next_with_key(archive).map(|next| next.map(|(_, game)| game))
    }

    /// The same, with its sort key if requested.
    pub(in crate::archive) fn next_with_key(&mut self, archive: &Archive) -> Option<Result<Keyed<T>>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            let state = match std::mem::replace(&mut self.state, PagingState::Ended) {
                PagingState::Ended => return None,
                state => self.read_on(archive, state),
            };
            match state {
                Ok(state) => self.state = state,
                Err(error) => self.ready.push_back(Err(error)),
            }
        }
    }

    fn read_on(&mut self, archive: &Archive, state: PagingState) -> Result<PagingState> {
        match state {
            PagingState::Start => self.begin(archive),
            PagingState::ByKey { from, last, left } if from <= last && left != Some(0) => {
                self.read_from(archive, from..=last, left)
            }
            PagingState::ByIds(ids) if !ids.found.is_empty() => self.read_found(archive, ids),
            PagingState::ByIds(ids) if ids.left > 0 => self.find_ids(archive, ids),
            _ => Ok(PagingState::Ended),
        }
    }

    fn begin(&mut self, archive: &Archive) -> Result<PagingState> {
        let named = self.named.take();
        (self.looked_up, self.leading) = archive.db.attempt(|db| {
            let looked_up = match named {
                Some(named) => ResolvedFilter::with(db, &self.filter, named)?,
                None => ResolvedFilter::of(db, &self.filter)?,
            };
            Ok((looked_up, ResolvedFilter::leading(db, &self.filter)?))
        })?;
        let asked = self.filter.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let (from, last) = (*asked.start(), archive.last_id()?.min(*asked.end()));
        self.filter.ids = Some(from..=last);
        let Filter { offset, limit, .. } = self.filter;
        if self.filter.is_keyset_pageable() {
            return Ok(PagingState::ByKey { from, last, left: limit });
        }
        let most = match self.looked_up.buckets {
            _ if !self.filter.is_in_order() => MOST_IDS,
            None => FIRST_IDS,
            // With few candidates, more can be found in the same time.
            Some(_) => 8 * FIRST_IDS,
        };
        Ok(PagingState::ByIds(Ids {
            found: VecDeque::new(),
            seen: 0,
            offset,
            left: limit.unwrap_or(u64::MAX),
            most,
        }))
    }

    /// The next batch in the order of ids.
    fn read_from(
        &mut self,
        archive: &Archive,
        ids: RangeInclusive<GameId>,
        left: Option<u64>,
    ) -> Result<PagingState> {
        let (mut from, last) = ids.into_inner();
        let part = Filter { ids: Some(from..=last), limit: left, ..self.filter.clone() };
        let (sql, values) = part.query(&self.looked_up, &self.columns(), self.wanted.tables);
        let batch = self.read(archive, &sql, values)?;
        let left = left.map(|left| left.saturating_sub(batch.games.len() as u64));
        for (id, game) in batch.games {
            if id < from {
                return Err(out_of_place(id));
            }
            from = id.saturating_add(1);
            self.ready.extend(game.map(Ok));
        }
        Ok(if batch.ended { PagingState::Ended } else { PagingState::ByKey { from, last, left } })
    }

    /// The ids of the next games.
    fn find_ids(&mut self, archive: &Archive, mut ids: Ids) -> Result<PagingState> {
        let most = ids.most;
        ids.most = MOST_IDS.min(8 * most);
        match self.filter.among.clone().filter(|_| self.filter.is_in_order()) {
            Some(among) => self.find_among(archive, &among, most, &mut ids)?,
            None => self.find_next(archive, most, &mut ids)?,
        }
        Ok(PagingState::ByIds(ids))
    }

    /// Finds this many more games in the filter's order.
    fn find_next(&mut self, archive: &Archive, most: u64, ids: &mut Ids) -> Result<()> {
        let limit = ids.left.min(most);
        let part = Filter { offset: ids.offset, limit: Some(limit), ..self.filter.clone() };
        let leading =
            self.leading.take().map(|leading| self.find_leading(archive, &part, &leading)).transpose()?;
        let found = match leading.filter(|found| found.len() as u64 == limit) {
            Some(found) => found,
            None => ids_of(archive, &part, &self.looked_up)?,
        };
        let count = found.len() as u64;
        ids.left = if count < limit { 0 } else { ids.left - count };
        ids.offset += count;
        ids.found = found;
        Ok(())
    }

    /// The games of a page of a sorted list among the candidates: all of the page, unless there are fewer.
    fn find_leading(
        &self,
        archive: &Archive,
        part: &Filter,
        leading: &ResolvedFilter,
    ) -> Result<VecDeque<GameId>> {
        let Filter { offset, limit, ref ids, .. } = *part;
        // Comparing every id costs a tenth of the time; nearly always there are no others.
        let whole = Filter { offset: 0, limit: limit.map(|limit| limit + offset), ids: None, ..part.clone() };
        let mut found = ids_of(archive, &whole, leading)?;
        found.retain(|id| ids.as_ref().is_none_or(|ids| ids.contains(id)));
        found.drain(..found.len().min(usize::try_from(offset).unwrap_or(usize::MAX)));
        Ok(found)
    }

    /// Finds the passing games among the next games of a set, in its order.
    fn find_among(&self, archive: &Archive, among: &GameSet, most: u64, ids: &mut Ids) -> Result<()> {
        let rest = among.ids().iter().skip(ids.seen);
        let part: GameSet = rest.take(usize::try_from(most).unwrap_or(usize::MAX)).copied().collect();
        ids.seen += part.len();
        let all = Filter { among: Some(part), offset: 0, limit: None, ..self.filter.clone() };
        ids.found = ids_of(archive, &all, &self.looked_up)?;
        let skipped = ids.found.len().min(usize::try_from(ids.offset).unwrap_or(usize::MAX));
        ids.found.drain(..skipped);
        ids.offset -= skipped as u64;
        ids.found.truncate(usize::try_from(ids.left).unwrap_or(usize::MAX));
        ids.left = if ids.seen < among.len() { ids.left - ids.found.len() as u64 } else { 0 };
        Ok(())
    }

    /// Reads the first of the games whose ids have been found.
    fn read_found(&mut self, archive: &Archive, mut ids: Ids) -> Result<PagingState> {
        let these: Vec<GameId> = ids.found.iter().take(MOST).copied().collect();
        let (columns, tables) = (self.columns(), self.wanted.tables);
        let sql = format!(
            "SELECT {columns} FROM json_each(?) AS wanted CROSS JOIN {SOURCE} {tables} WHERE game.id = wanted.value"
        );
        let json = serde_json::to_string(&these).unwrap_or_default();
        let batch = self.read(archive, &sql, vec![json.into()])?;
        // If a batch was ended by its size, its last game shows how many of the ids have been read.
        let read = match batch.games.last().filter(|_| !batch.ended) {
            None => these.len(),
            Some((last, _)) => {
                1 + these.iter().position(|id| id == last).ok_or_else(|| out_of_place(*last))?
            }
        };
        ids.found.drain(..read);
        self.ready.extend(batch.games.into_iter().filter_map(|(_, game)| game.map(Ok)));
        Ok(PagingState::ByIds(ids))
    }

    /// The columns, followed by the sort key.
    fn columns(&self) -> String {
        let columns = self.wanted.columns.join(", ");
        if self.with_keys { format!("{columns}, {}", self.filter.sort.sql()) } else { columns }
    }

    /// Reads one batch of a query.
    fn read(&self, archive: &Archive, sql: &str, values: Vec<Value>) -> Result<PageBatch<T>> {
        archive.db.attempt(|db| {
            let mut statement = db.prepare_cached(sql)?;
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            let (mut games, mut bytes) = (Vec::new(), 0);
            while games.len() < MOST && bytes < READ_MEMORY {
                let Some(row) = rows.next()? else { return Ok(PageBatch { games, ended: true }) };
                let game = (self.wanted.read)(archive, row)?;
                bytes += game.as_ref().map_or(0, self.wanted.bytes);
                let last = row.as_ref().column_count().saturating_sub(1);
                let key = if self.with_keys { row.get(last)? } else { Value::Null };
                games.push((row.get(0)?, game.map(|game| (key, game))));
            }
            Ok(PageBatch { games, ended: false })
        })
    }
}

impl Archive {
    /// The largest id, even if its game has been removed; 0 in an archive that never had a game.
    pub fn last_id(&self) -> Result<GameId> {
        if let Some(part) = self.files().parts().last() {
            return Ok(part.before + part.last);
        }
        self.db.attempt(|db| removed::last_id(db))
    }
}

/// The ids of all games that pass a filter.
fn ids_of(archive: &Archive, filter: &Filter, looked_up: &ResolvedFilter) -> Result<VecDeque<GameId>> {
    archive.db.attempt(|db| {
        let (sql, values) = filter.query(looked_up, "game.id", "");
        let mut statement = db.prepare_cached(&sql)?;
        statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?.collect()
    })
}

fn out_of_place(id: GameId) -> ArchiveError {
    ArchiveError::Unreadable { first: id, last: None, what: "the game is out of order".to_owned() }
}
