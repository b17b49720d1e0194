//! The numbers of the pieces, by which a move says what moves.
//!
//! Each side has a list of squares; a piece's number is its index. The king is first. When a piece is captured, the
//! last one of the list takes its number. A promoted pawn keeps its number.

use arrayvec::ArrayVec;
use shakmaty::{Board, ByColor, CastlingSide, Color, File, Move, Rank, Role, Square};

/// The squares of both sides' pieces, by their numbers.
#[derive(Clone, Debug)]
pub struct Pieces(ByColor<ArrayVec<Square, 16>>);

impl Pieces {
    /// Those of the usual start position: the king, the other pieces from a to h, then the pawns from a to h.
    pub fn standard() -> Pieces {
        let files = [File::E, File::A, File::B, File::C, File::D, File::F, File::G, File::H];
        let list = |first: Rank, second: Rank| {
            let pieces = files.into_iter().map(|file| Square::from_coords(file, first));
            let pawns = File::ALL.into_iter().map(|file| Square::from_coords(file, second));
            pieces.chain(pawns).collect()
        };
        Pieces(ByColor { white: list(Rank::First, Rank::Second), black: list(Rank::Eighth, Rank::Seventh) })
    }

    /// Those of a position that was set up: in the order of its FEN, but the king first. `None` if a side does not have
    /// exactly one king, or more than 16 pieces.
    pub fn of(board: &Board) -> Option<Pieces> {
        let mut lists = ByColor::<ArrayVec<Square, 16>>::default();
        let ranks = Rank::ALL.into_iter().rev();
        for square in ranks.flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank))) {
            let Some(piece) = board.piece_at(square) else { continue };
            let list = lists.get_mut(piece.color);
            list.try_push(square).ok()?;
            if piece.role == Role::King {
                let last = list.len() - 1;
                list.swap(0, last);
            }
        }
        let has_one_king = |color| (board.kings() & board.by_color(color)).single_square().is_some();
        Color::ALL.into_iter().all(has_one_king).then_some(Pieces(lists))
    }

    /// The square of the piece with a number.
    pub fn square(&self, color: Color, number: u8) -> Option<Square> {
        self.0.get(color).get(usize::from(number)).copied()
    }

    /// The number of the piece on a square.
    pub fn number(&self, color: Color, square: Square) -> Option<u8> {
        let number = self.0.get(color).iter().position(|&other| other == square)?;
        u8::try_from(number).ok()
    }

    /// Follows a legal move of the piece with a number.
    pub fn play(&mut self, color: Color, number: u8, m: Move) {
        let mut to = m.to();
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                let number = self.0.get(color).iter().position(|&square| square == rook);
                number.into_iter().for_each(|number| self.put(color, number, side.rook_to(color)));
                to = side.king_to(color);
            }
            Move::EnPassant { from, to } => self.remove(!color, Square::from_coords(to.file(), from.rank())),
            Move::Normal { capture: Some(_), to, .. } => self.remove(!color, to),
            Move::Normal { .. } | Move::Put { .. } => {}
        }
        self.put(color, usize::from(number), to);
    }

    fn put(&mut self, color: Color, number: usize, to: Square) {
        self.0.get_mut(color).get_mut(number).into_iter().for_each(|square| *square = to);
    }

    fn remove(&mut self, color: Color, captured: Square) {
        let list = self.0.get_mut(color);
        let number = list.iter().position(|&square| square == captured);
        number.and_then(|number| list.swap_pop(number));
    }
}
