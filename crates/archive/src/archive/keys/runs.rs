//! Runs of keys in tables of runs and of blocks.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
};

use rusqlite::{Connection, Result, params, types::Type};

use super::{KeyKind, KeyTables, OF_IDENTITIES, REQUIRED, STORED, block};
use crate::archive::{bounded::file_bytes, schema};

/// A sorted run: consecutive blocks.
#[derive(Clone, Debug)]
pub(super) struct Run {
    id: i64,
    pub(super) kind: KeyKind,
    first_block: i64,
    blocks: i64,
    pub(super) keys: u64,
    /// The first keys of its blocks, if this process wrote the run; otherwise they are read.
    firsts: Vec<u64>,
}

/// Keys are unsigned and SQLite's integers are signed; flipping the highest bit preserves the order.
fn stored(key: u64) -> i64 {
    (key ^ 1 << 63).cast_signed()
}

fn unstored(key: i64) -> u64 {
    key.cast_unsigned() ^ 1 << 63
}

/// The runs of an archive.
pub(super) fn load(db: &Connection) -> Result<Vec<Run>> {
    let mut runs = load_from(db, REQUIRED)?;
    if schema::has_table(db, OF_IDENTITIES.run)? {
        runs.extend(load_from(db, OF_IDENTITIES)?);
    }
    Ok(runs)
}

fn load_from(db: &Connection, tables: KeyTables) -> Result<Vec<Run>> {
    let sql = format!("SELECT id, kind, first_block, blocks, keys FROM {} ORDER BY id", tables.run);
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map([], |row| {
        let kind: i64 = row.get(1)?;
        let known = STORED.into_iter().find(|known| *known as i64 == kind && known.tables() == tables);
        Ok(Run {
            id: row.get(0)?,
            kind: known.ok_or(rusqlite::Error::IntegralValueOutOfRange(1, kind))?,
            first_block: row.get(2)?,
            blocks: row.get(3)?,
            keys: row.get::<_, i64>(4)?.cast_unsigned(),
            firsts: Vec::new(),
        })
    })?;
    let runs: Vec<Run> = rows.collect::<Result<_, _>>()?;
    if is_sensible(db, &runs)? { Ok(runs) } else { Err(damaged("the key runs are damaged".to_owned())) }
}

/// Whether no two runs share a block, and no run claims more blocks or keys than possible; otherwise a few blocks could
/// be read any number of times.
fn is_sensible(db: &Connection, runs: &[Run]) -> Result<bool> {
    let mut spans: Vec<(i64, i64)> = runs.iter().map(|run| (run.first_block, run.blocks)).collect();
    spans.sort_unstable();
    let bytes = file_bytes(db)?.cast_signed();
    let mut next = 1;
    for (first, blocks) in spans {
        // A block takes more than a byte.
        if first < next || !(0..=bytes).contains(&blocks) {
            return Ok(false);
        }
        let Some(behind) = first.checked_add(blocks) else { return Ok(false) };
        next = behind;
    }
    Ok(runs.iter().all(|run| run.keys <= run.blocks.unsigned_abs() * block::KEYS as u64))
}

fn damaged(what: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(2, Type::Blob, what.into())
}

/// Writes ascending, distinct keys of a set as a new run.
pub(super) fn write(db: &Connection, set: KeyKind, keys: impl Iterator<Item = Result<u64>>) -> Result<Run> {
    let kind = set.stored_in(db)?;
    let KeyTables { run: to_runs, block: to_blocks } = kind.tables();
    for table in [to_runs, to_blocks] {
        if !schema::has_table(db, table)? {
            db.execute_batch(schema::table(table))?;
        }
    }
    let first_block = next_id(db, to_blocks)?;
    let mut run = Run { id: 0, kind, first_block, blocks: 0, keys: 0, firsts: Vec::new() };
    let mut waiting = Vec::with_capacity(block::KEYS);
    for key in keys {
        waiting.push(key?);
        if waiting.len() == block::KEYS {
            run.add_block(db, &mut waiting)?;
        }
    }
    while !waiting.is_empty() {
        run.add_block(db, &mut waiting)?;
    }
    run.id = next_id(db, to_runs)?;
    let sql =
        format!("INSERT INTO {to_runs} (id, kind, first_block, blocks, keys) VALUES (?1, ?2, ?3, ?4, ?5)");
    db.prepare_cached(&sql)?.execute(params![
        run.id,
        kind as i64,
        run.first_block,
        run.blocks,
        run.keys.cast_signed()
    ])?;
    Ok(run)
}

fn next_id(db: &Connection, table: &str) -> Result<i64> {
    let sql = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
    db.prepare_cached(&sql)?.query_row([], |row| row.get(0))
}

