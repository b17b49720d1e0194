//! Adding segments, each in one transaction.

use rusqlite::params;

use super::{
    BuiltSegment, Segments, Shape, StoredSegment,
    blocks::{block_id, sealed},
    parameters,
};
use crate::archive::{ArchiveError, changes::stale, checksum::Checksums, schema};
use plybook_record::GameId;

/// Overhead of a block in a page: its cell pointer, lengths, id and checksum.
const AROUND: i64 = 24;

/// Blocks per page.
// Blobs that do not divide a page waste space: 2.1 KB blobs in pages of 16 KB wasted 5 to 11 % in a prototype.
const A_PAGE: i64 = 4;

impl Segments<'_> {
    /// The size of blocks that fill the pages of this archive.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn block_bytes(self) -> Result<usize, ArchiveError> {
        Ok(usize::try_from(self.archive.db.pragma("page_size")? / A_PAGE - AROUND).unwrap_or(1000))
    }

    /// Adds a segment for a range of ids, and removes the segments that it covers. Waits for other writers. Returns
    /// false if another program has changed the segments there in the meantime.
    ///
    /// # Errors
    /// Errors of SQLite. Nothing has changed then.
    pub fn add<S: Shape>(
        self,
        games: (GameId, GameId),
        in_place_of: &[StoredSegment<S>],
        built: BuiltSegment<S>,
    ) -> Result<bool, ArchiveError> {
        let (first, last) = games;
        self.archive.db.in_transaction(|| {
            let is_there = |segment: &&StoredSegment<S>| segment.last >= first && segment.first <= last;
            if self.of::<S>()?.iter().filter(is_there).ne(in_place_of) {
                return Ok(false);
            }
            self.insert(games, built).map_err(|error| self.error(error))?;
            let removed = in_place_of.iter().try_for_each(|segment| self.remove(segment.id));
            removed.map(|()| true).map_err(|error| self.error(error))
        })
    }

    fn insert<S: Shape>(
        self,
        (first, last): (GameId, GameId),
        BuiltSegment { shape, blocks }: BuiltSegment<S>,
    ) -> rusqlite::Result<()> {
        let db = &self.archive.db;
        if !self.exist()? {
            db.execute_batch(&schema::optional_tables_of("segment"))?;
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
        let parameters = parameters(StoredSegment { part: 0, id, first, last, shape });
        db.execute(sql, params![id, S::KIND, first, last, shape.games(), parameters]).map(|_| ())
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
}
