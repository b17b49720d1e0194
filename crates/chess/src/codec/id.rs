//! The encodings that archives store games with: the list of stored numbers, names and codecs.
//!
//! To add one, write a file in [`game`](super::game) that implements [`StoredCodec`], and add a line at the end of
//! this file. Every reader of archives uses this list; no other code depends on how a game is stored.

use std::ops::ControlFlow;

use super::{
    DecodeError, EncodeError,
    game::{self, GameCodec, GameCodecInfo, Step},
};
use crate::rules::{FinalPosition, MoveIndex, Outcome, Rules};

/// An encoding of games that archives may store. It supports every kind of game, since it needs only the indices of
/// the moves and the numbers of legal moves, and it decodes a game one ply at a time.
pub trait StoredCodec: GameCodec {
    /// Whether the bytes contain the end of the game; if not, the number of plies is stored separately.
    const HOLDS_END: bool;

    /// Replays a game from its bytes.
    type Replay<P: Rules>: Replay<P>;

    /// Encodes a game whose moves are given by their indices.
    ///
    /// # Errors
    /// The format cannot represent the game.
    fn compose(steps: Vec<MoveIndex>, outcome: Outcome, last: FinalPosition) -> Result<Vec<u8>, EncodeError>;

    /// Starts the replay of a game of `plies` plies from its bytes.
    ///
    /// # Errors
    /// The bytes are not a valid game.
    fn replay<P: Rules>(start: P, bytes: &[u8], plies: usize) -> Result<Self::Replay<P>, DecodeError>;

    /// The size of a game in bits, without the padding of the last byte.
    fn bits(bytes: &[u8]) -> u64;
}

/// A replay of a game, one ply at a time.
pub trait Replay<P: Rules> {
    /// The current position.
    fn position(&self) -> &P;

    /// The number of moves played so far.
    fn ply(&self) -> usize;

    /// Plays the next move, or returns how the game ended: [`Outcome::Unknown`] if neither the bytes nor the board
    /// determine it.
    ///
    /// # Errors
    /// The bytes are not a valid game.
    fn step(&mut self) -> Result<Step<P::Move>, DecodeError>;
}

macro_rules! stored_codecs {
    ($($number:literal => $module:ident::$codec:ident,)*) => {
        /// How a game's moves are encoded in an archive. A number is never reused with another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum CodecId {
            $(#[doc = concat!("[`", stringify!($codec), "`](game::", stringify!($module), "::", stringify!($codec), ").")]
            $codec = $number,)*
        }

        impl CodecId {
            /// Every encoding that archives may use, in the order of the stored numbers.
            pub const ALL: &[CodecId] = &[$(CodecId::$codec),*];

            /// Name, source and cost.
            pub fn info(self) -> &'static GameCodecInfo {
                match self {
                    $(CodecId::$codec => game::$module::$codec.info(),)*
                }
            }

            /// Encodes a game whose moves are given by their indices.
            ///
            /// # Errors
            /// The format cannot represent the game.
            pub fn compose(
                self,
                steps: Vec<MoveIndex>,
                outcome: Outcome,
                last: FinalPosition,
            ) -> Result<Vec<u8>, EncodeError> {
                match self {
                    $(CodecId::$codec => game::$module::$codec::compose(steps, outcome, last),)*
                }
            }

            /// Whether the bytes contain the end of the game; if not, the number of plies is stored separately.
            pub const fn holds_end(self) -> bool {
                match self {
                    $(CodecId::$codec => <game::$module::$codec as StoredCodec>::HOLDS_END,)*
                }
            }

            /// Starts the replay of a game from its bytes; `plies` is the number of its plies.
            ///
            /// # Errors
            /// The bytes are not a valid game.
            pub fn replay<P: Rules>(
                self,
                start: P,
                bytes: &[u8],
                plies: usize,
            ) -> Result<AnyReplay<P>, DecodeError> {
                Ok(match self {
                    $(CodecId::$codec => AnyReplay::$codec(game::$module::$codec::replay(start, bytes, plies)?),)*
                })
            }

            /// The size of a game in bits, without the padding of the last byte.
            pub fn bits(self, bytes: &[u8]) -> u64 {
                match self {
                    $(CodecId::$codec => game::$module::$codec::bits(bytes),)*
                }
            }
        }

        /// A replay of a game that is stored with any of the codecs.
        #[derive(Clone, Debug)]
        pub enum AnyReplay<P: Rules> {
            $(#[doc = concat!("Of [`", stringify!($codec), "`](game::", stringify!($module), "::", stringify!($codec), ").")]
            $codec(<game::$module::$codec as StoredCodec>::Replay<P>),)*
        }

        impl<P: Rules> AnyReplay<P> {
            /// Plays to the end: `each` receives every position, starting with the current one, and the move that led
            /// there, until it breaks. Returns the last position and how the game ended, unless `each` broke off.
            ///
            /// # Errors
            /// The bytes are not a valid game.
            pub fn run(
                self,
                each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
            ) -> Result<Option<(P, Outcome)>, DecodeError> {
                // Dispatching on the codec once per game is cheaper than once per ply.
                match self {
                    $(AnyReplay::$codec(replay) => run(replay, each),)*
                }
            }
        }

        impl<P: Rules> Replay<P> for AnyReplay<P> {
            fn position(&self) -> &P {
                match self {
                    $(AnyReplay::$codec(replay) => replay.position(),)*
                }
            }

            fn ply(&self) -> usize {
                match self {
                    $(AnyReplay::$codec(replay) => replay.ply(),)*
                }
            }

            #[inline]
            fn step(&mut self) -> Result<Step<P::Move>, DecodeError> {
                match self {
                    $(AnyReplay::$codec(replay) => replay.step(),)*
                }
            }
        }
    };
}

impl CodecId {
    /// The number that archives store. It is never reused with another meaning.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The encoding with a stored number; `None` if this version does not support it.
    pub fn from_number(number: i64) -> Option<CodecId> {
        CodecId::ALL.iter().copied().find(|id| i64::from(id.number()) == number)
    }

    /// The encoding with the given name.
    pub fn from_name(name: &str) -> Option<CodecId> {
        CodecId::ALL.iter().copied().find(|id| id.info().name == name)
    }
}

fn run<P: Rules>(
    mut replay: impl Replay<P>,
    mut each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
) -> Result<Option<(P, Outcome)>, DecodeError> {
    let mut led = None;
    loop {
        if each(replay.position(), led).is_break() {
            return Ok(None);
        }
        match replay.step()? {
            Step::Move(m) => led = Some(m),
            Step::End(outcome) => return Ok(Some((replay.position().clone(), outcome))),
        }
    }
}

/// The encoding of new games.
impl Default for CodecId {
    fn default() -> CodecId {
        CodecId::Index
    }
}

stored_codecs! {
    1 => index::Index,
    2 => bare::IndexBare,
    3 => byte::Byte,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_those_of_the_list() {
        for &id in CodecId::ALL {
            assert_eq!(CodecId::from_number(id.number().into()), Some(id));
            assert_eq!(CodecId::from_name(id.info().name), Some(id));
            assert_eq!(game::by_name(id.info().name).unwrap().info(), id.info());
        }
        let numbers: Vec<u8> = CodecId::ALL.iter().map(|id| id.number()).collect();
        assert_eq!(numbers, [1, 2, 3], "a stored number was reused");
        assert_eq!((CodecId::from_number(0), CodecId::from_number(257)), (None, None));
    }
}
