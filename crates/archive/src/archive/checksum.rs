//! Checksums of rows: they prove that a table contains exactly the rows that were written. Fingerprints prove the
//! games; checksums prove everything else that is printed: original texts, sources, the order of tag pairs.
//!
//! A row's hash is the xxh3 of its id and its other columns in order, with the table's number as seed. Each value is a
//! byte for its type and its data: 0 NULL; 1 an integer, 8 bytes; 2 a float, 8 bytes; 3 text or 4 a blob, its length in
//! 8 bytes and its bytes. Numbers are little-endian.
//!
//! The table `checksum` stores the sum of the hashes of neighbouring rows, modulo 2^64: with a sum, a row can be added
//! or replaced without reading the others. The number of late rows (those written before there were checksums) times
//! 0x9e3779b97f4a7c15 is added to it.
//!
//! Checksums are stored in archives, so how they are computed never changes.

use std::{collections::BTreeMap, ops::ControlFlow, range::RangeInclusive};

use rusqlite::{
    Connection, OptionalExtension, Row, Statement, ToSql, params,
    types::{ToSqlOutput, ValueRef},
};

mod checked;
mod differences;
mod table_rows;
mod while_changing;

pub use self::{checked::LATEST_VERSION, differences::StoredRows};
pub(super) use self::{
    checked::{Checked, Owner, SideTable},
    differences::{changed_ids, contain, digest},
    table_rows::TableRows,
    while_changing::while_changing,
};
use super::{row_hash, schema, snapshot::snapshot};

/// The number of some rows, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RowSum {
    count: i64,
    sum: u64,
}

impl RowSum {
    /// One row, by its hash.
    fn of(hash: u64) -> RowSum {
        RowSum { count: 1, sum: hash }
    }

    fn plus(self, other: RowSum) -> RowSum {
        RowSum { count: self.count + other.count, sum: self.sum.wrapping_add(other.sum) }
    }

    fn minus(self, other: RowSum) -> RowSum {
        RowSum { count: self.count - other.count, sum: self.sum.wrapping_sub(other.sum) }
    }
}

/// The checksums of a batch of rows being written.
#[derive(Debug, Default)]
pub(super) struct Checksums {
    added: BTreeMap<(Checked, i64), RowSum>,
    /// Buffer for a row's bytes.
    bytes: Vec<u8>,
    /// The statement that inserts a game, in the batch.
    insert_game: Option<String>,
}

impl Checksums {
    /// Adds the hash of a row: its id, and its other columns in table order.
    pub(super) fn add(&mut self, table: Checked, id: i64, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        self.with_row(id, values, |checksums, row| {
            checksums.note(table, id, row_hash::hash(table as u64, row));
            Ok(())
        })
    }

    /// Inserts encoded [rows](row_hash), as many as the statement inserts, `without` the first columns. Returns their
    /// sum.
    pub(super) fn insert_rows<'a>(
        &mut self,
        statement: &mut Statement<'_>,
        table: Checked,
        without: usize,
        rows: impl IntoIterator<Item = (i64, &'a [u8])>,
    ) -> rusqlite::Result<RowSum> {
        let (mut place, mut sum) = (0usize, RowSum::default());
        for (id, row) in rows {
            for value in row_hash::values(row).skip(without) {
                place += 1;
                statement.raw_bind_parameter(place, ToSqlOutput::Borrowed(value))?;
            }
            let hash = row_hash::hash(table as u64, row);
            sum = sum.plus(RowSum::of(hash));
            self.note(table, id, hash);
        }
        statement.raw_execute().map(|_| sum)
    }

    /// Replaces the row with an id, both encoded, or removes it. Returns the row before. A wrong checksum stays wrong.
    pub(super) fn replace_row(
        &mut self,
        db: &Connection,
        table: Checked,
        id: i64,
        row: Option<&[u8]>,
    ) -> rusqlite::Result<Option<Vec<u8>>> {
        let mut rows = TableRows::of(db, table)?;
        let before = rows.get(id)?;
        rows.replace(self, id, [before.as_deref(), row]).map(|()| before)
    }

    /// Removes all rows in a range of ids.
    pub(super) fn remove_rows(
        &mut self,
        db: &Connection,
        table: Checked,
        ids: RangeInclusive<i64>,
    ) -> rusqlite::Result<()> {
        for_each_hash(db, table, ids, |id, hash| {
            let added = self.added.entry((table, table.bucket(id))).or_default();
            *added = added.minus(RowSum::of(hash));
        })?;
        let sql = format!("DELETE FROM {} WHERE rowid BETWEEN ?1 AND ?2", table.name());
        db.execute(&sql, (ids.start, ids.last)).map(drop)
    }

    /// Replaces the row with an id; `values` are its other columns, in table order.
    pub(super) fn replace(
        &mut self,
        db: &Connection,
        table: Checked,
        id: i64,
        values: &[&dyn ToSql],
    ) -> rusqlite::Result<()> {
        self.with_row(id, values, |checksums, row| checksums.replace_row(db, table, id, Some(row)).map(drop))
    }

