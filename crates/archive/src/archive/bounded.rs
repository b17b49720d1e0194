//! A connection whose statements take no more steps than a file of its size can ask for. The pages of a file that
//! was made to do harm may lead to each other so often that a query over it would never end. And whoever waits for a
//! statement may end it. What SQLite says of the file is said here as an error of the archive.

use std::{
    cell::Cell,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

use rusqlite::Connection;

use super::{
    ArchiveError,
    leftover::bytes_of,
    schema::{APPLICATION_ID, VERSION},
    schema_check,
};
use plybook_chess::limits::{STEPS_A_BYTE, STEPS_AT_LEAST};

/// Steps between two looks at what is left.
const EVERY: u16 = 10_000;

/// What [`Bounded::keep_more_pages`] keeps, in KiB as SQLite takes them.
const CACHE_OF_SINGLE_GAMES: i64 = -24_576;

/// A connection with a number of steps that it may take before it is asked for something again: whoever takes the
/// connection up finds all of them left.
#[derive(Debug)]
pub(super) struct Bounded {
    db: Connection,
    /// The archive, for errors: what is open may be a copy of it.
    pub path: PathBuf,
    steps: Arc<Steps>,
    /// Whether more pages are kept than a list needs.
    keeps_more: Cell<bool>,
}

#[derive(Debug)]
struct Steps {
    path: PathBuf,
    /// Those that one request may take, and what is left of them.
    all: AtomicU64,
    left: AtomicU64,
    /// Set by another thread to end a statement.
    stop: Mutex<Option<Arc<AtomicBool>>>,
}

impl Steps {
    /// Counts some steps; whether there are none left, or nobody wants them.
    fn count(&self) -> bool {
        if self
            .stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .is_some_and(|stop| stop.load(Relaxed))
        {
            return true;
        }
        let left = self.left.load(Relaxed).saturating_sub(EVERY.into());
        self.left.store(left, Relaxed);
        left == 0 && !self.has_grown()
    }

    /// Adds what a file that has grown may ask for in addition; whether it has.
    fn has_grown(&self) -> bool {
        let now = bytes_of(&self.path).saturating_mul(STEPS_A_BYTE).max(STEPS_AT_LEAST);
        let before = self.all.swap(now, Relaxed);
        self.left.fetch_add(now.saturating_sub(before), Relaxed);
        now > before
    }
}

impl Bounded {
    /// Bounds a connection to a file.
    pub(super) fn new(mut db: Connection, path: &Path) -> rusqlite::Result<Bounded> {
        let none = || AtomicU64::new(0);
        let steps =
            Arc::new(Steps { path: path.to_owned(), all: none(), left: none(), stop: Mutex::default() });
        steps.has_grown();
        let counted = Arc::clone(&steps);
        db.progress_handler(EVERY.into(), Some(move || counted.count()))?;
        Ok(Bounded { db, path: path.to_owned(), steps, keeps_more: Cell::new(false) })
    }

    /// Ends statements once a flag is set; without one, none.
    pub(super) fn stop_when(&self, flag: Option<Arc<AtomicBool>>) {
        *self.steps.stop.lock().unwrap_or_else(PoisonError::into_inner) = flag;
    }

    /// Keeps more pages from now on, for single games: whoever asks for those comes back to pages in no order. A list goes
    /// through all of them once, and is the slower the more are kept.
    pub(super) fn keep_more_pages(&self) -> rusqlite::Result<()> {
        if self.keeps_more.replace(true) {
            return Ok(());
        }
        self.db.pragma_update(None, "cache_size", CACHE_OF_SINGLE_GAMES)
    }

    /// Whether this is a database without any content that nobody has claimed.
    pub(super) fn is_blank(&self) -> Result<bool, ArchiveError> {
        let things = self.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        Ok(things.map_err(|error| self.error(error))? == 0 && self.pragma("application_id")? == 0)
    }

    /// The version of an archive that is ours and not newer than this program.
    pub(super) fn version(&self) -> Result<i64, ArchiveError> {
        if self.pragma("application_id")? != APPLICATION_ID {
            return Err(ArchiveError::NotOurs(self.path.clone()));
        }
        match self.pragma("user_version")? {
            found if found > VERSION => Err(ArchiveError::Newer { path: self.path.clone(), found }),
            found if found < 1 => Err(ArchiveError::NotOurs(self.path.clone())),
            found => Ok(found),
        }
    }

    /// A number that SQLite has under a name.
    pub(super) fn pragma(&self, name: &str) -> Result<i64, ArchiveError> {
        self.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.error(error))
    }

    /// Runs statements that give no rows.
    pub(super) fn run(&self, sql: &str) -> Result<(), ArchiveError> {
        self.execute_batch(sql).map_err(|error| self.error(error))
    }

    /// What SQLite says, as an error of the archive.
    pub(super) fn error(&self, error: rusqlite::Error) -> ArchiveError {
        if error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
            && let Ok(Some(index)) = schema_check::unique_index(self, &error.to_string())
        {
            return ArchiveError::UniqueIndex { path: self.path.clone(), index };
        }
        ArchiveError::of_sqlite(&self.path, error)
    }

    /// Takes the bound away: what is added to the file may need more.
    pub(super) fn set_free(&mut self) -> rusqlite::Result<()> {
        self.db.progress_handler(0, None::<fn() -> bool>)
    }
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
