//! Moves in SAN with their check or mate suffix.

use shakmaty::{
    Bitboard, Board, Chess, Color, Move, MoveList, Position, Role, Square, attacks,
    san::{San, SanPlus, Suffix},
    variant::VariantPosition,
};

use super::{MoveSets, QuickChess, position_view::Placement};
use crate::rules::LegalMoves;

/// Positions that determine the suffix of the move that led to them. (The suffix that shakmaty computes for any
/// position generates all moves after each move.)
pub trait SanSuffix: Position + Sized {
    /// The suffix: by default, that of standard chess.
    fn suffix(&self) -> Option<Suffix> {
        if !is_check(self.board(), self.turn()) {
            return None;
        }
        // Only a check requires the legal moves, to distinguish mate from check.
        let is_mate = MoveSets::of(Placement::of(self)).count() == 0;
        Some(if is_mate { Suffix::Checkmate } else { Suffix::Check })
    }

    /// Plays a legal move and returns its SAN.
    fn play_san(&mut self, m: Move) -> SanPlus {
        let san = san(self, m);
        self.play_unchecked(m);
        SanPlus { san, suffix: self.suffix() }
    }

    /// The SAN of a legal move, given the position that it leads to.
    fn san_to(&self, m: Move, after: &Self) -> SanPlus {
        SanPlus { san: san(self, m), suffix: after.suffix() }
    }
}

/// The SAN of a legal move without its suffix.
fn san(position: &impl Position, m: Move) -> San {
    // An empty list disambiguates nothing, which is correct when no other piece can reach the square.
    if has_rival(position, m) { San::from_move(position, m) } else { San::disambiguate(m, &MoveList::new()) }
}

/// Whether the move is one of a piece, and another piece of its kind attacks the same square and so may have a legal
/// move to it. This is rare; in all other cases legal moves need not be generated.
fn has_rival(position: &impl Position, m: Move) -> bool {
    let Move::Normal { role, from, to, .. } = m else { return false };
    if role == Role::Pawn {
        return false;
    }
    let (board, piece) = (position.board(), role.of(position.turn()));
    let rivals = board.by_piece(piece).without(from) & attacks::attacks(to, piece, Bitboard::EMPTY);
    sees_any(to, rivals, board.occupied())
}

/// Whether the king of a side is attacked; kings themselves never give check.
fn is_check(board: &Board, turn: Color) -> bool {
    let Some(king) = board.king_of(turn) else { return false };
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let knights = attacks::knight_attacks(king) & board.knights();
    let pawns = attacks::pawn_attacks(turn, king) & board.pawns();
    let them = board.by_color(!turn);
    ((knights | pawns) & them).any() || sees_any(king, (straight | diagonal) & them, board.occupied())
}

/// Whether any of the pieces on a line through a square has a free path to it. There are few such pieces, and the
/// table of the squares between two squares is small, unlike the attack tables for occupied boards.
fn sees_any(square: Square, pieces: Bitboard, occupied: Bitboard) -> bool {
    pieces.into_iter().any(|piece| (attacks::between(square, piece) & occupied).is_empty())
}

impl SanSuffix for Chess {}

impl SanSuffix for QuickChess {}

impl SanSuffix for VariantPosition {
    fn suffix(&self) -> Option<Suffix> {
        match self {
            VariantPosition::Chess(position) => position.suffix(),
            // In some variants a side may have lost without being in check.
            position => Suffix::from_position(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::Variant;

    proptest! {
        #[test]
        fn suffixes_equal_those_from_all_legal_moves(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
            variant in prop::sample::select(Variant::ALL.to_vec()),
        ) {
            let mut position = variant.start();
            for choice in choices {
                let moves = position.legal_moves();
                // Checks are rare among random moves.
                let is_check = |m: &&Move| {
                    let mut next = position.clone();
                    next.play_unchecked(**m);
                    next.is_check()
                };
                let Some(&m) = moves.iter().find(is_check).or_else(|| moves.get(choice.index(moves.len().max(1)))) else {
                    break;
                };
                let mut other = position.clone();
                let san = position.play_san(m);
                prop_assert_eq!(san, SanPlus::from_move_and_play_unchecked(&mut other, m));
                prop_assert_eq!(&position, &other);
            }
        }
    }

    #[test]
    fn mate_has_its_own_suffix() {
        let mut position = Chess::new();
        let mut signs = String::new();
        for word in ["f3", "e5", "g4", "Qh4"] {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            signs += &position.play_san(m).to_string();
        }
        assert_eq!(signs, "f3e5g4Qh4#");
    }
}
