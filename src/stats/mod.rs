//! The size of games and positions in bits, and the size of archives.

mod game_lengths;
mod huffman;
mod lengths;
mod positions;
mod sizes;

pub(crate) use self::sizes::per;
pub use self::{
    game_lengths::{CodecLengths, GameLengths, HistogramBar, KindLengths, codec_lengths, game_lengths},
    huffman::{HuffmanSymbol, HuffmanTable},
    lengths::{Estimates, Lengths, Percentile, Spread, measure_codecs, measure_kinds},
    positions::{
        BitSpread, CodecPositions, PieceCounts, PlyPositions, PositionStats, count_pieces, position_stats,
    },
    sizes::{ArchiveSizes, SizePart, archive_sizes},
};
use crate::{
    archive::Filter,
    chess::Variant,
    record::{Family, GameKind},
};

/// The family of games whose encodings are used: chess, unless a filter selects only games of another family.
pub fn family_of(filter: &Filter) -> &'static dyn Family {
    filter.kind.unwrap_or(GameKind::Chess(Variant::Standard)).family()
}
