//! The encodings that archives store games with: the list of stored numbers, names and codecs.
//!
//! To add one, write a file in [`game`](super::game) with the functions `compose` and `bits` and a [`MoveReader`], and
//! add a line at the end of this file. Every reader of archives uses this list; no other code depends on how a game is
//! stored. Such an encoding supports every kind of game, since it needs only what [`Rules`] gives, and it decodes a game one
//! ply at a time.

use std::ops::ControlFlow;

use super::{
    DecodeError, EncodeError,
    game::{self, GameCodec, PlayedMoves, Step},
};
use crate::rules::{Outcome, Rules};

/// Reads the moves of a stored game.
pub trait MoveReader<P: Rules>: Sized {
    /// Starts reading a game of `plies` plies; the number may be 0 or too large if the bytes contain the end of the game.
    ///
    /// # Errors
    /// The bytes are not a valid game.
    fn new(start: &P, bytes: &[u8], plies: usize) -> Result<Self, DecodeError>;

    /// The move that is played in a position after some plies, or how the game ended: [`Outcome::Unknown`] if neither
    /// the bytes nor the board determine it.
    ///
    /// # Errors
    /// The bytes are not a valid game.
    fn next(&mut self, position: &P, ply: usize) -> Result<Step<P::Move>, DecodeError>;
}

/// A replay of a game that is stored with any of the codecs, one ply at a time.
#[derive(Clone, Debug)]
pub struct AnyReplay<P: Rules, R = AnyReader<P>> {
    position: P,
    ply: usize,
    reader: R,
}

macro_rules! stored_codecs {
    ($($number:literal => $module:ident::$codec:ident, $id:ident, $reader:ty;)*) => {
        /// How a game's moves are encoded in an archive. A number is never reused with another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum CodecId {
            $(#[doc = concat!("[`", stringify!($codec), "`](game::", stringify!($module), "::", stringify!($codec), ").")]
            $id = $number,)*
        }

        impl CodecId {
            /// Every encoding that archives may use, in the order of the stored numbers.
            pub const ALL: &[CodecId] = &[$(CodecId::$id),*];

            /// Name, source and cost.
            pub const fn info(self) -> &'static GameCodec {
                match self {
                    $(CodecId::$id => &game::$module::$codec,)*
                }
            }

            /// Encodes a game. Only codecs that replay it need the start position.
            ///
            /// # Errors
            /// The format cannot represent the game.
            pub fn compose<P: Rules>(
                self,
                game: PlayedMoves<'_, P>,
                start: impl FnOnce() -> P,
            ) -> Result<Vec<u8>, EncodeError> {
                match self {
                    $(CodecId::$id => game::$module::compose(game, start),)*
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
                let reader = match self {
                    $(CodecId::$id => AnyReader::$id(MoveReader::<P>::new(&start, bytes, plies)?),)*
                };
                Ok(AnyReplay { position: start, ply: 0, reader })
            }

            /// The size of a game in bits, without the padding of the last byte.
            pub fn bits(self, bytes: &[u8]) -> u64 {
                match self {
                    $(CodecId::$id => game::$module::bits(bytes),)*
                }
            }
        }

        /// The reader of any of the codecs.
        #[derive(Clone, Debug)]
        pub enum AnyReader<P: Rules> {
            $(#[doc = concat!("Of [`", stringify!($codec), "`](game::", stringify!($module), "::", stringify!($codec), ").")]
            $id($reader),)*
        }

        impl<P: Rules> AnyReplay<P> {
            /// Plays the next move, or returns how the game ended: [`Outcome::Unknown`] if neither the bytes nor the
            /// board determine it.
            ///
            /// # Errors
            /// The bytes are not a valid game.
            #[inline]
            pub fn step(&mut self) -> Result<Step<P::Move>, DecodeError> {
                let step = match &mut self.reader {
                    $(AnyReader::$id(reader) => reader.next(&self.position, self.ply),)*
                }?;
                Ok(self.played(step, P::make))
            }

            /// Plays to the end: `each` receives every position, starting with the current one, and the move that led
            /// there, until it breaks. Returns the last position and how the game ended, unless `each` broke off.
            ///
            /// # Errors
            /// The bytes are not a valid game.
            pub fn run(
                self,
                each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
            ) -> Result<Option<(P, Outcome)>, DecodeError> {
                self.run_with(each, P::make)
            }

            /// Plays to the end, as [`run`](AnyReplay::run) does, and leaves it to `make` to play the moves.
            ///
            /// # Errors
            /// The bytes are not a valid game.
            pub fn run_with(
                self,
                each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
                make: impl FnMut(&mut P, P::Move),
            ) -> Result<Option<(P, Outcome)>, DecodeError> {
                let AnyReplay { position, ply, reader } = self;
                // Dispatching on the codec once per game is cheaper than once per ply.
                match reader {
                    $(AnyReader::$id(reader) => run(AnyReplay { position, ply, reader }, each, make),)*
                }
            }
        }
    };
}

impl<P: Rules> AnyReplay<P> {
    /// Plays up to a ply. Returns `false` if the game ends before it.
    ///
    /// # Errors
    /// The bytes are not a valid game.
    pub fn advance_to(&mut self, ply: usize) -> Result<bool, DecodeError> {
        while self.ply < ply {
            if let Step::End(_) = self.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<P: Rules, R> AnyReplay<P, R> {
    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The number of moves played so far.
    pub fn ply(&self) -> usize {
        self.ply
    }

    #[inline]
    fn played(&mut self, step: Step<P::Move>, make: impl FnOnce(&mut P, P::Move)) -> Step<P::Move> {
        if let Step::Move(m) = step {
            make(&mut self.position, m);
            self.ply += 1;
        }
        step
    }
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

fn run<P: Rules, R: MoveReader<P>>(
    mut replay: AnyReplay<P, R>,
    mut each: impl FnMut(&P, Option<P::Move>) -> ControlFlow<()>,
    mut make: impl FnMut(&mut P, P::Move),
) -> Result<Option<(P, Outcome)>, DecodeError> {
    let mut led = None;
    loop {
        if each(&replay.position, led).is_break() {
            return Ok(None);
        }
        let step = replay.reader.next(&replay.position, replay.ply)?;
        match replay.played(step, &mut make) {
            Step::Move(m) => led = Some(m),
            Step::End(outcome) => return Ok(Some((replay.position, outcome))),
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
    1 => index::INDEX, Index, game::index::Reader<P>;
    2 => bare::INDEX_BARE, IndexBare, game::bare::Reader;
    3 => byte::BYTE, Byte, game::byte::Reader;
    4 => model::MODEL, Model, game::model::Reader<P>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_those_of_the_list() {
        for &id in CodecId::ALL {
            assert_eq!(CodecId::from_number(id.number().into()), Some(id));
            assert_eq!(CodecId::from_name(id.info().name), Some(id));
            let listed = game::by_name(id.info().name).unwrap();
            assert_eq!((listed.year, listed.source), (id.info().year, id.info().source));
            assert_eq!((listed.holds_end, listed.outcome), (id.info().holds_end, id.info().outcome));
        }
        let numbers: Vec<u8> = CodecId::ALL.iter().map(|id| id.number()).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "a stored number was reused");
        assert_eq!((CodecId::from_number(0), CodecId::from_number(257)), (None, None));
    }
}
