//! `model`: move numbers, weighted by a model of how people play. A game is one integer, terminated by an End marker, as in
//! [`index`]; but a move that most people would play takes few bits, and a surprising move takes many.
//!
//! ```text
//! G' = (G div w)·M + c + (G mod w)      w: weight of the move, c: sum of the weights of the moves before it in canonical
//!                                       order, M: sum of all weights
//! ```
//!
//! from the last ply to the first. The weights follow from the position and the moves before it ([`crate::model`]). End is
//! the last digit of every position. After it comes a digit for the result, with four weights: the side to move has lost,
//! draw, unfinished, the side to move has won. If the board ends the game, neither is written. With weights of 1 this is the
//! mixed radix of `index`.
//!
//! Before the last digit, G is the check: 16 bits over all digits, of which the highest is 1. From a smaller number than
//! this, the first divisions would round away more bits. After the last digit, a reader must find the check of the digits
//! that it read. The blob is G as little-endian bytes without trailing zero bytes.
//!
//! Variants other than Chess960, and Xelto, have even weights.
//!
//! Cost: Σ log2(M/w), about 2.5 bits per ply of a master game, 7 for End and the result, and 16 for the check.
//!
//! Source: the integer of `index`, with weights as in the asymmetric numeral systems of Jarek Duda
//! ([`weighted_radix`](crate::bits::weighted_radix)); the model is our own.
//!
//! # Stability
//! Frozen, like the order of legal moves, the features of the model and its file. Another model would need a new codec.

use super::{GameCodec, PlayedMoves, Step, decode_stored, encode_stored, index};
use crate::{
    bits::{
        mix,
        weighted_radix::{Interval, MAX_RADIX, WeightedDigit, WeightedRadix},
    },
    codec::{CodecId, DecodeError, EncodeError, MoveReader},
    limits::{MAX_BLOB_BYTES, MAX_PLIES},
    rules::{LegalMoves, Outcome, Rules, Weigher},
};

pub(in crate::codec) use super::bits_of_integer as bits;

/// The codec `model`.
pub const MODEL: GameCodec = GameCodec {
    name: "model",
    year: 2026,
    source: "plybook",
    holds_end: true,
    outcome: true,
    cost: "Σ log2(M/w)",
    worst: "24 per ply",
    summary: "move numbers, weighted by how likely people play them; the smallest, but slower",
    encode: |game| encode_stored(CodecId::Model, game),
    decode: |start, bytes, plies| decode_stored(CodecId::Model, start.clone(), bytes, plies),
};

/// The most bits of a digit: the radix has no more.
const DIGIT_BITS: usize = MAX_RADIX.ilog2() as usize;

/// As many digits take no fewer bits than the end of a game, its result, the check and an incomplete limb.
// Each digit of a long number takes long, so a number that is too long for its plies is not read to the end.
const EXTRA_DIGITS: usize = 5;

/// The bits of the check.
pub const CHECK_BITS: u64 = 16;

/// Sixteen bits over the digits of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Check(u64);

impl Check {
    /// The smallest check.
    const LEAST: u16 = 1 << 15;

    fn add(&mut self, digit: usize) {
        self.0 = mix(self.0.wrapping_add(digit as u64 + 1));
    }

    /// The highest bits, with 1 for the first.
    fn value(self) -> u16 {
        let [.., low, high] = self.0.to_le_bytes();
        u16::from_le_bytes([low, high]) | Check::LEAST
    }
}

/// The digits of a game, in the order of its plies.
#[derive(Default)]
struct Digits {
    digits: Vec<WeightedDigit>,
    check: Check,
}

impl Digits {
    /// Adds a digit that had these weights. A digit without a weight is a bug of the caller.
    fn add(&mut self, digit: usize, weights: &[u32]) -> Option<()> {
        let (before, rest) = weights.split_at_checked(digit)?;
        let interval = Interval { start: before.iter().sum(), weight: *rest.first()? };
        self.digits.push(WeightedDigit { interval, radix: weights.iter().sum() });
        self.check.add(digit);
        Some(())
    }

    fn to_bytes(&self) -> Vec<u8> {
        WeightedRadix::compose(self.digits.iter().copied(), self.check.value()).to_bytes_le()
    }
}

