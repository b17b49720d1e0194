//! Games of Xelto in an archive: from a record to a row and back.

use twox_hash::XxHash3_64;

use super::{
    Family,
    xelto_tags::{tags_of, with_tags},
};
use crate::{GameError, GameKind, Record, Sides, StoredGame, TagLayoutCache, fingerprint::tag_bytes};
use plybook_chess::{
    chess::{Annotations, Tags},
    codec::{
        CodecId, EncodeError,
        game::{GameMoves, PlayedMoves},
    },
    rules::Outcome,
};
use plybook_xelto::{
    Position, Ruleset,
    codec::{game_moves, move14},
    notation,
};

/// 64 bits over all tag pairs (which include the continuation and the end of the game), the moves and the result, like
/// [`fingerprint`](crate::fingerprint) for chess.
///
/// # Stability
/// Stored in archives: it never changes.
pub fn xelto_fingerprint(tags: &Tags, moves: &[plybook_xelto::Move], result: Outcome) -> u64 {
    let mut bytes = tag_bytes(GameKind::Xelto, tags, moves.len());
    bytes.extend(moves.iter().flat_map(|&m| move14::code(m).to_le_bytes()));
    bytes.extend(result.as_str().as_bytes());
    XxHash3_64::oneshot(&bytes)
}

impl Record {
    /// Prepares a game of Xelto.
    ///
    /// # Errors
    /// Its moves are not legal, or it is played by unusual rules.
    pub fn of_xelto(
        record: &notation::Record,
        codec: CodecId,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, EncodeError> {
        if record.ruleset != Ruleset::default() {
            return Err(EncodeError::CannotHold("the archive", "unusual rules of Xelto"));
        }
        let game = game_moves(record);
        let played = PlayedMoves::new(&game, game.moves.len(), game.outcome)?;
        let tags = tags_of(record);
        let (layout, columns, values) =
            layouts.assign(codec, GameKind::Xelto, &tags, game.outcome, &Annotations::default());
        Ok(Record {
            layout,
            moves: codec.compose(played, || game.start.clone())?,
            plies: game.moves.len(),
            result: game.outcome,
            fingerprint: xelto_fingerprint(&tags, &game.moves, game.outcome),
            tags,
            columns,
            values,
            sides: Sides::default(),
        })
    }
}

impl StoredGame {
    /// The record of a game of Xelto: headers, moves, continuation, result.
    ///
    /// # Errors
    /// The stored game is damaged, or is not Xelto.
    pub fn xelto(&self) -> Result<notation::Record, GameError> {
        if self.kind != GameKind::Xelto {
            return Err(self.is_not(Family::Xelto));
        }
        let GameMoves { moves, .. } = self.line_from(Position::start())?;
        let record = notation::Record { moves, ..notation::Record::default() };
        let record = with_tags(record, &self.tags);
        record.map_err(|what| GameError::Record(self.id, what))
    }
}
