//! The index of positions: which games reach a position, and what they played there.
//!
//! An index is a set of immutable segments, each for the games in a range of ids. Positions are indexed in different
//! ways; slowly changing features are indexed as coarsely as possible:
//!
//! * *Popular* positions, which at least 16 games of the segment reach, are stored exactly: see [`popular`].
//! * All others are found by White's pawns, which a game has for one stretch and never again; if too many games have them,
//!   by the pawns of both sides, by the arrangement of White's minor pieces in them, or as a whole: see [`Level`] and
//!   [`PostingsShape`]. How a position is posted is not stored: a lookup checks all four, and merges the results.
//! * Columns contain what users filter by: see [`Column`] and [`GameColumns`].
//!
//! Games are identified by their *sort position*: their index when all games of the segment are sorted by their moves.
//! A column maps it to the id.
//!
//! The index only says where to look: every candidate game is replayed before it is returned, so that errors in the
//! index cannot produce a wrong match. Only games of standard chess and Chess960 are indexed.
//!
//! This directory defines the format of the index and builds it; the archive stores its rows.

mod build;
mod column;
mod game_columns;
mod keys;
mod move_code;
pub mod popular;
mod postings;
mod segment;
mod sparse_column;
mod sums;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use build::{IndexedGame, RecordedPositions, SegmentBuilder};
pub use column::Column;
pub use game_columns::{ColumnOf, GameColumns, Speed};
pub use keys::{Level, PositionKeys};
pub use move_code::MoveCode;
pub use popular::{PopularPosition, Run};
pub use postings::PostingsShape;
pub use segment::{Rows, Segment};

use crate::Shape;
use plybook_chess::bits::BitError;

/// The number of this kind of segment, including the version of its format.
// An index of every position was measured first, in a prototype on 297,156 master games: 82 distinct positions per
// game take 181 bytes per game even as truncated Rice codes, and 1,375 to 1,566 bytes as an SQLite table. The design
// described above took 67 bytes per game there, with lookups of about 0.1 ms.
pub const KIND: i64 = 3;

/// Most games in a segment, which limits the memory of a build whatever the size of the archive.
// Segments are immutable, because popularity, sort positions and buckets all depend on the entire set of games:
// postings are truncated to buckets, so two segments cannot be merged as streams. Growing an index means building a
// new segment from the moves.
pub const MOST_GAMES: u32 = 1 << 20;

/// The allowed target sizes of a row.
const ROW_BYTES: RangeInclusive<u32> = 64..=1 << 16;

/// The parameters of the rows of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentShape {
    /// Number of games.
    pub games: u32,
    /// Number of popular positions, and of the rows they are in.
    pub popular_positions: u64,
    /// Rows of popular positions.
    pub popular_rows: u32,
    /// Rows of postings.
    pub posting_rows: u32,
    /// The parameters of the postings.
    pub postings: PostingsShape,
    /// The target size of a row; a rebuild with the same value gives the same segment.
    pub row_bytes: u32,
    /// The [version](plybook_chess::openings::Openings::version) of the table that the column of openings refers to.
    pub openings: u32,
}

impl Shape for SegmentShape {
    const KIND: i64 = KIND;

    fn games(&self) -> u32 {
        self.games
    }

    fn is_sane(&self) -> bool {
        let PostingsShape { games, buckets, order } = self.postings;
        let of_games = games == u64::from(self.games) && games <= u64::from(MOST_GAMES);
        let rows = self.popular_rows.max(self.posting_rows);
        let of_rows = rows < 1 << 24 && ROW_BYTES.contains(&self.row_bytes);
        of_games && of_rows && (1..=1 << 32).contains(&buckets) && order < 48
    }
}

/// A part of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Rows of postings, each read separately.
    Postings,
    /// The first posting of each of these rows. This part and the following ones, except for one, are read as a unit.
    PostingsFirst,
    /// Rows of popular positions, each read separately.
    Popular,
    /// The first key of each of these rows.
    PopularFirst,
    /// The offset in the segment of each game, by sort position: its id minus the segment's first id.
    Order,
    /// A column of [`GameColumns`].
    Column(ColumnOf),
}

impl Part {
    /// The number that archives store. Numbers are never reused.
    pub fn number(self) -> u8 {
        match self {
            Part::Postings => 1,
            Part::PostingsFirst => 2,
            Part::Popular => 3,
            Part::PopularFirst => 4,
            Part::Order => 5,
            Part::Column(column) => 16 + column as u8,
        }
    }
}

/// A row of a part whose rows are read separately, and its first value.
type NamedRow = (u64, Vec<u8>);

/// The index contains invalid data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index of positions is damaged")]
pub struct DamagedIndex;

impl From<BitError> for DamagedIndex {
    fn from(_: BitError) -> DamagedIndex {
        DamagedIndex
    }
}
