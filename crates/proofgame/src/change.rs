//! The effect of a move on the keys of both sides, computed before the move is played.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::keys;

/// The parts of the keys that a move changes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub(super) mover: u64,
    pub(super) other: u64,
    /// The key of the square that a pawn has passed, if an enemy pawn can capture it there.
    pub(super) passed: u64,
}

impl Change {
    /// The change caused by a legal move.
    pub(super) fn new(position: &Chess, m: Move) -> Change {
        let us = position.turn();
        let moved = |role, from, to| keys::man(us, role, from) ^ keys::man(us, role, to);
        let drop = |rooks: Bitboard| keys::rights(rooks & position.castles().castling_rights());
        let ours = Bitboard::from_rank(us.backrank());
        match m {
            Move::Normal { role, from, capture, to, promotion } => Change {
                mover: keys::man(us, role, from)
                    ^ keys::man(us, promotion.unwrap_or(role), to)
                    ^ drop(if role == Role::King { ours } else { from.into() }),
                other: capture.map_or(0, |role| keys::man(!us, role, to) ^ drop(to.into())),
                passed: if role == Role::Pawn { passed(position, us, from, to) } else { 0 },
            },
            Move::EnPassant { from, to } => Change {
                mover: moved(Role::Pawn, from, to),
                other: keys::man(!us, Role::Pawn, Square::from_coords(to.file(), from.rank())),
                passed: 0,
            },
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                let men =
                    moved(Role::King, king, side.king_to(us)) ^ moved(Role::Rook, rook, side.rook_to(us));
                Change { mover: men ^ drop(ours), ..Change::default() }
            }
            Move::Put { .. } => Change::default(),
        }
    }
}

fn passed(position: &Chess, us: Color, from: Square, to: Square) -> u64 {
    let middle = Square::from_coords(from.file(), us.relative_rank(Rank::Third));
    let double = from.rank() == us.relative_rank(Rank::Second) && to.rank() == us.relative_rank(Rank::Fourth);
    let enemies = position.board().pawns() & position.board().by_color(!us);
    if double && attacks::pawn_attacks(us, middle).intersects(enemies) { keys::passed(middle) } else { 0 }
}
