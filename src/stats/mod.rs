//! The size of games and positions in bits, and the size of archives.

mod game_lengths;
mod huffman;
mod lengths;
mod positions;
mod surprise;

pub use self::{
    game_lengths::{CodecLengths, GameLengths, KindLengths, codec_lengths, game_lengths},
    huffman::{HuffmanSymbol, HuffmanTable},
    lengths::{Estimates, HistogramBar, Lengths, Percentile, Spread, measure_codecs, measure_stored},
    positions::{
        BitSpread, CodecPositions, PieceCounts, PlyPositions, PositionStats, count_pieces, position_stats,
    },
    surprise::{Surprise, SurpriseGroup, SurpriseStats, SurprisingGame, surprise_stats, surprising_games},
};
use serde::Serialize;

use crate::{
    archive::{Archive, Filter, Result},
    chess::Variant,
    record::{Family, GameKind},
};

/// The family of games whose encodings are used: chess, unless a filter selects only games of another family.
pub fn family_of(filter: &Filter) -> Family {
    filter.kind.unwrap_or(GameKind::Chess(Variant::Standard)).family()
}

/// The size of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArchiveSizes {
    /// The games in it.
    pub games: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Bytes per game; 0 without games.
    pub bytes_per_game: f64,
    /// The parts of the file; their sum is the size of the file.
    pub parts: Vec<SizePart>,
}

/// A part of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizePart {
    /// The contents.
    pub name: &'static str,
    /// The size in bytes.
    pub bytes: u64,
    /// Bytes per game of the archive; 0 without games.
    pub bytes_per_game: f64,
}

/// The size of an archive's file and of its parts.
pub fn archive_sizes(archive: &Archive) -> Result<ArchiveSizes> {
    let sizes = archive.maintenance().sizes()?;
    let games = archive.count()?;
    let bytes_per_game = per(sizes.total, games);
    let part = |name, bytes| SizePart { name, bytes, bytes_per_game: per(bytes, games) };
    let parts = sizes.parts.iter().map(|of| part(of.name, of.bytes)).collect();
    Ok(ArchiveSizes { games, bytes: sizes.total, bytes_per_game, parts })
}

/// An amount per game; 0 without games.
pub(crate) fn per(amount: u64, games: u64) -> f64 {
    if games == 0 { 0.0 } else { amount as f64 / games as f64 }
}