/// The bytes of the integer for a game.
pub(in crate::codec) fn compose<P: Rules>(
    game: PlayedMoves<'_, P>,
    start: impl FnOnce() -> P,
) -> Result<Vec<u8>, EncodeError> {
    let mut position = start();
    let mut weigher = P::Weigher::new(&position)?;
    let (mut weights, mut digits) = (Vec::new(), Digits::default());
    for (ply, (&m, step)) in (1..).zip(game.moves.iter().zip(&game.steps)) {
        weigher.weigh(&position, &mut weights);
        digits.add(step.index as usize, &weights).ok_or(EncodeError::IllegalMove(ply))?;
        weigher.play(m, position.turn());
        position.make(m);
    }
    if game.last.count > 0 {
        weigher.weigh(&position, &mut weights);
        let result = index::ends(game.outcome, game.last.turn) - 1;
        let of_results = weigher.result_weights().map(u32::from);
        let ended =
            digits.add(game.last.count as usize, &weights).and_then(|()| digits.add(result, &of_results));
        ended.ok_or(EncodeError::IllegalMove(game.moves.len() + 1))?;
    }
    Ok(digits.to_bytes())
}

/// Reads a game from its integer.
#[derive(Clone, Debug)]
pub struct Reader<P: Rules> {
    rest: WeightedRadix,
    weigher: Box<P::Weigher>,
    /// The weights of the current position.
    weights: Vec<u32>,
    check: Check,
    most_plies: usize,
}

impl<P: Rules> Reader<P> {
    /// Takes a digit with these weights.
    fn digit(&mut self, weights: &[u32], ply: usize) -> Result<usize, DecodeError> {
        // Each digit makes the number smaller, or leaves it as it is, and the check comes last.
        if self.rest.is_less_than(Check::LEAST) {
            return Err(DecodeError::CutShort(ply));
        }
        let digit = self.rest.take(weights.iter().sum(), |value| {
            let mut start = 0;
            weights.iter().enumerate().find_map(|(digit, &weight)| {
                let interval = Interval { start, weight };
                start += weight;
                (value < start).then_some((digit, interval))
            })
        });
        let digit = digit.ok_or(DecodeError::NoSuchMove(ply))?;
        self.check.add(digit);
        Ok(digit)
    }

    fn end(&self, outcome: Outcome, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        if self.rest.is(self.check.value()) {
            Ok(Step::End(outcome))
        } else {
            Err(DecodeError::WrongCheck(ply))
        }
    }
}

impl<P: Rules> MoveReader<P> for Reader<P> {
    fn new(start: &P, bytes: &[u8], plies: usize) -> Result<Reader<P>, DecodeError> {
        if bytes.len() > MAX_BLOB_BYTES {
            return Err(DecodeError::TooLarge(bytes.len()));
        }
        if bytes.last() == Some(&0) {
            return Err(DecodeError::NotCanonical);
        }
        Ok(Reader {
            rest: WeightedRadix::from_bytes_le(bytes),
            weigher: Box::new(P::Weigher::new(start)?),
            weights: Vec::new(),
            check: Check::default(),
            most_plies: if plies == 0 { MAX_PLIES } else { plies.min(MAX_PLIES) },
        })
    }

    fn next(&mut self, position: &P, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        let left = self.most_plies.saturating_sub(ply) + EXTRA_DIGITS;
        if self.rest.most_bits() > DIGIT_BITS * left {
            return Err(DecodeError::Trailing(ply));
        }
        let mut weights = std::mem::take(&mut self.weights);
        let legal = self.weigher.weigh(position, &mut weights);
        if weights.is_empty() {
            return self.end(position.board_outcome(), ply);
        }
        let digit = self.digit(&weights, ply)?;
        let is_end = digit + 1 == weights.len();
        self.weights = weights;
        if is_end {
            let results = self.weigher.result_weights().map(u32::from);
            let result = self.digit(&results, ply)?;
            let outcome = index::outcome_of(result + 1, position.turn());
            return self.end(outcome.ok_or(DecodeError::BrokenEnd(ply))?, ply);
        }
        if ply >= self.most_plies {
            return Err(DecodeError::TooLong);
        }
        let m = u32::try_from(digit)
            .ok()
            .and_then(|digit| legal.nth(digit))
            .ok_or(DecodeError::NoSuchMove(ply))?;
        self.weigher.play(m, position.turn());
        Ok(Step::Move(m))
    }
}
