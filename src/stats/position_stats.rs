//! How many bits the positions of an archive's games take in every encoding.

use serde::Serialize;

use super::{Costs, Spread, measure_positions};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    codec::position::{POSITION_CODECS, PositionCodecInfo},
};

/// How many bits positions take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionStats {
    /// The games measured.
    pub games: u64,
    /// Their positions: of a game of n plies, n + 1.
    pub positions: u64,
    /// Each encoding.
    pub codecs: Vec<CodecPositions>,
}

/// How many bits positions take in an encoding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecPositions {
    /// The encoding.
    pub codec: &'static str,
    /// What it carries, a letter each.
    pub carries: String,
    /// All positions that it holds.
    #[serde(flatten)]
    pub all: BitSpread,
    /// Positions that it cannot hold.
    pub left_out: u64,
    /// The positions at each ply.
    pub by_ply: Vec<PlyPositions>,
}

/// How many bits the positions at a ply take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyPositions {
    /// The ply: 0 for start positions.
    pub ply: usize,
    /// The positions.
    #[serde(flatten)]
    pub at: BitSpread,
}

/// How many bits some positions take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BitSpread {
    /// The positions.
    pub positions: u64,
    /// The mean.
    pub average: f64,
    /// The median.
    pub median: u32,
    /// The most.
    pub largest: u32,
}

/// Measures every position of the games of chess that pass a filter, in every encoding. `progress` is called with the
/// number of games done.
///
/// # Errors
/// SQLite's, or a damaged game.
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
        codecs: codecs.map(|(codec, costs)| CodecPositions::new(codec.info(), costs)).collect(),
    })
}

impl CodecPositions {
    fn new(about: &PositionCodecInfo, costs: &Costs) -> CodecPositions {
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
