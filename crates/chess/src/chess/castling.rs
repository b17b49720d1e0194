//! The legal castling moves of a position. In the order of moves they count as king moves, sorted by the destination
//! of the king; a plain king move to the same square comes first.

use fearless_simd::Simd;
use shakmaty::{Bitboard, Castles, CastlingSide, Color, File, Move, Square, attacks};

use super::position_view::{PositionView, Threats, before, size};

/// The legal castling moves of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castlings {
    turn: Color,
    king: Square,
    /// The rooks that the king may castle with now, king's side and queen's side.
    rooks: [Option<Square>; 2],
}

impl Castlings {
    /// No castling move is legal.
    pub(super) fn none(turn: Color, king: Square) -> Castlings {
        Castlings { turn, king, rooks: [None; 2] }
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.rooks.iter().map(|rook| u32::from(rook.is_some())).sum()
    }

    /// The castling move to a side, if it is legal.
    #[inline]
    pub(super) fn castling(&self, side: CastlingSide) -> Option<Move> {
        let [king_side, queen_side] = self.rooks;
        let rook = if side.is_queen_side() { queen_side } else { king_side };
        Some(Move::Castle { king: self.king, rook: rook? })
    }

    /// How many castling moves come before a plain king move to a square.
    #[inline]
    pub(super) fn before(&self, to: Square) -> u32 {
        let earlier = before(self.turn, to);
        let comes_first = |side: CastlingSide| {
            u32::from(self.castling(side).is_some() && earlier.contains(side.king_to(self.turn)))
        };
        CastlingSide::ALL.into_iter().map(comes_first).sum()
    }

    /// The index of a castling move among all king moves, where `targets` are those of the plain king moves.
    #[inline]
    pub(super) fn place_of(&self, side: CastlingSide, targets: Bitboard) -> u32 {
        let to = side.king_to(self.turn);
        size(targets & before(self.turn, to).with(to)) + self.before(to)
    }
}

impl<S: Simd> PositionView<'_, S> {
    /// The legal castling moves: the side is not in check, the path is free, and the king neither crosses nor reaches
    /// an attacked square.
    #[inline(always)]
    pub(super) fn castlings(&self, castles: &Castles, threats: &Threats<S>) -> Castlings {
        let mut castlings = Castlings::none(self.turn, self.king);
        if threats.checkers.is_empty() && castles.has_color(self.turn) {
            let rook = |side| self.castling_rook(castles, side, threats.guarded);
            castlings.rooks = [rook(CastlingSide::KingSide), rook(CastlingSide::QueenSide)];
        }
        castlings
    }

    /// The rook of a legal castling move.
    #[inline(always)]
    fn castling_rook(&self, castles: &Castles, side: CastlingSide, guarded: Bitboard) -> Option<Square> {
        let rook = castles.rook(self.turn, side)?;
        let king_to = side.king_to(self.turn);
        let way = attacks::between(self.king, king_to).with(king_to);
        if (castles.path(self.turn, side) & self.board.occupied()).any() || (way & guarded).any() {
            return None;
        }
        // A rook on the edge of the board does not expose the king to a piece behind it.
        let from_edge = matches!(rook.file(), File::A | File::H);
        (from_edge || !self.attacked_when_castled(rook, king_to, side)).then_some(rook)
    }

    fn attacked_when_castled(&self, rook: Square, king_to: Square, side: CastlingSide) -> bool {
        let castled = self.board.occupied()
            ^ Bitboard::from(self.king)
            ^ Bitboard::from(rook)
            ^ Bitboard::from(side.rook_to(self.turn));
        self.slider_attacks(king_to, castled)
    }
}
