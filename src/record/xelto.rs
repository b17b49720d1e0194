//! Games of Xelto in an archive: from a record to a row and back.

use super::{
    GameError, GameKind, Record, StoredGame, TagLayoutCache,
    fingerprint::xelto_fingerprint,
    row::Parts,
    xelto_tags::{tags_of, with_tags},
};
use crate::{
    codec::{
        CodecId, EncodeError,
        game::{GameMoves, steps_of},
        xelto::game_moves,
    },
    xelto::{Position, Ruleset, notation},
};

impl Record {
    /// Prepares a game of Xelto.
    ///
    /// # Errors
    /// Its moves are not legal, or it is played by other rules than the usual ones.
    pub fn of_xelto(
        record: &notation::Record,
        codec: CodecId,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, EncodeError> {
        if record.ruleset != Ruleset::default() {
            return Err(EncodeError::CannotHold { codec: "the archive", what: "unusual rules of Xelto" });
        }
        let game = game_moves(record);
        let (steps, last) = steps_of(&game, game.moves.len())?;
        let tags = tags_of(record);
        let parts = Parts {
            kind: GameKind::Xelto,
            codec,
            result: game.outcome,
            plies: game.moves.len(),
            moves: codec.compose(steps, game.outcome, last)?,
            fingerprint: xelto_fingerprint(&tags, &game.moves, game.outcome),
            marks: Vec::new(),
            original: None,
            tags,
        };
        Ok(Record::assemble(parts, layouts))
    }
}

impl StoredGame {
    /// The record of a game of Xelto: headers, moves, continuation, result.
    ///
    /// # Errors
    /// The stored game is damaged, or is one of chess.
    pub fn xelto(&self) -> Result<notation::Record, GameError> {
        if self.kind != GameKind::Xelto {
            return Err(GameError::NotXelto { id: self.id });
        }
        let GameMoves { moves, .. } = self.line_from(Position::start())?;
        let record = notation::Record { moves, ..notation::Record::default() };
        let record = with_tags(record, &self.tags);
        record.map_err(|what| GameError::Record { id: self.id, what })
    }
}
