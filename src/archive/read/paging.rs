//! Long reads in short statements: games are read into memory in batches, and handed on when their statement has
//! ended. So no reader, however slowly it goes on, keeps a writer waiting or a writer's log from being folded in;
//! and a file whose pages lead round in a circle cannot hold a reader for ever. A batch is bounded by bytes.

use rusqlite::{Connection, Row, types::Value};

use crate::archive::{Archive, ArchiveError, Filter, read::filter::SOURCE};
use crate::limits::READ_MEMORY;
use crate::record::GameId;

/// Most games of a batch.
const MOST: usize = 4096;

/// Ids that are found at once where games are not found in the order of ids, or not without looking through names:
/// few at first, so that the beginning of a list comes soon.
const FIRST_IDS: u64 = 1 << 10;
const MOST_IDS: u64 = 1 << 20;

/// What is read of each game.
pub(in crate::archive) struct Wanted<'a, T> {
    /// The columns; the first is the id.
    pub columns: &'a str,
    /// Tables that are joined to those of a filter.
    pub tables: &'a str,
    /// What becomes of a row; nothing for one that is passed over.
    pub read: &'a dyn Fn(&Connection, &Row<'_>) -> rusqlite::Result<Option<T>>,
    /// About how many bytes it takes in memory.
    pub bytes: fn(&T) -> usize,
}

/// What was read of games, by their ids.
type Games<T> = Vec<(GameId, Option<T>)>;

/// Games that were read by one statement.
struct Batch<T> {
    games: Games<T>,
    /// Whether the statement had no more of them.
    ended: bool,
}

impl Archive {
    /// Hands what is wanted of the games that pass a filter to `each`, in the filter's order, until it says stop
    /// (false). Games that are added meanwhile are left out.
    pub(in crate::archive) fn in_batches<T>(
        &self,
        filter: &Filter,
        wanted: &Wanted<'_, T>,
        mut each: impl FnMut(T) -> bool,
    ) -> Result<(), ArchiveError> {
        let asked = filter.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let ids = *asked.start()..=self.last_id()?.min(*asked.end());
        let filter = Filter { ids: Some(ids.clone()), ..filter.clone() };
        if !filter.is_cheap() {
            return self.by_ids(&filter, wanted, each);
        }
        let (mut from, mut left) = (*ids.start(), filter.limit);
        while from <= *ids.end() && left != Some(0) {
            let part = Filter { ids: Some(from..=*ids.end()), limit: left, ..filter.clone() };
            let batch =
                self.query_of(&part, wanted).and_then(|(sql, values)| self.read(&sql, values, wanted))?;
            left = left.map(|left| left.saturating_sub(batch.games.len() as u64));
            for (id, game) in batch.games {
                if id < from {
                    return Err(out_of_place(id));
                }
                from = id.saturating_add(1);
                if !game.is_none_or(&mut each) {
                    return Ok(());
                }
            }
            if batch.ended {
                break;
            }
        }
        Ok(())
    }

    /// The same, where finding the games again for each batch would take long: first their ids.
    fn by_ids<T>(
        &self,
        filter: &Filter,
        wanted: &Wanted<'_, T>,
        mut each: impl FnMut(T) -> bool,
    ) -> Result<(), ArchiveError> {
        let (mut offset, mut left) = (filter.offset, filter.limit.unwrap_or(u64::MAX));
        let mut most = if filter.is_in_order() { FIRST_IDS } else { MOST_IDS };
        while left > 0 {
            let limit = left.min(most);
            let ids = self.ids_of(&Filter { offset, limit: Some(limit), ..filter.clone() })?;
            let mut rest = ids.as_slice();
            while !rest.is_empty() {
                let (batch, behind) = self.read_these(rest, wanted)?;
                rest = behind;
                if !batch.into_iter().filter_map(|(_, game)| game).all(&mut each) {
                    return Ok(());
                }
            }
            let found = ids.len() as u64;
            if found < limit {
                break;
            }
            (offset, left, most) = (offset + found, left - found, MOST_IDS.min(8 * most));
        }
        Ok(())
    }

    fn ids_of(&self, filter: &Filter) -> Result<Vec<GameId>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let (sql, values) = filter.query(&self.db, "game.id", "")?;
            let mut statement = self.db.prepare_cached(&sql)?;
            statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.error(error))
    }

    /// The first of some games, and the ids of the others.
    fn read_these<'i, T>(
        &self,
        ids: &'i [GameId],
        wanted: &Wanted<'_, T>,
    ) -> Result<(Games<T>, &'i [GameId]), ArchiveError> {
        let (these, others) = ids.split_at(ids.len().min(MOST));
        let Wanted { columns, tables, .. } = wanted;
        let sql = format!(
            "SELECT {columns} FROM json_each(?) AS wanted CROSS JOIN {SOURCE} {tables} WHERE game.id = wanted.value"
        );
        let json = serde_json::to_string(these).unwrap_or_default();
        let batch = self.read(&sql, vec![json.into()], wanted)?;
        let Some((last, _)) = batch.games.last().filter(|_| !batch.ended) else {
            return Ok((batch.games, others));
        };
        let place = these.iter().position(|id| id == last).ok_or_else(|| out_of_place(*last))?;
        Ok((batch.games, ids.get(place + 1..).unwrap_or_default()))
    }

    fn query_of<T>(
        &self,
        filter: &Filter,
        wanted: &Wanted<'_, T>,
    ) -> Result<(String, Vec<Value>), ArchiveError> {
        filter.query(&self.db, wanted.columns, wanted.tables).map_err(|error| self.error(error))
    }

    /// As many games of a query as make a batch.
    fn read<T>(
        &self,
        sql: &str,
        values: Vec<Value>,
        wanted: &Wanted<'_, T>,
    ) -> Result<Batch<T>, ArchiveError> {
        let run = || -> rusqlite::Result<Batch<T>> {
            let mut statement = self.db.prepare_cached(sql)?;
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            let (mut games, mut bytes) = (Vec::new(), 0);
            while games.len() < MOST && bytes < READ_MEMORY {
                let Some(row) = rows.next()? else { return Ok(Batch { games, ended: true }) };
                let game = (wanted.read)(&self.db, row)?;
                bytes += game.as_ref().map_or(0, wanted.bytes);
                games.push((row.get(0)?, game));
            }
            Ok(Batch { games, ended: false })
        };
        run().map_err(|error| self.error(error))
    }

    /// The largest id; 0 in an empty archive.
    ///
    /// # Errors
    /// SQLite's.
    pub fn last_id(&self) -> Result<GameId, ArchiveError> {
        let last = self.db.query_row("SELECT coalesce(max(id), 0) FROM game", [], |row| row.get(0));
        last.map_err(|error| self.error(error))
    }
}

fn out_of_place(id: GameId) -> ArchiveError {
    ArchiveError::Damaged { id, what: "it is not in its place".to_owned() }
}
