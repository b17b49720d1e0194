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
use plybook_record::{GameId, GameRange, push_ids};

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
        push_ids(&mut self.ids, ids);
    }

    /// Adds those of a later batch.
    pub fn extend(&mut self, later: &StoredRows) {
        later.ids.iter().for_each(|ids| self.add(*ids, RowSum::default()));
        self.sum = self.sum.plus(later.sum);
    }

    /// The games that the archive has in another state than they were stored, or no more, in ascending order; `None` if it
    /// cannot tell which.
    pub(in crate::archive) fn changed(&self, db: &Connection) -> Result<Option<Vec<GameId>>> {
        if self.ids.is_empty() || !has_changes(db)? {
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
            if contain(&self.ids, id) {
                before.insert(id, row.get(1)?);
            }
        }
        Ok(before)
    }
}

/// Whether ascending ranges contain an id.
pub(in crate::archive) fn contain(ranges: &[GameRange], id: GameId) -> bool {
    let after = ranges.partition_point(|ids| ids.start <= id);
    after.checked_sub(1).and_then(|place| ranges.get(place)).is_some_and(|ids| ids.contains(&id))
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

#[cfg(test)]
mod tests {
    use rusqlite::types::ValueRef::{Integer, Null};

    use super::*;
    use crate::archive::{
        changes::{self, log::Replaced},
        checksum::Checksums,
        schema,
    };

    /// The row of a game.
    fn row(id: GameId, plies: i64) -> Vec<u8> {
        let mut row = Vec::new();
        let values = [Integer(id), Integer(plies), Integer(0), Integer(1), Null, Null, Null];
        let moves = rusqlite::types::ValueRef::Blob(&[7]);
        values
            .into_iter()
            .chain([moves, Null, Null, Null, Null])
            .for_each(|value| row_hash::push(&mut row, value));
        row
    }

    fn change(db: &Connection, games: &[(GameId, Option<i64>)]) {
        let mut checksums = Checksums::default();
        for (number, (id, plies)) in (1..).zip(games) {
            let after = plies.map(|plies| row(*id, plies));
            let image = checksums.replace_row(db, Checked::Game, *id, after.as_deref()).unwrap();
            let logged =
                db.query_row("SELECT count(*) FROM plybook_change_row", [], |row| row.get::<_, i64>(0));
            let id_in_log = 1 << 32 | (logged.unwrap() + number);
            let replaced =
                Replaced { id: id_in_log, table: Checked::Game, target: *id, image, replaces: None };
            replaced.write(db, &mut checksums).unwrap();
        }
        checksums.flush(db).unwrap();
    }

    #[test]
    fn stored_games_that_have_changed_since_are_told_apart_as_long_as_the_log_has_them() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(schema::tables()).unwrap();
        // The games have no section.
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        let (mut stored, mut checksums) = (StoredRows::default(), Checksums::default());
        for ids in [3..=6, 10..=12] {
            let mut sum = RowSum::default();
            for id in ids.clone() {
                checksums.replace_row(&db, Checked::Game, id, Some(&row(id, 10))).unwrap();
                sum = sum.plus(RowSum::of(row_hash::hash(Checked::Game as u64, &row(id, 10))));
            }
            stored.add((*ids.start()..=*ids.end()).into(), sum);
        }
        checksums.replace_row(&db, Checked::Game, 8, Some(&row(8, 10))).unwrap();
        checksums.flush(&db).unwrap();
        assert_eq!(stored.changed(&db).unwrap(), Some(vec![]));
        changes::make_tables(&db).unwrap();
        assert_eq!(stored.changed(&db).unwrap(), Some(vec![]));
        // Game 8 is none of them.
        change(&db, &[(11, Some(12)), (8, Some(9)), (4, None), (11, Some(14))]);
        assert_eq!(stored.changed(&db).unwrap(), Some(vec![4, 11]));
        db.execute("DELETE FROM plybook_change_row WHERE target = 4", []).unwrap();
        assert_eq!(stored.changed(&db).unwrap(), None);
    }
}
