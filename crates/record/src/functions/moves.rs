//! The moves of a game as in the view `games`, and their replay.
//!
//! The bytes of the codec `index` are unchanged: they never end in a zero byte. After those of any other codec the view
//! appends the codec's number and a zero byte; also for a variant or another start position, which the number encodes
//! as well, so that a game is never read by the wrong rules. If the number is 32 or more, three bytes replace it (see
//! [`suffix`]). After the bytes of a game that is not chess the view appends two zero bytes.

use std::ops::ControlFlow::{self, Continue};

use super::FunctionError;
use crate::{Ply, move_bits::MoveMeter};
use plybook_chess::{
    chess::{Chess, Fen, Keyed, Move, SanSuffix, Variant, VariantPosition, fen_or_epd, fen_problem},
    codec::{AnyReplay, CodecId, DecodeError, game::Step},
    limits::MAX_PLIES,
    rules::{Outcome, Rules},
};

/// Replaces the number of a codec after the bytes of a game that is not chess.
const NOT_CHESS: u8 = 0;

/// Added to the number of the codec for a variant, and for an unusual start position.
const OF_VARIANT: u8 = 32;
const FROM_ELSEWHERE: u8 = 64;

/// Follows the two bytes of a large number. It cannot be mistaken for a small number, because no codec has the number
/// 0.
const LARGE: u8 = 32;

/// Half of the range of a byte. The view converts numbers to text, and only numbers below this are one byte of text.
const HALF: u8 = 128;

/// The moves of a game as the functions take them and the view `games` returns them: as written by the codec, followed
/// by how to read them if that is unusual.
///
/// ```
/// use plybook_chess::{chess::Variant, codec::CodecId};
/// use plybook_record::functions::moves_for_functions;
///
/// let moves = || vec![0xdf, 0xdd];
/// assert_eq!(moves_for_functions(moves(), CodecId::Index, Variant::Standard, false), [0xdf, 0xdd]);
/// assert_eq!(moves_for_functions(moves(), CodecId::Index, Variant::Chess960, true), [0xdf, 0xdd, 1 + 32 + 64, 0]);
/// ```
pub fn moves_for_functions(mut moves: Vec<u8>, codec: CodecId, variant: Variant, is_set_up: bool) -> Vec<u8> {
    if codec != CodecId::Index || variant != Variant::Standard || is_set_up {
        moves.extend(suffix(codec.number(), variant != Variant::Standard, is_set_up));
    }
    moves
}

/// The suffix after the bytes of a game. For a codec whose number is less than 32: the number, plus 32 for a variant,
/// plus 64 for an unusual start position; and a zero byte. For any other: the number modulo 128; the number divided by
/// 128, plus 2 for a variant, plus 4 for an unusual start position; 32; and a zero byte.
pub fn suffix(codec: u8, is_variant: bool, is_set_up: bool) -> Vec<u8> {
    let (variant, set_up) = (u8::from(is_variant), u8::from(is_set_up));
    if codec < LARGE {
        vec![codec + OF_VARIANT * variant + FROM_ELSEWHERE * set_up, 0]
    } else {
        vec![codec % HALF, codec / HALF + 2 * variant + 4 * set_up, LARGE, 0]
    }
}

/// Reads the output of [`suffix`].
struct Suffix<'a> {
    /// The bytes before it.
    bytes: &'a [u8],
    codec: u8,
    is_variant: bool,
    is_set_up: bool,
}

impl Suffix<'_> {
    /// The suffix of a blob that ends in a zero byte; `None` if there is nothing before that byte.
    fn of(blob: &[u8]) -> Option<Suffix<'_>> {
        Some(match blob {
            [bytes @ .., low, high, LARGE, 0] => Suffix {
                bytes,
                codec: low | HALF * (high & 1),
                is_variant: high & 2 != 0,
                is_set_up: high & 4 != 0,
            },
            [bytes @ .., number, 0] => Suffix {
                bytes,
                codec: number & !(OF_VARIANT | FROM_ELSEWHERE),
                is_variant: number & OF_VARIANT != 0,
                is_set_up: number & FROM_ELSEWHERE != 0,
            },
            _ => return None,
        })
    }
}

