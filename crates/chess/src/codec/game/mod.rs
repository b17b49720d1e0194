//! Encodings of games: the moves from a known start position, and in some the outcome.
//!
//! To add an encoding, write one file and one line in [`GAME_CODECS`].

pub mod bare;
pub mod byte;
pub mod coords;
pub mod index;
pub mod model;
pub mod san;

use std::ops::ControlFlow;

use super::{CodecId, DecodeError, EncodeError};
use crate::{
    bits::Bits,
    chess::{Move, VariantPosition},
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

/// Decodes a game from its start position, its bytes and, if they do not contain it, its number of plies.
pub type DecodeGame =
    fn(&VariantPosition, &[u8], Option<usize>) -> Result<GameMoves<VariantPosition>, DecodeError>;

/// An encoding of games of chess and its variants.
#[derive(Clone, Copy, Debug)]
pub struct GameCodec {
    /// The permanent name.
    pub name: &'static str,
    /// The year of the source.
    pub year: u16,
    /// The author and the publication.
    pub source: &'static str,
    /// Whether the bytes contain the end of the game; if not, the number of plies is stored separately.
    pub holds_end: bool,
    /// Whether the outcome is stored if the board does not determine it.
    pub outcome: bool,
    /// The cost as a formula.
    pub cost: &'static str,
    /// The maximum cost per ply of a legal game of standard chess: with at most 218 legal moves, or a move like
    /// `Qa1xb2+`.
    pub worst: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Encodes a game.
    pub encode: fn(&PlayedGame<'_>) -> Result<GameCode, EncodeError>,
    /// Decodes a game: see [`GameCodec::decode`].
    pub decode: DecodeGame,
}

impl GameCodec {
    /// Encodes a game.
    ///
    /// # Errors
    /// A move is illegal, or the format cannot represent the game.
    pub fn encode(&self, game: &GameMoves<VariantPosition>) -> Result<GameCode, EncodeError> {
        (self.encode)(&PlayedGame::new(game)?)
    }

    /// Decodes a game from its start position. An outcome that is neither stored nor determined by the board is
    /// [`Outcome::Unknown`].
    ///
    /// # Errors
    /// The bytes are not a game from this start position.
    pub fn decode(
        &self,
        start: &VariantPosition,
        bytes: &[u8],
        plies: Option<usize>,
    ) -> Result<GameMoves<VariantPosition>, DecodeError> {
        (self.decode)(start, bytes, plies)
    }
}

/// A game with what encodings need, so that each position is generated once for any number of encodings.
pub struct PlayedGame<'a> {
    /// The start position, and the position after each move.
    pub positions: Vec<VariantPosition>,
    /// The moves, each of which is legal in its position.
    pub moves: &'a [Move],
    /// For each move, its index among the legal moves.
    pub steps: Vec<MoveIndex>,
    /// How the game ended.
    pub outcome: Outcome,
    /// Facts about the last position.
    pub last: FinalPosition,
}

impl<'a> PlayedGame<'a> {
    fn new(game: &'a GameMoves<VariantPosition>) -> Result<PlayedGame<'a>, EncodeError> {
        let mut positions = vec![game.start.clone()];
        let after = |position: &VariantPosition| positions.push(position.clone());
        let (steps, last) = play(game, game.moves.len(), after)?;
        Ok(PlayedGame { positions, moves: &game.moves, steps, outcome: game.outcome, last })
    }
}

/// Every encoding of games, the archive's first.
pub static GAME_CODECS: &[&GameCodec] =
    &[&index::INDEX, &model::MODEL, &bare::INDEX_BARE, &byte::BYTE, &coords::COORDS, &san::SAN];

/// The encoding with the given name.
///
/// ```
/// use plybook_chess::codec::game;
/// assert_eq!(game::by_name("byte").unwrap().year, 2017);
/// assert!(game::by_name("BYTE").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static GameCodec> {
    GAME_CODECS.iter().copied().find(|codec| codec.name == name)
}

/// Encodes a game in several encodings, in their order. The game is played once.
///
/// ```
/// use plybook_chess::chess::{Outcome, Variant, move_list};
/// use plybook_chess::codec::game::{GAME_CODECS, GameMoves, encode_all};
///
/// let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
/// let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
/// let bits = encode_all(&game, GAME_CODECS).into_iter().map(|code| code.unwrap().bits.len());
/// assert_eq!(bits.collect::<Vec<_>>(), [34, 52, 18, 40, 60, 104]);
/// ```
pub fn encode_all(
    game: &GameMoves<VariantPosition>,
    codecs: &[&GameCodec],
) -> Vec<Result<GameCode, EncodeError>> {
    let played = PlayedGame::new(game);
    let code = |codec: &&GameCodec| (codec.encode)(played.as_ref().map_err(EncodeError::clone)?);
    codecs.iter().map(code).collect()
}

/// The moves of a game with what stored codecs need of them.
pub struct PlayedMoves<'a, P: Rules> {
    /// The moves.
    pub moves: &'a [P::Move],
    /// For each move, its index among the legal moves.
    pub steps: Vec<MoveIndex>,
    /// How the game ended.
    pub outcome: Outcome,
    /// Facts about the last position.
    pub last: FinalPosition,
}

