//! Adding segments, each in one transaction.

use rusqlite::params;

use super::Segments;
use super::{
    Shape, StoredSegment,
    blocks::{block_id, sealed},
    row,
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

    /// Adds a segment for a range of ids, and removes the segments that it covers. `write` passes its blocks and
    /// returns its shape. Waits for other writers. Returns false if another program has changed the segments there in
    /// the meantime.
    ///
    /// # Errors
    /// Errors of SQLite, or those of `write`. Nothing has changed then.
    pub fn add<S: Shape>(
        self,
        (first, last): (GameId, GameId),
        in_place_of: &[StoredSegment<S>],
        write: impl FnOnce(
            &mut dyn FnMut(u8, u32, Vec<u8>) -> Result<(), ArchiveError>,
        ) -> Result<S, ArchiveError>,
    ) -> Result<bool, ArchiveError> {
        self.archive.db.run("BEGIN IMMEDIATE")?;
        let add = || -> Result<bool, ArchiveError> {
            let is_there = |segment: &&StoredSegment<S>| segment.last >= first && segment.first <= last;
            if self.of::<S>()?.iter().filter(is_there).ne(in_place_of) {
                return Ok(false);
            }
            let failed = |error| self.error(error);
            self.make_tables().map_err(failed)?;
            let next = "SELECT 1 + max(coalesce((SELECT max(id) FROM segment), 0),
                                       coalesce((SELECT max(id) >> 32 FROM segment_block), 0))";
            let id: i64 = self.archive.db.query_row(next, [], |row| row.get(0)).map_err(failed)?;
            let shape = write(&mut |part, number, data| {
                let mut insert = self
                    .archive
                    .db
                    .prepare_cached("INSERT INTO segment_block (id, data) VALUES (?1, ?2)")
                    .map_err(failed)?;
                let block = block_id(id, part, number);
                insert.execute(params![block, sealed(block, data)]).map_err(failed)?;
                Ok(())
            })?;
            let sql = "INSERT INTO segment (id, kind, first_game, last_game, games, parameters) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let parameters = row::parameters(StoredSegment { part: 0, id, first, last, shape });
            let values = params![id, S::KIND, first, last, shape.games(), parameters];
            self.archive.db.execute(sql, values).map_err(failed)?;
            in_place_of.iter().try_for_each(|segment| self.remove(segment.id)).map_err(failed)?;
            Ok(true)
        };
        let added = add();
        self.archive.db.run(if added.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        added
    }

    fn make_tables(self) -> rusqlite::Result<()> {
        if self.exist()? {
            Ok(())
        } else {
            self.archive.db.execute_batch(&schema::optional_tables_of("segment"))
        }
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