    /// Encodes a row in the buffer, and passes it on.
    fn with_row(
        &mut self,
        id: i64,
        values: &[&dyn ToSql],
        pass: impl FnOnce(&mut Checksums, &[u8]) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut row = std::mem::take(&mut self.bytes);
        row_hash::clear(&mut row);
        row.extend(row_hash::integer(id));
        for value in values {
            match value.to_sql()? {
                ToSqlOutput::Borrowed(value) => row_hash::push(&mut row, value),
                ToSqlOutput::Owned(value) => row_hash::push(&mut row, ValueRef::from(&value)),
                _ => return Err(rusqlite::Error::InvalidQuery),
            }
        }
        let done = pass(self, &row);
        self.bytes = row;
        done
    }

    fn note(&mut self, table: Checked, id: i64, hash: u64) {
        let added = self.added.entry((table, table.bucket(id))).or_default();
        *added = added.plus(RowSum::of(hash));
    }

    /// Forgets how games are inserted, because they have been packed.
    pub(super) fn forget_statements(&mut self) {
        self.insert_game = None;
    }

    /// Writes them; part of the transaction that adds the rows.
    pub(super) fn flush(&mut self, db: &Connection) -> rusqlite::Result<()> {
        // Until the next batch, another program may pack the games.
        self.forget_statements();
        for ((table, bucket), added) in std::mem::take(&mut self.added) {
            let (before, late) = stored(db, table, bucket)?.unwrap_or_default();
            store(db, table, bucket, before.plus(added), late)?;
        }
        Ok(())
    }
}

/// The statement that inserts an encoded row.
pub(super) fn insert_into(table: &str, row: &[u8]) -> String {
    let places = vec!["?"; row_hash::values(row).count()].join(", ");
    format!("INSERT INTO {table} VALUES ({places})")
}

/// Whether games of an archive have been changed, so that it has the tables of changes.
pub(super) fn has_changes(db: &Connection) -> rusqlite::Result<bool> {
    Checked::Change.exists(db)
}

/// Computes the checksums of all existing rows, which nothing has proved before.
pub(super) fn make_all(db: &Connection) -> rusqlite::Result<()> {
    for table in Checked::required() {
        let mut from = i64::MIN;
        while let Some(bucket) = next_of_rows(db, table, from)? {
            let sum = of_rows(db, table, table.ids(bucket))?;
            store(db, table, bucket, sum, sum.count)?;
            from = bucket.saturating_add(1);
        }
    }
    Ok(())
}

fn store(db: &Connection, table: Checked, bucket: i64, sum: RowSum, late: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO checksum (subject, bucket, count, late, sum) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT DO UPDATE SET count = excluded.count, sum = excluded.sum";
    let (count, sum) = (sum.count, sum.sum.wrapping_add(of_late(late)));
    db.prepare_cached(sql)?.execute(params![table as i64, bucket, count, late, sum.cast_signed()])?;
    Ok(())
}

/// What the number of late rows contributes to a sum, so that this number is protected too.
fn of_late(late: i64) -> u64 {
    late.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The stored checksum, and how many of its rows are late.
fn stored(db: &Connection, table: Checked, bucket: i64) -> rusqlite::Result<Option<(RowSum, i64)>> {
    let sql = "SELECT count, sum, late FROM checksum WHERE subject = ?1 AND bucket = ?2";
    let read = |row: &Row<'_>| {
        let (sum, late) = (row.get::<_, i64>(1)?.cast_unsigned(), row.get(2)?);
        Ok((RowSum { count: row.get(0)?, sum: sum.wrapping_sub(of_late(late)) }, late))
    };
    db.prepare_cached(sql)?.query_row((table as i64, bucket), read).optional()
}

/// The checksum of the current rows.
fn of_rows(db: &Connection, table: Checked, ids: RangeInclusive<i64>) -> rusqlite::Result<RowSum> {
    let mut sum = RowSum::default();
    for_each_hash(db, table, ids, |_, hash| sum = sum.plus(RowSum::of(hash)))?;
    Ok(sum)
}

/// Passes on the id and the hash of each row in a range of ids.
fn for_each_hash(
    db: &Connection,
    table: Checked,
    ids: RangeInclusive<i64>,
    mut each: impl FnMut(i64, u64),
) -> rusqlite::Result<()> {
    let sql = format!("{} WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid", table.select());
    let mut statement = db.prepare_cached(&sql)?;
    let columns = statement.column_count();
    let (mut rows, mut bytes) = (statement.query((ids.start, ids.last))?, Vec::new());
    // More rows than ids: the pages of a damaged file may form a cycle.
    let mut left = ids.last.saturating_sub(ids.start).saturating_add(1);
    while let Some(row) = rows.next()?.filter(|_| left > 0) {
        push_row(&mut bytes, row, columns)?;
        each(row.get(0)?, row_hash::hash(table as u64, &bytes));
        row_hash::clear(&mut bytes);
        left -= 1;
    }
    Ok(())
}

