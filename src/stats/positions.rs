//! The size in bits of the positions in an archive, in every encoding, and the pieces in them.

use serde::Serialize;
use shakmaty::{EnPassantMode, Position};

use super::{Spread, lengths::sum_up};
use crate::{
    archive::{Archive, ArchiveError, Filter, Result},
    chess::{Setup, VariantPosition},
    codec::position::{POSITION_CODECS, PositionCodec, huffman},
    record::StoredGame,
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
    pub median: u64,
    /// The maximum.
    pub largest: u64,
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
) -> Result<PositionStats> {
    let empty = PositionCosts { codecs: vec![Costs::default(); POSITION_CODECS.len()], ..Default::default() };
    let filter = Filter { chess: true, ..filter.clone() };
    let costs = sum_up(archive, &filter, empty, PositionCosts::add, PositionCosts::merge, progress)?;
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
        let mut all = Spread::default();
        costs.by_ply.iter().for_each(|spread| all.merge(spread));
        CodecPositions {
            codec: about.name,
            carries: about.fields.to_string(),
            all: BitSpread::new(&all),
            left_out: costs.left_out,
            by_ply: plies.map(|(ply, spread)| PlyPositions { ply, at: BitSpread::new(spread) }).collect(),
        }
    }
}

impl BitSpread {
    fn new(spread: &Spread) -> BitSpread {
        BitSpread {
            positions: spread.count(),
            average: spread.mean(),
            median: spread.percentile(50),
            largest: spread.percentile(100),
        }
    }
}

/// The costs of positions in all encodings.
#[derive(Clone, Debug, Default)]
struct PositionCosts {
    games: u64,
    positions: u64,
    /// One entry for each codec of [`POSITION_CODECS`].
    codecs: Vec<Costs>,
}

/// The costs of positions in one encoding.
#[derive(Clone, Debug, Default)]
struct Costs {
    /// Bits by ply.
    by_ply: Vec<Spread>,
    /// Positions that the codec cannot represent.
    left_out: u64,
}

impl Costs {
    /// The entry for a ply, which is created if necessary.
    fn at(&mut self, ply: usize) -> &mut Spread {
        if self.by_ply.len() <= ply {
            self.by_ply.resize_with(ply + 1, Spread::default);
        }
        &mut self.by_ply[ply]
    }
}

impl PositionCosts {
    /// Adds all positions of a game.
    fn add(&mut self, game: &StoredGame) -> Result<()> {
        for (ply, position) in positions(game)?.enumerate() {
            let setup = position?;
            for (costs, codec) in self.codecs.iter_mut().zip(POSITION_CODECS) {
                match codec.encode(&setup) {
                    Ok(bits) => costs.at(ply).add(bits.len() as u64),
                    Err(_) => costs.left_out += 1,
                }
            }
            self.positions += 1;
        }
        self.games += 1;
        Ok(())
    }

    fn merge(&mut self, other: PositionCosts) {
        for (costs, other) in self.codecs.iter_mut().zip(&other.codecs) {
            other.by_ply.iter().enumerate().for_each(|(ply, spread)| costs.at(ply).merge(spread));
            costs.left_out += other.left_out;
        }
        self.games += other.games;
        self.positions += other.positions;
    }
}

/// The contents of the squares of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceCounts {
    /// The number of positions.
    pub positions: u64,
    /// The number of squares with each content, in the order of [`huffman::count`].
    pub counts: [u64; 13],
}

impl PieceCounts {
    fn add(&mut self, game: &StoredGame) -> Result<()> {
        for position in positions(game)? {
            huffman::count(&position?.board, &mut self.counts);
            self.positions += 1;
        }
        Ok(())
    }

    fn merge(&mut self, other: PieceCounts) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, other)| *count += other);
        self.positions += other.positions;
    }
}

/// Counts the contents of all squares in every position of the games that match a filter, on all cores. `progress`
/// receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn count_pieces(archive: &Archive, filter: &Filter, progress: impl FnMut(u64)) -> Result<PieceCounts> {
    let filter = Filter { chess: true, ..filter.clone() };
    sum_up(archive, &filter, PieceCounts::default(), PieceCounts::add, PieceCounts::merge, progress)
}

/// The positions of a game, the start first.
fn positions(game: &StoredGame) -> Result<impl Iterator<Item = Result<Setup>> + '_> {
    let setup = |position: VariantPosition| position.to_setup(EnPassantMode::Always);
    let positions = game.positions().map_err(|error| ArchiveError::damaged(game.id, error))?;
    Ok(positions
        .map(move |position| position.map(setup).map_err(|error| ArchiveError::damaged(game.id, error))))
}
