//! Converts SAN to a legal move, its index and the number of legal moves, in one pass over the position.
//!
//! The pieces that can legally move to a square are found by looking back from it, so the move that a SAN denotes is
//! found without a move list, and only the moves before it are counted.

use std::num::NonZeroU64;

use fearless_simd::Simd;
use shakmaty::{Bitboard, Move, Position, Role, Square, san::San};

use super::{MoveSets, SortedMoves, position_view::Placement, simd_dispatch::built_for_it};
use crate::rules::LegalMoves;

/// The meaning of a SAN in a position: a move, its index and the number of legal moves.
///
/// It is packed into one word, which is passed in a register once per ply. A struct that is written to memory field by
/// field and then read as a unit would stall on store forwarding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved(NonZeroU64);

/// Where the parts of the word begin: index and count of 16 bits, squares of six, roles of three, the kind of move.
const COUNT: u32 = 16;
const FROM: u32 = 32;
const TO: u32 = 38;
const ROLE: u32 = 44;
const CAPTURE: u32 = 47;
const PROMOTION: u32 = 50;
const SORT: u32 = 53;

impl Resolved {
    /// A move, its index among the legal moves, and their number, both below 65,536.
    #[inline(always)]
    pub fn new(m: Move, index: u32, count: u32) -> Resolved {
        let square = |square: Square, at: u32| u64::from(u8::from(square)) << at;
        let role = |role: Option<Role>, at: u32| role.map_or(0, u64::from) << at;
        let m = match m {
            Move::Normal { role: moved, from, capture, to, promotion } => {
                let roles = role(Some(moved), ROLE) | role(capture, CAPTURE) | role(promotion, PROMOTION);
                1 << SORT | square(from, FROM) | square(to, TO) | roles
            }
            Move::EnPassant { from, to } => 2 << SORT | square(from, FROM) | square(to, TO),
            Move::Castle { king, rook } => 3 << SORT | square(king, FROM) | square(rook, TO),
            Move::Put { role: dropped, to } => 4 << SORT | square(to, TO) | role(Some(dropped), ROLE),
        };
        let numbers = u64::from(index & 0xffff) | u64::from(count & 0xffff) << COUNT;
        // No kind is 0.
        Resolved(NonZeroU64::new(m | numbers).unwrap_or(NonZeroU64::MAX))
    }

    /// The move.
    #[inline(always)]
    pub fn m(self) -> Move {
        let square = |at: u32| Square::new((self.0.get() >> at) as u32 & 63);
        let role = |at: u32| Role::ALL.get((self.0.get() >> at & 7).wrapping_sub(1) as usize).copied();
        let (from, to, moved) = (square(FROM), square(TO), role(ROLE).unwrap_or(Role::Pawn));
        match self.0.get() >> SORT {
            1 => Move::Normal { role: moved, from, capture: role(CAPTURE), to, promotion: role(PROMOTION) },
            2 => Move::EnPassant { from, to },
            3 => Move::Castle { king: from, rook: to },
            _ => Move::Put { role: moved, to },
        }
    }

    /// Its index among the legal moves.
    #[inline(always)]
    pub fn index(self) -> u32 {
        self.0.get() as u32 & 0xffff
    }

    /// The number of legal moves.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.get() as u32 >> COUNT
    }
}

/// The legal move that a SAN denotes; `None` if no move matches, the capture mark is wrong, or several moves match.
///
/// ```
/// use plybook_chess::chess::{Chess, resolve};
/// let found = resolve(&Chess::new(), "e4".parse()?).unwrap();
/// assert_eq!((found.index(), found.count()), (13, 20));
/// # Ok::<(), shakmaty::san::ParseSanError>(())
/// ```
#[inline(always)]
pub fn resolve(position: &impl Position, san: San) -> Option<Resolved> {
    resolve_in(Placement::of(position), san)
}

fn resolve_in(placement: Placement<'_>, san: San) -> Option<Resolved> {
    built_for_it!(simd => in_one_pass(simd, placement, san))
}

#[inline(always)]
fn in_one_pass<S: Simd>(simd: S, placement: Placement<'_>, san: San) -> Option<Resolved> {
    let legal = MoveSets::generate(simd, placement);
    let count = legal.count();
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            let file = file.map_or(Bitboard::FULL, Bitboard::from_file);
            let rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
            let from = (legal.coming_to(simd, role, to) & file & rank).single_square()?;
            let index = legal.index(simd, role, from, to, promotion)?;
            let m = legal.board_move(role, from, to, promotion);
            // The capture mark must match exactly, as in shakmaty; the lenient reader handles missing and superfluous
            // marks with a warning.
            (m.is_capture() == capture).then(|| Resolved::new(m, index, count))
        }
        San::Castle(side) => legal.castling(simd, side).map(|(m, index)| Resolved::new(m, index, count)),
        San::Put { .. } | San::Null => None,
    }
}

impl SortedMoves {
    /// The legal move that a SAN denotes: see [`resolve`].
    pub fn resolve(&self, san: San) -> Option<Resolved> {
        let mut fitting = (0..).zip(self.as_slice()).filter(|(_, m)| san.matches(**m));
        let (index, &m) = fitting.next()?;
        fitting.next().is_none().then(|| Resolved::new(m, index, self.count()))
    }
}
