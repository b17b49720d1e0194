//! `pieces-dense`: `pieces` with the pawns last, which then have fewer possible squares.
//!
//! ```text
//! | W king 6 | W non-pawns 4, each kind 2 + square 6 | B king | B non-pawns |
//! | any pawns? 1 | W pawns − 1, 3 | W pawns | any pawns? 1 | B pawns − 1, 3 | B pawns |
//! ```
//!
//! A side's pawns are one number with decreasing radices: in ascending order, each digit is the pawn's index among the
//! squares of ranks 2 to 7 without another piece or a pawn that was already written. With n such squares for the first
//! of k pawns the radices are n, n−1, … n−k+1, the first digit the most significant, in ⌈log2 of their product⌉ bits.
//!
//! Cost: 226 bits for the initial position, where the pawns take 44 bits for White and 42 for Black.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), the closing remarks of "piece position".
//! It still spends bits on the order of the pawns, which is irrelevant; `ranked` does not.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::pieces_dense::PIECES_DENSE;
//! let officers = 6 + 4 + 7 * 8;
//! assert_eq!(PIECES_DENSE.encode(&Setup::initial()).unwrap().len(), 2 * (officers + 4) + 44 + 42);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    Fields, PositionCodec, invalid,
    pieces::{
        check, put, read_king, read_officers, read_pawn_count, write_king, write_officers, write_pawn_count,
    },
};
use plybook_chess::{
    bits::{BitReader, Bits, Integer, width_of},
    chess::{Bitboard, Color, Setup, Square},
    codec::DecodeError,
};

/// The codec `pieces-dense`.
pub const PIECES_DENSE: PositionCodec = PositionCodec {
    name: "pieces-dense",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 226,
    worst_bits: None,
    summary: "like pieces, with pawns numbered among the free squares",
    write,
    read,
};

fn write(Setup { board, .. }: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    check(board)?;
    for color in Color::ALL {
        write_king(board, color, bits);
        write_officers(board, color, bits);
    }
    // Pawns are only on ranks 2 to 7.
    let mut free = !(Bitboard::BACKRANKS | board.occupied() & !board.pawns());
    for color in Color::ALL {
        let pawns = board.by_piece(color.pawn());
        if write_pawn_count(pawns, bits) {
            write_pawns(pawns, free, bits);
        }
        free &= !pawns;
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    for color in Color::ALL {
        read_king(reader, color, board)?;
        read_officers(reader, color, board)?;
    }
    let mut free = !(Bitboard::BACKRANKS | board.occupied());
    for color in Color::ALL {
        let count = read_pawn_count(reader)?;
        for pawn in read_pawns(reader, count, free)? {
            put(board, Some(pawn), color.pawn())?;
        }
        free &= !board.occupied();
    }
    Ok(setup)
}

/// The radices for placing `count` pawns on the free squares in turn: each pawn leaves one square less.
fn radices(free: Bitboard, count: usize) -> impl DoubleEndedIterator<Item = usize> {
    let squares = free.count();
    (0..count).map(move |written| squares.saturating_sub(written))
}

fn write_pawns(pawns: Bitboard, mut free: Bitboard, bits: &mut Bits) {
    let (mut number, mut states) = (Integer::ZERO, Integer::from(1u8));
    for (pawn, radix) in pawns.into_iter().zip(radices(free, pawns.count())) {
        let below = free.into_iter().take_while(|&square| square < pawn).count();
        number = number * radix + below;
        states *= radix;
        free.discard(pawn);
    }
    bits.push_integer(&number, width_of(&states));
}

fn read_pawns(reader: &mut BitReader<'_>, count: usize, free: Bitboard) -> Result<Vec<Square>, DecodeError> {
    let states: Integer = radices(free, count).product();
    if states == Integer::ZERO {
        return Err(invalid("more pawns than free squares"));
    }
    let mut number = reader.take_integer(width_of(&states))?;
    let mut places = Vec::with_capacity(count);
    for radix in radices(free, count).rev() {
        places.push(usize::try_from(&number % radix).unwrap_or(0));
        number /= radix;
    }
    let (mut free, mut pawns) = (free, Vec::with_capacity(count));
    for place in places.into_iter().rev() {
        let pawn = free.into_iter().nth(place).ok_or(invalid("more pawns than free squares"))?;
        free.discard(pawn);
        pawns.push(pawn);
    }
    Ok(pawns)
}
