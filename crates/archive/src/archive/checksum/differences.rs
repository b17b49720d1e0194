//! Rows that differ from those that another connection sees, or from those that were stored.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::Hasher,
    range::RangeInclusive,
};

use rusqlite::{Connection, Result, Row, params};
use twox_hash::XxHash3_64;

use super::{Checked, RowSum, for_each_hash, has_changes, has_checksums};
use crate::archive::row_hash;
use plybook_record::{GameId, GameRange};

/// Games that were stored, and the sum of the hashes of their rows.
// The log of changes does not tell whether they are unchanged: it can be deleted.
#[derive(Clone, Debug, Default)]
pub struct StoredRows {
    /// Their ids, as ascending ranges.
    ids: Vec<GameRange>,
    sum: RowSum,
}

impl StoredRows {
    /// Adds later games, with consecutive ids.
    pub(in crate::archive) fn add(&mut self, ids: GameRange, sum: RowSum) {
        self.sum = self.sum.plus(sum);
        match self.ids.last_mut() {
            Some(before) if before.last + 1 == ids.start => before.last = ids.last,
            _ => self.ids.push(ids),
        }
    }

    /// Adds those of a later batch.
    pub fn extend(&mut self, later: &StoredRows) {
        later.ids.iter().for_each(|ids| self.add(*ids, RowSum::default()));
        self.sum = self.sum.plus(later.sum);
    }

    /// The games that the archive has in another state than they were stored, or no more; `None` if it cannot tell which.
    pub(in crate::archive) fn changed(&self, db: &Connection) -> Result<Option<Vec<GameId>>> {
        if !has_changes(db)? {
            return Ok(Some(Vec::new()));
        }
        let before = self.logged(db)?;
        let hash = |row: &Vec<u8>| row_hash::hash(Checked::Game as u64, row);
        let mut sum = before.values().fold(RowSum::default(), |sum, row| sum.plus(RowSum::of(hash(row))));
        for ids in &self.ids {
            for_each_hash(db, Checked::Game, *ids, |id, hash| {
                if !before.contains_key(&id) {
                    sum = sum.plus(RowSum::of(hash));
                }
            })?;
        }
        // If changes were undone or the log was deleted, it does not say how the games were stored.
        Ok((sum == self.sum).then(|| before.into_keys().collect()))
    }

    /// Those that changes in the log have replaced, each with its row before the first of them.
    fn logged(&self, db: &Connection) -> Result<BTreeMap<GameId, Vec<u8>>> {
        let sql = "SELECT target, image FROM plybook_change_row WHERE subject = ?1 AND image IS NOT NULL
                   ORDER BY id DESC";
        let mut statement = db.prepare(sql)?;
        let (mut rows, mut before) = (statement.query([Checked::Game as i64])?, BTreeMap::new());
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            if self.ids.iter().any(|ids| ids.contains(&id)) {
                before.insert(id, row.get(1)?);
            }
        }
        Ok(before)
    }
}

/// The ids in a range whose rows two connections to one archive see differently. Only rows whose stored checksums differ
/// are read.
pub(in crate::archive) fn changed_ids(
    [before, after]: [&Connection; 2],
    table: Checked,
    ids: RangeInclusive<i64>,
) -> Result<Vec<i64>> {
    let buckets = table.buckets(ids);
    let (old, new) = (sums(before, table, buckets)?, sums(after, table, buckets)?);
    let differing: BTreeSet<i64> = old.symmetric_difference(&new).map(|(bucket, ..)| *bucket).collect();
    let mut changed = Vec::new();
    for bucket in differing {
        let covered = table.ids(bucket);
        let ids = (covered.start.max(ids.start)..=covered.last.min(ids.last)).into();
        let (old, new) = (hashes(before, table, ids)?, hashes(after, table, ids)?);
        let both: BTreeSet<i64> = old.keys().chain(new.keys()).copied().collect();
        changed.extend(both.into_iter().filter(|id| old.get(id) != new.get(id)));
    }
    Ok(changed)
}

/// The xxh3 of all stored checksums: it is different after any change. `None` if the archive has no checksums.
pub(in crate::archive) fn digest(db: &Connection) -> Result<Option<u64>> {
    if !has_checksums(db)? {
        return Ok(None);
    }
    let mut hasher = XxHash3_64::with_seed(0);
    let mut statement = db.prepare("SELECT subject, bucket, count, late, sum FROM checksum")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..5 {
            hasher.write(&row.get::<_, i64>(column)?.to_le_bytes());
        }
    }
    Ok(Some(hasher.finish()))
}

/// The stored checksums: bucket, number of rows, sum.
fn sums(db: &Connection, table: Checked, buckets: RangeInclusive<i64>) -> Result<BTreeSet<(i64, i64, i64)>> {
    let sql = "SELECT bucket, count, sum FROM checksum WHERE subject = ?1 AND bucket BETWEEN ?2 AND ?3";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    db.prepare(sql)?.query_map(params![table as i64, buckets.start, buckets.last], read)?.collect()
}

fn hashes(db: &Connection, table: Checked, ids: RangeInclusive<i64>) -> Result<BTreeMap<i64, u64>> {
    let mut hashes = BTreeMap::new();
    for_each_hash(db, table, ids, |id, hash| hashes.extend([(id, hash)]))?;
    Ok(hashes)
}
