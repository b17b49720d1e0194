//! Replays a stored game to any ply.

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, variant::VariantPosition};

use super::Ply;
use crate::{
    archive::{CodecId, GameError, GameKind, StoredGame},
    codec::game::index::{Decoder, Step},
    rules::Rules,
};

impl StoredGame {
    /// The position after some plies. Only those plies are decoded.
    ///
    /// ```
    /// # use plybook::{archive::Archive, import::{Options, import_paths}, query::{Ply, fen}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.db");
    /// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    /// let game = Archive::open(&path)?.game(1)?;
    /// let position = game.position_at(Ply::FromEnd(1))?;
    /// assert_eq!(fen(&position), fen(&game.positions()?.last().unwrap()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The game has no such ply, or is damaged.
    pub fn position_at(&self, ply: Ply) -> Result<VariantPosition, GameError> {
        let plies = self.ply(ply)?;
        match self.start()? {
            // The usual case, without the cost of the variants.
            VariantPosition::Chess(start) => self.play(start, plies).map(VariantPosition::Chess),
            start => self.play(start, plies),
        }
    }

    /// The number of half-moves that a place in this game means.
    ///
    /// # Errors
    /// The game has no such ply.
    pub fn ply(&self, ply: Ply) -> Result<usize, GameError> {
        let found = match self.kind {
            GameKind::Chess(_) => ply.resolve(&self.start()?, self.plies),
            // The sides take turns from the same first move on.
            GameKind::Xelto => ply.resolve(&Chess::new(), self.plies),
        };
        found.ok_or_else(|| GameError::NoSuchPly { id: self.id, asked: ply.to_string(), plies: self.plies })
    }

    fn play<P: Rules<Move = Move>>(&self, start: P, plies: usize) -> Result<P, GameError> {
        if self.codec != CodecId::INDEX {
            return Err(GameError::UnknownCodec { id: self.id, codec: self.codec.0 });
        }
        let mut decoder = Decoder::new(start, &self.moves).map_err(|error| self.damaged(error))?;
        while decoder.ply() < plies {
            if let Step::End(_) = decoder.step().map_err(|error| self.damaged(error))? {
                break;
            }
        }
        Ok(decoder.position().clone())
    }

    /// All positions, the start position first.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn positions(&self) -> Result<Positions<'_>, GameError> {
        Ok(Positions { game: self, decoder: self.decoder()?, state: State::Start })
    }
}

/// Iterates over the positions of a game. After an error there is nothing more.
#[derive(Debug)]
pub struct Positions<'a> {
    game: &'a StoredGame,
    decoder: Decoder<VariantPosition>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Start,
    Under,
    Done,
}

impl Iterator for Positions<'_> {
    type Item = Result<VariantPosition, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.state {
            State::Done => return None,
            State::Start => {
                self.state = State::Under;
                return Some(Ok(self.decoder.position().clone()));
            }
            State::Under => {}
        }
        match self.decoder.step() {
            Ok(Step::Move(_)) => Some(Ok(self.decoder.position().clone())),
            Ok(Step::End(_)) => {
                self.state = State::Done;
                None
            }
            Err(error) => {
                self.state = State::Done;
                Some(Err(self.game.damaged(error)))
            }
        }
    }
}

/// The FEN of a position. The en passant square is given after every double step, as the standard says.
pub fn fen<P: Position>(position: &P) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}
