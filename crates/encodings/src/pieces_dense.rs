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
//! use plybook_encodings::{PositionCodec, pieces_dense::PiecesDense};
//! let officers = 6 + 4 + 7 * 8;
//! assert_eq!(PiecesDense.encode(&Setup::initial()).unwrap().len(), 2 * (officers + 4) + 44 + 42);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    Fields, PositionCodec, PositionCodecInfo, cannot_hold, invalid, only_form,
    pieces::{
        check, put, read_king, read_officers, read_pawn_count, write_king, write_officers, write_pawn_count,
    },
};
use plybook_chess::{
    bits::{BitReader, Bits, Integer, width_of},
    chess::{Bitboard, Board, Color, Rank, Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// The codec `pieces-dense`.
pub struct PiecesDense;

impl PositionCodec for PiecesDense {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "pieces-dense",
            year: 2009,
            source: "William Shields, Stack Overflow",
            fields: Fields::L,
            start_bits: 226,
            worst_bits: None,
            summary: "like pieces, with pawns numbered among the free squares",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let (board, mut bits) = (&setup.board, Bits::default());
        check(board).map_err(|what| cannot_hold(self, what))?;
        for color in Color::ALL {
            write_king(board, color, &mut bits);
            write_officers(board, color, &mut bits);
        }
        let mut free = pawn_squares() & !(board.occupied() & !board.pawns());
        for color in Color::ALL {
            let pawns = board.by_piece(color.pawn());
            if write_pawn_count(pawns, &mut bits) {
                write_pawns(pawns, free, &mut bits);
            }
            free &= !pawns;
        }
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let board = read(&mut reader)?;
        reader.finish()?;
        only_form(self, Setup { board, ..Setup::empty() }, bytes)
    }
}

/// Reads a board, which need not be canonically encoded.
pub(super) fn read(reader: &mut BitReader<'_>) -> Result<Board, DecodeError> {
    let mut board = Board::empty();
    for color in Color::ALL {
        read_king(reader, color, &mut board)?;
        read_officers(reader, color, &mut board)?;
    }
    let mut free = pawn_squares() & !board.occupied();
    for color in Color::ALL {
        let count = read_pawn_count(reader)?;
        for pawn in read_pawns(reader, count, free)? {
            put(&mut board, Some(pawn), color.pawn())?;
        }
        free &= !board.occupied();
    }
    Ok(board)
}

/// The squares of ranks 2 to 7.
fn pawn_squares() -> Bitboard {
    !(Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth))
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
