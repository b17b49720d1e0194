//! A place of the target that a piece must reach, and its distance from everywhere.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Rank, Role, Square};

use super::moves::Ground;

/// No number of moves is enough.
pub(super) const NEVER: i32 = super::assign::FORBIDDEN;

/// Maximum distance that is distinguished. Larger distances count as this one, which is still a lower bound.
const DEPTH: usize = 16;

/// Squares by distance: those from which 0, 1, 2 … moves are enough.
type Layers = ArrayVec<Bitboard, DEPTH>;

/// A place that a piece must reach.
#[derive(Clone, Debug)]
pub(super) struct TargetSquare {
    pub(super) role: Role,
    pub(super) square: Square,
    /// From where a piece with the goal's role can get here, if it is not a pawn.
    pieces: Layers,
    /// From where a pawn can get here, by the number of captures allowed.
    pawns: Vec<Layers>,
}

impl TargetSquare {
    /// Computes the distances to a place, with at most `strikes` captures by a pawn. Paths of pawns to a place of
    /// another role are computed only if there are `promotions`.
    pub(super) fn new(
        ground: &Ground,
        role: Role,
        square: Square,
        strikes: usize,
        promotions: bool,
    ) -> TargetSquare {
        let mut goal = TargetSquare { role, square, pieces: Layers::new(), pawns: Vec::new() };
        if role != Role::Pawn {
            goal.pieces = grow(square.into(), 0, |_, last| ground.came(role, last));
        }
        if role == Role::Pawn || promotions && role != Role::King {
            goal.pawns.reserve_exact(strikes + 1);
            for _ in 0..=strikes {
                let layers = goal.pawn_layers(ground);
                goal.pawns.push(layers);
            }
        }
        goal
    }

    /// The layers of pawns with one more capture than the last ones.
    fn pawn_layers(&self, ground: &Ground) -> Layers {
        let fewer = self.pawns.last();
        let start = if self.role == Role::Pawn { self.square.into() } else { Bitboard::EMPTY };
        let least = self.pieces.len().max(fewer.map_or(0, |fewer| fewer.len()));
        grow(start, least, |moves, last| {
            // The next square is in the layer, or is a promotion square.
            let promoted = at(&self.pieces, moves) & ground.rank(Rank::Eighth);
            let struck = fewer.map_or(Bitboard::EMPTY, |fewer| {
                at(fewer, moves + 1) | ground.struck(at(fewer, moves) | promoted)
            });
            ground.pushed(last | promoted) | struck
        })
    }

    /// The minimum number of moves from a place, with at most `strikes` captures as a pawn; or [`NEVER`].
    pub(super) fn moves(&self, role: Role, square: Square, strikes: usize) -> i32 {
        let layers = match role {
            Role::Pawn if self.pawns.is_empty() => return NEVER,
            Role::Pawn => &self.pawns[strikes.min(self.pawns.len() - 1)],
            _ if role == self.role => &self.pieces,
            _ => return NEVER,
        };
        let moves = layers.iter().position(|layer| layer.contains(square));
        moves.and_then(|moves| i32::try_from(moves).ok()).unwrap_or(NEVER)
    }

    /// The minimum number of captures as a pawn on any path from a place; or [`NEVER`].
    pub(super) fn strikes(&self, role: Role, square: Square) -> i32 {
        if role != Role::Pawn {
            return if role == self.role { 0 } else { NEVER };
        }
        let holds = |layers: &Layers| layers.last().is_some_and(|layer| layer.contains(square));
        self.pawns.iter().position(holds).and_then(|k| i32::try_from(k).ok()).unwrap_or(NEVER)
    }

    /// The squares from which `moves` are enough for a piece with the goal's role.
    pub(super) fn pieces(&self, moves: usize) -> Bitboard {
        at(&self.pieces, moves)
    }

    /// Like [`pieces`](Self::pieces), for a piece of any role: only pieces with the goal's role can get here.
    pub(super) fn pieces_of(&self, role: Role, moves: usize) -> Bitboard {
        if role == self.role { self.pieces(moves) } else { Bitboard::EMPTY }
    }

    /// The squares from which `moves` are enough for a pawn, with at most `strikes` captures.
    pub(super) fn pawns(&self, moves: usize, strikes: usize) -> Bitboard {
        let layers = self.pawns.get(strikes).or(self.pawns.last());
        layers.map_or(Bitboard::EMPTY, |layers| at(layers, moves))
    }
}

/// Layers from a start, each adding the result of `more` to the previous one, until nothing is added (but at least up
/// to the given number of moves).
fn grow(start: Bitboard, least: usize, mut more: impl FnMut(usize, Bitboard) -> Bitboard) -> Layers {
    let mut layers = Layers::new();
    let mut last = start;
    for moves in 0.. {
        match layers.last_mut() {
            Some(end) if moves >= DEPTH => *end = last,
            _ => layers.push(last),
        }
        let next = last | more(moves, last);
        if next == last && moves >= least {
            break;
        }
        last = next;
    }
    layers
}

/// The layer after a number of moves; the last one no longer changes.
fn at(layers: &Layers, moves: usize) -> Bitboard {
    layers.get(moves.min(layers.len().saturating_sub(1))).copied().unwrap_or_default()
}