/// Merges several runs into one.
pub(super) fn merge(db: &Connection, runs: &[Run]) -> Result<Run> {
    let mut cursors: Vec<Cursor<'_>> = runs.iter().map(|run| Cursor::new(db, run)).collect();
    let mut heads = BinaryHeap::new();
    for (place, cursor) in cursors.iter_mut().enumerate() {
        heads.extend(cursor.next().transpose()?.map(|key| Reverse((key, place))));
    }
    let mut last = None;
    let merged = std::iter::from_fn(|| {
        loop {
            let mut head = heads.peek_mut()?;
            let Reverse((key, place)) = *head;
            match cursors.get_mut(place)?.next() {
                Some(Ok(next)) => *head = Reverse((next, place)),
                Some(Err(error)) => return Some(Err(error)),
                None => drop(PeekMut::pop(head)),
            }
            if last.replace(key) != Some(key) {
                return Some(Ok(key));
            }
        }
    });
    let kind = runs.first().map_or(KeyKind::Fingerprints, |run| run.kind);
    let run = write(db, kind, merged)?;
    runs.iter().try_for_each(|old| remove(db, old))?;
    Ok(run)
}

/// Removes a run.
pub(super) fn remove(db: &Connection, Run { id, kind, first_block, blocks, .. }: &Run) -> Result<()> {
    let KeyTables { run, block } = kind.tables();
    db.prepare_cached(&format!("DELETE FROM {block} WHERE id BETWEEN ?1 AND ?2"))?
        .execute([first_block, &(first_block + blocks - 1)])?;
    db.prepare_cached(&format!("DELETE FROM {run} WHERE id = ?1"))?.execute([id]).map(drop)
}

impl Run {
    /// Takes as many keys from the front as fit in a block.
    fn add_block(&mut self, db: &Connection, waiting: &mut Vec<u64>) -> Result<()> {
        let first = waiting.first().copied().unwrap_or(0);
        let (count, bytes) = block::fill(waiting, self.kind.low_bits());
        let to = self.kind.tables().block;
        db.prepare_cached(&format!("INSERT INTO {to} (id, first, count, keys) VALUES (?1, ?2, ?3, ?4)"))?
            .execute(params![self.first_block + self.blocks, stored(first), count as i64, bytes])?;
        waiting.drain(..count);
        self.firsts.push(first);
        self.blocks += 1;
        self.keys += count as u64;
        Ok(())
    }

    /// The keys in an inclusive range.
    pub(super) fn between(&self, db: &Connection, from: u64, to: u64) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        for place in self.block_of(db, from)?..self.blocks {
            let keys = read_block(db, self.kind, self.first_block + place)?;
            let past = keys.last().is_none_or(|last| *last >= to);
            found.extend(keys.into_iter().filter(|key| (from..=to).contains(key)));
            if past {
                break;
            }
        }
        Ok(found)
    }

    /// Loads the first keys of the blocks, so that each lookup reads only one block.
    pub(super) fn with_firsts(mut self, db: &Connection) -> Result<Run> {
        let from = self.kind.tables().block;
        let sql = format!("SELECT first FROM {from} WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        let mut firsts = db.prepare_cached(&sql)?;
        let last = self.first_block + self.blocks - 1;
        let read = firsts.query_map([self.first_block, last], |row| row.get(0).map(unstored))?;
        self.firsts = read.collect::<Result<_, _>>()?;
        if self.firsts.len() as i64 == self.blocks {
            return Ok(self);
        }
        Err(damaged("key blocks are missing".to_owned()))
    }

    /// The last block whose first key is at most a key (or the first block).
    fn block_of(&self, db: &Connection, key: u64) -> Result<i64> {
        if !self.firsts.is_empty() {
            let behind = self.firsts.partition_point(|&first| first <= key);
            return Ok(behind.saturating_sub(1) as i64);
        }
        let sql = format!("SELECT first FROM {} WHERE id = ?1", self.kind.tables().block);
        let mut first = db.prepare_cached(&sql)?;
        let (mut low, mut high) = (0, self.blocks);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            let begins: i64 = first.query_row([self.first_block + middle], |row| row.get(0))?;
            if unstored(begins) <= key { low = middle } else { high = middle }
        }
        Ok(low)
    }
}

fn read_block(db: &Connection, kind: KeyKind, id: i64) -> Result<Vec<u64>> {
    let sql = format!("SELECT first, count, keys FROM {} WHERE id = ?1", kind.tables().block);
    db.prepare_cached(&sql)?.query_row([id], |row| {
        let (first, count): (i64, i64) = (row.get(0)?, row.get(1)?);
        let (first, count) = (unstored(first), usize::try_from(count).unwrap_or(0));
        let keys = block::decode(first, count, row.get_ref(2)?.as_blob()?, kind.low_bits());
        keys.ok_or_else(|| damaged(format!("key block {id} is damaged")))
    })
}

/// Reads the keys of a run block by block.
pub(super) struct Cursor<'a> {
    db: &'a Connection,
    kind: KeyKind,
    blocks: std::ops::Range<i64>,
    keys: std::vec::IntoIter<u64>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(db: &'a Connection, run: &Run) -> Cursor<'a> {
        let blocks = run.first_block..run.first_block.saturating_add(run.blocks);
        Cursor { db, kind: run.kind, blocks, keys: Vec::new().into_iter() }
    }
}

impl Iterator for Cursor<'_> {
    type Item = Result<u64>;

    fn next(&mut self) -> Option<Result<u64>> {
        if let Some(key) = self.keys.next() {
            return Some(Ok(key));
        }
        match read_block(self.db, self.kind, self.blocks.next()?) {
            Ok(keys) => self.keys = keys.into_iter(),
            Err(error) => return Some(Err(error)),
        }
        self.keys.next().map(Ok)
    }
}
