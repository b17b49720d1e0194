//! Encodings of whole games: the moves from a known start position, and in some the outcome.
//!
//! Adding an encoding is one file and one line in [`GAME_CODECS`].

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
    /// The moves, each legal where it is played.
    pub moves: Vec<P::Move>,
    /// How the game ended. Where the board itself ended it, the board's verdict.
    pub outcome: Outcome,
}

/// An encoded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCode {
    /// The bytes, and how many of their bits are meant.
    pub bits: Bits,
    /// The number of plies, which stands beside the bits where they do not say it themselves.
    pub plies: Option<usize>,
}

/// What a table of encodings says about one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCodecInfo {
    /// The name, for ever.
    pub name: &'static str,
    /// The year of the source.
    pub year: u16,
    /// Who thought of it, and where.
    pub source: &'static str,
    /// Whether the outcome is carried where the board does not give it.
    pub outcome: bool,
    /// The cost as a formula.
    pub cost: &'static str,
    /// The most that a ply of a lawful game of standard chess costs: of 218 legal moves at most, or of a move
    /// like `Qa1xb2+`.
    pub worst: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// An encoding of games of chess and its variants.
pub trait GameCodec: Sync {
    /// Name, source and cost.
    fn info(&self) -> &'static GameCodecInfo;

    /// Begins to write a game, move by move.
    fn encoder(&self) -> Box<dyn GameEncoder>;

    /// Writes a game.
    ///
    /// # Errors
    /// A move is not legal, or the format cannot hold the game.
    fn encode(&self, game: &GameMoves<VariantPosition>) -> Result<GameCode, EncodeError> {
        encoder::encode_by(self.encoder(), game)
    }

    /// Reads a game from its start position. An outcome that is neither written nor given by the board is
    /// [`Outcome::Unknown`].
    ///
    /// # Errors
    /// The bytes are no game from this start.
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

/// The encoding with a name.
///
/// ```
/// use plybook_chess::codec::game;
/// assert_eq!(game::by_name("byte").unwrap().info().year, 2017);
/// assert!(game::by_name("BYTE").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn GameCodec> {
    GAME_CODECS.iter().copied().find(|codec| codec.info().name == name)
}

/// What comes next in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<M> {
    /// A move, which has been played.
    Move(M),
    /// The end of the game.
    End(Outcome),
}

/// The index of each of the first `plies` moves of a game, and the facts about the position after them.
///
/// # Errors
/// A move that is not legal, or too many moves.
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

/// The bits of an integer in little-endian bytes without trailing zeros: the position of its highest bit.
fn bits_of_integer(bytes: &[u8]) -> u64 {
    bytes.last().map_or(0, |top| bytes.len() as u64 * 8 - u64::from(top.leading_zeros()))
}

/// How a game ended as far as its last position tells.
fn board_outcome<P: Rules>(last: &P) -> Outcome {
    if last.legal().count() == 0 { last.board_outcome() } else { Outcome::Unknown }
}
