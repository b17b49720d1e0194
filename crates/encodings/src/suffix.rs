//! The suffix of `cfen` and `ufen`: everything except the placement.
//!
//! ```text
//! | turn 1 | KQkq 4 | half-move clock 10 | full-move number 10 | check 2, optional | en passant 6, if any |
//! ```
//!
//! The clocks saturate at 1023. The en passant square is at the end so that it can be omitted; if the padding of the
//! last byte has six zero bits, they read as a1, which is never an en passant square.

use super::{Clocks, Fields, board, castling, invalid};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, CheckState, Color, Setup, Square},
    codec::DecodeError,
};

/// The highest clock value in ten bits.
const MOST: u32 = 1023;

/// The fields of `cfen` and `ufen`.
pub(super) const FIELDS: Fields = Fields { clocks: Clocks::UpTo(MOST), ..Fields::LTCE };

/// Appends the suffix, or returns what it cannot represent.
pub(super) fn write(setup: &Setup, check: bool, bits: &mut Bits) -> Result<(), &'static str> {
    bits.push_bit(setup.turn.is_black());
    bits.push(castling::to_bits(setup).ok_or("these castling rights")?.into(), 4);
    bits.push(setup.halfmoves.min(MOST).into(), 10);
    bits.push(setup.fullmoves.get().min(MOST).into(), 10);
    if check {
        bits.push(CheckState::of(setup).number().into(), 2);
    }
    match setup.ep_square {
        Some(Square::A1) => Err("a1 as an en passant square"),
        Some(square) => {
            bits.push(square.to_u32().into(), 6);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Reads the suffix for a board.
pub(super) fn read(reader: &mut BitReader<'_>, board: Board, check: bool) -> Result<Setup, DecodeError> {
    let mut setup = Setup { board, ..Setup::empty() };
    setup.turn = Color::from_black(reader.bit()?);
    let rights = castling::from_bits(&setup.board, reader.take_u8(4)?);
    setup.castling_rights = rights.ok_or(invalid("castling right without its king or rook"))?;
    setup.halfmoves = clock(reader)?;
    setup.fullmoves = board::full_moves(clock(reader)?);
    let state = if check { reader.take_u8(2)? } else { 0 };
    if reader.left() >= 6 {
        let square = Square::try_from(reader.take_u8(6)?).map_err(|_| invalid("invalid square"))?;
        setup.ep_square = Some(square).filter(|&square| square != Square::A1);
    }
    if check && state != CheckState::of(&setup).number() {
        return Err(invalid("wrong check field"));
    }
    Ok(setup)
}

fn clock(reader: &mut BitReader<'_>) -> Result<u32, DecodeError> {
    Ok(u32::try_from(reader.take(10)?).unwrap_or(MOST))
}
