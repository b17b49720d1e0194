//! `nibble-state`: `nibble` with its three spare values in use, preceded by a turn bit.
//!
//! ```text
//! | turn 1 | 64 nibbles, a1 to h8 |
//!   0 … 12 as in `nibble`     13 a pawn that has just made a double step
//!   14 a king with a castling right     15 a rook that can still castle
//! ```
//!
//! The rank determines the colour of 13 (fourth White, fifth Black), 14 and 15 (first White, eighth Black), so
//! Chess960 is supported as well. A castling right needs king and rook on their first rank, a double step needs its
//! pawn and the empty squares behind it.
//!
//! Cost: 257 bits, always.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009) proposes three more values for these
//! pieces but does not specify an encoding; the bits are ours.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::nibble_state::NIBBLE_STATE;
//! let bits = NIBBLE_STATE.encode(&Setup::initial()).unwrap();
//! // turn, then R with right, N, B, Q, K with right, B, N, R with right
//! assert!(bits.to_string().starts_with("0 1111 0010 0011 0101 1110 0011 0010 1111".replace(' ', "").as_str()));
//! assert_eq!(bits.len(), 257);
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Bitboard, Color, Rank, Setup, Square},
    codec::DecodeError,
};

const PAWN: u8 = 13;
const KING: u8 = 14;
const ROOK: u8 = 15;

/// The codec `nibble-state`.
pub const NIBBLE_STATE: PositionCodec = PositionCodec {
    name: "nibble-state",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::LTCE,
    start_bits: 257,
    worst_bits: Some(257),
    summary: "turn bit and 64 nibbles, with spare values for castling and en passant",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    let special = special_men(setup)?;
    bits.push_bit(setup.turn.is_black());
    for square in Square::ALL {
        let special = special.iter().find(|(squares, _)| squares.contains(square));
        let symbol = special.map_or(board::symbol(&setup.board, square), |&(_, symbol)| symbol);
        bits.push(symbol.into(), 4);
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let mut setup = Setup { turn: Color::from_black(reader.bit()?), ..Setup::empty() };
    for square in Square::ALL {
        read_square(&mut setup, square, reader.take_u8(4)?)
            .ok_or(invalid("a special piece on the wrong square"))?;
    }
    Ok(setup)
}

/// The squares with special values, or what cannot be stored.
fn special_men(setup: &Setup) -> Result<[(Bitboard, u8); 3], &'static str> {
    let mut kings = Bitboard::EMPTY;
    for color in Color::ALL {
        let rooks = setup.castling_rights & color.backrank();
        if rooks.is_empty() {
            continue;
        }
        let king = board::castling_king(&setup.board, color).ok_or("a castling right without its king")?;
        kings.add(king);
        if !(rooks & !setup.board.by_piece(color.rook())).is_empty() {
            return Err("a castling right without its rook");
        }
    }
    if !setup.castling_rights.is_subset(Bitboard::BACKRANKS) {
        return Err("a castling right off the first rank");
    }
    let pawn = match setup.ep_square {
        Some(_) => Bitboard::from(board::double_stepped(setup).ok_or("en passant without a double step")?.0),
        None => Bitboard::EMPTY,
    };
    Ok([(pawn, PAWN), (kings, KING), (setup.castling_rights, ROOK)])
}

/// Puts the piece of a nibble on its square; `None` if it is not allowed there.
fn read_square(setup: &mut Setup, square: Square, symbol: u8) -> Option<()> {
    let piece = match symbol {
        PAWN => {
            let color = board::color_by_rank(square, Rank::Fourth)?;
            setup.ep_square = Some(board::passed(color, square.file()));
            Some(color.pawn())
        }
        KING => Some(board::color_by_rank(square, Rank::First)?.king()),
        ROOK => {
            setup.castling_rights.add(square);
            Some(board::color_by_rank(square, Rank::First)?.rook())
        }
        symbol => board::man(symbol)?,
    };
    board::set(&mut setup.board, square, piece);
    Some(())
}
