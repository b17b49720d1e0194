//! Taking an index away, whatever has become of its pages.
//!
//! Where these are in order, the tables are dropped as usual. Else what frees their pages could free those of games: then
//! only the names of the tables go, no page is touched, and the file is written anew with the rows of all others. Either
//! way nothing is kept unless SQLite finds the rest of the file in order.

use rusqlite::{config::DbConfig, limits::Limit};

use super::INDEX_TABLES;
use crate::archive::{
    Archive, ArchiveError,
    maintain::{PageCheck, PageFaults},
};

/// Takes the tables off the list of those there are, and makes every connection read that list again.
const FORGET: &str = "PRAGMA writable_schema = ON;
    DELETE FROM sqlite_schema WHERE tbl_name IN ('segment', 'segment_block');
    PRAGMA writable_schema = RESET;";

impl Archive {
    /// Takes an index away: of positions, of trails, or all there is. Whether there was one.
    ///
    /// # Errors
    /// SQLite's; only one of two was to go, and their pages are damaged; or the pages of games are. Nothing has changed then.
    pub fn drop_index(&self, kind: Option<i64>) -> Result<bool, ArchiveError> {
        let was_there = self.has_segments().map_err(|error| self.error(error))?;
        let dropped = self.check_index_order().and_then(|()| self.unless_unsound(|| self.drop_rows(kind)));
        match dropped {
            Err(ArchiveError::Malformed { .. }) if kind.is_some() => Err(self.damaged_index()),
            Err(ArchiveError::DamagedIndex(_) | ArchiveError::Malformed { .. }) if kind.is_none() => {
                self.forget_index().map(|()| was_there)
            }
            dropped => dropped,
        }
    }

    fn drop_rows(&self, kind: Option<i64>) -> rusqlite::Result<bool> {
        let was_there = self.has_segments()?;
        let Some(kind) = kind.filter(|_| was_there) else {
            INDEX_TABLES
                .iter()
                .try_for_each(|table| self.db.execute_batch(&format!("DROP TABLE IF EXISTS {table}")))?;
            return Ok(was_there);
        };
        let mut ids = self.db.prepare("SELECT id FROM segment WHERE kind = ?1")?;
        let ids: Vec<i64> = ids.query_map([kind], |row| row.get(0))?.collect::<Result<_, _>>()?;
        ids.iter().try_for_each(|id| self.remove_segment(*id))?;
        Ok(!ids.is_empty())
    }

    /// Changes something, and takes that back if the file is not sound then.
    fn unless_unsound<T>(&self, change: impl FnOnce() -> rusqlite::Result<T>) -> Result<T, ArchiveError> {
        self.run("BEGIN IMMEDIATE")?;
        let changed = change().map_err(|error| self.error(error)).and_then(|changed| {
            // Pages that nothing leads to any more are no harm, and are left behind when the file is written anew.
            let found =
                PageFaults::find(&self.db, PageCheck::Quick, &[]).map_err(|error| self.error(error))?;
            let Some(fault) = found.faults.into_iter().next() else { return Ok((changed, found.has_unused)) };
            Err(ArchiveError::Malformed { path: self.path().to_owned(), what: fault.what })
        });
        self.run(if changed.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        let (changed, leaves_pages) = changed?;
        if leaves_pages {
            self.write_anew()?;
        }
        Ok(changed)
    }

    fn forget_index(&self) -> Result<(), ArchiveError> {
        let defensive = |on| self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, on);
        defensive(false).map_err(|error| self.error(error))?;
        let forgotten = self.unless_unsound(|| {
            let version: i64 = self.db.pragma_query_value(None, "schema_version", |row| row.get(0))?;
            self.db.execute_batch(FORGET)?;
            self.db.pragma_update(None, "schema_version", version + 1)
        });
        defensive(true).map_err(|error| self.error(error))?;
        forgotten
    }

    /// Writes the file anew, as a whole or not at all.
    fn write_anew(&self) -> Result<(), ArchiveError> {
        let run = || -> rusqlite::Result<()> {
            // The new file stands beside the old one for a while.
            let most = self.db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
            let written = self.db.execute_batch("VACUUM");
            self.db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, most)?;
            written
        };
        run().map_err(|error| self.error(error))
    }
}
