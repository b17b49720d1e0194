//! The moves of a stored game in another codec.

use super::{Family, GameError, StoredGame};
use plybook_chess::{
    codec::{
        CodecId,
        game::{GameMoves, PlayedMoves},
    },
    rules::Rules,
};
use plybook_xelto::Position;

impl StoredGame {
    /// The moves as another codec writes them. They have been read back.
    ///
    /// # Errors
    /// The stored game is damaged, or the codec cannot represent it.
    pub fn recoded(&self, codec: CodecId) -> Result<Vec<u8>, GameError> {
        match self.kind.family() {
            Family::Chess => self.recoded_line(&self.line()?, codec),
            Family::Xelto => self.recoded_line(&self.line_from(Position::start())?, codec),
        }
    }

    /// The bits of the moves of a game of chess as another codec would write them.
    ///
    /// # Errors
    /// The stored game is damaged or not chess, or the codec cannot represent it.
    pub fn bits_with(&self, codec: CodecId) -> Result<u64, GameError> {
        if codec == self.codec {
            return Ok(self.bits());
        }
        Ok(codec.bits(&self.composed(&self.line()?, codec)?))
    }

    fn composed<P: Rules>(&self, line: &GameMoves<P>, codec: CodecId) -> Result<Vec<u8>, GameError> {
        let played = PlayedMoves::new(line, line.moves.len(), self.result);
        let moves = played.and_then(|played| codec.compose(played, || line.start.clone()));
        moves.map_err(|error| GameError::Recoding(self.id, error))
    }

    fn recoded_line<P: Rules>(&self, line: &GameMoves<P>, codec: CodecId) -> Result<Vec<u8>, GameError> {
        let moves = self.composed(line, codec)?;
        let written = StoredGame { codec, moves, ..self.without_texts() };
        let read = written.line_from(line.start.clone())?;
        if read.moves == line.moves { Ok(written.moves) } else { Err(GameError::NotReadBack(self.id)) }
    }

    /// The game without tag pairs and annotations, which replaying does not need.
    fn without_texts(&self) -> StoredGame {
        let StoredGame { id, kind, codec, plies, result, .. } = *self;
        let (moves, tags, setup, marks) = Default::default();
        StoredGame { id, kind, codec, moves, plies, result, tags, setup, marks }
    }
}
