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
        game::{Line, index},
        xelto::line,
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
        let line = line(record);
        let moves = index::encode(&line)?.to_bytes_le();
        let (tags, mut columns, mut cells) = (tags_of(record), Columns::default(), Vec::new());
        let head = Head { kind: GameKind::Xelto, tags: &tags, result: line.outcome };
        let kinds = lay_out(&head, &mut columns, &mut cells);
        Ok(Record {
            form: forms.form(GameKind::Xelto, &tags, kinds),
            plies: line.moves.len(),
            result: line.outcome,
            hash: xelto_fingerprint(&tags, &line.moves, line.outcome),
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
        let Line { moves, .. } = self.line_from(Position::start())?;
        let record = notation::Record { moves, ..notation::Record::default() };
        let record = with_tags(record, &self.tags);
        record.map_err(|what| GameError::Record { id: self.id, what })
    }
}