/// A game that can be replayed several times.
pub(super) struct ReplayableGame<'a, P> {
    pub start: P,
    pub codec: CodecId,
    bytes: &'a [u8],
}

/// A game: standard chess with a faster type of position, or any variant.
pub(super) enum Moves<'a> {
    Chess(ReplayableGame<'a, Chess>),
    Variant(ReplayableGame<'a, VariantPosition>),
}

/// Types of positions for replays.
pub(super) trait ReplayRules: Rules<Move = Move> + SanSuffix + Keyed {}

impl<P: Rules<Move = Move> + SanSuffix + Keyed> ReplayRules for P {}

impl<'a> Moves<'a> {
    /// The moves of a blob; `None` if the game is not chess, or if required information is missing. `start` is the FEN
    /// of the start position; `variant` is `Some(None)` if the game is not chess.
    pub fn new(
        blob: &'a [u8],
        start: Option<&str>,
        variant: Option<Option<Variant>>,
    ) -> Result<Option<Moves<'a>>, FunctionError> {
        let (codec, bytes) = match blob {
            [.., NOT_CHESS, 0] => return Ok(None),
            [.., 0] => {
                let suffix = Suffix::of(blob)
                    .ok_or_else(|| FunctionError::new("invalid moves: a single zero byte"))?;
                let Suffix { bytes, codec: number, is_variant, is_set_up } = suffix;
                if is_variant && variant.is_none() || is_set_up && start.is_none() {
                    return Ok(None);
                }
                let unknown = || FunctionError::new(format!("invalid moves: unknown codec {number}"));
                (CodecId::from_number(number.into()).ok_or_else(unknown)?, bytes)
            }
            bytes => (CodecId::Index, bytes),
        };
        let Some(variant) = variant.unwrap_or(Some(Variant::Standard)) else { return Ok(None) };
        let start = start.map_or_else(|| Ok(variant.start()), |fen| position(fen, variant))?;
        if !codec.info().holds_end {
            let name = codec.info().name;
            return Err(FunctionError::new(format!(
                "moves of codec {name} cannot be read alone: the codec does not store where a game ends"
            )));
        }
        Ok(Some(match start {
            VariantPosition::Chess(start) => Moves::Chess(ReplayableGame { start, codec, bytes }),
            start => Moves::Variant(ReplayableGame { start, codec, bytes }),
        }))
    }
}

/// The answer of an expression for a game with either type of position; the default if there is no game of chess.
macro_rules! with_game {
    ($moves:expr, |$game:ident| $answer:expr) => {
        match $moves {
            Some($crate::functions::moves::Moves::Chess($game)) => Ok($answer.into()),
            Some($crate::functions::moves::Moves::Variant($game)) => Ok($answer.into()),
            None => Ok(Default::default()),
        }
    };
}

pub(super) use with_game;

impl<'a> ReplayableGame<'a, Chess> {
    /// The same with the type of position that supports all variants.
    pub fn with_any_position(self) -> ReplayableGame<'a, VariantPosition> {
        ReplayableGame { start: VariantPosition::Chess(self.start), codec: self.codec, bytes: self.bytes }
    }
}

