//! The Polyglot key of a position, updated with each move, and the key of the position index.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position, Role, Square,
    variant::VariantPosition,
    zobrist::{Zobrist64, ZobristValue},
};

use super::QuickChess;
use crate::bits::mix;

/// A position whose key consists of a part that each move updates and the rest.
pub trait Keyed: Position {
    /// The change of the incrementally updated part caused by a move.
    #[inline]
    fn change(m: Move, turn: Color) -> u64 {
        let piece = |square, role: Role| piece_key(square, role.of(turn));
        let captured = |square, role: Role| piece_key(square, role.of(!turn));
        let pieces = match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let taken = capture.map_or(0, |role| captured(to, role));
                piece(from, role) ^ piece(to, promotion.unwrap_or(role)) ^ taken
            }
            Move::EnPassant { from, to } => {
                let passed = Square::from_coords(to.file(), from.rank());
                piece(from, Role::Pawn) ^ piece(to, Role::Pawn) ^ captured(passed, Role::Pawn)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
                let kings = piece(king, Role::King) ^ piece(king_to, Role::King);
                kings ^ piece(rook, Role::Rook) ^ piece(rook_to, Role::Rook)
            }
            Move::Put { .. } => 0,
        };
        pieces ^ Zobrist64::zobrist_for_white_turn().0
    }

    /// The part of the key that is recomputed after each move: in standard chess, the castling rights and a legal en
    /// passant capture.
    #[inline]
    fn rest(&self) -> u64 {
        let mut rest = 0;
        if !self.castles().is_empty() {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    if self.castles().has(color, side) {
                        rest ^= castling_key(color, side);
                    }
                }
            }
        }
        let capture = self.ep_square(EnPassantMode::Legal);
        rest ^ capture.map_or(0, |square| en_passant_key(square.file()))
    }

    /// The complete key.
    fn key(&self) -> u64
    where
        Self: Sized,
    {
        self.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
    }
}

/// The key of a position, updated move by move.
#[derive(Clone, Copy, Debug)]
pub struct RunningKey {
    key: u64,
    rest: u64,
}

impl RunningKey {
    /// Starts with a position.
    pub fn of<P: Keyed>(position: &P) -> RunningKey {
        RunningKey { key: position.key(), rest: position.rest() }
    }

    /// Continues with the position that a move led to.
    #[inline]
    pub fn advance<P: Keyed>(&mut self, m: Move, position: &P) {
        let before = std::mem::replace(&mut self.rest, position.rest());
        self.key ^= P::change(m, !position.turn()) ^ before ^ self.rest;
    }

    /// The Polyglot key of the position reached.
    pub fn get(self) -> u64 {
        self.key
    }
}

impl Keyed for Chess {}

impl Keyed for QuickChess {}

/// Other variants have pockets, promoted pieces or explosions: the complete key is recomputed.
impl Keyed for VariantPosition {
    fn change(_: Move, _: Color) -> u64 {
        0
    }

    fn rest(&self) -> u64 {
        self.key()
    }
}

/// The squares of the castling rooks in standard chess.
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// A key of a complete position, built from its Polyglot key and the rooks that may castle: in Chess960 the Polyglot
/// key does not distinguish two rooks on one side of the king.
///
/// # Stability
/// Stored in the position index.
#[inline]
pub fn whole_key(polyglot: u64, castling: Bitboard) -> u64 {
    let others = castling & !CORNERS;
    if others.is_empty() { polyglot } else { polyglot ^ mix(castling.0) }
}

/// The part of a Polyglot key for the pieces.
pub fn men_key(board: &Board) -> u64 {
    board.iter().fold(0, |key, (square, man)| key ^ piece_key(square, man))
}

/// The part for the side to move.
pub fn turn_key(turn: Color) -> u64 {
    turn.fold_wb(Zobrist64::zobrist_for_white_turn().0, 0)
}

/// The part for a castling right.
pub fn castling_key(color: Color, side: CastlingSide) -> u64 {
    Zobrist64::zobrist_for_castling_right(color, side).0
}

/// The part for a legal en passant capture.
pub fn en_passant_key(file: File) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(file).0
}

fn piece_key(square: Square, man: Piece) -> u64 {
    Zobrist64::zobrist_for_piece(square, man).0
}
