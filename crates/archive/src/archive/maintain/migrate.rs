//! Older archives. To be read, one is copied and the copy brought up to date; to be written, it is itself, in one
//! transaction: an interruption leaves the archive of its version, whole.
//!
//! The scripts rename and lay out tables as each version brought it, and are never changed in what they make; what
//! the tables are to hold besides is made when all of them have run. It must be what `schema.sql` makes.

use rusqlite::{Connection, config::DbConfig};

use crate::archive::{
    Archive, ArchiveError, Checks, VERSION, checksum,
    keys::{
        KeyKind, Keys,
        check::{INDEXES, expected},
    },
    schema,
    schema_check::{self, CHECKSUMS},
};

/// What makes version 2 of 1, 3 of 2, and so on.
const SCRIPTS: [&str; VERSION as usize - 1] =
    [include_str!("to_2.sql"), include_str!("to_3.sql"), include_str!("to_4.sql")];

/// The version that brought indexes of the archive's own.
const KEYS: i64 = 2;

/// What an archive is brought up to date for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::archive) enum Upgrade {
    /// To be read: it goes without checksums if it had none, so that nobody takes it for proved.
    ToRead,
    /// To be written.
    ToWrite,
}

/// Brings the tables of a version up to date; part of a transaction.
pub(in crate::archive) fn upgrade(db: &Connection, found: i64, to: Upgrade) -> rusqlite::Result<()> {
    let first = usize::try_from(found - 1).unwrap_or(0);
    if to == Upgrade::ToRead {
        // Nobody asks the views of a copy, and one that is broken would keep its tables from being renamed.
        drop_views(db)?;
    }
    // What is renamed is renamed in views too, which are looked at for that, but not asked.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, true)?;
    let scripts = SCRIPTS.iter().zip(2..).skip(first);
    let mut wanted = scripts.filter(|(_, version)| *version != CHECKSUMS || to == Upgrade::ToWrite);
    let done = wanted.try_for_each(|(script, _)| db.execute_batch(script));
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    done?;
    if found < KEYS {
        make_keys(db)?;
    }
    if found < CHECKSUMS && to == Upgrade::ToWrite {
        checksum::make_all(db)?;
    }
    db.pragma_update(None, "user_version", VERSION)
}

fn drop_views(db: &Connection) -> rusqlite::Result<()> {
    let views = "SELECT replace(name, '\"', '\"\"') FROM sqlite_schema WHERE type = 'view'";
    let views: Vec<String> = db.prepare(views)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    views.iter().try_for_each(|view| db.execute_batch(&format!("DROP VIEW \"{view}\"")))
}

/// Version 1 had an index of SQLite's for the fingerprints, and for nothing else.
fn make_keys(db: &Connection) -> rusqlite::Result<()> {
    let mut keys = Keys::open(db)?;
    let mut statement = db.prepare("SELECT hash FROM fingerprint")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        keys.insert(db, KeyKind::Fingerprints, row.get::<_, i64>(0)?.cast_unsigned())?;
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

/// Brings an archive up to date, unless it is damaged. Whether this is who did it, or another was faster.
pub(in crate::archive) fn bring_up_to_date(archive: &Archive, found: i64) -> Result<bool, ArchiveError> {
    // What is damaged must not come out of it as if it were sound.
    refuse_damage(&Archive::open(archive.path())?)?;
    // Tables are replaced by new ones of the same name, which must not count as deleting their rows.
    archive.db.run("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")?;
    take_steps(archive, found).inspect_err(|_| {
        let _ = archive.db.run("ROLLBACK");
    })
}

fn refuse_damage(archive: &Archive) -> Result<(), ArchiveError> {
    let Some(problem) = archive.maintenance().verify(|_| ())?.first.into_iter().next() else {
        return Ok(());
    };
    let what = match problem.game {
        Some(game) => format!("game {game}: {}", problem.what),
        None => problem.what,
    };
    Err(ArchiveError::Unsound { path: archive.path().to_owned(), what })
}

fn take_steps(archive: &Archive, found: i64) -> Result<bool, ArchiveError> {
    if archive.db.pragma("user_version")? > found {
        archive.db.run("COMMIT")?;
        return Ok(false);
    }
    upgrade(&archive.db, found, Upgrade::ToWrite).map_err(|error| archive.db.error(error))?;
    archive.checks().schema(VERSION)?;
    schema::make_views(&archive.db).map_err(|error| archive.db.error(error))?;
    archive.db.run("COMMIT")?;
    Ok(true)
}

impl Checks<'_> {
    /// Makes sure that the tables are those of a version that can be read.
    pub(in crate::archive) fn schema(self, version: i64) -> Result<(), ArchiveError> {
        match schema_check::flaw(&self.archive.db, version).map_err(|error| self.archive.db.error(error))? {
            None => Ok(()),
            Some(what) => Err(ArchiveError::Foreign { path: self.archive.path().to_owned(), what }),
        }
    }
}
