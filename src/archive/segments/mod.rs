//! The segments of larger indexes: what they cover, and their blocks. What is in a block is not the archive's affair;
//! that it is as it was written is.

mod add;
mod blocks;
mod indexed_games;

use rusqlite::{OptionalExtension, Row};

pub use self::{
    blocks::SegmentBlocks,
    indexed_games::{IndexableGame, SectionFacts},
};
use super::{Archive, ArchiveError};
use crate::{
    position_index::{KIND, MOST_GAMES, SegmentShape},
    record::GameId,
};

/// A segment of the index of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSegment {
    /// Its number.
    pub id: i64,
    /// The first id that it covers.
    pub first: GameId,
    /// The last id that it covers.
    pub last: GameId,
    /// What its blocks are written with.
    pub shape: SegmentShape,
}

impl Archive {
    /// The segments of the index of positions, in the order of ids; none if there is no index.
    ///
    /// # Errors
    /// SQLite's, or the segments make no sense.
    pub fn position_segments(&self) -> Result<Vec<StoredSegment>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<Option<StoredSegment>>> {
            if !self.has_segments()? {
                return Ok(Vec::new());
            }
            let sql = "SELECT id, first_game, last_game, games, parameters FROM segment WHERE kind = ?1 ORDER BY first_game";
            self.db.prepare_cached(sql)?.query_map([KIND], read_segment)?.collect()
        };
        let segments: Option<Vec<_>> = read().map_err(|error| self.error(error))?.into_iter().collect();
        let segments = segments.ok_or_else(|| self.damaged_index())?;
        if segments.windows(2).any(|pair| pair[0].last >= pair[1].first) {
            return Err(self.damaged_index());
        }
        Ok(segments)
    }

    /// Whether the table is there.
    fn has_segments(&self) -> rusqlite::Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'segment'";
        Ok(self.db.query_row(sql, [], |_| Ok(())).optional()?.is_some())
    }

    /// The error for an index that makes no sense.
    pub fn damaged_index(&self) -> ArchiveError {
        ArchiveError::DamagedIndex(self.path().to_owned())
    }
}

/// A segment, unless it makes no sense.
fn read_segment(row: &Row<'_>) -> rusqlite::Result<Option<StoredSegment>> {
    let (id, first, last, games): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let shape: Option<SegmentShape> = serde_json::from_str(row.get_ref(4)?.as_str()?).ok();
    let makes_sense = |shape: &SegmentShape| {
        let covered = last.checked_sub(first).and_then(|covered| covered.checked_add(1));
        i64::from(shape.games) == games
            && first >= 1
            && id.unsigned_abs() < 1 << 31
            && covered.is_some_and(|covered| covered >= games.max(1) && covered <= i64::from(MOST_GAMES))
            && shape.is_sane()
    };
    Ok(shape.filter(makes_sense).map(|shape| StoredSegment { id, first, last, shape }))
}
