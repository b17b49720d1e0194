//! `ranked`: our own encoding. The complete position is one number whose digits have individual costs: positions that
//! are common in games are cheap, and no possible position is expensive.
//!
//! ```text
//! | played or plain | layout | turn | castling | en passant |      (clocks, as an option)
//! ```
//!
//! Each field is a sequence of digits, every digit an interval within the previous one, and the position is the
//! shortest binary fraction in the last interval (see [`bits::arithmetic`]). The digits are, in order:
//!
//! 1. *played* (127 parts of 128) or *plain*: which of two methods is used for the layout. Played is tried first and
//!    used if it needs at most 128 bits; otherwise the shorter one is used, played if they are equal.
//! 2. The layout.
//!    * [`played`]: how many pieces of each kind there are, with costs as in games (`material.rs`), then for each kind
//!      the set of its squares as one weighted combination (`combine.rs`). Pieces of a kind are not distinguished,
//!      pawns are only on ranks 2 to 7, and kings are never adjacent.
//!    * plain (`plain.rs`): the kings' squares, and every other square by itself at fixed costs. It can represent
//!      anything with one king per side.
//! 3. Side to move, castling rights, en passant square (`state.rs`): rights only if king and rook are on their home
//!    squares, en passant only if a pawn could just have made a double step; anything else has a high cost. Played and
//!    plain layouts have their own costs for it.
//! 4. With the clocks option, half-move clock and full-move number: the number of binary digits, then the digits below
//!    the first.
//!
//! The decoder processes the same digits with the same code (`coder.rs`) and accepts only the canonical encoding of a
//! position.
//!
//! Cost: 15 bits for the initial position, 63.4 on average over the positions of master games, less than half of
//! `yoder`. It stores everything that FEN does except the clocks, and these with the option.
//!
//! # The worst legal case
//!
//! No legal position of standard chess takes more than 180 bits. The plain method alone proves it, as the shorter of
//! the two is used. On ranks 2 to 7 an empty square costs 0.934 bits, a pawn 3.608 and another piece 4.678; on ranks 1
//! and 8 everything but a pawn costs 0.245 less, and at least 14 of those squares have no king. The initial material,
//! wherever it is placed, therefore costs 32·0.934 + 16·3.608 + 14·4.678 − 14·0.245 = 149.67 bits.
//!
//! Only promotions increase the cost, by 1.070 bits each. A pawn can promote only if it or the pawn that faces it
//! initially was involved in a capture. A capture reduces the cost, by 3.744 bits for a piece and by 2.674 for a pawn,
//! so it increases the total only if a pawn captures a pawn of another file: that frees two such pairs of pawns, and
//! three of them promote, 3·1.070 − 2.674 = 0.537 bits. With eight pairs this can be done four times. En passant costs
//! at most log2(2n + 1/16) bits for n pawns on their fourth rank:
//!
//! | captures | empty | pawns | others   | layout | en passant | total    |
//! |----------|-------|-------|----------|--------|------------|----------|
//! | 0        | 32    | 16    | 14       | 149.67 | 4.01       | 153.68   |
//! | 1        | 33    | 12    | 17       | 150.21 | 4.01       | 154.22   |
//! | 2        | 34    | 8     | 20       | 150.74 | 4.01       | 154.75   |
//! | 3        | 35    | 4     | 23       | 151.28 | 3.01       | 154.29   |
//! | 4        | 36    | 0     | 26       | 151.82 | 0.09       | 151.91   |
//!
//! (A pawn that does not promote saves its 1.070 bits and adds less than that to en passant.) To 154.75 are added 7
//! bits for *plain*, 11.98 for the kings, 1 for the turn and 0.42 + 4 for castling: 179.14. Chess960 may need 7 bits
//! more, for rights among several rooks; positions that no game can reach may need more still.
//!
//! # Source
//!
//! Our own (2026), designed to save what the other encodings waste. Enumerative coding: T. M. Cover (1973); costs by
//! frequency: C. E. Shannon (1948). The weights are counted on every twelfth game of a collection of 297,158 master
//! games by `benches/ranked_weights.rs`; the average is measured on other games of it by `benches/position_bits.rs`.
//!
//! ```
//! use plybook_chess::chess::{Fen, Setup};
//! use plybook_encodings::ranked::RANKED;
//! assert_eq!(RANKED.encode(&Setup::initial()).unwrap().len(), 15);
//!
//! let endgame: Fen = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1".parse().unwrap();
//! let bits = RANKED.encode(endgame.as_setup()).unwrap();
//! assert_eq!(bits.len(), 31);
//! assert_eq!(RANKED.decode(bits.bytes()).unwrap(), endgame.into_setup());
//! ```
//!
//! # Stability
//! Frozen, including its weights. Better weights would need another codec.
//!
//! [`bits::arithmetic`]: plybook_chess::bits::arithmetic

mod coder;
mod combine;
mod material;
mod plain;
pub mod played;
mod state;
pub mod table;

