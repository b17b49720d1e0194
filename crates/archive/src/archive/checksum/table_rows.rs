//! Reading and replacing single rows of a table, with statements that are prepared once for many of them.

use rusqlite::{CachedStatement, Connection, Result};

use super::{Checked, Checksums, RowSum, insert_into, push_row};
use crate::archive::{game_table, row_hash};

/// The rows of a table, each encoded.
// Preparing the statements for every row, even from SQLite's cache, took as long as running them.
pub(in crate::archive) struct TableRows<'a> {
    db: &'a Connection,
    table: Checked,
    select: CachedStatement<'a>,
    delete: Option<CachedStatement<'a>>,
    insert: Option<CachedStatement<'a>>,
}

impl<'a> TableRows<'a> {
    pub(in crate::archive) fn of(db: &'a Connection, table: Checked) -> Result<TableRows<'a>> {
        let select = db.prepare_cached(&format!("{} WHERE rowid = ?1", table.select()))?;
        Ok(TableRows { db, table, select, delete: None, insert: None })
    }

    /// The row with an id.
    pub(in crate::archive) fn get(&mut self, id: i64) -> Result<Option<Vec<u8>>> {
        let columns = self.select.column_count();
        let mut rows = self.select.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let mut bytes = Vec::with_capacity(row_hash::INTEGER * columns);
        push_row(&mut bytes, row, columns)?;
        Ok(Some(bytes))
    }

    /// Replaces the row with an id, given as it is now, unless it is the same. A wrong checksum stays wrong.
    pub(in crate::archive) fn replace(
        &mut self,
        checksums: &mut Checksums,
        id: i64,
        [before, after]: [Option<&[u8]>; 2],
    ) -> Result<()> {
        if before == after {
            return Ok(());
        }
        if let Some(before) = before {
            let added = checksums.added.entry((self.table, self.table.bucket(id))).or_default();
            *added = added.minus(RowSum::of(row_hash::hash(self.table as u64, before)));
            let delete = match &mut self.delete {
                Some(delete) => delete,
                None => {
                    let sql = format!("DELETE FROM {} WHERE rowid = ?1", self.table.name());
                    self.delete.insert(self.db.prepare_cached(&sql)?)
                }
            };
            delete.execute([id])?;
        }
        let Some(row) = after else { return Ok(()) };
        // Not INSERT OR REPLACE, which would delete other rows where a user's UNIQUE index forbids this one.
        let insert = match &mut self.insert {
            Some(insert) => insert,
            None => {
                let sql = match (self.table, &checksums.insert_game) {
                    (Checked::Game, Some(insert)) => insert.clone(),
                    (Checked::Game, None) => {
                        checksums.insert_game.insert(game_table::insert(self.db, 1, true)?).clone()
                    }
                    _ => insert_into(self.table.name(), row),
                };
                self.insert.insert(self.db.prepare_cached(&sql)?)
            }
        };
        checksums.insert_rows(insert, self.table, 0, [(id, row)]).map(drop)
    }
}
