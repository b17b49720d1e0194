//! The segments of larger indexes: the games they cover, and their blocks. The archive does not interpret blocks, but
//! checks that they are unchanged.

mod blocks;
mod build;
mod build_trails;
mod change;
mod check;
mod recorder;

use std::path::PathBuf;

use rusqlite::{ErrorCode, Row};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

pub use self::{
    blocks::SegmentBlocks,
    build::{IndexableGame, Recorded, gaps},
    build_trails::{RecordedRange, RecordedRanges},
    check::IndexFlaws,
};
pub(super) use self::{
    build::IndexedRow,
    recorder::{GameRecorder, OrderedTrails, RecordedGames, RecordedSegment},
};
use super::{
    Archive, ArchiveError, GameSet, Result, bounded::Bounded, changes::stale, integers::integers,
    snapshot::snapshot,
};
pub use plybook_index::{BuiltSegment, Shape};
use plybook_index::{
    LAST_FORMER_KIND,
    position_index::{MOST_GAMES, SegmentShape},
    recording::IndexParts,
    trail::TrailShape,
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
    pub fn positions(self) -> Result<Vec<StoredSegment>> {
        self.of()
    }

    /// The same for the trails.
    ///
    /// # Errors
    /// Errors of SQLite, or the segments are invalid.
    pub fn trails(self) -> Result<Vec<StoredSegment<TrailShape>>> {
        self.of()
    }

    /// All parts of the index, or those that the archive has.
    pub fn parts(self, all: bool) -> Result<IndexParts> {
        Ok(IndexParts {
            positions: all || !self.positions()?.is_empty(),
            trails: all || !self.trails()?.is_empty(),
        })
    }

    /// The segments of an index.
    pub fn of<S: Shape>(self) -> Result<Vec<StoredSegment<S>>> {
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

    fn of_file<S: Shape>(self) -> Result<Vec<StoredSegment<S>>> {
        let segments: Vec<StoredSegment<S>> = self.read(|db| {
            // Another program may drop the tables in between.
            let _snapshot = snapshot(db)?;
            match self.count_tables()? {
                0 => return Ok(Some(Vec::new())),
                SEGMENT_TABLES => {}
                _ => return Ok(None),
            }
            let sql = "SELECT id, first_game, last_game, games, parameters FROM segment WHERE kind = ?1 ORDER BY first_game";
            db.prepare_cached(sql)?.query_map([S::KIND], read_row)?.collect()
        })?;
        let games: u64 = segments.iter().map(|segment| u64::from(segment.shape.games())).sum();
        let overlap = segments.windows(2).any(|pair| pair[0].last >= pair[1].first);
        // A segment with more games than can exist would use memory that the size of the file does not justify.
        let is_too_large = games > self.archive.bytes() / LEAST_GAME_BYTES;
        let last = segments.last().map_or(0, |segment| segment.last);
        if overlap || is_too_large || last > 0 && last > self.archive.last_id()? {
            return Err(self.damaged());
        }
        Ok(segments)
    }

    /// The games of a segment whose rows have changed since it was built: what it says of them must not be used.
    pub fn stale_games<S>(self, segment: &StoredSegment<S>) -> Result<GameSet> {
        let file = self.file_with(segment);
        let archive = file.lock();
        let games = stale::games(&archive.db, segment.id).map_err(|error| archive.db.error(error))?;
        Ok(games.into_iter().map(|game| game + file.before()).collect())
    }

    /// The file that has segments of an earlier release only, which are not read; of several archives the first one.
    pub fn file_with_former(self) -> Result<Option<PathBuf>> {
        if !self.archive.is_one() {
            let mut parts = self.archive.files().parts().iter();
            return parts.find_map(|part| part.lock().segments().file_with_former().transpose()).transpose();
        }
        let sql = "SELECT count(*) > 0 AND max(kind) <= ?1 FROM segment";
        let is_former = |db: &Bounded| match self.exist()? {
            true => db.query_row(sql, [LAST_FORMER_KIND], |row| row.get(0)).map(Some),
            false => Ok(Some(false)),
        };
        Ok(self.read(is_former)?.then(|| self.archive.path().to_owned()))
    }

    /// The ids of the segments of earlier releases.
    fn former(self) -> rusqlite::Result<Vec<i64>> {
        integers(&self.archive.db, "SELECT id FROM segment WHERE kind <= ?1", [LAST_FORMER_KIND])
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

    /// Reads from the tables of segments; `None` means that they are damaged.
    fn read<T>(self, read: impl FnOnce(&Bounded) -> rusqlite::Result<Option<T>>) -> Result<T> {
        read(&self.archive.db).map_err(|error| self.error(error))?.ok_or_else(|| self.damaged())
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

/// The column "parameters", as JSON. It contains a checksum of the row: a segment with a wrong range of games, or
/// decoded with wrong parameters, would find too few games.
#[derive(Serialize, Deserialize)]
struct Parameters<S> {
    #[serde(flatten)]
    shape: S,
    /// The lowest 32 bits of the xxh3 of the JSON array of id, kind, first game, last game and shape.
    proof: u32,
}

/// The parameters of a segment, as they are stored.
fn parameters<S: Shape>(StoredSegment { id, first, last, shape, .. }: StoredSegment<S>) -> String {
    let proof = proof(id, first, last, &shape);
    text(&Parameters { shape, proof })
}

/// Reads a segment from its id, first and last game, number of games and parameters; `None` if they are invalid.
fn read_row<S: Shape>(row: &Row<'_>) -> rusqlite::Result<Option<StoredSegment<S>>> {
    let (id, first, last, games): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let parameters = row.get_ref(4)?.as_bytes().ok().and_then(|text| serde_json::from_slice(text).ok());
    let Some(Parameters::<S> { shape, proof: stored }) = parameters else { return Ok(None) };
    let covered = last.checked_sub(first).and_then(|covered| covered.checked_add(1));
    let makes_sense = i64::from(shape.games()) == games
        && first >= 1
        && (1..1 << 31).contains(&id)
        && covered.is_some_and(|covered| covered >= games.max(1) && covered <= i64::from(MOST_GAMES))
        && shape.is_sane()
        && proof(id, first, last, &shape) == stored;
    Ok(Some(StoredSegment { part: 0, id, first, last, shape }).filter(|_| makes_sense))
}

fn proof<S: Shape>(id: i64, first: GameId, last: GameId, shape: &S) -> u32 {
    XxHash3_64::oneshot(text(&(id, S::KIND, first, last, shape)).as_bytes()) as u32
}

/// Numbers as JSON, which cannot fail.
fn text(numbers: &impl Serialize) -> String {
    serde_json::to_string(numbers).unwrap_or_default()
}
