//! The two indexes of an archive: which games reach a position, and what happens in each game. Both are encoded, built
//! and read here; the archive stores the bytes.

use serde::{Serialize, de::DeserializeOwned};

use plybook_chess::chess::{QuickChess, Variant, VariantPosition};

pub mod position_index;
pub mod recording;
pub mod trail;

/// The highest kind of the segments of earlier releases. They are not read any more.
pub const LAST_FORMER_KIND: i64 = 2;

/// The parameters of the segments of one kind of index.
pub trait Shape: Copy + PartialEq + Serialize + DeserializeOwned {
    /// The number of this kind of segment, including the version of its format.
    const KIND: i64;

    /// Number of games.
    fn games(&self) -> u32;

    /// Whether the values are plausible.
    fn is_sane(&self) -> bool;
}

/// A block: the number of its part, its number in it, and its bytes.
pub type Block = (u8, u32, Vec<u8>);

/// A segment that has been built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltSegment<S> {
    /// The parameters of its blocks.
    pub shape: S,
    /// The blocks, in the order of parts and numbers.
    pub blocks: Vec<Block>,
}

/// Blocks of about this many bytes from a part that is read as a unit.
fn blocks_of(part: u8, whole: &[u8], bytes: usize) -> impl Iterator<Item = Block> {
    (0..).zip(whole.chunks(bytes.max(1))).map(move |(number, piece)| (part, number, piece.to_vec()))
}

/// The start of a game that may be indexed. Games with other rules than those of chess may not, because pawn structures
/// could recur.
// With drops or other rules, pawns can return to earlier squares, so a game would have a structure in several
// stretches. These variants are scanned instead.
fn indexable(variant: Variant, start: VariantPosition) -> Option<QuickChess> {
    match start {
        VariantPosition::Chess(start) if matches!(variant, Variant::Standard | Variant::Chess960) => {
            Some(QuickChess::from(&start))
        }
        _ => None,
    }
}

/// Bits of an index into a list of this length.
#[inline]
fn width(length: usize) -> usize {
    length.saturating_sub(1).checked_ilog2().map_or(0, |width| width as usize + 1)
}
