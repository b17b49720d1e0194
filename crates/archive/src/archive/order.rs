//! Checks that the tables of a file can be read to their end. A table is a tree of pages whose rows have ascending ids;
//! if two pages refer to the same page, as in a malicious file, ids repeat, and a table of a few pages has practically
//! endless rows. Some of SQLite's own loops over rows or pages cannot be cancelled, so this is checked first.

use super::{
    Archive, ArchiveError, Result, bounded::file_bytes, schema_check::own_tables, segments::INDEX_TABLES,
};

impl Archive {
    /// The number of games.
    ///
    /// # Errors
    /// Errors of SQLite, or the table of games cannot be read to its end.
    pub fn count(&self) -> Result<u64> {
        self.files().each().map(|archive| Ok(archive.read_through("game", "0")?.0)).sum()
    }

    /// Checks that every table ends, except those of the index.
    ///
    /// # Errors
    /// Errors of SQLite, or a table does not end.
    pub(super) fn check_order(&self) -> Result<()> {
        self.tables_with_ids(is_of_archive)?
            .iter()
            .try_for_each(|table| self.read_through(table, "0").map(drop))
    }

    /// The same for the tables of the index.
    ///
    /// # Errors
    /// The index is corrupt.
    pub(super) fn check_index_order(&self) -> Result<()> {
        // Another program may drop the index in between.
        let _snapshot = self.snapshot()?;
        let tables = self.tables_with_ids(|table| !is_of_archive(table))?;
        let read = tables.iter().try_for_each(|table| self.read_through(table, "0").map(drop));
        read.map_err(|error| match error {
            ArchiveError::Malformed(..) | ArchiveError::Endless(..) | ArchiveError::Foreign(..) => {
                self.segments().damaged()
            }
            error => error,
        })
    }

    /// Checks that every table except those of the index ends, and that its long values fit into the file.
    ///
    /// # Errors
    /// Errors of SQLite, or the check fails.
    pub(super) fn check_lengths(&self) -> Result<()> {
        self.tables_with_ids(is_of_archive)?.iter().try_for_each(|table| self.check_table(table))
    }

    /// The tables that fail this check, including those of the index.
    ///
    /// # Errors
    /// The schema cannot be read.
    pub(super) fn unread_tables(&self) -> Result<Vec<UnreadTable>> {
        let tables = self.tables_with_ids(|_| true)?.into_iter();
        let unread = |table: String| self.check_table(&table).err().map(|why| UnreadTable { table, why });
        Ok(tables.filter_map(unread).collect())
    }

    fn tables_with_ids(&self, is_meant: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let tables = self.db.attempt(|db| own_tables(db))?.into_iter();
        let meant = tables.filter(|(table, has_ids)| *has_ids && is_meant(table));
        Ok(meant.map(|(table, _)| table).collect())
    }

    fn check_table(&self, table: &str) -> Result<()> {
        let lengths = "SELECT group_concat('ifnull(octet_length(\"' || name || '\"), 0)', ' + ')
                       FROM pragma_table_info(?1) WHERE type <> 'INTEGER'";
        let (octets, file) = self.db.attempt(|db| {
            let octets: Option<String> = db.query_row(lengths, [table], |row| row.get(0))?;
            Ok((octets.unwrap_or_else(|| "0".to_owned()), file_bytes(db)?))
        })?;
        // First check that it ends, then its values.
        self.read_through(table, "0")?;
        if self.read_through(table, &octets)?.1 > file {
            let what = format!("the values in its table {table:?} are larger than the file");
            return Err(ArchiveError::Endless(self.path().to_owned(), what));
        }
        Ok(())
    }

    /// Reads the ids of a table to the end. Returns the number of its rows, and the sum of an expression over them.
    // Ascending ids prove that the scan ends: a repeated page repeats ids. `NOT INDEXED` keeps SQLite from reading an
    // index instead of the table.
    fn read_through(&self, table: &str, octets: &str) -> Result<(u64, u64)> {
        let sql = format!("SELECT rowid, {octets} FROM \"{table}\" NOT INDEXED ORDER BY rowid");
        let through = self.db.attempt(|db| {
            let mut statement = db.prepare_cached(&sql)?;
            let mut rows = statement.query([])?;
            let (mut count, mut sum, mut last) = (0, 0u64, None);
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                if last.replace(id).is_some_and(|last| last >= id) {
                    return Ok(None);
                }
                count += 1;
                sum = sum.saturating_add(row.get::<_, i64>(1)?.unsigned_abs());
            }
            Ok(Some((count, sum)))
        })?;
        let what = || format!("rows in its table {table:?} are duplicated or out of order");
        through.ok_or_else(|| ArchiveError::Endless(self.path().to_owned(), what()))
    }
}

/// A table that cannot be read to its end.
pub(super) struct UnreadTable {
    pub table: String,
    why: ArchiveError,
}

impl UnreadTable {
    /// Whether a query that reads all of it may never end.
    pub(super) fn is_endless(&self) -> bool {
        !matches!(self.why, ArchiveError::Malformed(..))
    }

    pub(super) fn what(&self) -> String {
        match &self.why {
            ArchiveError::Malformed(_, what) => format!("table {}: {what}", self.table),
            ArchiveError::Endless(_, what) => what.clone(),
            why => why.to_string(),
        }
    }
}

/// Whether a table is required, unlike those of the index.
fn is_of_archive(table: &str) -> bool {
    !INDEX_TABLES.contains(&table)
}
