//! A connection with a limit on the number of steps its statements may take, derived from the size of the file. In a
//! malicious file, pages can refer to each other so that a query never ends. A statement can also be cancelled. SQLite
//! errors are converted to archive errors here.

use std::{
    cell::Cell,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

use rusqlite::Connection;

use super::{
    ArchiveError, LATEST_VERSION, Result, named_players::NamedPlayers, schema::APPLICATION_ID, schema_check,
    stale_journal::bytes_of,
};
use plybook_chess::limits::{STEPS_A_BYTE, STEPS_AT_LEAST};

/// Steps between two checks of the limit.
const EVERY: u16 = 10_000;

/// Number of cached statements.
// With the usual 16, preparing the same statements again took 2 % of the writer's time in an import.
const STATEMENTS: usize = 64;

/// The cache size set by [`Bounded::keep_more_pages`], in SQLite's notation for KiB.
const CACHE_OF_SINGLE_GAMES: i64 = -24_576;

/// A connection with a budget of steps for each request. Accessing the connection resets the budget.
#[derive(Debug)]
pub(super) struct Bounded {
    db: Connection,
    /// The path of the archive, for errors: the open file may be a copy of it.
    pub path: PathBuf,
    steps: Arc<Steps>,
    /// Whether the cache is larger than a list needs.
    keeps_more: Cell<bool>,
    pub named: NamedPlayers,
}

#[derive(Debug, Default)]
struct Steps {
    path: PathBuf,
    /// The budget of a request, and what is left of it.
    all: AtomicU64,
    left: AtomicU64,
    /// Set by another thread to cancel a statement.
    stop: Mutex<Option<Arc<AtomicBool>>>,
}

impl Steps {
    /// Counts some steps. Returns whether the budget is used up or the statement was cancelled.
    fn count(&self) -> bool {
        if self.stop().as_ref().is_some_and(|stop| stop.load(Relaxed)) {
            return true;
        }
        let left = self.left.load(Relaxed).saturating_sub(EVERY.into());
        self.left.store(left, Relaxed);
        left == 0 && !self.has_grown()
    }

    fn stop(&self) -> MutexGuard<'_, Option<Arc<AtomicBool>>> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Extends the budget if the file has grown. Returns whether it has.
    fn has_grown(&self) -> bool {
        let now = bytes_of(&self.path).saturating_mul(STEPS_A_BYTE).max(STEPS_AT_LEAST);
        let before = self.all.swap(now, Relaxed);
        self.left.fetch_add(now.saturating_sub(before), Relaxed);
        now > before
    }
}

impl Bounded {
    /// Limits a connection to a file.
    pub(super) fn new(mut db: Connection, path: &Path) -> rusqlite::Result<Bounded> {
        let steps = Arc::new(Steps { path: path.to_owned(), ..Steps::default() });
        steps.has_grown();
        let counted = Arc::clone(&steps);
        db.progress_handler(EVERY.into(), Some(move || counted.count()))?;
        db.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Bounded {
            db,
            path: path.to_owned(),
            steps,
            keeps_more: Cell::new(false),
            named: NamedPlayers::default(),
        })
    }

    /// Cancels statements once a flag is set; `None` removes the flag.
    pub(super) fn stop_when(&self, flag: Option<Arc<AtomicBool>>) {
        *self.steps.stop() = flag;
    }

    /// Enlarges the page cache for reading single games, which returns to the same pages in no particular order. A list
    /// reads every page once, and a larger cache makes it slower.
    pub(super) fn keep_more_pages(&self) -> rusqlite::Result<()> {
        if self.keeps_more.replace(true) {
            return Ok(());
        }
        self.db.pragma_update(None, "cache_size", CACHE_OF_SINGLE_GAMES)
    }

    /// Whether this is an empty database without an application id.
    pub(super) fn is_blank(&self) -> Result<bool> {
        let things = self.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        Ok(things.map_err(|error| self.error(error))? == 0 && self.pragma("application_id")? == 0)
    }

    /// The version of the archive; an error if it is not ours or newer than this program.
    pub(super) fn version(&self) -> Result<i64> {
        if self.pragma("application_id")? != APPLICATION_ID {
            return Err(ArchiveError::NotOurs(self.path.clone()));
        }
        match self.attempt(|db| schema_check::versions(db))? {
            (found, _) if found > LATEST_VERSION => {
                Err(ArchiveError::Newer { path: self.path.clone(), found })
            }
            (found, _) if found < 1 => Err(ArchiveError::NotOurs(self.path.clone())),
            (found, of_tables) if found < of_tables => {
                let what = format!("its format version is {found}, but it has tables of version {of_tables}");
                Err(ArchiveError::Malformed(self.path.clone(), what))
            }
            (found, _) => Ok(found),
        }
    }

    /// The value of an integer pragma.
    pub(super) fn pragma(&self, name: &str) -> Result<i64> {
        self.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.error(error))
    }

    /// Runs statements that return no rows.
    pub(super) fn run(&self, sql: &str) -> Result<()> {
        self.execute_batch(sql).map_err(|error| self.error(error))
    }

    /// Calls a function with the connection, and converts its error.
    pub(super) fn attempt<T>(&self, call: impl FnOnce(&Bounded) -> rusqlite::Result<T>) -> Result<T> {
        call(self).map_err(|error| self.error(error))
    }

    /// Makes a change in a transaction, and rolls it back after an error.
    pub(super) fn in_transaction<T>(&self, change: impl FnOnce() -> Result<T>) -> Result<T> {
        self.run("BEGIN IMMEDIATE")?;
        let changed = change().and_then(|changed| self.run("COMMIT").map(|()| changed));
        // After some errors, such as a full disk, SQLite has already rolled back.
        if changed.is_err() && !self.is_autocommit() {
            // The first error is the one to report.
            let _ = self.run("ROLLBACK");
        }
        changed
    }

    /// Converts an error of SQLite to an error of the archive.
    pub(super) fn error(&self, error: rusqlite::Error) -> ArchiveError {
        if error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
            && let Ok(Some(index)) = schema_check::unique_index(self, &error.to_string())
        {
            return ArchiveError::UniqueIndex(self.path.clone(), index);
        }
        ArchiveError::of_sqlite(&self.path, error)
    }

    /// Removes the limit, because a growing file may need more steps.
    pub(super) fn set_free(&mut self) -> rusqlite::Result<()> {
        self.db.progress_handler(0, None::<fn() -> bool>)
    }
}

/// Bytes of a database file.
pub(super) fn file_bytes(db: &Connection) -> rusqlite::Result<u64> {
    db.prepare_cached("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?
        .query_row([], |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
}

impl Deref for Bounded {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.steps.left.store(self.steps.all.load(Relaxed), Relaxed);
        &self.db
    }
}

impl DerefMut for Bounded {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.db
    }
}
