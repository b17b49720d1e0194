//! Adding segments, and dropping an index even if its pages are corrupt.
//!
//! If the pages are valid, the tables are dropped as usual. Otherwise freeing their pages could free pages of games:
//! then only the entries of the tables in the schema are deleted, and `VACUUM` rebuilds the file from the other tables.
//! Either way nothing is committed unless SQLite's check of the remaining tables passes.

use std::ops::ControlFlow;

use rusqlite::{config::DbConfig, params};

use super::{
    BuiltSegment, INDEX_TABLES, RecordedRanges, Segments, Shape, StoredSegment,
    blocks::{block_id, sealed},
    parameters,
};
use crate::archive::{
    Archive, ArchiveError, Result, changes::stale, checksum::Checksums, integers::integers,
    maintain::PageFaults, schema,
};
use plybook_record::GameRange;

/// Overhead of a block in a page: its cell pointer, lengths, id and checksum.
const AROUND: i64 = 24;

/// Blocks per page.
// Blobs that do not divide a page waste space: 2.1 KB blobs in pages of 16 KB wasted 5 to 11 % in a prototype.
const A_PAGE: i64 = 4;

/// Deletes the tables from the schema without touching their pages.
// Dropping a table normally puts its pages on the free list. If corrupt pages of the index refer to pages of games,
// the next write would overwrite games.
const FORGET: &str = "PRAGMA writable_schema = ON;
    DELETE FROM sqlite_schema WHERE tbl_name IN ('segment', 'segment_block');
    PRAGMA writable_schema = RESET;";

impl Segments<'_> {
    /// The size of blocks that fill the pages of this archive.
    pub fn block_bytes(self) -> Result<usize> {
        Ok(usize::try_from(self.archive.db.pragma("page_size")? / A_PAGE - AROUND).unwrap_or(1000))
    }

    /// The present state of the archive, on a connection of its own, to build a segment from while other programs
    /// write. Switches to a write-ahead log, in which a reader does not block writers.
    pub fn present_state(self) -> Result<Archive> {
        self.archive.begin_log()?;
        Archive::open(self.archive.path())?.at_this_moment()
    }

    /// Adds a segment for a range of ids, which was built from a [state](Self::present_state) of the archive, and
    /// removes the segments that it covers, and all of earlier releases. Games that have changed since that state are
    /// recorded as stale. Waits for other writers. Returns false if another program has changed the segments there in the
    /// meantime, or has renewed the values of the games.
    ///
    /// # Errors
    /// Errors of SQLite. Nothing has changed then.
    pub fn add<S: Shape>(
        self,
        games: GameRange,
        in_place_of: &[StoredSegment<S>],
        built: BuiltSegment<S>,
        state: &Archive,
    ) -> Result<bool> {
        self.archive.db.in_transaction(|| {
            let is_there =
                |segment: &&StoredSegment<S>| segment.last >= games.start && segment.first <= games.last;
            let is_renewed = state.has_former_values()? && !self.archive.has_former_values()?;
            let can_note = stale::can_note_since(&state.db, &self.archive.db, games);
            let can_note = can_note.map_err(|error| self.error(error))?;
            if is_renewed || !can_note || self.of::<S>()?.iter().filter(is_there).ne(in_place_of) {
                return Ok(false);
            }
            let add = || -> rusqlite::Result<()> {
                let id = self.insert(games, built)?;
                stale::note_since(&state.db, &self.archive.db, id, games)?;
                let covered = in_place_of.iter().map(|segment| segment.id);
                covered.chain(self.former()?).try_for_each(|id| self.remove(id))
            };
            add().map(|()| true).map_err(|error| self.error(error))
        })
    }

    /// Rebuilds all segments, in the caller's transaction, because columns of games have changed in it. `watch` receives
    /// the number of games of a segment processed so far and its total, and may stop the build.
    pub(in crate::archive) fn rebuild_all(
        self,
        watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<()> {
        let bytes = self.block_bytes()?;
        self.rebuild(self.positions()?, watch, |games, watch| {
            self.build_positions(games, None, bytes, watch)
        })?;
        self.rebuild(self.trails()?, watch, |games, watch| {
            self.build_trails(games, &RecordedRanges::default(), bytes, watch)
        })
    }

    fn rebuild<S: Shape>(
        self,
        segments: Vec<StoredSegment<S>>,
        watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
        build: impl Fn(GameRange, &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<BuiltSegment<S>>,
    ) -> Result<()> {
        for StoredSegment { id, first, last, .. } in segments {
            let all = (last - first + 1).unsigned_abs();
            let games = (first..=last).into();
            let built = build(games, &mut |games| watch(games, all))?;
            let replace = || self.insert(games, built).and_then(|_| self.remove(id));
            replace().map_err(|error| self.error(error))?;
        }
        Ok(())
    }

    fn insert<S: Shape>(
        self,
        games: GameRange,
        BuiltSegment { shape, blocks }: BuiltSegment<S>,
    ) -> rusqlite::Result<i64> {
        let db = &self.archive.db;
        if !self.exist()? {
            db.execute_batch(schema::table("segment"))?;
            db.execute_batch(schema::table("segment_block"))?;
        }
        let next = "SELECT 1 + max(coalesce((SELECT max(id) FROM segment), 0),
                                   coalesce((SELECT max(id) >> 32 FROM segment_block), 0))";
        let id: i64 = db.query_row(next, [], |row| row.get(0))?;
        let mut insert = db.prepare_cached("INSERT INTO segment_block (id, data) VALUES (?1, ?2)")?;
        for (part, number, data) in blocks {
            let block = block_id(id, part, number);
            insert.execute(params![block, sealed(block, data)])?;
        }
        let sql = "INSERT INTO segment (id, kind, first_game, last_game, games, parameters) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let GameRange { start: first, last } = games;
        let parameters = parameters(StoredSegment { part: 0, id, first, last, shape });
        db.execute(sql, params![id, S::KIND, first, last, shape.games(), parameters]).map(|_| id)
    }

    pub(super) fn remove(self, id: i64) -> rusqlite::Result<()> {
        self.archive.db.execute(
            "DELETE FROM segment_block WHERE id >> 32 = ?1 AND id BETWEEN ?1 << 32 AND (?1 + 1) << 32",
            [id],
        )?;
        self.archive.db.execute("DELETE FROM segment WHERE id = ?1", [id])?;
        let mut checksums = Checksums::default();
        stale::forget(&self.archive.db, &mut checksums, id)?;
        checksums.flush(&self.archive.db)
    }

    /// Drops the index of positions, that of trails, or both. Returns whether there was one.
    ///
    /// # Errors
    /// Errors of SQLite; only one of the two should go and their pages are corrupt; or pages of other tables are
    /// corrupt. Nothing has changed then.
    pub fn drop_index(self, kind: Option<i64>) -> Result<bool> {
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
        let ids = integers(&self.archive.db, "SELECT id FROM segment WHERE kind = ?1", [kind])?;
        ids.iter().try_for_each(|id| self.remove(*id))?;
        Ok(!ids.is_empty())
    }

    /// Makes a change in a transaction, and rolls it back if the file is corrupt after it.
    fn unless_unsound<T>(self, change: impl FnOnce() -> rusqlite::Result<T>) -> Result<T> {
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
            self.archive.rebuild_file()?;
        }
        Ok(changed)
    }

    fn forget_index(self) -> Result<()> {
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
}
