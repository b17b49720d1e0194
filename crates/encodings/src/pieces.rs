//! `pieces`: the square of each piece.
//!
//! ```text
//! White, then Black:
//! | king 6 | any pawns? 1 | pawns − 1, 3 | pawn squares | non-pawns 4 | kind 2, square 6 | kind 2, square 6 | …
//!                           (only if there are any)                  (Q R B N = 0 … 3, board order)
//! ```
//!
//! The pawn squares are numbered a2 = 0 … h7 = 47. In ascending order they are the digits of one base-48 number, the
//! first the most significant, in ⌈n·log2 48⌉ bits.
//!
//! Cost: 230 bits for the initial position, 115 per side.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), "piece position". It gives 105 bits per
//! side (210) for the initial position, which is an error: its own fields add up to 6 + 1 + 3 + 45 + 4 + 7·8 = 115. It
//! has no field for more than 8 pawns or 15 other pieces, nor for a missing king.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::pieces::PIECES;
//! assert_eq!(PIECES.encode(&Setup::initial()).unwrap().len(), 2 * 115);
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits, Integer, width_of},
    chess::{Bitboard, Board, Color, Piece, Role, Setup, Square},
    codec::DecodeError,
};

/// The pieces other than kings and pawns, in the order of their two bits.
const OFFICERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The codec `pieces`.
pub const PIECES: PositionCodec = PositionCodec {
    name: "pieces",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 230,
    worst_bits: None,
    summary: "the square of every piece, pawns as a base-48 number",
    write,
    read,
};

fn write(Setup { board, .. }: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    check(board)?;
    for color in Color::ALL {
        write_king(board, color, bits);
        let pawns = board.by_piece(color.pawn());
        if write_pawn_count(pawns, bits) {
            let digit = |square: Square| square.to_u32() - 8;
            let number = pawns.into_iter().fold(Integer::ZERO, |n, square| n * 48u8 + digit(square));
            bits.push_integer(&number, pawn_width(pawns.count()));
        }
        write_officers(board, color, bits);
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    for color in Color::ALL {
        read_king(reader, color, board)?;
        let count = read_pawn_count(reader)?;
        let mut number = reader.take_integer(pawn_width(count))?;
        for _ in 0..count {
            // A remainder modulo 48 is one of the pawn squares.
            let digit = u8::try_from(&number % 48u8).unwrap_or(0);
            number /= 48u8;
            put(board, Square::try_from(digit + 8).ok(), color.pawn())?;
        }
        read_officers(reader, color, board)?;
    }
    Ok(setup)
}

/// Checks what the fields of this codec and of `pieces-dense` cannot represent.
pub(super) fn check(board: &Board) -> Result<(), &'static str> {
    board::kings(board)?;
    board::no_pawn_on_edge(board)?;
    for color in Color::ALL {
        let pawns = board.by_piece(color.pawn()).count();
        if pawns > 8 || board.by_color(color).count() - pawns - 1 > 15 {
            return Err("a side with more than 8 pawns or 15 other pieces");
        }
    }
    Ok(())
}

/// The number of bits for `count` digits in base 48.
fn pawn_width(count: usize) -> usize {
    width_of(&Integer::from(48u8).pow(u32::try_from(count).unwrap_or(0)))
}

pub(super) fn write_king(board: &Board, color: Color, bits: &mut Bits) {
    bits.push(board.king_of(color).map_or(0, Square::to_u32).into(), 6);
}

/// Writes the number of pawns, and returns whether there are any.
pub(super) fn write_pawn_count(pawns: Bitboard, bits: &mut Bits) -> bool {
    bits.push_bit(!pawns.is_empty());
    if let Some(more) = pawns.count().checked_sub(1) {
        bits.push(u64::try_from(more).unwrap_or(0), 3);
    }
    !pawns.is_empty()
}

/// Writes the queens, rooks, bishops and knights of a side.
pub(super) fn write_officers(board: &Board, color: Color, bits: &mut Bits) {
    let officers = board.by_color(color) & !board.pawns() & !board.kings();
    bits.push(u64::try_from(officers.count()).unwrap_or(0), 4);
    for square in officers {
        let kind = (0..).zip(OFFICERS).find(|&(_, role)| board.role_at(square) == Some(role));
        bits.push(kind.map_or(0, |(kind, _)| kind), 2);
        bits.push(square.to_u32().into(), 6);
    }
}

pub(super) fn read_king(
    reader: &mut BitReader<'_>,
    color: Color,
    board: &mut Board,
) -> Result<(), DecodeError> {
    let square = Square::try_from(reader.take_u8(6)?).ok();
    put(board, square, color.king())
}

/// Reads the number of pawns.
pub(super) fn read_pawn_count(reader: &mut BitReader<'_>) -> Result<usize, DecodeError> {
    Ok(if reader.bit()? { usize::from(reader.take_u8(3)?) + 1 } else { 0 })
}

pub(super) fn read_officers(
    reader: &mut BitReader<'_>,
    color: Color,
    board: &mut Board,
) -> Result<(), DecodeError> {
    for _ in 0..reader.take_u8(4)? {
        let role = OFFICERS.get(usize::from(reader.take_u8(2)?)).copied().ok_or(invalid("invalid piece"))?;
        put(board, Square::try_from(reader.take_u8(6)?).ok(), role.of(color))?;
    }
    Ok(())
}

/// Puts a piece on an empty square.
pub(super) fn put(board: &mut Board, square: Option<Square>, piece: Piece) -> Result<(), DecodeError> {
    let square = square.filter(|&square| board.piece_at(square).is_none());
    board.set_piece_at(square.ok_or(invalid("two pieces on the same square"))?, piece);
    Ok(())
}
