//! Board functions shared by several encodings.

use std::num::NonZeroU32;

use super::invalid;
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Bitboard, Board, Color, File, Piece, Rank, Role, Setup, Square},
    codec::DecodeError,
};

/// The squares a8 … h8, a7 … h1.
pub(super) fn fen_order() -> impl Iterator<Item = Square> {
    Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)))
}

/// A full-move number; 0 counts as 1.
pub(super) fn full_moves(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

/// The squares of white and black king, if each side has exactly one; otherwise what an encoding cannot represent.
pub(super) fn kings(board: &Board) -> Result<(Square, Square), &'static str> {
    let kings = board.king_of(Color::White).zip(board.king_of(Color::Black));
    kings.ok_or("a position without exactly one king per side")
}

/// Rejects a pawn on the first or the eighth rank.
pub(super) fn no_pawn_on_edge(board: &Board) -> Result<(), &'static str> {
    let on_edge = board.pawns().intersects(Bitboard::BACKRANKS);
    if on_edge { Err("a pawn on the first or the eighth rank") } else { Ok(()) }
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

/// A layout from the symbols of its squares, in order; `what` describes an invalid symbol.
pub(super) fn from_symbols(
    squares: impl IntoIterator<Item = Result<(Square, u8), DecodeError>>,
    what: &'static str,
) -> Result<Setup, DecodeError> {
    let mut setup = Setup::empty();
    for symbol in squares {
        let (square, symbol) = symbol?;
        set(&mut setup.board, square, man(symbol).ok_or(invalid(what))?);
    }
    Ok(setup)
}

/// Puts a piece on a square, if there is one.
pub(super) fn set(board: &mut Board, square: Square, piece: Option<Piece>) {
    if let Some(piece) = piece {
        board.set_piece_at(square, piece);
    }
}

/// Appends the content of a square: 0 if it is empty; else 1, the colour, and 0 for a pawn, 100 N, 101 B, 110 R, 111 Q.
/// With kings, 1110 is a queen and 1111 a king.
pub(super) fn write_man(piece: Option<Piece>, kings: bool, bits: &mut Bits) {
    bits.push_bit(piece.is_some());
    let Some(Piece { color, role }) = piece else { return };
    bits.push_bit(color.is_black());
    match role {
        Role::Pawn => bits.push(0b0, 1),
        Role::Knight => bits.push(0b100, 3),
        Role::Bishop => bits.push(0b101, 3),
        Role::Rook => bits.push(0b110, 3),
        Role::Queen | Role::King => bits.push(0b111, 3),
    }
    if kings && matches!(role, Role::Queen | Role::King) {
        bits.push_bit(role == Role::King);
    }
}

/// Reads what [`write_man`] writes.
pub(super) fn read_man(reader: &mut BitReader<'_>, kings: bool) -> Result<Option<Piece>, DecodeError> {
    if !reader.bit()? {
        return Ok(None);
    }
    let color = Color::from_black(reader.bit()?);
    if !reader.bit()? {
        return Ok(Some(color.pawn()));
    }
    let role = match reader.take(2)? {
        0b00 => Role::Knight,
        0b01 => Role::Bishop,
        0b10 => Role::Rook,
        _ if kings && reader.bit()? => Role::King,
        _ => Role::Queen,
    };
    Ok(Some(role.of(color)))
}

/// The side for which a square is on this rank.
pub(super) fn color_by_rank(square: Square, rank: Rank) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.relative_rank(rank) == square.rank())
}

/// The pawn that made the double step indicated by the en passant square, if it exists and the squares behind it are
/// empty. The en passant square alone determines the pawn's colour.
pub(super) fn double_stepped(setup: &Setup) -> Option<(Square, Color)> {
    let target = setup.ep_square?;
    let color = color_by_rank(target, Rank::Third)?;
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

/// The rooks on the first rank left and right of each king that is on it: Q, K, q, k.
pub(super) fn rooks_beside_kings(board: &Board) -> [Bitboard; 4] {
    let side = |color: Color| {
        let king = castling_king(board, color);
        let rooks = board.by_piece(color.rook()) & color.backrank();
        let (left, right) = rooks.into_iter().partition(|&rook| king.is_some_and(|king| rook < king));
        if king.is_some() { [left, right] } else { [Bitboard::EMPTY; 2] }
    };
    let ([white_left, white_right], [black_left, black_right]) = (side(Color::White), side(Color::Black));
    [white_left, white_right, black_left, black_right]
}
