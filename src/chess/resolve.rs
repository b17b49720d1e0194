//! From SAN to a legal move, its index and the number of legal moves, in one pass over the position.
//!
//! The pieces that can legally go to a square are found by looking back from it, so the one that a SAN means is
//! known without a list of moves, and what is counted are the moves before his.

use fearless_simd::Simd;
use shakmaty::{
    Bitboard, Chess, Move,
    san::{San, SanError},
};

use super::{MoveSets, SortedMoves, simd_dispatch::built_for_it};
use crate::rules::LegalMoves;

/// What a SAN means in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move.
    pub m: Move,
    /// Its index among the legal moves.
    pub index: u32,
    /// The number of legal moves.
    pub count: u32,
}

/// Finds the legal move that a SAN means.
///
/// ```
/// use plybook::chess::{Chess, resolve};
/// let found = resolve(&Chess::new(), "e4".parse()?)?;
/// assert_eq!((found.index, found.count), (13, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No legal move fits, the capture mark is wrong, or several moves fit.
#[inline]
pub fn resolve(position: &Chess, san: San) -> Result<Resolved, SanError> {
    match at_once(position, san) {
        Some(resolved) => Ok(resolved),
        None => what_is_wrong(position, san),
    }
}

/// The list of all moves says what exactly is wrong with a move.
#[cold]
fn what_is_wrong(position: &Chess, san: San) -> Result<Resolved, SanError> {
    SortedMoves::new(position).resolve(san)
}

/// Whether a SAN means just one legal move.
pub fn fits(position: &Chess, san: San) -> bool {
    at_once(position, san).is_some()
}

/// The one legal move that a SAN means.
#[inline]
fn at_once(position: &Chess, san: San) -> Option<Resolved> {
    built_for_it!(simd => in_one_pass(simd, position, san))
}

#[inline(always)]
fn in_one_pass<S: Simd>(simd: S, position: &Chess, san: San) -> Option<Resolved> {
    let legal = MoveSets::generate(simd, position);
    let count = legal.count();
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            let file = file.map_or(Bitboard::FULL, Bitboard::from_file);
            let rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
            let from = (legal.coming_to(simd, role, to) & file & rank).single_square()?;
            let index = legal.index(simd, role, from, to, promotion)?;
            let m = legal.board_move(role, from, to, promotion);
            (m.is_capture() == capture).then_some(Resolved { m, index, count })
        }
        San::Castle(side) => legal.castling(simd, side).map(|(m, index)| Resolved { m, index, count }),
        San::Put { .. } | San::Null => None,
    }
}

impl SortedMoves {
    /// Finds the legal move that a SAN means.
    ///
    /// # Errors
    /// No legal move fits, the capture mark is wrong, or several moves fit.
    pub fn resolve(&self, san: San) -> Result<Resolved, SanError> {
        let mut fitting = (0..).zip(self.as_slice()).filter(|(_, m)| san.matches(**m));
        match (fitting.next(), fitting.next()) {
            (Some((index, &m)), None) => Ok(Resolved { m, index, count: self.count() }),
            (Some(_), Some(_)) => Err(SanError::AmbiguousSan),
            (None, _) => Err(SanError::IllegalSan),
        }
    }
}