use self::coder::Coder;
use super::{Clocks, Fields, PositionCodec, board, invalid, rest};
use plybook_chess::{
    bits::{BitReader, Bits, arithmetic::Rest},
    chess::{Board, Setup},
    codec::DecodeError,
};

/// The codec `ranked`, without clocks.
pub const RANKED: PositionCodec = PositionCodec {
    name: "ranked",
    year: 2026,
    source: "plybook",
    fields: Fields::LTCE,
    start_bits: 15,
    worst_bits: Some(180),
    summary: "one number of weighted combinations, with costs as in master games",
    write: |setup, bits| write(setup, false, bits),
    read: |reader| read(reader, false),
};

/// The codec `ranked` with half-move clock and full-move number.
pub const RANKED_CLOCKS: PositionCodec = PositionCodec {
    name: "ranked-clocks",
    fields: Fields { clocks: Clocks::Always, ..Fields::LTCE },
    start_bits: 21,
    worst_bits: None,
    summary: "ranked with half-move clock and full-move number",
    write: |setup, bits| write(setup, true, bits),
    read: |reader| read(reader, true),
    ..RANKED
};

/// A method for layouts, with the weights of the state.
struct Prices {
    layout: fn(&mut Coder, &Board) -> Option<Board>,
    /// Castling rights that are usual, of Chess960, unusual.
    castling_kinds: [u32; 3],
    /// A usual right: no or yes.
    right: [u32; 2],
    /// A file of a double step, relative to 1 for an unusual square.
    en_passant: u32,
    /// No en passant square, by the board and the number of files.
    no_en_passant: fn(&Board, u32) -> u32,
}

/// Weights as in games.
const PLAYED: Prices = Prices {
    layout: played::layout,
    castling_kinds: [1022, 1, 1],
    right: [1, 255],
    en_passant: 16,
    no_en_passant: state::seldom,
};

/// Weights for arbitrary positions.
const PLAIN: Prices = Prices {
    layout: plain::layout,
    castling_kinds: [12, 3, 1],
    right: [1, 1],
    en_passant: 16,
    no_en_passant: |_, files| 16 * files.max(1),
};

/// Both methods, in the order of the digit that selects one.
const WAYS: [Prices; 2] = [PLAYED, PLAIN];
const WAY_SHARES: [u32; 2] = [127, 1];

/// A played layout of at most this many bits is used without comparing it with the plain one.
const SHORT: usize = 128;

/// More bytes than any position takes.
const MOST_BYTES: usize = 64;

fn write(setup: &Setup, clocks: bool, bits: &mut Bits) -> Result<(), &'static str> {
    board::kings(&setup.board)?;
    let kept = if clocks { RANKED_CLOCKS.fields } else { RANKED.fields }.keep(setup);
    let way = |way| {
        let mut coder = Coder::Writing(Vec::new());
        let said = walk(&mut coder, way, setup, clocks)?;
        (said == kept).then(|| coder.into_bits())
    };
    let shortest = match way(0) {
        Some(bits) if bits.len() <= SHORT => Some(bits),
        played => [played, way(1)].into_iter().flatten().min_by_key(Bits::len),
    };
    bits.append(&shortest.ok_or("castling rights of rooks off the first and eighth rank")?);
    Ok(())
}

fn read(reader: &mut BitReader<'_>, clocks: bool) -> Result<Setup, DecodeError> {
    let length = reader.left() / 8;
    if length > MOST_BYTES {
        return Err(DecodeError::TooLarge(length));
    }
    let bytes = rest(reader)?;
    let setup = walk(&mut Coder::Reading(Rest::new(&bytes)), 0, &Setup::empty(), clocks);
    setup.ok_or(invalid("pieces on impossible squares"))
}

/// Processes all digits. `way`, the method for the layout, and `goal` are used only when writing.
fn walk(coder: &mut Coder, way: usize, goal: &Setup, clocks: bool) -> Option<Setup> {
    let way = coder.of(&WAY_SHARES, way)?;
    let prices = WAYS.get(way)?;
    let board = (prices.layout)(coder, &goal.board)?;
    let mut setup = state::state(coder, prices, board, goal)?;
    if clocks {
        setup.halfmoves = clock(coder, goal.halfmoves)?;
        setup.fullmoves = board::full_moves(clock(coder, goal.fullmoves.get())?);
    }
    Some(setup)
}

/// Processes a clock: the number of its binary digits, and those below the first.
fn clock(coder: &mut Coder, goal: u32) -> Option<u32> {
    let weights: Vec<u32> = (0..=32).map(|digits| if digits < 8 { 8 } else { 1 }).collect();
    let digits = u32::BITS - goal.leading_zeros();
    let digits = u32::try_from(coder.of(&weights, usize::try_from(digits).ok()?)?).ok()?;
    let Some(below) = digits.checked_sub(1) else { return Some(0) };
    let (first, mask) = (1 << below, (1 << below) - 1);
    let rest = coder.even(usize::try_from(first).ok()?, usize::try_from(goal & mask).ok()?)?;
    Some(first | u32::try_from(rest).ok()?)
}
