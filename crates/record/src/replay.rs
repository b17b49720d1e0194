//! Positions of a stored game: after a ply, or one after the other.

use shakmaty::{Chess, EnPassantMode, Position, fen::Fen, variant::VariantPosition};

use super::{GameError, GameId, Ply, StoredGame, StoredMoves};
use plybook_chess::{
    chess::Variant,
    codec::{AnyReplay, game::Step},
    rules::Rules,
};

impl StoredMoves {
    /// The position after some plies. Only those plies are decoded.
    ///
    /// # Errors
    /// The game has no such ply, or is damaged.
    pub fn position_at(&self, ply: Ply) -> Result<VariantPosition, GameError> {
        if self.setup.is_none() && matches!(self.variant, Variant::Standard | Variant::Chess960) {
            // The usual case, which avoids the cost of supporting variants.
            return self.play(Chess::new(), ply).map(VariantPosition::Chess);
        }
        self.play(self.start()?, ply)
    }

    fn play<P: Rules + Position>(&self, start: P, ply: Ply) -> Result<P, GameError> {
        let plies = found(ply.resolve(&start, self.plies), self.id, ply, self.plies)?;
        let mut replay = self.replay(start)?;
        replay.advance_to(plies).map_err(|error| GameError::Moves(self.id, error))?;
        Ok(replay.position().clone())
    }

    /// All positions, the start position first.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn positions(&self) -> Result<Positions, GameError> {
        let replay = Some(self.replay(self.start()?)?);
        Ok(Positions { id: self.id, replay, is_under_way: false })
    }
}

impl StoredGame {
    /// The position after some plies. Only those plies are decoded.
    ///
    /// # Errors
    /// The game has no such ply, is damaged, or is not chess.
    pub fn position_at(&self, ply: Ply) -> Result<VariantPosition, GameError> {
        self.stored_moves()?.position_at(ply)
    }

    /// All positions, the start position first.
    ///
    /// # Errors
    /// The game is damaged, or is not chess.
    pub fn positions(&self) -> Result<Positions, GameError> {
        self.stored_moves()?.positions()
    }

    /// The number of half-moves up to a ply of this game.
    ///
    /// # Errors
    /// The game has no such ply.
    pub fn ply(&self, ply: Ply) -> Result<usize, GameError> {
        found(self.kind.family().resolve(self, ply)?, self.id, ply, self.plies)
    }
}

fn found(ply: Option<usize>, id: GameId, asked: Ply, plies: usize) -> Result<usize, GameError> {
    ply.ok_or_else(|| GameError::NoSuchPly { id, asked: asked.to_string(), plies })
}

/// Iterates over the positions of a game. Ends after an error.
#[derive(Debug)]
pub struct Positions {
    id: GameId,
    /// `None` after the end.
    replay: Option<AnyReplay<VariantPosition>>,
    is_under_way: bool,
}

impl Iterator for Positions {
    type Item = Result<VariantPosition, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        let replay = self.replay.as_mut()?;
        let step = std::mem::replace(&mut self.is_under_way, true).then(|| replay.step());
        match step.transpose() {
            Ok(None | Some(Step::Move(_))) => Some(Ok(replay.position().clone())),
            ended => {
                self.replay = None;
                ended.err().map(|error| Err(GameError::Moves(self.id, error)))
            }
        }
    }
}

/// The FEN of a position. The en passant square is given after every double step, as the standard requires.
pub fn fen<P: Position>(position: &P) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}
