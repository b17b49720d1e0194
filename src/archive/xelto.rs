//! Games of Xelto in an archive: from a record to a row and back.

use super::{
    Forms, GameError, GameKind, Record, StoredGame,
    columns::Columns,
    fingerprint::xelto_fingerprint,
    headers::{tags_of, with_tags},
    layout::{Head, lay_out},
};
use crate::{
    codec::{
        EncodeError,
        game::{GameMoves, index},
        xelto::game_moves,
    },
    xelto::{Position, Ruleset, notation},
};

impl Record {
    /// Prepares a game of Xelto.
    ///
    /// # Errors
    /// Its moves are not legal, or it is played by other rules than the usual ones.
    pub fn of_xelto(record: &notation::Record, forms: &mut Forms) -> Result<Record, EncodeError> {
        if record.ruleset != Ruleset::default() {
            return Err(EncodeError::CannotHold { codec: "the archive", what: "unusual rules of Xelto" });
        }
        let game = game_moves(record);
        let moves = index::encode(&game)?.to_bytes_le();
        let (tags, mut columns, mut cells) = (tags_of(record), Columns::default(), Vec::new());
        let head = Head { kind: GameKind::Xelto, tags: &tags, result: game.outcome };
        let kinds = lay_out(&head, &mut columns, &mut cells);
        Ok(Record {
            form: forms.form(GameKind::Xelto, &tags, kinds),
            plies: game.moves.len(),
            result: game.outcome,
            hash: xelto_fingerprint(&tags, &game.moves, game.outcome),
            columns,
            cells,
            marks: Vec::new(),
            original: None,
            moves,
            tags,
        })
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
