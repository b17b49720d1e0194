//! Board functions shared by several encodings.

use std::num::NonZeroU32;

use plybook_chess::chess::{Bitboard, Board, Color, File, Piece, Rank, Role, Setup, Square};

/// The squares a8 … h8, a7 … h1.
pub(super) fn fen_order() -> impl Iterator<Item = Square> {
    Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)))
}

/// A full-move number; 0 counts as 1.
pub(super) fn full_moves(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

/// The squares of white and black king, if each side has exactly one.
pub(super) fn kings(board: &Board) -> Option<(Square, Square)> {
    Some((board.king_of(Color::White)?, board.king_of(Color::Black)?))
}

/// Whether there is a pawn on the first or the eighth rank.
pub(super) fn has_pawn_on_edge(board: &Board) -> bool {
    !(board.pawns() & (Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth))).is_empty()
}

/// The symbol of a square: 0 empty, 1–6 white PNBRQK, 7–12 black.
pub(super) fn symbol(board: &Board, square: Square) -> u8 {
    board.piece_at(square).map_or(0, |piece| u8::from(piece.role) + piece.color.fold_wb(0, 6))
}

/// The piece of a symbol: `Some(None)` for the empty square, `None` for an invalid symbol.
pub(super) fn man(symbol: u8) -> Option<Option<Piece>> {
    let (number, color) = if symbol > 6 { (symbol - 6, Color::Black) } else { (symbol, Color::White) };
    match number {
        0 => Some(None),
        number => Some(Some(Role::try_from(number).ok()?.of(color))),
    }
}

/// A board from the symbols of its squares, in order; `None` if a symbol is invalid.
pub(super) fn from_symbols(squares: impl IntoIterator<Item = (Square, u8)>) -> Option<Board> {
    let mut board = Board::empty();
    for (square, symbol) in squares {
        if let Some(piece) = man(symbol)? {
            board.set_piece_at(square, piece);
        }
    }
    Some(board)
}

/// The pawn that made the double step indicated by the en passant square, if it exists and the squares behind it are
/// empty. The en passant square alone determines the pawn's colour.
pub(super) fn double_stepped(setup: &Setup) -> Option<(Square, Color)> {
    let target = setup.ep_square?;
    let color = match target.rank() {
        Rank::Third => Color::White,
        Rank::Sixth => Color::Black,
        _ => return None,
    };
    let (from, to) = double_step(color, target.file());
    let there = setup.board.piece_at(to) == Some(color.pawn());
    let empty = (setup.board.occupied() & (Bitboard::from(target) | from)).is_empty();
    (there && empty).then_some((to, color))
}

/// The from and to squares of a double step on a file.
pub(super) fn double_step(color: Color, file: File) -> (Square, Square) {
    let square = |rank| Square::from_coords(file, color.relative_rank(rank));
    (square(Rank::Second), square(Rank::Fourth))
}

/// The square that a pawn passes in its double step on a file.
pub(super) fn passed(color: Color, file: File) -> Square {
    Square::from_coords(file, color.relative_rank(Rank::Third))
}

/// Whether a pawn could be captured en passant: it has made a double step, it is the other side's turn, and that side
/// has a pawn next to it (ignoring pins).
pub(super) fn ep_is_ready(setup: &Setup) -> bool {
    let Some((pawn, color)) = double_stepped(setup) else { return false };
    let beside = |step| Some(Square::from_coords(pawn.file().offset(step)?, pawn.rank()));
    let enemy = Some(setup.turn.pawn());
    color != setup.turn && [-1, 1].into_iter().filter_map(beside).any(|sq| setup.board.piece_at(sq) == enemy)
}

/// The king of a side if it is the only one and is on its first rank, as castling requires.
pub(super) fn castling_king(board: &Board, color: Color) -> Option<Square> {
    board.king_of(color).filter(|king| king.rank() == color.backrank())
}
