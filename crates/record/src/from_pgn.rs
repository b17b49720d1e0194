//! Preparing a game read from PGN for an archive.

use super::{GameKind, Record, Sides, TagLayoutCache, fingerprint, original::packed};
use plybook_chess::codec::{CodecId, EncodeError, annotation, game::PlayedMoves};
use plybook_pgn::Game;

impl Record {
    /// Prepares a game of chess.
    ///
    /// # Errors
    /// The codec cannot represent its moves, or its annotations cannot be encoded.
    pub fn of_pgn(
        mut game: Game,
        codec: CodecId,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, EncodeError> {
        let marks = match game.annotations.is_empty() {
            true => None,
            false => Some(annotation::encode(&game.annotations, &game.start(), &game.moves)?),
        };
        let original = game.raw.as_deref().map(packed);
        let sides = Sides::default().with(Sides::ANNOTATION, marks).with(Sides::ORIGINAL, original);
        let kind = GameKind::Chess(game.variant);
        let (layout, columns, values) =
            layouts.assign(codec, kind, &game.tags, game.outcome, &game.annotations);
        let steps = std::mem::take(&mut game.steps);
        let played = PlayedMoves { moves: &game.moves, steps, outcome: game.outcome, last: game.last };
        Ok(Record {
            layout,
            moves: codec.compose(played, || game.start())?,
            plies: game.moves.len(),
            result: game.outcome,
            fingerprint: fingerprint(game.variant, &game.tags, &game.moves, game.outcome, &game.annotations),
            tags: game.tags,
            columns,
            values,
            sides,
        })
    }
}
