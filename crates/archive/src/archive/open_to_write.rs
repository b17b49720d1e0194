//! Opening, creating and closing an archive for writing.

use std::{ops::Deref, path::Path, time::Duration};

use rusqlite::Connection;

use super::{
    APPLICATION_ID, Archive, ArchiveError, Result, VERSION,
    busy_timeout::{BusyTimeout, try_again},
    maintain::migrate::bring_up_to_date,
    open::check_is_file,
    parts::check_is_not_in_parts,
    purpose::Purpose,
    schema,
};

/// An archive open for writing: by a [`Writer`](super::Writer), or to be indexed. It can also be read.
#[derive(Debug)]
pub struct WritableArchive {
    archive: Archive,
    /// Its version before it was opened, if it was older.
    pub migrated_from: Option<i64>,
    /// Whether it was opened to change games, at a cost that does not grow with the archive.
    pub(super) is_for_changes: bool,
}

impl Deref for WritableArchive {
    type Target = Archive;

    fn deref(&self) -> &Archive {
        &self.archive
    }
}

impl Archive {
    /// Switches to a write-ahead log if the file does not use one yet. This needs exclusive access to the file.
    pub(super) fn begin_log(&self) -> Result<()> {
        if self.has_log() {
            return Ok(());
        }
        // SQLite waits for readers here, but not for a writer: neither for an active one, nor for one that starts in
        // between.
        try_again(|| {
            self.db.run("BEGIN IMMEDIATE; ROLLBACK")?;
            self.db.run("PRAGMA journal_mode = WAL").map_err(|error| match error {
                ArchiveError::Busy(path) => ArchiveError::Held(path),
                other => other,
            })
        })
    }

    /// Whether the file uses a write-ahead log.
    pub(super) fn has_log(&self) -> bool {
        let mode = self.db.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        mode.is_ok_and(|mode| mode == "wal")
    }

    /// Merges the write-ahead log into the file and returns to a rollback journal, unless another program has the
    /// archive open: it does the same when it ends.
    pub fn end_log(&self) -> Result<()> {
        let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
        unless_busy(self.db.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"))
    }
}

fn unless_busy(done: Result<()>) -> Result<()> {
    match done {
        Err(ArchiveError::Busy(_)) => Ok(()),
        other => other,
    }
}

impl WritableArchive {
    /// Opens an archive for writing; creates it if it does not exist, and upgrades an older one.
    ///
    /// # Errors
    /// The file is not an archive, newer than this program, has an altered schema, or cannot be written.
    pub fn create_or_open(path: impl AsRef<Path>) -> Result<WritableArchive> {
        WritableArchive::create_or_open_for(path, None, 0)
    }

    /// The same; a new archive is laid out for sources of about this size, and games of about `game_bytes` in the
    /// archive.
    ///
    /// # Errors
    /// The same as [`create_or_open`](Self::create_or_open).
    pub fn create_or_open_for(
        path: impl AsRef<Path>,
        source_bytes: Option<u64>,
        game_bytes: u64,
    ) -> Result<WritableArchive> {
        let mut archive = WritableArchive::begin(path.as_ref(), source_bytes, game_bytes)?;
        archive.check_index_order()?;
        archive.make_ready()?;
        Ok(archive)
    }

    /// The same to drop an index that may be corrupt.
    ///
    /// # Errors
    /// The same as [`create_or_open`](Self::create_or_open).
    pub fn open_to_drop_index(path: impl AsRef<Path>) -> Result<WritableArchive> {
        let mut archive = WritableArchive::begin(path.as_ref(), None, 0)?;
        archive.make_ready()?;
        Ok(archive)
    }

    /// Opens an existing archive to change games in it; upgrades an older one. Unlike the other functions, it reads
    /// neither all ids nor all keys, and does not switch to a write-ahead log, so it takes the same time for any
    /// archive.
    ///
    /// # Errors
    /// The file is missing, a directory, a part of a collection, not an archive, newer than this program, has an altered
    /// schema, or cannot be written.
    pub fn open_for_changes(path: impl AsRef<Path>) -> Result<WritableArchive> {
        let path = path.as_ref();
        check_is_not_in_parts(path)?;
        check_is_file(path)?;
        let archive = Archive::connect(path, Purpose::Write)?;
        if archive.db.is_blank()? {
            return Err(ArchiveError::Blank(path.to_owned()));
        }
        let found = archive.db.version()?;
        if found < VERSION {
            drop(archive);
            WritableArchive::migrate(path)?;
            return WritableArchive::open_for_changes(path);
        }
        if archive.db.is_readonly("main").unwrap_or(true) {
            return Err(ArchiveError::ReadOnly(path.to_owned()));
        }
        archive.check_schema(found)?;
        archive.check_codecs()?;
        let mut archive = WritableArchive { archive, migrated_from: None, is_for_changes: true };
        archive.renew_views()?;
        archive.archive.db.set_free().map_err(|error| archive.db.error(error))?;
        archive.db.run("PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = OFF")?;
        Ok(archive)
    }

