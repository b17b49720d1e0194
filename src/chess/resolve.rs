//! From SAN to a legal move, its index and the number of legal moves, in one pass over the position.
//!
//! The man that a SAN means is known by where it could come from, before it is known whether the move is
//! legal; only where several men reach the square, pins are looked at first. So the pass that counts all moves
//! also counts those before it, and nothing is kept.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Move, Position, Role, Square, attacks,
    san::{San, SanError},
};

use super::{
    SortedMoves,
    castling::Castlings,
    pawns::PawnSets,
    processor::built_for_it,
    sliders::{bishop_attacks, rook_attacks},
    view::{View, before, board_move, size},
};
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
#[inline(always)]
fn at_once(position: &Chess, san: San) -> Option<Resolved> {
    built_for_it(
        #[inline(always)]
        || in_one_pass(position, san),
    )
}

#[inline(always)]
fn in_one_pass(position: &Chess, san: San) -> Option<Resolved> {
    let view = View::new(position);
    let (checkers, pinned) = view.checkers_and_pinned();
    let evasions = view.evasions(checkers);
    let pawns = view.pawns(pinned, evasions, checkers, position.maybe_ep_square());
    let mover = view.mover(&pawns, pinned, san)?;
    let earlier = before(view.turn, mover.from);
    let (mut count, mut index) = (pawns.moves(Bitboard::FULL), pawns.moves(earlier));
    let mut own = Bitboard::EMPTY;
    let mut add = |square: Square, targets: Bitboard, others: u32| {
        let moves = size(targets) + others;
        count += moves;
        index += if earlier.contains(square) { moves } else { 0 };
        own |= if square == mover.from { targets } else { Bitboard::EMPTY };
    };
    view.officers(pinned, evasions, |square, _, targets| add(square, targets, 0));
    let guarded = view.attacked_by_steppers();
    let castlings = view.castlings(position.castles(), checkers, guarded);
    add(view.king, view.king_targets(guarded), castlings.count());
    let (m, place) = mover.place(&view, &pawns, &castlings, own)?;
    Some(Resolved { m, index: index + place, count })
}

/// The man that a SAN means; whether its move is legal is still to be found out.
struct Mover {
    from: Square,
    step: Step,
}

/// What it does.
enum Step {
    Plain { role: Role, to: Square, promotion: Option<Role>, capture: bool },
    Castling(CastlingSide),
}

impl Mover {
    /// The move, and its place among the moves of its man, an officer with the given targets or a pawn. `None`
    /// if it is not legal.
    #[inline(always)]
    fn place(
        &self,
        view: &View<'_>,
        pawns: &PawnSets,
        castlings: &Castlings,
        targets: Bitboard,
    ) -> Option<(Move, u32)> {
        let from = self.from;
        let (role, to, promotion, capture) = match self.step {
            Step::Plain { role, to, promotion, capture } => (role, to, promotion, capture),
            Step::Castling(side) => {
                return Some((castlings.castling(side)?, castlings.place_of(side, targets)));
            }
        };
        let place = match role {
            Role::Pawn => pawns.place_of_move(from, to, promotion)?,
            _ if promotion.is_some() || !targets.contains(to) => return None,
            Role::King => size(targets & before(view.turn, to)) + castlings.before(to),
            _ => size(targets & before(view.turn, to)),
        };
        let m = board_move(view.board, pawns, role, from, to, promotion);
        (m.is_capture() == capture).then_some((m, place))
    }
}

impl View<'_> {
    /// The one man that a SAN can mean.
    #[inline(always)]
    fn mover(&self, pawns: &PawnSets, pinned: Bitboard, san: San) -> Option<Mover> {
        match san {
            San::Normal { role, file, rank, capture, to, promotion } => {
                let mut from =
                    self.reaching(pawns, role, to) & file.map_or(Bitboard::FULL, Bitboard::from_file);
                if let Some(rank) = rank {
                    from &= Bitboard::from_rank(rank);
                }
                if from.more_than_one() && role != Role::Pawn {
                    from = self.without_pinned(from, pinned, to);
                }
                let step = Step::Plain { role, to, promotion, capture };
                Some(Mover { from: from.single_square()?, step })
            }
            San::Castle(side) => Some(Mover { from: self.king, step: Step::Castling(side) }),
            San::Put { .. } | San::Null => None,
        }
    }

    /// Officers without those that a pin keeps from going to a square.
    fn without_pinned(&self, mut officers: Bitboard, pinned: Bitboard, to: Square) -> Bitboard {
        for officer in officers & pinned {
            if !attacks::ray(self.king, officer).contains(to) {
                officers.discard(officer);
            }
        }
        officers
    }

    /// The men of a role that could go to a square if none was pinned. Pawns are never counted wrongly.
    #[inline(always)]
    fn reaching(&self, pawns: &PawnSets, role: Role, to: Square) -> Bitboard {
        let (board, occupied) = (self.board, self.board.occupied());
        self.us
            & match role {
                Role::Pawn => pawns.coming_to(to),
                Role::Knight => attacks::knight_attacks(to) & board.knights(),
                Role::Bishop => bishop_attacks(to, occupied) & board.bishops(),
                Role::Rook => rook_attacks(to, occupied) & board.rooks(),
                Role::Queen => (bishop_attacks(to, occupied) | rook_attacks(to, occupied)) & board.queens(),
                Role::King => attacks::king_attacks(to) & board.kings(),
            }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::San;

    use super::*;

    proptest! {
        /// The one is what a plain processor would do, the other what this one does.
        #[test]
        fn every_processor_finds_the_same(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
            let mut position = Chess::new();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[choice.index(moves.len())];
                let san = San::from_move(&position, m);
                let found = in_one_pass(&position, san);
                prop_assert!(found.is_some_and(|found| found.m == m));
                prop_assert_eq!(at_once(&position, san), found);
                position.play_unchecked(m);
            }
        }
    }
}
