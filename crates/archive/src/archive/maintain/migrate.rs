//! Older archives. For reading, a copy is upgraded; for writing, the archive itself, in one transaction: an
//! interruption leaves the archive intact in its old version.
//!
//! The scripts create and rename tables as each version introduced them, and what they produce never changes; rows that
//! new tables need are added after all scripts have run. The result must equal what `schema.sql` creates.

use rusqlite::{Connection, config::DbConfig};

use crate::archive::{
    Archive, ArchiveError, Result, VERSION, checksum,
    keys::{
        KeyKind, Keys,
        check::{INDEXES, expected},
    },
    purpose::Purpose,
    schema,
    schema_check::CHECKSUMS,
};

/// The scripts, each with the version to which it upgrades the one before. Version 5 changes no table of an archive.
const SCRIPTS: [(i64, &str); 3] =
    [(2, include_str!("to_2.sql")), (3, include_str!("to_3.sql")), (VERSION, include_str!("to_4.sql"))];

/// The version that introduced the archive's own indexes.
const KEYS: i64 = 2;

/// Upgrades the tables from a version; part of a transaction. To read them, no checksums are added, so that the data
/// does not appear to be proved.
pub(in crate::archive) fn upgrade(db: &Connection, found: i64, to: Purpose) -> rusqlite::Result<()> {
    if to == Purpose::Read {
        // The views of a copy are not used, and a broken one would prevent its tables from being renamed.
        drop_views(db)?;
    }
    // Renaming also updates the views, for which SQLite must parse them.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, true)?;
    let scripts = SCRIPTS.iter().filter(|(version, _)| *version > found);
    let mut wanted = scripts.filter(|(version, _)| *version != CHECKSUMS || to == Purpose::Write);
    let done = wanted.try_for_each(|(_, script)| db.execute_batch(script));
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    done?;
    if found < KEYS {
        make_keys(db)?;
    }
    if found < CHECKSUMS && to == Purpose::Write {
        checksum::make_all(db)?;
    }
    db.pragma_update(None, "user_version", VERSION)
}

fn drop_views(db: &Connection) -> rusqlite::Result<()> {
    let views = "SELECT replace(name, '\"', '\"\"') FROM sqlite_schema WHERE type = 'view'";
    let views: Vec<String> = db.prepare(views)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    views.iter().try_for_each(|view| db.execute_batch(&format!("DROP VIEW \"{view}\"")))
}

/// Version 1 had an SQLite index for the fingerprints, and no other.
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

/// Upgrades an archive unless it is damaged. Returns false if another program has already done it.
pub(in crate::archive) fn bring_up_to_date(archive: &Archive, found: i64) -> Result<bool> {
    // Upgrading a damaged archive would make it appear valid.
    refuse_damage(&Archive::open(archive.path())?)?;
    // Tables are replaced by new ones with the same name, which must not count as deleting their rows.
    archive.db.run("PRAGMA foreign_keys = OFF")?;
    archive.db.in_transaction(|| {
        if archive.db.pragma("user_version")? > found {
            return Ok(false);
        }
        archive.db.attempt(|db| upgrade(db, found, Purpose::Write))?;
        archive.check_schema(VERSION)?;
        archive.db.attempt(|db| schema::make_views(db))?;
        Ok(true)
    })
}

pub(super) fn refuse_damage(archive: &Archive) -> Result<()> {
    let problem = archive.maintenance().verify(|_| ())?.first_problem();
    problem.map_or(Ok(()), |what| Err(ArchiveError::Unsound(archive.path().to_owned(), what)))
}
