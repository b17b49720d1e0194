//! Measures the positions of an archive's games in every position codec, and counts their pieces.

use rayon::prelude::*;
use shakmaty::{EnPassantMode, Position};

use super::{Spread, batches::for_batches};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Board, Setup},
    codec::position::{POSITION_CODECS, PositionCodec, huffman},
    record::StoredGame,
};

/// The costs of positions in all encodings.
#[derive(Clone, Debug, Default)]
pub struct PositionCosts {
    /// The number of games.
    pub games: u64,
    /// The number of positions: n + 1 for a game of n plies.
    pub positions: u64,
    /// One entry for each codec of [`POSITION_CODECS`].
    pub codecs: Vec<Costs>,
}

/// The costs of positions in one encoding.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// Bits by ply.
    pub by_ply: Vec<Spread>,
    /// Positions that the codec cannot represent.
    pub left_out: u64,
}

impl Costs {
    /// Bits of all positions.
    pub fn all(&self) -> Spread {
        let mut all = Spread::default();
        self.by_ply.iter().for_each(|spread| all.merge(spread));
        all
    }

    fn add(&mut self, ply: usize, codec: &PositionCodec, setup: &Setup) {
        match codec.encode(setup) {
            Ok(bits) => at(&mut self.by_ply, ply).add(u32::try_from(bits.len()).unwrap_or(u32::MAX)),
            Err(_) => self.left_out += 1,
        }
    }

    fn merge(&mut self, other: &Costs) {
        for (ply, spread) in other.by_ply.iter().enumerate() {
            at(&mut self.by_ply, ply).merge(spread);
        }
        self.left_out += other.left_out;
    }
}

/// The entry for a ply, which is created if necessary.
fn at(by_ply: &mut Vec<Spread>, ply: usize) -> &mut Spread {
    if by_ply.len() <= ply {
        by_ply.resize_with(ply + 1, Spread::default);
    }
    &mut by_ply[ply]
}

impl PositionCosts {
    fn empty() -> PositionCosts {
        PositionCosts { codecs: vec![Costs::default(); POSITION_CODECS.len()], ..PositionCosts::default() }
    }

    /// Adds all positions of a game.
    fn add(mut self, game: &StoredGame) -> Result<PositionCosts, ArchiveError> {
        for (ply, position) in positions(game)?.enumerate() {
            let setup = position?;
            for (costs, codec) in self.codecs.iter_mut().zip(POSITION_CODECS) {
                costs.add(ply, codec, &setup);
            }
            self.positions += 1;
        }
        self.games += 1;
        Ok(self)
    }

    fn merge(mut self, other: PositionCosts) -> PositionCosts {
        for (costs, other) in self.codecs.iter_mut().zip(&other.codecs) {
            costs.merge(other);
        }
        self.games += other.games;
        self.positions += other.positions;
        self
    }
}

/// The cost of every position of the games that match a filter, in every encoding, on all cores. `progress` receives
/// the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn measure_positions(
    archive: &Archive,
    filter: &Filter,
    progress: impl FnMut(u64),
) -> Result<PositionCosts, ArchiveError> {
    gather(archive, filter, progress, PositionCosts::empty, PositionCosts::add, PositionCosts::merge)
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
    fn add(mut self, game: &StoredGame) -> Result<PieceCounts, ArchiveError> {
        for position in positions(game)? {
            self.add_board(&position?.board);
        }
        Ok(self)
    }

    fn add_board(&mut self, board: &Board) {
        huffman::count(board, &mut self.counts);
        self.positions += 1;
    }

    fn merge(mut self, other: PieceCounts) -> PieceCounts {
        for (count, other) in self.counts.iter_mut().zip(other.counts) {
            *count += other;
        }
        self.positions += other.positions;
        self
    }
}

/// Counts the contents of all squares in every position of the games that match a filter, on all cores. `progress`
/// receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn count_pieces(
    archive: &Archive,
    filter: &Filter,
    progress: impl FnMut(u64),
) -> Result<PieceCounts, ArchiveError> {
    gather(archive, filter, progress, PieceCounts::default, PieceCounts::add, PieceCounts::merge)
}

/// Accumulates the chess games of an archive on all cores.
fn gather<T: Send>(
    archive: &Archive,
    filter: &Filter,
    mut progress: impl FnMut(u64),
    empty: impl Fn() -> T + Sync,
    add: impl Fn(T, &StoredGame) -> Result<T, ArchiveError> + Sync,
    merge: impl Fn(T, T) -> T + Sync,
) -> Result<T, ArchiveError> {
    let filter = Filter { chess: true, ..filter.clone() };
    let (mut total, mut done) = (Some(empty()), 0);
    for_batches(archive, &filter, |games| {
        let sums = games.par_iter().try_fold(&empty, &add);
        let sum = sums.try_reduce(&empty, |a, b| Ok(merge(a, b)))?;
        total = total.take().map(|total| merge(total, sum));
        done += games.len() as u64;
        progress(done);
        Ok(())
    })?;
    Ok(total.unwrap_or_else(empty))
}

/// The positions of a game, the start first.
fn positions(
    game: &StoredGame,
) -> Result<impl Iterator<Item = Result<Setup, ArchiveError>> + '_, ArchiveError> {
    let damaged =
        |error: crate::record::GameError| ArchiveError::Damaged { id: game.id, what: error.to_string() };
    let setup = |position: crate::chess::VariantPosition| position.to_setup(EnPassantMode::Always);
    Ok(game.positions().map_err(damaged)?.map(move |position| position.map(setup).map_err(damaged)))
}