    /// The number of games. Unlike [`count`](Archive::count) this reads no row, which would be one percent of an import:
    /// the archive was checked when it was opened.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn count_checked(&self) -> Result<u64> {
        let count = "SELECT count(*) FROM game";
        self.db.attempt(|db| db.query_row(count, [], |row| row.get(0).map(i64::cast_unsigned)))
    }

    /// Upgrades an older archive. Returns its previous version.
    ///
    /// # Errors
    /// The file is missing, not an archive, newer than this program, damaged, or cannot be written.
    pub fn migrate(path: impl AsRef<Path>) -> Result<i64> {
        let path = path.as_ref();
        check_is_file(path)?;
        if Archive::connect(path, Purpose::Write)?.db.is_blank()? {
            return Err(ArchiveError::Blank(path.to_owned()));
        }
        let archive = WritableArchive::create_or_open(path)?;
        let found = archive.migrated_from.map_or_else(|| archive.db.version(), Ok)?;
        archive.finish()?;
        Ok(found)
    }

    /// An empty archive in memory.
    pub(super) fn empty_in_memory() -> Result<WritableArchive> {
        let path = Path::new("memory");
        let made = Connection::open_in_memory().and_then(|db| Archive::of_guarded(db, path));
        let mut archive = made.map_err(|error| ArchiveError::of_sqlite(path, error))?;
        archive.db.set_free().map_err(|error| ArchiveError::of_sqlite(path, error))?;
        archive.db.run("PRAGMA foreign_keys = OFF")?;
        let archive = WritableArchive { archive, migrated_from: None, is_for_changes: true };
        archive.make_schema(schema::page_size(None, 0))?;
        Ok(archive)
    }

    fn begin(path: &Path, source_bytes: Option<u64>, game_bytes: u64) -> Result<WritableArchive> {
        if path.is_dir() {
            return Err(ArchiveError::Folder(path.to_owned()));
        }
        let archive = Archive::connect(path, Purpose::Write)?;
        let mut archive = WritableArchive { archive, migrated_from: None, is_for_changes: false };
        // The file's length is not enough: after a crash during creation SQLite first rolls the file back.
        if archive.db.is_blank()? {
            archive.make_schema(schema::page_size(source_bytes, game_bytes))?;
        }
        let found = archive.db.version()?;
        if archive.db.is_readonly("main").unwrap_or(true) {
            return Err(ArchiveError::ReadOnly(path.to_owned()));
        }
        if found < VERSION {
            archive.count()?;
            archive.migrated_from = bring_up_to_date(&archive, found)?.then_some(found);
        }
        archive.check_schema(found.max(VERSION))?;
        archive.check_order()?;
        archive.check_codecs()?;
        Ok(archive)
    }

    fn make_ready(&mut self) -> Result<()> {
        self.renew_views()?;
        self.renew_totals()?;
        self.archive.db.set_free().map_err(|error| self.db.error(error))?;
        // WAL with a full sync at each commit: whatever is reported as stored is on disk.
        // In tests with power cuts on ext4, WAL with FULL lost none of the committed games in 40 cuts; NORMAL lost up
        // to 2,500, and OFF all of them.
        self.begin_log()?;
        self.db.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF")
    }

    /// Creates the tables, unless another process has done so in the meantime.
    fn make_schema(&self, page_size: u32) -> Result<()> {
        // The second setting is a write and so begins the transaction: if it is not committed, nothing is left.
        self.db.run(&format!("PRAGMA page_size = {page_size}; BEGIN; PRAGMA auto_vacuum = INCREMENTAL"))?;
        if !self.db.is_blank()? {
            return self.db.run("COMMIT");
        }
        self.db.run(schema::tables())?;
        // Every import needs these. Their first pages, and those of the schema itself, are then at the beginning of the
        // file, where damage elsewhere does not reach them.
        for table in ["plybook_identity_run", "plybook_identity_block", "setting"] {
            self.db.run(schema::table(table))?;
        }
        self.db.attempt(|db| schema::make_views(db))?;
        self.db.run(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT"
        ))
    }

    /// Updates the views of an archive to this version's, if they differ.
    fn renew_views(&self) -> Result<()> {
        if self.db.attempt(|db| schema::missing_views(db))?.is_empty() {
            return Ok(());
        }
        self.db.in_transaction(|| self.db.attempt(|db| schema::make_views(db)))
    }

    /// Ends writing: moves everything into one file, so that it can be copied and read anywhere.
    ///
    /// # Errors
    /// Errors of SQLite. It is not an error if another program has the archive open: it does the same when it ends.
    pub fn finish(self) -> Result<()> {
        let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
        unless_busy(self.give_pages_back().map_err(|error| self.db.error(error)))?;
        self.end_log()
    }

    /// Shrinks the file to its contents: merged runs of keys leave free pages behind.
    pub(super) fn give_pages_back(&self) -> rusqlite::Result<()> {
        let mut statement = self.db.prepare("PRAGMA incremental_vacuum")?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    }
}
