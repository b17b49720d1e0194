//! The segments of larger indexes: the games they cover, and their blocks. The archive does not interpret blocks, but
//! checks that they are unchanged.

mod add;
mod blocks;
mod build;
mod check;
mod drop;
mod indexed_games;
mod row;
mod trails;

use rusqlite::ErrorCode;
use serde::{Serialize, de::DeserializeOwned};

pub use self::{blocks::SegmentBlocks, build::Recorded, indexed_games::IndexableGame, trails::RecordedRange};
use super::{Archive, ArchiveError, GameSet, changes::stale};
use plybook_index::{
    position_index::{self, SegmentShape},
    trail::{self, TrailShape},
};
use plybook_record::GameId;

/// Minimum bytes of the file per game.
const LEAST_GAME_BYTES: u64 = 8;

/// The tables of segments.
pub(super) const INDEX_TABLES: [&str; 2] = ["segment", "segment_block"];

const SEGMENT_TABLES: i64 = 2;

/// A segment of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSegment<S = SegmentShape> {
    /// Which of several archives contains it; 0 if there is only one.
    pub part: u32,
    /// Its number.
    pub id: i64,
    /// The first id that it covers.
    pub first: GameId,
    /// The last id that it covers.
    pub last: GameId,
    /// The parameters of its encoding.
    pub shape: S,
}

/// The parameters of the segments of one kind of index.
pub trait Shape: Copy + PartialEq + Serialize + DeserializeOwned {
    /// The number of this kind of segment, including the version of its format.
    const KIND: i64;

    /// Number of games.
    fn games(&self) -> u32;

    /// Whether the values are plausible.
    fn is_sane(&self) -> bool;
}

impl Shape for SegmentShape {
    const KIND: i64 = position_index::KIND;

    fn games(&self) -> u32 {
        self.games
    }

    fn is_sane(&self) -> bool {
        self.is_sane()
    }
}

impl Shape for TrailShape {
    const KIND: i64 = trail::KIND;

    fn games(&self) -> u32 {
        self.games
    }

    fn is_sane(&self) -> bool {
        self.is_sane()
    }
}

/// The segments of an archive's indexes.
#[derive(Clone, Copy, Debug)]
pub struct Segments<'a> {
    archive: &'a Archive,
}

impl Archive {
    /// The segments of its indexes.
    pub fn segments(&self) -> Segments<'_> {
        Segments { archive: self }
    }
}

impl Segments<'_> {
    /// The segments of the index of positions, in the order of ids; none if there is no index.
    ///
    /// # Errors
    /// Errors of SQLite, or the segments are invalid.
    pub fn positions(self) -> Result<Vec<StoredSegment>, ArchiveError> {
        self.of()
    }

    /// The same for the trails.
    ///
    /// # Errors
    /// Errors of SQLite, or the segments are invalid.
    pub fn trails(self) -> Result<Vec<StoredSegment<TrailShape>>, ArchiveError> {
        self.of()
    }

    /// The segments of an index.
    pub fn of<S: Shape>(self) -> Result<Vec<StoredSegment<S>>, ArchiveError> {
        if self.archive.is_one() {
            return self.of_file();
        }
        let mut segments = Vec::new();
        for part in self.archive.files().parts() {
            // Ignore a segment with games that were added after this snapshot.
            let own =
                part.lock().segments().of_file()?.into_iter().filter(|segment| segment.last <= part.last);
            segments.extend(own.map(|segment: StoredSegment<S>| StoredSegment {
                part: part.number,
                first: segment.first + part.before,
                last: segment.last + part.before,
                ..segment
            }));
        }
        Ok(segments)
    }

    fn of_file<S: Shape>(self) -> Result<Vec<StoredSegment<S>>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<Option<StoredSegment<S>>>> {
            match self.count_tables()? {
                0 => return Ok(Vec::new()),
                SEGMENT_TABLES => {}
                _ => return Ok(vec![None]),
            }
            let sql = "SELECT id, first_game, last_game, games, parameters FROM segment WHERE kind = ?1 ORDER BY first_game";
            self.archive.db.prepare_cached(sql)?.query_map([S::KIND], row::read)?.collect()
        };
        let segments: Option<Vec<_>> = read().map_err(|error| self.error(error))?.into_iter().collect();
        let segments = segments.ok_or_else(|| self.damaged())?;
        let games: u64 = segments.iter().map(|segment| u64::from(segment.shape.games())).sum();
        let overlap = segments.windows(2).any(|pair| pair[0].last >= pair[1].first);
        // A segment with more games than can exist would use memory that the size of the file does not justify.
        if overlap || games > self.archive.bytes() / LEAST_GAME_BYTES || self.end_beyond_games(&segments)? {
            return Err(self.damaged());
        }
        Ok(segments)
    }

    fn end_beyond_games<S>(self, segments: &[StoredSegment<S>]) -> Result<bool, ArchiveError> {
        let Some(last) = segments.last() else { return Ok(false) };
        Ok(last.last > self.archive.last_id()?)
    }

    /// The games of a segment whose rows have changed since it was built: what it says of them must not be used.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn stale_games<S>(self, segment: &StoredSegment<S>) -> Result<GameSet, ArchiveError> {
        let file = self.file_with(segment);
        let archive = file.lock();
        let games = stale::games(&archive.db, segment.id).map_err(|error| archive.db.error(error))?;
        Ok(games.into_iter().map(|game| game + file.before()).collect())
    }

    /// Whether the tables of segments exist.
    pub(super) fn exist(self) -> rusqlite::Result<bool> {
        Ok(self.count_tables()? > 0)
    }

    /// The number of tables of segments: all or none, unless another program has dropped one.
    fn count_tables(self) -> rusqlite::Result<i64> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('segment', 'segment_block')";
        self.archive.db.query_row(sql, [], |row| row.get(0))
    }

    /// An SQLite error in the tables of segments.
    fn error(self, error: rusqlite::Error) -> ArchiveError {
        // A changed byte can also change a value's type, or make a number too large.
        let is_other_value = matches!(
            error,
            rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
        );
        if is_other_value || error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) {
            return self.damaged();
        }
        self.archive.db.error(error)
    }

    /// The error for an invalid index.
    pub fn damaged(self) -> ArchiveError {
        ArchiveError::DamagedIndex(self.archive.path().to_owned())
    }
}
