//! Encodings of games: the moves from a known start position, and in some the outcome.
//!
//! To add an encoding, write one file and one line in [`GAME_CODECS`].

pub mod bare;
pub mod byte;
pub mod coords;
mod encoder;
pub mod index;
pub mod san;

pub use encoder::{GameEncoder, Played, encode_all};

use encoder::StoredEncoder;

use super::{DecodeError, EncodeError, Replay};
use crate::{
    bits::Bits,
    chess::VariantPosition,
    limits::MAX_PLIES,
    rules::{FinalPosition, LegalMoves, MoveIndex, Outcome, Rules},
};

/// A played game: moves from a start position, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMoves<P: Rules> {
    /// Where the game starts.
    pub start: P,
    /// The moves, each of which is legal in its position.
    pub moves: Vec<P::Move>,
    /// How the game ended. If the board ended it, the outcome on the board.
    pub outcome: Outcome,
}

/// An encoded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCode {
    /// The bytes, and how many of their bits are used.
    pub bits: Bits,
    /// The number of plies, if the bits do not contain it.
    pub plies: Option<usize>,
}

/// The description of an encoding for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCodecInfo {
    /// The permanent name.
    pub name: &'static str,
    /// The year of the source.
    pub year: u16,
    /// The author and the publication.
    pub source: &'static str,
    /// Whether the outcome is stored if the board does not determine it.
    pub outcome: bool,
    /// The cost as a formula.
    pub cost: &'static str,
    /// The maximum cost per ply of a legal game of standard chess: with at most 218 legal moves, or a move like
    /// `Qa1xb2+`.
    pub worst: &'static str,
    /// A one-line description.
    pub summary: &'static str,
}

/// An encoding of games of chess and its variants.
pub trait GameCodec: Sync {
    /// Name, source and cost.
    fn info(&self) -> &'static GameCodecInfo;

    /// Starts encoding a game, move by move.
    fn encoder(&self) -> Box<dyn GameEncoder>;

    /// Encodes a game.
    ///
    /// # Errors
    /// A move is illegal, or the format cannot represent the game.
    fn encode(&self, game: &GameMoves<VariantPosition>) -> Result<GameCode, EncodeError> {
        encoder::encode_by(self.encoder(), game)
    }

    /// Decodes a game from its start position. An outcome that is neither stored nor determined by the board is
    /// [`Outcome::Unknown`].
    ///
    /// # Errors
    /// The bytes are not a game from this start position.
    fn decode(
        &self,
        start: &VariantPosition,
        bytes: &[u8],
        plies: Option<usize>,
    ) -> Result<GameMoves<VariantPosition>, DecodeError>;
}

/// Every encoding of games, the archive's first.
pub static GAME_CODECS: &[&dyn GameCodec] =
    &[&index::Index, &bare::IndexBare, &byte::Byte, &coords::Coords, &san::SanText];

/// The encoding with the given name.
///
/// ```
/// use plybook_chess::codec::game;
/// assert_eq!(game::by_name("byte").unwrap().info().year, 2017);
/// assert!(game::by_name("BYTE").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn GameCodec> {
    GAME_CODECS.iter().copied().find(|codec| codec.info().name == name)
}

/// The next item in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<M> {
    /// A move, which has been played.
    Move(M),
    /// The end of the game.
    End(Outcome),
}

/// The index of each of the first `plies` moves of a game, and facts about the position after them.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn steps_of<P: Rules>(
    line: &GameMoves<P>,
    plies: usize,
) -> Result<(Vec<MoveIndex>, FinalPosition), EncodeError> {
    if line.moves.len() > MAX_PLIES {
        return Err(EncodeError::TooLong);
    }
    let (mut position, mut steps) = (line.start.clone(), Vec::with_capacity(line.moves.len().min(plies)));
    for (ply, &m) in (1..).zip(line.moves.iter().take(plies)) {
        let legal = position.legal();
        let index = legal.index_of(m).ok_or(EncodeError::IllegalMove { ply })?;
        steps.push(MoveIndex { index, count: legal.count() });
        position.make(m);
    }
    Ok((steps, FinalPosition::of(&position)))
}

/// Replays a game to its end.
fn read_to_end<P: Rules, R: Replay<P>>(
    start: P,
    replay: impl FnOnce(P) -> Result<R, DecodeError>,
) -> Result<GameMoves<P>, DecodeError> {
    let (mut replay, mut moves) = (replay(start.clone())?, Vec::new());
    loop {
        match replay.step()? {
            Step::Move(m) => moves.push(m),
            Step::End(outcome) => return Ok(GameMoves { start, moves, outcome }),
        }
    }
}

/// The number of bits of an integer in little-endian bytes without trailing zeros: the position of its highest bit.
fn bits_of_integer(bytes: &[u8]) -> u64 {
    bytes.last().map_or(0, |top| bytes.len() as u64 * 8 - u64::from(top.leading_zeros()))
}

/// The outcome of a game as far as its last position determines it.
fn board_outcome<P: Rules>(last: &P) -> Outcome {
    if last.legal().count() == 0 { last.board_outcome() } else { Outcome::Unknown }
}
