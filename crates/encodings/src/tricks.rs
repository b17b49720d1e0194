//! Tricks that hide castling and en passant in the layout, discussed in net.chess by 1982.
//!
//! 1. A rook with a castling right becomes a pawn of the other colour, which is impossible on that square.
//! 2. A pawn that can be captured en passant swaps places with the content of its own first rank on the same file. A
//!    pawn of the own colour on the first rank reveals it.
//!
//! (1) is done before (2) and undone after it. "Can be captured" requires an enemy pawn next to it; pins are ignored.

use super::{board, invalid};
use plybook_chess::{
    chess::{Bitboard, Board, Color, Rank, Setup, Square},
    codec::DecodeError,
};

/// Trick 1: the layout without the rooks that can castle; or what is missing.
pub(super) fn hide_castling(setup: &Setup) -> Result<Board, &'static str> {
    let mut board = setup.board.clone();
    for square in setup.castling_rights {
        let color = board::color_by_rank(square, Rank::First).ok_or("a castling right off the first rank")?;
        if board.piece_at(square) != Some(color.rook()) {
            return Err("a castling right without its rook");
        }
        board.set_piece_at(square, (!color).pawn());
    }
    Ok(board)
}

/// Undoes trick 1 and returns the castling rights.
pub(super) fn reveal_castling(board: &mut Board) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for color in Color::ALL {
        for square in board.by_piece((!color).pawn()) & color.backrank() {
            board.set_piece_at(square, color.rook());
            rights.add(square);
        }
    }
    rights
}

/// Trick 2, applied to the layout after trick 1.
pub(super) fn hide_en_passant(setup: &Setup, board: &mut Board) {
    if let Some((pawn, color)) = board::double_stepped(setup).filter(|_| board::ep_is_ready(setup)) {
        swap(board, pawn, Square::from_coords(pawn.file(), color.backrank()));
    }
}

/// Undoes trick 2 and returns the en passant square.
pub(super) fn reveal_en_passant(board: &mut Board) -> Result<Option<Square>, DecodeError> {
    let swapped = |color: Color| board.by_piece(color.pawn()) & color.backrank();
    let (white, black) = (swapped(Color::White), swapped(Color::Black));
    let color = Color::from_white(black.is_empty());
    let Some(pawn) = (white | black).first() else { return Ok(None) };
    if (white | black).more_than_one() {
        return Err(invalid("two en passant pawns"));
    }
    let (_, to) = board::double_step(color, pawn.file());
    swap(board, pawn, to);
    Ok(Some(board::passed(color, pawn.file())))
}

fn swap(board: &mut Board, a: Square, b: Square) {
    let (on_a, on_b) = (board.remove_piece_at(a), board.remove_piece_at(b));
    board::set(board, a, on_b);
    board::set(board, b, on_a);
}
