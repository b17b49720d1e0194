//! `ranked`: our own. The whole position is one number whose digits have prices: what games are full of is
//! cheap, what is possible is never dear.
//!
//! ```text
//! | played or plain | layout | turn | castling | en passant |      (clocks, as an option)
//! ```
//!
//! The number is the mixed radix of the archive with digits of unequal width (see [`bits::priced`]); its
//! length in bits tells where it ends, its bytes are little endian without trailing zero bytes, as a stored
//! game's are. What is a digit, from the first that is taken to the last:
//!
//! 1. *played* (127 of 128) or *plain*: which of two ways the layout is written in. Played is tried first and
//!    taken if it needs at most 128 bits; else whichever number is shorter, played if they are equal.
//! 2. The layout.
//!    * `played`: how many men of each kind there are, priced as in games (`material`), then for each kind
//!      the set of its squares as one weighted combination (`combine`). Men of a kind are never told apart,
//!      pawns keep to ranks 2 to 7, kings do not touch.
//!    * `plain`: the kings' squares, and every other square by itself at fixed prices. It can say anything
//!      with one king a side.
//! 3. Side to move, castling rights, en passant square (`state`): rights only where king and rook are at
//!    home, en passant only where a pawn could just have made a double step; anything else at a high price.
//!    Played and plain layouts have their own prices for it.
//! 4. With the clocks option, half-move clock and full-move number: the number of its binary digits, then
//!    the digits below the first.
//!
//! The decoder walks through the same questions (`coder`) and accepts only the one form of a position.
//!
//! Cost: 26 bits at the start, about 65 on the average over the positions of master games, which is half of
//! what `yoder` needs. It carries everything FEN does but the clocks, and those with the option.
//!
//! # The worst lawful case
//!
//! No lawful position of standard chess takes more than 180 bits, as the plain way alone shows. Its prices
//! are linear in the numbers of empty squares, pawns and officers, so it is enough to look at the corners of
//! what can be reached. A pawn promotes only after it or the pawn facing it at the start has taken part in a
//! capture. A capture takes part for at most two such pairs of pawns, and of those four pawns one at least is
//! gone (where it is an officer that is taken, or that takes, it serves one pair only, which is cheaper). So
//! what makes a position dearest per pair of pairs is the capture of a pawn by a pawn and three promotions,
//! up to four times:
//!
//! | captures | empty | pawns | officers | layout without kings, bits |
//! |----------|-------|-------|----------|----------------------------|
//! | 0        | 32    | 16    | 14       | 153.4                      |
//! | 4        | 36    | 0     | 26       | 155.1                      |
//!
//! (The 14 or more edge squares without kings cost 0.245 bits less than the table of `plain` says for inner
//! ones.) With 12.0 bits for the kings, 7 for *plain*, 1 for the turn, 0.4 + 4 for castling, at most 4.1 for
//! en passant, which needs pawns, the dearest corner has 179.3 bits. The number itself loses less than half a
//! bit against these prices (while it is small, a digit cannot take a fraction of a bit). Chess960 may need 7
//! bits more, for rights among several rooks; what no game can reach may need more still.
//!
//! # Source
//!
//! Our own, after what the sources leave on the table. Enumerative coding: T. M. Cover (1973); pricing by
//! frequency: C. E. Shannon (1948). The weights are counted on every twelfth game of a collection of 297,158
//! master games by `benches/ranked_weights.rs`, and were never fitted to the positions that the averages are
//! measured on.
//!
//! ```
//! use plybook::{chess::{Fen, Setup}, codec::position::{PositionCodec, ranked::RANKED}};
//! assert_eq!(RANKED.encode(&Setup::initial()).unwrap().len(), 26);
//!
//! let endgame: Fen = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1".parse().unwrap();
//! let bits = RANKED.encode(endgame.as_setup()).unwrap();
//! assert_eq!(bits.len(), 28);
//! assert_eq!(RANKED.decode(bits.bytes()).unwrap(), endgame.into_setup());
//! ```
//!
//! # Stability
//! Frozen, with its weights. Better weights would be another codec.
//!
//! [`bits::priced`]: crate::bits::priced

mod coder;
mod combine;
mod material;
mod plain;
pub mod played;
mod state;
pub mod table;

use self::coder::Coder;
use super::{Carries, Clocks, PositionAbout, PositionCodec, board, cannot_hold, invalid, only_form};
use crate::{
    bits::Bits,
    chess::{Board, Setup},
    codec::{DecodeError, EncodeError},
};

/// `ranked` as one of the list: without clocks.
pub static RANKED: Ranked = Ranked { clocks: false };

/// `ranked` with the clocks.
pub static RANKED_CLOCKS: Ranked = Ranked { clocks: true };

