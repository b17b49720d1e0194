//! The encodings that archives store games with: the one list that joins the stored number, the name and the codec.
//!
//! Adding one takes a file in [`game`](super::game) that implements [`StoredCodec`], and a line at the end of this
//! file. Every reader of archives asks the list; nothing else knows how a game is stored.

use std::ops::ControlFlow;

use super::{
    DecodeError, EncodeError,
    game::{self, GameCodec, GameCodecInfo, Step},
};
use crate::rules::{FinalPosition, MoveIndex, Outcome, Rules};

/// An encoding of games that archives may store: it takes games of every kind, since it asks for no more than the
/// indices of the moves and the numbers of legal moves, and it gives a game back one ply at a time.
pub trait StoredCodec: GameCodec {
    /// Whether the bytes say where a game ends; if not, the number of plies stands beside them.
    const HOLDS_END: bool;

    /// What replays a game from its bytes.
    type Replay<P: Rules>: Replay<P>;

    /// The bytes of a game whose moves are known by their indices.
    ///
    /// # Errors
    /// The format cannot hold the game.
    fn compose(steps: Vec<MoveIndex>, outcome: Outcome, last: FinalPosition) -> Result<Vec<u8>, EncodeError>;

    /// Begins to replay a game of `plies` plies from its bytes.
    ///
    /// # Errors
    /// The bytes are no game.
    fn replay<P: Rules>(start: P, bytes: &[u8], plies: usize) -> Result<Self::Replay<P>, DecodeError>;

    /// The bits that a game takes, without what fills up its last byte.
    fn bits(bytes: &[u8]) -> u64;
}

/// A replay of a game, one ply at a time.
pub trait Replay<P: Rules> {
    /// The position reached so far.
    fn position(&self) -> &P;

    /// The number of moves played so far.
    fn ply(&self) -> usize;

    /// Plays the next move, or says how the game ended: [`Outcome::Unknown`] where neither the bytes nor the board
    /// say it.
    ///
    /// # Errors
    /// The bytes are no game.
    fn step(&mut self) -> Result<Step<P::Move>, DecodeError>;
}

macro_rules! stored_codecs {
    ($($number:literal => $module:ident::$codec:ident,)*) => {
        /// How a game's moves are encoded in an archive. A number is never given a second meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum CodecId {
            $(#[doc = concat!("[`", stringify!($codec), "`](game::", stringify!($module), "::", stringify!($codec), ").")]
            $codec = $number,)*
        }

        impl CodecId {
            /// Every encoding that archives may hold, in the order of the stored numbers.
            pub const ALL: &[CodecId] = &[$(CodecId::$codec),*];

            /// Name, source and cost.
            pub fn info(self) -> &'static GameCodecInfo {
                match self {
                    $(CodecId::$codec => game::$module::$codec.info(),)*
                }
            }

            /// The bytes of a game whose moves are known by their indices.
            ///
            /// # Errors
            /// The format cannot hold the game.
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

            /// Whether the bytes say where a game ends; if not, the number of plies stands beside them.
            pub const fn holds_end(self) -> bool {
                match self {
                    $(CodecId::$codec => <game::$module::$codec as StoredCodec>::HOLDS_END,)*
                }
            }

            /// Begins a replay of a game from its bytes; `plies` is the number of its plies.
            ///
            /// # Errors
            /// The bytes are no game.
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

            /// The bits that a game takes, without what fills up its last byte.
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
            /// Plays to the end: `each` gets every position, first the one it stands at, and the move that led there,
            /// until it breaks. Gives the last position and how the game ended, unless it was broken off.
            ///
            /// # Errors
            /// The bytes are no game.
            pub fn run(
                self,
                each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
            ) -> Result<Option<(P, Outcome)>, DecodeError> {
                // The codec is asked for once a game rather than once a ply.
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
    /// The number that archives store. It is never given a second meaning.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The encoding with a stored number; `None` for one that this version does not know.
    pub fn from_number(number: i64) -> Option<CodecId> {
        CodecId::ALL.iter().copied().find(|id| i64::from(id.number()) == number)
    }

    /// The encoding with a name.
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

/// The one that new games are stored with.
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
        assert_eq!(numbers, [1, 2, 3], "a stored number was given a second meaning");
        assert_eq!((CodecId::from_number(0), CodecId::from_number(257)), (None, None));
    }
}
