//! The index of positions: which games reach a position, and what was played there.
//!
//! An index is a set of segments, each of the games with ids in one range, never changed. Not all positions are indexed
//! alike, but what changes slowly, as coarsely as can be afforded:
//!
//! * *Popular* positions, which at least 16 games of the segment reach, are kept exactly: see [`popular`].
//! * All others are found by their pawn structure, which a game has for one stretch and never again; where too many
//!   games have it, by the arrangement of minor pieces in it, or as a whole: see [`PostingsShape`]. Where a position is
//!   posted is not stored: a look-up asks for all three, and unites what it finds.
//! * Columns say of each game what people filter by: see [`Column`] and [`GameColumns`].
//!
//! Games are named by their *rank*: their place when all games of the segment are sorted by their moves. A column gives
//! the id for a rank.
//!
//! What is found is only where to look: every game is replayed before it is named, so that nothing in the index can
//! make an answer wrong. Games of other rules than those of standard chess and Chess960 are not in it.
//!
//! This folder knows how the index looks and how it is built; where its rows are kept is the archive's affair.

mod build;
mod column;
mod game_columns;
mod keys;
mod move_code;
pub mod popular;
mod postings;
mod segment;
mod totals;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use build::{BuiltSegment, IndexedGame, Played, RecordedPositions, SegmentBuilder};
pub use column::Column;
pub use game_columns::{ColumnOf, GameColumns, Speed};
pub use keys::{Level, PositionKeys};
pub use move_code::MoveCode;
pub use popular::{PopularPosition, Run};
pub use postings::PostingsShape;
pub use segment::{Rows, Segment};
pub use totals::{RatingSum, Totals};

use plybook_chess::bits::BitError;

/// What segments of positions are called in an archive, and the version of their format.
pub const KIND: i64 = 1;

/// Most games of a segment: a build has its memory, whatever the size of the archive.
pub const MOST_GAMES: u32 = 1 << 20;

/// How many bytes a row may be meant to have.
const ROW_BYTES: RangeInclusive<u32> = 64..=1 << 16;

/// What the rows of a segment are written with.
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
    /// How the postings are written.
    pub postings: PostingsShape,
    /// About how many bytes a row was to have: built anew with it, the segment is the same.
    pub row_bytes: u32,
    /// The [version](plybook_chess::openings::Openings::version) of the table that the column of openings is about.
    pub openings: u32,
}

impl SegmentShape {
    /// Whether such a segment can be.
    pub fn is_sane(&self) -> bool {
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
    /// Rows of postings, each by itself.
    Postings,
    /// The first posting of each of these rows; read as a whole, like all that follow but one.
    PostingsFirst,
    /// Rows of popular positions, each by itself.
    Popular,
    /// The first key of each of these rows.
    PopularFirst,
    /// The place in the segment of each game, by rank: its id less that of the segment's first.
    Order,
    /// A column of [`GameColumns`].
    Column(ColumnOf),
}

impl Part {
    /// The number that archives store. It is never given a second meaning.
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

/// A row of a part whose rows are read by themselves, and what it begins with.
type NamedRow = (u64, Vec<u8>);

/// Bytes of the index that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index of positions is damaged")]
pub struct DamagedIndex;

impl From<BitError> for DamagedIndex {
    fn from(_: BitError) -> DamagedIndex {
        DamagedIndex
    }
}
