//! `move14`: a single move in 14 bits, independent of the position.
//!
//! ```text
//! bits 13–9  piece, 0 to 28 in its order
//! bits  8–3  motion: 0 to 48 the square it goes to, 49 turn, 50 mount, 51 unmount
//! bits  2–0  position of the follower: 0 no follower, 1 up, 2 down, 3 left, 4 right of the leader
//! ```
//!
//! The source gives the fields with 29, 52 and 5 values (5 + 6 + 3 bits) in this order. The numbers are ours, because
//! its own bytes were never published.
//!
//! If either piece of a pair can lead, the smaller number is canonical. It is the one that is written; both can be
//! read.
//!
//! # Stability
//! Frozen, and so is the canonical order of moves, which is the order of these numbers.

use super::{XeltoCodec, bits_of, joined, numbers};
use crate::{Direction, Motion, Move, Piece, Position, Square};
use plybook_chess::codec::{DecodeError, EncodeError};

const TURN: u8 = 49;
const MOUNT: u8 = 50;
const UNMOUNT: u8 = 51;

/// The follower's direction for each value of the last field.
const COMPANY: [Option<Direction>; 5] =
    [None, Some(Direction::Up), Some(Direction::Down), Some(Direction::Left), Some(Direction::Right)];

/// The codec `move14`.
pub const MOVE14: XeltoCodec = XeltoCodec {
    name: "move14",
    summary: "Move codes, 14 bits per move",
    bits: |game| Ok(bits_of(encode(&game.start, &game.moves)?.len(), 14)),
    write_text: |game| Ok(joined(&encode(&game.start, &game.moves)?)),
    read_text: |text| Ok(decode(&Position::start(), &numbers(text)?)?),
};

/// The number of a move.
///
/// ```
/// use plybook_xelto::{codec::move14, Direction, Move};
///
/// let m = Move::pair("mik".parse()?, "b2".parse()?, Direction::Right);
/// assert_eq!(move14::code(m), 10 << 9 | 29 << 3 | 4);
/// assert_eq!(move14::from_code(5356), Some(m));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn code(m: Move) -> u16 {
    let motion = match m.motion {
        Motion::To(square) => square.number(),
        Motion::Turn => TURN,
        Motion::Mount => MOUNT,
        Motion::Unmount => UNMOUNT,
    };
    let company =
        (0..).zip(COMPANY).find(|&(_, company)| company == m.company).map_or(0, |(number, _)| number);
    u16::from(m.piece.id()) << 9 | u16::from(motion) << 3 | company
}

/// The move for a number. `None` if a field has an invalid value; the move need not be legal.
pub fn from_code(code: u16) -> Option<Move> {
    let piece = Piece::from_id(u8::try_from(code >> 9).ok()?)?;
    let motion = match u8::try_from(code >> 3 & 63).ok()? {
        TURN => Motion::Turn,
        MOUNT => Motion::Mount,
        UNMOUNT => Motion::Unmount,
        number => Motion::To(Square::from_number(number)?),
    };
    let company = *COMPANY.get(usize::from(code & 7))?;
    Some(Move { piece, motion, company })
}

/// The numbers of the moves of a game.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn encode(start: &Position, moves: &[Move]) -> Result<Vec<u16>, EncodeError> {
    let mut codes = Vec::with_capacity(moves.len());
    super::write_moves(start, moves, |m, _| codes.push(code(m)))?;
    Ok(codes)
}

/// The moves with these numbers, in canonical form.
///
/// # Errors
/// A number that is not a legal move, or too many numbers.
pub fn decode(start: &Position, codes: &[u16]) -> Result<Vec<Move>, DecodeError> {
    super::read_moves(start, codes, |position, legal, &code| {
        position.canonical_among(legal, from_code(code)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_codes_are_in_the_order_of_moves() {
        let moves: Vec<Move> = (0..=u16::MAX).filter_map(from_code).collect();
        assert_eq!(moves.len(), 29 * 52 * 5);
        assert!(moves.is_sorted());
        assert!(moves.iter().all(|&m| from_code(code(m)) == Some(m) && code(m) < 1 << 14));
    }
}
