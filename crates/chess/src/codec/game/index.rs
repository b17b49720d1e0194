//! `index`: the archive's codec, "move numbers". A game is one integer: the indices of its moves among the legal moves
//! in mixed radix, terminated by an End marker.
//!
//! ```text
//! G = d0 + (n0+1)·(d1 + (n1+1)·(d2 + …))      d: index of the move, n: number of legal moves
//! ```
//!
//! Every base is one more than the number of legal moves, and the digit n is End. After the last move the End digit is
//! repeated: once = the side to move lost, twice = draw, three times = unfinished, four times = the side to move won.
//! If the board ends the game (checkmate, stalemate, a variant's end), nothing is appended. The blob is G as
//! little-endian bytes without trailing zero bytes.
//!
//! Cost: Σ log2(n+1), about 4.9 bits per ply of a master game. The first move is the least significant digit, so
//! reading up to ply p takes p divisions.
//!
//! Source: the first source text, "attempt 2" with the additional End move of its remarks (an answer on Code Golf
//! Stack Exchange to a puzzle of 2014; it defines one and two Ends, three and four are ours). It estimates ⌈(m+1)·log2
//! 21⌉ bits for m plies with 20 legal moves each: 356 for 80 plies, 1762 for 400. Its own example, 1. e4 e5 2. Nf3 f6:
//!
//! ```
//! use plybook_chess::chess::{Chess, Outcome, move_list};
//! use plybook_chess::codec::game::{GameMoves, index};
//!
//! let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start, moves, outcome: Outcome::Unknown };
//! let number = index::encode(&game)?;
//! assert_eq!(number.to_integer().to_string(), "8712609247");
//! assert_eq!(index::decode(game.start.clone(), &number.to_bytes_le()).unwrap(), game);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves on which it is based. A change would need a new codec.

use super::{GameCodec, GameMoves, PlayedMoves, Step, decode_stored, encode_stored, steps_of};
use crate::{
    bits::mixed_radix::{Digit, MixedRadix},
    codec::{CodecId, DecodeError, EncodeError, MoveReader},
    limits::{MAX_BLOB_BYTES, MAX_PLIES},
    rules::{Color, FinalPosition, KnownOutcome, MoveIndex, Outcome, Rules, Taken},
};

pub(in crate::codec) use super::bits_of_integer as bits;

/// The codec `index`.
pub const INDEX: GameCodec = GameCodec {
    name: "index",
    year: 2014,
    source: "an answer on Code Golf Stack Exchange",
    holds_end: true,
    outcome: true,
    cost: "Σ log2(n+1)",
    worst: "log2 219 per ply",
    summary: "move numbers in mixed radix, terminated by End; the default of archives",
    encode: |game| encode_stored(CodecId::Index, game),
    decode: |start, bytes, plies| decode_stored(CodecId::Index, start.clone(), bytes, plies),
};

/// The number of End digits for an outcome, given the side that would be to move.
pub fn ends(outcome: Outcome, turn: Color) -> usize {
    match outcome {
        Outcome::Known(KnownOutcome::Decisive { winner }) if winner == turn => 4,
        Outcome::Known(KnownOutcome::Decisive { .. }) => 1,
        Outcome::Known(KnownOutcome::Draw) => 2,
        Outcome::Unknown => 3,
    }
}

/// The outcome for a number of End digits; `None` for numbers other than 1 to 4.
pub(super) fn outcome_of(ends: usize, turn: Color) -> Option<Outcome> {
    Some(match ends {
        1 => Outcome::Known(KnownOutcome::Decisive { winner: !turn }),
        2 => Outcome::Known(KnownOutcome::Draw),
        3 => Outcome::Unknown,
        4 => Outcome::Known(KnownOutcome::Decisive { winner: turn }),
        _ => return None,
    })
}

/// The integer for moves given by their indices: one digit per move, then the End digits.
fn number_of(steps: Vec<MoveIndex>, outcome: Outcome, last: FinalPosition) -> MixedRadix {
    let ends = if last.count > 0 { ends(outcome, last.turn) } else { 0 };
    let end = MoveIndex { index: last.count, count: last.count };
    let steps = steps.into_iter().chain(std::iter::repeat_n(end, ends));
    MixedRadix::compose(steps.map(|MoveIndex { index, count }| Digit { value: index, radix: count + 1 }))
}