impl<P: ReplayRules> ReplayableGame<'_, P> {
    /// Begins a replay.
    pub fn replay(&self) -> Result<AnyReplay<P>, FunctionError> {
        self.codec.replay(self.start.clone(), self.bytes, 0).map_err(|error| damaged(&error))
    }

    /// Replays the game: `each` gets every position and the move before it, until it breaks. Returns the result of the
    /// game, unless it was stopped.
    pub fn run(
        &self,
        each: impl FnMut(&P, Option<Move>) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, FunctionError> {
        Ok(self.replay()?.run(each).map_err(|error| damaged(&error))?.map(|(_, outcome)| outcome))
    }

    /// The number of plies, and the result.
    pub fn ended(&self) -> Result<(usize, Outcome), FunctionError> {
        let mut plies = 0;
        let outcome = self.run(|_, led| {
            plies += usize::from(led.is_some());
            Continue(())
        })?;
        Ok((plies, outcome.unwrap_or(Outcome::Unknown)))
    }

    /// The number of plies up to a ply, which may be after the end.
    fn plies_to(&self, ply: Ply) -> Result<Option<usize>, FunctionError> {
        let plies = match ply {
            Ply::FromEnd(_) => self.ended()?.0,
            Ply::After(_) | Ply::Move(..) => MAX_PLIES,
        };
        Ok(ply.resolve(&self.start, plies))
    }

    /// The position at a ply; `None` after the end.
    pub fn at(&self, ply: Ply) -> Result<Option<P>, FunctionError> {
        let Some(plies) = self.plies_to(ply)? else { return Ok(None) };
        Ok(self.replay_to(plies)?.map(|replay| replay.position().clone()))
    }

    /// A replay up to a ply; `None` after the end.
    fn replay_to(&self, plies: usize) -> Result<Option<AnyReplay<P>>, FunctionError> {
        let mut replay = self.replay()?;
        let is_there = replay.advance_to(plies).map_err(|error| damaged(&error))?;
        Ok(is_there.then_some(replay))
    }

    /// The move just before a ply, and the position in which it is played; `None` at the start and after the end.
    pub fn move_to(&self, ply: Ply) -> Result<Option<(P, Move)>, FunctionError> {
        let Some(before) = self.plies_to(ply)?.and_then(|plies| plies.checked_sub(1)) else {
            return Ok(None);
        };
        let Some(mut replay) = self.replay_to(before)? else { return Ok(None) };
        let position = replay.position().clone();
        match replay.step().map_err(|error| damaged(&error))? {
            Step::Move(m) => Ok(Some((position, m))),
            Step::End(_) => Ok(None),
        }
    }

    /// The bits of the move just before a ply; `None` at the start and after the end.
    pub fn move_bits(&self, ply: Ply) -> Result<Option<f64>, FunctionError> {
        let Some(wanted) = self.plies_to(ply)?.filter(|plies| *plies > 0) else { return Ok(None) };
        let mut meter = MoveMeter::new(&self.start).map_err(|error| damaged(&error.into()))?;
        let (mut replay, mut ply) = (self.replay()?, 0);
        loop {
            let before = replay.position().clone();
            let Step::Move(m) = replay.step().map_err(|error| damaged(&error))? else { return Ok(None) };
            ply += 1;
            if ply == wanted {
                return Ok(Some(meter.measure(&before, m)));
            }
            meter.pass(&before, m);
        }
    }
}

/// The error of a failed replay.
pub(super) fn damaged(error: &DecodeError) -> FunctionError {
    let why = "damaged, or played from another start position or in another variant";
    FunctionError::new(format!("cannot replay the moves ({why}): {error}"))
}

/// A FEN, whose position need not be legal.
pub(super) fn fen(text: &str) -> Result<Fen, FunctionError> {
    let fen = fen_or_epd(text);
    fen.map_err(|error| FunctionError::new(format!("invalid FEN: {}", fen_problem(&error))))
}

/// The position of a variant that a FEN gives.
pub(super) fn position(text: &str, variant: Variant) -> Result<VariantPosition, FunctionError> {
    let position = variant.position(&fen(text)?);
    position.map_err(|error| FunctionError::new(format!("invalid {} position: {error}", variant.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codec_numbers_round_trip_in_the_suffix() {
        for codec in 1..=u8::MAX {
            for (is_variant, is_set_up) in [(false, false), (false, true), (true, false), (true, true)] {
                let blob = [&[0xdf, 0xdd], &suffix(codec, is_variant, is_set_up)[..]].concat();
                let read = Suffix::of(&blob).unwrap();
                assert_eq!((read.bytes, read.codec), (&[0xdf, 0xdd][..], codec));
                assert_eq!((read.is_variant, read.is_set_up), (is_variant, is_set_up));
                assert_ne!(blob[2..], [NOT_CHESS, 0]);
            }
        }
        let blob = [0xdf, 40, 0, LARGE, 0];
        let Err(error) = Moves::new(&blob, None, None) else { panic!("there is no such codec") };
        assert!(error.to_string().contains("unknown codec 40"), "{error}");
    }
}
