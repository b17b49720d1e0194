//! Older archives, brought up to date: one step a version, each in one transaction with the number that
//! records it. An interruption leaves an archive of some version, whole.
//!
//! A step is never changed once an archive of its version is out in the world. What it makes must be what
//! `schema.sql` makes; a step is not committed otherwise.

use std::path::Path;

use rusqlite::Connection;

use super::{
    Archive, ArchiveError, VERSION, checksum,
    index::{INDEXES, expected},
    keys::{Keys, Set},
    open::OLDEST_READ,
    shape::{self, CHECKSUMS},
};

type Step = fn(&Connection) -> rusqlite::Result<()>;

/// What turns version 1 into 2, 2 into 3, and so on.
const STEPS: [Step; VERSION as usize - 1] = [to_2, to_3];

fn to_2(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(include_str!("to_2.sql"))?;
    let mut keys = Keys::open(db)?;
    let mut statement = db.prepare("SELECT hash FROM fingerprint")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        keys.insert(db, Set::Fingerprints, row.get::<_, i64>(0)?.cast_unsigned())?;
    }
    for (set, _) in INDEXES {
        for key in expected(db, set)? {
            keys.insert(db, set, key)?;
        }
    }
    drop(rows);
    drop(statement);
    keys.finish(db)?;
    db.execute_batch("DROP TABLE fingerprint")
}

fn to_3(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(include_str!("to_3.sql"))?;
    checksum::make_all(db)
}

impl Archive {
    /// Brings an older archive up to date; gives the version it had.
    ///
    /// # Errors
    /// The file is missing, no archive, newer than this program, or cannot be written.
    pub fn migrate(path: impl AsRef<Path>) -> Result<i64, ArchiveError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(ArchiveError::Missing(path.to_owned()));
        }
        let archive = Archive::create_or_open(path)?;
        let found = archive.migrated_from().unwrap_or(VERSION);
        archive.finish()?;
        Ok(found)
    }

    /// Takes every step from a version on.
    pub(super) fn migrate_from(&self, found: i64) -> Result<(), ArchiveError> {
        // Tables are replaced by new ones of the same name, which must not count as deleting their rows.
        self.run("PRAGMA foreign_keys = OFF")?;
        let done = usize::try_from(found - 1).unwrap_or(0);
        for (step, version) in STEPS.iter().zip(2..).skip(done) {
            if version == CHECKSUMS {
                self.refuse_damage()?;
            }
            self.take_step(*step, version).inspect_err(|_| {
                let _ = self.run("ROLLBACK");
            })?;
        }
        Ok(())
    }

    /// What is damaged must not be summed up as if it were sound.
    fn refuse_damage(&self) -> Result<(), ArchiveError> {
        let Some(fault) = self.verify(|_| ())?.first.into_iter().next() else { return Ok(()) };
        let what = match fault.game {
            Some(game) => format!("game {game}: {}", fault.what),
            None => fault.what,
        };
        Err(ArchiveError::Unsound { path: self.path().to_owned(), what })
    }

    fn take_step(&self, step: Step, version: i64) -> Result<(), ArchiveError> {
        self.run("BEGIN IMMEDIATE")?;
        if self.pragma("user_version")? >= version {
            // Somebody else was faster.
            return self.run("COMMIT");
        }
        step(&self.db).map_err(|error| self.error(error))?;
        if version >= OLDEST_READ {
            self.check_shape(version)?;
        }
        self.run(&format!("PRAGMA user_version = {version}; COMMIT"))
    }

    pub(super) fn check_shape(&self, version: i64) -> Result<(), ArchiveError> {
        match shape::flaw(&self.db, version).map_err(|error| self.error(error))? {
            None => Ok(()),
            Some(what) => Err(ArchiveError::Foreign { path: self.path().to_owned(), what }),
        }
    }
}