impl<'a, P: Rules> PlayedMoves<'a, P> {
    /// Plays the first `plies` moves of a game that ended with a result.
    ///
    /// # Errors
    /// An illegal move, or too many moves.
    pub fn new(line: &'a GameMoves<P>, plies: usize, outcome: Outcome) -> Result<Self, EncodeError> {
        let (steps, last) = steps_of(line, plies)?;
        let moves = line.moves.get(..plies).unwrap_or(&line.moves);
        Ok(PlayedMoves { moves, steps, outcome, last })
    }
}

/// Encodes a game as archives store it.
fn encode_stored(id: CodecId, game: &PlayedGame<'_>) -> Result<GameCode, EncodeError> {
    let PlayedGame { moves, steps, outcome, last, .. } = game;
    let played = PlayedMoves { moves, steps: steps.clone(), outcome: *outcome, last: *last };
    let bytes = id.compose(played, || game.positions.first().cloned().unwrap_or_default())?;
    let plies = (!id.info().holds_end).then_some(game.moves.len());
    Ok(GameCode { bits: Bits::from_stored(id.bits(&bytes), bytes), plies })
}

/// Decodes a game as archives store it.
fn decode_stored<P: Rules>(
    id: CodecId,
    start: P,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<GameMoves<P>, DecodeError> {
    let plies = if id.info().holds_end { 0 } else { plies.ok_or(DecodeError::NoPlies)? };
    let mut moves = Vec::new();
    let ended = id.replay(start.clone(), bytes, plies)?.run(|_, led| {
        moves.extend(led);
        ControlFlow::Continue(())
    })?;
    let outcome = ended.map_or(Outcome::Unknown, |(_, outcome)| outcome);
    Ok(GameMoves { start, moves, outcome })
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
    play(line, plies, |_| ())
}

/// The same; `after` receives the position after each move.
fn play<P: Rules>(
    line: &GameMoves<P>,
    plies: usize,
    mut after: impl FnMut(&P),
) -> Result<(Vec<MoveIndex>, FinalPosition), EncodeError> {
    if line.moves.len() > MAX_PLIES {
        return Err(EncodeError::TooLong);
    }
    let (mut position, mut steps) = (line.start.clone(), Vec::with_capacity(line.moves.len().min(plies)));
    for (ply, &m) in (1..).zip(line.moves.iter().take(plies)) {
        let legal = position.legal();
        let index = legal.index_of(m).ok_or(EncodeError::IllegalMove(ply))?;
        steps.push(MoveIndex { index, count: legal.count() });
        position.make(m);
        after(&position);
    }
    Ok((steps, FinalPosition::of(&position)))
}

/// The number of bits of an integer in little-endian bytes without trailing zeros: the position of its highest bit.
pub(in crate::codec) fn bits_of_integer(bytes: &[u8]) -> u64 {
    bytes.last().map_or(0, |top| bytes.len() as u64 * 8 - u64::from(top.leading_zeros()))
}

/// The outcome of a game as far as its last position determines it.
fn board_outcome<P: Rules>(last: &P) -> Outcome {
    if last.legal().count() == 0 { last.board_outcome() } else { Outcome::Unknown }
}