/// The integer for a game. If the board ended the game, its outcome is not written.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn encode<P: Rules>(game: &GameMoves<P>) -> Result<MixedRadix, EncodeError> {
    prefix(game, game.moves.len())
}

/// The integer for the position after some plies, including its history: the game's moves up to there, followed by End
/// (three Ends: unfinished). From the last ply on, the integer of the complete game.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn prefix<P: Rules>(line: &GameMoves<P>, plies: usize) -> Result<MixedRadix, EncodeError> {
    let (steps, last) = steps_of(line, plies)?;
    let outcome = if plies < line.moves.len() { Outcome::Unknown } else { line.outcome };
    Ok(number_of(steps, outcome, last))
}

/// Decodes a game from the little-endian bytes of its integer.
///
/// # Errors
/// The bytes are not a game from this start position: every byte string gives either a game or an error.
pub fn decode<P: Rules>(start: P, bytes: &[u8]) -> Result<GameMoves<P>, DecodeError> {
    decode_stored(CodecId::Index, start, bytes, None)
}

/// The bytes of the integer for a game.
pub(in crate::codec) fn compose<P: Rules>(
    game: PlayedMoves<'_, P>,
    _: impl FnOnce() -> P,
) -> Result<Vec<u8>, EncodeError> {
    Ok(number_of(game.steps, game.outcome, game.last).to_bytes_le())
}

/// Reads a game from its integer.
#[derive(Clone, Debug)]
pub struct Reader<P> {
    rest: MixedRadix,
    circle: Option<Circle<P>>,
}

/// Detects integers whose rest is 0 and that play the first legal move forever (Brent's method: a remembered position,
/// replaced whenever the distance to it has doubled).
#[derive(Clone, Debug)]
struct Circle<P> {
    remembered: P,
    steps: usize,
    limit: usize,
}

impl<P: Rules> Reader<P> {
    fn end(&mut self, count: u32, turn: Color, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        let broken = DecodeError::BrokenEnd(ply);
        let mut ends = 1;
        while !self.rest.is_zero() {
            // Four Ends are the maximum, so the loop is bounded even if the rest is huge.
            if ends == 4 || self.rest.take_digit(count + 1) != count {
                return Err(broken);
            }
            ends += 1;
        }
        outcome_of(ends, turn).map(Step::End).ok_or(broken)
    }

    fn guard_circle(&mut self, position: &P, ply: usize) -> Result<(), DecodeError> {
        match &mut self.circle {
            Some(circle) if circle.remembered == *position => {
                return Err(DecodeError::Endless(ply));
            }
            Some(circle) if circle.steps < circle.limit => circle.steps += 1,
            circle => {
                let limit = circle.as_ref().map_or(1, |circle| circle.limit * 2);
                *circle = Some(Circle { remembered: position.clone(), steps: 0, limit });
            }
        }
        Ok(())
    }
}

impl<P: Rules> MoveReader<P> for Reader<P> {
    fn new(_: &P, bytes: &[u8], _: usize) -> Result<Reader<P>, DecodeError> {
        if bytes.len() > MAX_BLOB_BYTES {
            return Err(DecodeError::TooLarge(bytes.len()));
        }
        // A trailing zero byte would not change the integer, so the same game would have many encodings, and
        // fingerprints and checksums of equal games could differ.
        if bytes.last() == Some(&0) {
            return Err(DecodeError::NotCanonical);
        }
        Ok(Reader { rest: MixedRadix::from_bytes_le(bytes), circle: None })
    }

    #[inline]
    fn next(&mut self, position: &P, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        // While the rest is not zero, every step makes it smaller, so the game must end. Only with a rest of zero can
        // a replay continue forever, with the first legal move at each ply; the check costs nothing before that.
        if self.rest.is_zero() {
            self.guard_circle(position, ply)?;
        }
        let Taken { count, digit, m } = position.take(&mut self.rest, 1);
        match m {
            Some(_) if ply >= MAX_PLIES => Err(DecodeError::TooLong),
            Some(m) => Ok(Step::Move(m)),
            None if count == 0 && self.rest.is_zero() => Ok(Step::End(position.board_outcome())),
            None if count == 0 => Err(DecodeError::Trailing(ply)),
            None if digit == count => self.end(count, position.turn(), ply),
            None => Err(DecodeError::NoSuchMove(ply)),
        }
    }
}
