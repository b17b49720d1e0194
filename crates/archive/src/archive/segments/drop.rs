//! Dropping an index, even if its pages are corrupt.
//!
//! If the pages are valid, the tables are dropped as usual. Otherwise freeing their pages could free pages of games:
//! then only the entries of the tables in the schema are deleted, and `VACUUM` rebuilds the file from the other tables.
//! Either way nothing is committed unless SQLite's check of the remaining tables passes.

use rusqlite::{config::DbConfig, limits::Limit};

use super::{INDEX_TABLES, Segments};
use crate::archive::{ArchiveError, changes::stale, maintain::PageFaults};

/// Deletes the tables from the schema without touching their pages.
// Dropping a table normally puts its pages on the free list. If corrupt pages of the index refer to pages of games,
// the next write would overwrite games.
const FORGET: &str = "PRAGMA writable_schema = ON;
    DELETE FROM sqlite_schema WHERE tbl_name IN ('segment', 'segment_block');
    PRAGMA writable_schema = RESET;";

impl Segments<'_> {
    /// Drops the index of positions, that of trails, or both. Returns whether there was one.
    ///
    /// # Errors
    /// Errors of SQLite; only one of the two should go and their pages are corrupt; or pages of other tables are
    /// corrupt. Nothing has changed then.
    pub fn drop_index(self, kind: Option<i64>) -> Result<bool, ArchiveError> {
        let was_there = self.exist().map_err(|error| self.archive.db.error(error))?;
        let dropped =
            self.archive.check_index_order().and_then(|()| self.unless_unsound(|| self.drop_rows(kind)));
        match dropped {
            Err(ArchiveError::Malformed(..)) if kind.is_some() => Err(self.damaged()),
            Err(ArchiveError::DamagedIndex(_) | ArchiveError::Malformed(..)) if kind.is_none() => {
                self.forget_index().map(|()| was_there)
            }
            dropped => dropped,
        }
    }

    fn drop_rows(self, kind: Option<i64>) -> rusqlite::Result<bool> {
        let was_there = self.exist()?;
        let Some(kind) = kind.filter(|_| was_there) else {
            stale::forget_all(&self.archive.db)?;
            INDEX_TABLES.iter().try_for_each(|table| {
                self.archive.db.execute_batch(&format!("DROP TABLE IF EXISTS {table}"))
            })?;
            return Ok(was_there);
        };
        let mut ids = self.archive.db.prepare("SELECT id FROM segment WHERE kind = ?1")?;
        let ids: Vec<i64> = ids.query_map([kind], |row| row.get(0))?.collect::<Result<_, _>>()?;
        ids.iter().try_for_each(|id| self.remove(*id))?;
        Ok(!ids.is_empty())
    }

    /// Makes a change in a transaction, and rolls it back if the file is corrupt after it.
    fn unless_unsound<T>(self, change: impl FnOnce() -> rusqlite::Result<T>) -> Result<T, ArchiveError> {
        let (changed, has_unused) = self.archive.db.in_transaction(|| {
            let (changed, found) = self.archive.db.attempt(|db| {
                let changed = change()?;
                Ok((changed, PageFaults::find(db, "quick_check", &[])?))
            })?;
            // Pages that belong to no table do no harm, and VACUUM leaves them out.
            let Some(fault) = found.faults.into_iter().next() else { return Ok((changed, found.has_unused)) };
            Err(ArchiveError::Malformed(self.archive.path().to_owned(), fault.what))
        })?;
        if has_unused {
            self.rebuild_file()?;
        }
        Ok(changed)
    }

    fn forget_index(self) -> Result<(), ArchiveError> {
        let defensive = |on| self.archive.db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, on);
        defensive(false).map_err(|error| self.archive.db.error(error))?;
        let forgotten = self.unless_unsound(|| {
            let version: i64 =
                self.archive.db.pragma_query_value(None, "schema_version", |row| row.get(0))?;
            self.archive.db.execute_batch(FORGET)?;
            stale::forget_all(&self.archive.db)?;
            self.archive.db.pragma_update(None, "schema_version", version + 1)
        });
        defensive(true).map_err(|error| self.archive.db.error(error))?;
        forgotten
    }

    /// Rebuilds the file, completely or not at all.
    fn rebuild_file(self) -> Result<(), ArchiveError> {
        self.archive.db.attempt(|db| {
            // VACUUM attaches a temporary database.
            let most = db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
            let written = db.execute_batch("VACUUM");
            db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, most)?;
            written
        })
    }
}
