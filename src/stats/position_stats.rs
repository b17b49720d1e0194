//! The size in bits of the positions in an archive, in every encoding.

use serde::Serialize;

use super::{Costs, Spread, measure_positions};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    codec::position::{POSITION_CODECS, PositionCodec},
};

/// The size of positions in bits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionStats {
    /// The games measured.
    pub games: u64,
    /// The number of positions: n + 1 for a game of n plies.
    pub positions: u64,
    /// Each encoding.
    pub codecs: Vec<CodecPositions>,
}

/// The size of positions in an encoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecPositions {
    /// The encoding.
    pub codec: &'static str,
    /// The fields that it preserves, one letter each.
    pub carries: String,
    /// All positions that it can represent.
    #[serde(flatten)]
    pub all: BitSpread,
    /// Positions that it cannot represent.
    pub left_out: u64,
    /// The positions at each ply.
    pub by_ply: Vec<PlyPositions>,
}

/// The size of the positions at a ply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyPositions {
    /// The ply: 0 for start positions.
    pub ply: usize,
    /// The positions.
    #[serde(flatten)]
    pub at: BitSpread,
}

/// The size of some positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BitSpread {
    /// The positions.
    pub positions: u64,
    /// The mean.
    pub average: f64,
    /// The median.
    pub median: u32,
    /// The maximum.
    pub largest: u32,
}

/// Measures every position of the chess games that match a filter, in every encoding. `progress` receives the number of
/// games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn position_stats(
    archive: &Archive,
    filter: &Filter,
    progress: impl FnMut(u64),
) -> Result<PositionStats, ArchiveError> {
    let costs = measure_positions(archive, filter, progress)?;
    let codecs = POSITION_CODECS.iter().zip(&costs.codecs);
    Ok(PositionStats {
        games: costs.games,
        positions: costs.positions,
        codecs: codecs.map(|(codec, costs)| CodecPositions::new(codec, costs)).collect(),
    })
}

impl CodecPositions {
    fn new(about: &PositionCodec, costs: &Costs) -> CodecPositions {
        let plies = costs.by_ply.iter().enumerate().filter(|(_, spread)| spread.count() > 0);
        CodecPositions {
            codec: about.name,
            carries: about.fields.to_string(),
            all: BitSpread::new(&costs.all()),
            left_out: costs.left_out,
            by_ply: plies.map(|(ply, spread)| PlyPositions { ply, at: BitSpread::new(spread) }).collect(),
        }
    }
}

impl BitSpread {
    fn new(spread: &Spread) -> BitSpread {
        BitSpread {
            positions: spread.count(),
            average: spread.average(),
            median: spread.median(),
            largest: spread.largest(),
        }
    }
}