/// The codec with its option.
pub struct Ranked {
    /// Whether half-move clock and full-move number are carried.
    pub clocks: bool,
}

/// A way to write layouts, with the prices of the state.
struct Prices {
    layout: fn(&mut Coder, &Board) -> Option<Board>,
    /// Castling rights that are usual, of Chess960, odd.
    castling_kinds: [u32; 3],
    /// A usual right: no or yes.
    right: [u32; 2],
    /// A file of a double step, where 1 is the price of an odd square.
    en_passant: u32,
    /// No en passant square, by the board and the number of files.
    no_en_passant: fn(&Board, u32) -> u32,
}

/// As in games.
const PLAYED: Prices = Prices {
    layout: played::layout,
    castling_kinds: [1022, 1, 1],
    right: [1, 255],
    en_passant: 16,
    no_en_passant: state::seldom,
};

/// As if anything were possible.
const PLAIN: Prices = Prices {
    layout: plain::layout,
    castling_kinds: [12, 3, 1],
    right: [1, 1],
    en_passant: 16,
    no_en_passant: |_, files| 16 * files.max(1),
};

/// Both ways, with the shares of the digit that tells which.
const WAYS: [Prices; 2] = [PLAYED, PLAIN];
const WAY_SHARES: [u32; 2] = [127, 1];

/// A played layout of at most so many bits is taken without asking for the plain one.
const SHORT: usize = 128;

impl PositionCodec for Ranked {
    fn about(&self) -> &'static PositionAbout {
        if self.clocks { &ABOUT_CLOCKS } else { &ABOUT }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        if board::kings(&setup.board).is_none() {
            return Err(cannot_hold(self, "other than one king a side"));
        }
        let played = self.write(0, setup);
        let shortest = match played {
            Some(bits) if bits.len() <= SHORT => Some(bits),
            played => [played, self.write(1, setup)].into_iter().flatten().min_by_key(Bits::len),
        };
        shortest.ok_or(cannot_hold(self, "castling rights off the first ranks"))
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        if bytes.len() > MOST_BYTES {
            return Err(DecodeError::TooLarge { bytes: bytes.len() });
        }
        let setup = self.walk(&mut Coder::reading(bytes), 0, &Setup::empty());
        let setup = setup.ok_or(invalid("men that cannot stand"))?;
        only_form(self, setup, bytes)
    }
}

/// More bytes than any position takes.
const MOST_BYTES: usize = 64;

const ABOUT: PositionAbout = PositionAbout {
    name: "ranked",
    year: 2026,
    source: "plybook",
    carries: Carries::LTCE,
    start_bits: 26,
    worst_bits: Some(180),
    summary: "one number of weighted combinations, priced as in master games",
};

const ABOUT_CLOCKS: PositionAbout = PositionAbout {
    name: "ranked-clocks",
    carries: Carries { clocks: Clocks::Always, ..Carries::LTCE },
    start_bits: 34,
    worst_bits: None,
    summary: "ranked with half-move clock and full-move number",
    ..ABOUT
};

impl Ranked {
    /// The bits of a position in one of the ways, if that way can say it.
    fn write(&self, way: usize, setup: &Setup) -> Option<Bits> {
        let mut coder = Coder::writing();
        let said = self.walk(&mut coder, way, setup)?;
        (said == self.about().carries.keep(setup)).then(|| coder.into_bits())
    }

    /// Walks through all digits. `way` and `goal` count only when writing.
    fn walk(&self, coder: &mut Coder, way: usize, goal: &Setup) -> Option<Setup> {
        let way = coder.of(&WAY_SHARES, way)?;
        let prices = WAYS.get(way)?;
        let board = (prices.layout)(coder, &goal.board)?;
        let mut setup = state::state(coder, prices, board, goal)?;
        if self.clocks {
            setup.halfmoves = clock(coder, goal.halfmoves)?;
            setup.fullmoves = board::full_moves(clock(coder, goal.fullmoves.get())?);
        }
        Some(setup)
    }
}

/// Walks through a clock: the number of its binary digits, and those below the first.
fn clock(coder: &mut Coder, goal: u32) -> Option<u32> {
    let weights: Vec<u32> = (0..=32).map(|digits| if digits < 8 { 8 } else { 1 }).collect();
    let digits = u32::BITS - goal.leading_zeros();
    let digits = u32::try_from(coder.of(&weights, usize::try_from(digits).ok()?)?).ok()?;
    let Some(below) = digits.checked_sub(1) else { return Some(0) };
    let (first, mask) = (1 << below, (1 << below) - 1);
    let rest = coder.even(usize::try_from(first).ok()?, usize::try_from(goal & mask).ok()?)?;
    Some(first | u32::try_from(rest).ok()?)
}
