//! Whether the tables of a file can be read through to their end. The pages of a table are a tree whose rows have
//! ascending ids; where two pages lead to the same one, as in a file that was made to do harm, ids come again, and
//! a table of a few pages has more rows than can ever be read. Some of SQLite's own loops, that count rows or
//! pages, cannot be stopped: so this is looked at before them.

use super::{Archive, ArchiveError, schema_check::own_tables};

/// Columns that may hold long values, by table.
const LONG: [(&str, &str); 9] = [
    ("tag_layout", "octet_length(names) + octet_length(slots)"),
    ("player", "octet_length(name)"),
    ("event", "octet_length(name)"),
    ("site", "octet_length(name)"),
    ("tag_value", "octet_length(text)"),
    ("section", "ifnull(octet_length(tags), 0)"),
    ("game", "octet_length(moves) + ifnull(octet_length(tags), 0)"),
    ("annotation", "octet_length(marks)"),
    ("original", "octet_length(text)"),
];

impl Archive {
    /// The number of games.
    ///
    /// # Errors
    /// SQLite's, or the table of games cannot be read through.
    pub fn count(&self) -> Result<u64, ArchiveError> {
        self.each_part().map(|archive| Ok(archive.read_through("game", "0")?.rows)).sum()
    }

    /// Proves that every table ends.
    ///
    /// # Errors
    /// SQLite's, or one does not.
    pub(super) fn check_order(&self) -> Result<(), ArchiveError> {
        let tables = own_tables(&self.db).map_err(|error| self.error(error))?;
        let with_ids = tables.iter().filter(|(_, has_ids)| *has_ids);
        with_ids.map(|(table, _)| table).try_for_each(|table| self.read_through(table, "0").map(|_| ()))
    }

    /// Proves that every table ends, and that its long values are as many bytes as the file can hold.
    ///
    /// # Errors
    /// SQLite's, or it is not so.
    pub(super) fn check_lengths(&self) -> Result<(), ArchiveError> {
        self.check_order()?;
        let file = self.pragma("page_count")?.saturating_mul(self.pragma("page_size")?).cast_unsigned();
        for (table, octets) in LONG {
            if self.read_through(table, octets)?.octets > file {
                return Err(
                    self.refused(format!("the values of its table {table:?} are larger than the file"))
                );
            }
        }
        Ok(())
    }

    /// Reads the ids of a table to their end, and adds up what an expression says of its rows.
    fn read_through(&self, table: &str, octets: &str) -> Result<RowsRead, ArchiveError> {
        let sql = format!("SELECT rowid, {octets} FROM \"{table}\" NOT INDEXED ORDER BY rowid");
        let read = || -> rusqlite::Result<Option<RowsRead>> {
            let mut statement = self.db.prepare_cached(&sql)?;
            let mut rows = statement.query([])?;
            let (mut through, mut last) = (RowsRead { rows: 0, octets: 0 }, None);
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                if last.replace(id).is_some_and(|last| last >= id) {
                    return Ok(None);
                }
                through.rows += 1;
                through.octets = through.octets.saturating_add(row.get::<_, i64>(1)?.unsigned_abs());
            }
            Ok(Some(through))
        };
        let through = read().map_err(|error| self.error(error))?;
        through
            .ok_or_else(|| self.refused(format!("rows of its table {table:?} come twice, or out of order")))
    }

    fn refused(&self, what: String) -> ArchiveError {
        ArchiveError::Foreign { path: self.path().to_owned(), what }
    }
}

/// What was found in a table.
struct RowsRead {
    rows: u64,
    octets: u64,
}
