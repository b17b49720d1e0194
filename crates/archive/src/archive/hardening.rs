//! The settings of every connection: an archive from an untrusted source cannot run code, write anything, or use more
//! memory than [`MAX_ROW_BYTES`] per value. They follow SQLite's advice in "Defense Against The Dark Arts".

use rusqlite::{Connection, config::DbConfig, limits::Limit};

use plybook_chess::limits::MAX_ROW_BYTES;

/// Switches that apply to every connection. Views are meant for people who query the archive with other programs;
/// plybook itself never uses views or triggers.
pub(super) const SWITCHES: [(DbConfig, bool); 7] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
    (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    // A statement is planned once, not again for each bound value.
    (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
];

/// Limits, far above what plybook's own statements need. No other database can be attached, which also prevents `VACUUM
/// INTO` from creating files.
// The limit on attached databases is needed even for read-only connections: those can still create a file with
// `VACUUM INTO`.
pub(super) const LIMITS: [(Limit, i32); 10] = [
    (Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 10),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 16),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Pragmas: cells are checked when a page is read, and without a memory map a file that shrinks cannot crash the
/// process.
pub(super) const PRAGMAS: [(&str, i64); 3] =
    [("cell_size_check", 1), ("mmap_size", 0), ("cache_size", -8192)];

/// Applies every setting.
pub(super) fn guard(db: &Connection) -> rusqlite::Result<()> {
    for (switch, on) in SWITCHES {
        db.set_db_config(switch, on)?;
    }
    for (limit, most) in LIMITS {
        db.set_limit(limit, most)?;
    }
    for (pragma, value) in PRAGMAS {
        // Some pragmas return a row, some do not.
        db.execute_batch(&format!("PRAGMA {pragma} = {value}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, WritableArchive};
    use plybook_chess::limits::MAX_GAME_BYTES;

    /// Checks every setting; a connection may have a lower limit on the length of a value.
    fn check(db: &Connection, longest: i32) {
        for (switch, on) in SWITCHES {
            assert_eq!(db.db_config(switch).unwrap(), on, "{switch:?}");
        }
        for (limit, most) in LIMITS {
            let most = if matches!(limit, Limit::SQLITE_LIMIT_LENGTH) { longest } else { most };
            assert_eq!(db.limit(limit).unwrap(), most, "{limit:?}");
        }
        for (pragma, value) in PRAGMAS {
            let read = db.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
            assert_eq!(read.unwrap(), value, "{pragma}");
        }
    }

    #[test]
    fn settings_take_effect() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let written = WritableArchive::create_or_open(&path).unwrap();
        check(&written.db, MAX_ROW_BYTES);
        written.finish().unwrap();
        let read = Archive::open(&path).unwrap();
        // A small file has no large values.
        check(&read.db, MAX_GAME_BYTES as i32);
        assert_eq!(read.db.pragma_query_value(None, "query_only", |row| row.get::<_, i64>(0)).unwrap(), 1);
        // The control: without the settings, all of this works.
        for sql in [
            "VACUUM INTO 'other.db'",
            "ATTACH ':memory:' AS other",
            "SELECT \"no such column\"",
            "SELECT * FROM games",
            "DELETE FROM game",
            "CREATE TEMP TABLE t (a)",
        ] {
            assert!(read.db.execute_batch(sql).is_err(), "{sql}");
            if !sql.starts_with("DELETE") && !sql.contains("other") {
                assert!(Connection::open(&path).unwrap().execute_batch(sql).is_ok(), "{sql}");
            }
        }
    }
}
