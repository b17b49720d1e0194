//! Replacing single rows, along with their checksums.

use rusqlite::{Connection, OptionalExtension, Row};

use super::{Checked, Checksums};
use crate::archive::row_hash;

impl Checksums {
    /// Replaces the row with an id, both encoded, or removes it. Returns the row before.
    pub(in crate::archive) fn replace_row(
        &mut self,
        db: &Connection,
        table: Checked,
        id: i64,
        row: Option<&[u8]>,
    ) -> rusqlite::Result<Option<Vec<u8>>> {
        let before = row_of(db, table, id)?;
        if before.as_deref() == row {
            return Ok(before);
        }
        if let Some(before) = &before {
            let hash = row_hash::hash(table as u64, before);
            self.added.entry((table, table.bucket(id))).or_default().subtract(hash);
        }
        let Some(row) = row else {
            db.prepare_cached(&format!("DELETE FROM {} WHERE rowid = ?1", table.name()))?.execute([id])?;
            return Ok(before);
        };
        let places = vec!["?"; row_hash::values(row).count()].join(", ");
        let sql = format!("INSERT OR REPLACE INTO {} VALUES ({places})", table.name());
        self.insert_rows(&mut *db.prepare_cached(&sql)?, table, 0, [(id, row)])?;
        Ok(before)
    }
}

/// The row with an id, encoded.
pub(in crate::archive) fn row_of(
    db: &Connection,
    table: Checked,
    id: i64,
) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = format!("SELECT * FROM {} WHERE rowid = ?1", table.name());
    let mut statement = db.prepare_cached(&sql)?;
    let columns = statement.column_count();
    let encoded = |row: &Row<'_>| {
        let mut bytes = Vec::new();
        for column in 0..columns {
            row_hash::push(&mut bytes, row.get_ref(column)?);
        }
        Ok(bytes)
    };
    statement.query_row([id], encoded).optional()
}
