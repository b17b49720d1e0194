//! The positions of a game in order, with the moves between them.

use shakmaty::uci::UciMove;

use super::{
    FunctionError, Value,
    arguments::Arguments,
    moves::{Moves, damaged},
    names::key_of,
};
use crate::fen;
use plybook_chess::{
    chess::{Position, SanSuffix, VariantPosition},
    codec::{AnyReplay, game::Step},
};

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// The number of plies before it.
    pub ply: usize,
    /// The move before it in SAN; `None` at the start.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The position.
    pub fen: String,
    /// The key under which the index stores it, as a signed integer.
    pub key: i64,
}

/// Iterates over the positions of a game, the start position first. Ends after an error.
#[derive(Debug, Default)]
pub struct GamePositions {
    /// `None` if the game is not chess, and after the end.
    replay: Option<AnyReplay<VariantPosition>>,
    is_under_way: bool,
}

impl GamePositions {
    /// The positions of a game: takes its moves, and optionally its start position and variant. There are none if the
    /// moves are `NULL`.
    ///
    /// # Errors
    /// The arguments are invalid.
    pub fn new(values: &[Value<'_>]) -> Result<GamePositions, FunctionError> {
        let arguments = Arguments::new(values);
        if arguments.get(0) == Value::Null {
            return Ok(GamePositions::default());
        }
        let replay = match arguments.moves(1)? {
            Some(Moves::Chess(game)) => Some(game.with_any_position().replay()?),
            Some(Moves::Variant(game)) => Some(game.replay()?),
            None => None,
        };
        Ok(GamePositions { replay, is_under_way: false })
    }
}

impl Iterator for GamePositions {
    type Item = Result<GamePosition, FunctionError>;

    fn next(&mut self) -> Option<Self::Item> {
        let replay = self.replay.as_mut()?;
        if !std::mem::replace(&mut self.is_under_way, true) {
            return Some(Ok(row(replay, None)));
        }
        let before = replay.position().clone();
        match replay.step() {
            Ok(Step::Move(m)) => {
                let san = before.san_to(m, replay.position()).to_string();
                let uci = UciMove::from_move(m, before.castles().mode()).to_string();
                Some(Ok(row(replay, Some((san, uci)))))
            }
            ended => {
                self.replay = None;
                ended.err().map(|error| Err(damaged(&error)))
            }
        }
    }
}

fn row(replay: &AnyReplay<VariantPosition>, led: Option<(String, String)>) -> GamePosition {
    let (position, (san, uci)) = (replay.position(), led.unzip());
    GamePosition { ply: replay.ply(), san, uci, fen: fen(position), key: key_of(position) }
}
