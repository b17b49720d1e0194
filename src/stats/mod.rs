//! The size of games and positions in bits, and the size of archives.

mod batches;
mod codec_lengths;
mod game_lengths;
mod huffman;
mod lengths;
mod measure;
mod position_stats;
mod positions;
mod sizes;
mod spread;

pub use codec_lengths::{CodecLengths, codec_lengths};
pub use game_lengths::{GameLengths, HistogramBar, KindLengths, game_lengths};
pub use huffman::{HuffmanSymbol, HuffmanTable};
pub use lengths::{Estimates, Lengths, Percentile};
pub use measure::{measure, measure_codecs, measure_kinds};
pub use position_stats::{BitSpread, CodecPositions, PlyPositions, PositionStats, position_stats};
pub use positions::{Costs, PieceCounts, PositionCosts, count_pieces, measure_positions};
pub(crate) use sizes::per;
pub use sizes::{ArchiveSizes, SizePart, archive_sizes};
pub use spread::Spread;

use crate::{
    archive::Filter,
    chess::Variant,
    record::{Family, GameKind},
};

/// The family of games whose encodings are used: chess, unless a filter selects only games of another family.
pub fn family_of(filter: &Filter) -> &'static dyn Family {
    filter.kind.unwrap_or(GameKind::Chess(Variant::Standard)).family()
}