/// Appends an encoded row.
fn push_row(bytes: &mut Vec<u8>, row: &Row<'_>, columns: usize) -> rusqlite::Result<()> {
    for column in 0..columns {
        row_hash::push(bytes, row.get_ref(column)?);
    }
    Ok(())
}

/// The row with an id, encoded.
pub(super) fn row_of(db: &Connection, table: Checked, id: i64) -> rusqlite::Result<Option<Vec<u8>>> {
    TableRows::of(db, table)?.get(id)
}

/// The first bucket from a number on that has rows.
fn next_of_rows(db: &Connection, table: Checked, from: i64) -> rusqlite::Result<Option<i64>> {
    let sql = format!("SELECT min(rowid) FROM {} WHERE rowid >= ?1", table.name());
    let first = if from == i64::MIN { from } else { table.ids(from).start };
    let id: Option<i64> = db.prepare_cached(&sql)?.query_row([first], |row| row.get(0))?;
    Ok(id.map(|id| table.bucket(id)))
}

/// The first bucket from a number on that has rows or a checksum.
pub(super) fn next(db: &Connection, table: Checked, from: i64) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT min(bucket) FROM checksum WHERE subject = ?1 AND bucket >= ?2";
    let of_sums: Option<i64> = db.prepare_cached(sql)?.query_row((table as i64, from), |row| row.get(0))?;
    let of_rows = next_of_rows(db, table, from)?;
    Ok(of_sums.into_iter().chain(of_rows).min())
}

/// Rows that have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub table: Checked,
    /// The ids covered.
    pub ids: RangeInclusive<i64>,
    pub what: &'static str,
}

/// What is wrong with the rows of a checksum; `None` if they are unchanged.
pub(super) fn change(db: &Connection, table: Checked, bucket: i64) -> rusqlite::Result<Option<Changed>> {
    let _snapshot = snapshot(db)?;
    let ids = table.ids(bucket);
    let ((expected, _), found) = (stored(db, table, bucket)?.unwrap_or_default(), of_rows(db, table, ids)?);
    let what = match found.count.cmp(&expected.count) {
        _ if found == expected => return Ok(None),
        std::cmp::Ordering::Less => "rows are missing",
        std::cmp::Ordering::Equal => "rows have changed",
        std::cmp::Ordering::Greater => "there are unexpected rows",
    };
    Ok(Some(Changed { table, ids, what }))
}

/// Reports all changed rows of a table, one fault per checksum.
pub(super) fn for_each_change(
    db: &Connection,
    table: Checked,
    mut each: impl FnMut(rusqlite::Result<Changed>),
) -> rusqlite::Result<()> {
    for_each_bucket(db, table, (i64::MIN..=i64::MAX).into(), |bucket| {
        change(db, table, bucket).transpose().into_iter().for_each(&mut each);
        Ok(ControlFlow::Continue(()))
    })
}

/// The first change of rows with ids in a range, or that share a checksum with them.
pub(super) fn first_change(
    db: &Connection,
    table: Checked,
    ids: RangeInclusive<i64>,
) -> rusqlite::Result<Option<Changed>> {
    let mut changed = None;
    for_each_bucket(db, table, table.buckets(ids), |bucket| {
        changed = change(db, table, bucket)?;
        Ok(if changed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(changed)
}

/// Passes on the buckets of a range that have rows or a checksum, until one breaks.
pub(super) fn for_each_bucket(
    db: &Connection,
    table: Checked,
    buckets: RangeInclusive<i64>,
    mut each: impl FnMut(i64) -> rusqlite::Result<ControlFlow<()>>,
) -> rusqlite::Result<()> {
    let mut from = buckets.start;
    while let Some(bucket) = next(db, table, from)?.filter(|bucket| (from..=buckets.last).contains(bucket)) {
        if each(bucket)?.is_break() || bucket == buckets.last {
            break;
        }
        from = bucket + 1;
    }
    Ok(())
}

/// Whether rows of a table have changed.
pub(super) fn has_any_change(db: &Connection, table: Checked) -> rusqlite::Result<bool> {
    let mut changed = false;
    for_each_change(db, table, |_| changed = true)?;
    Ok(changed)
}

/// Whether an archive has checksums: archives before version 3 have none.
pub(super) fn has_checksums(db: &Connection) -> rusqlite::Result<bool> {
    schema::has_table(db, "checksum")
}

/// The number of rows from before there were checksums.
pub(super) fn unproved(db: &Connection, table: Checked) -> rusqlite::Result<i64> {
    if has_checksums(db)? {
        let sql = "SELECT coalesce(sum(late), 0) FROM checksum WHERE subject = ?1";
        return db.prepare(sql)?.query_row([table as i64], |row| row.get(0));
    }
    db.prepare(&format!("SELECT count(*) FROM {}", table.name()))?.query_row([], |row| row.get(0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
