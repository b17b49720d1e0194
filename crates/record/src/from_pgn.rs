//! Preparing a game read from PGN for an archive.

use super::{GameKind, Record, TagLayoutCache, fingerprint, original::packed, row::Parts};
use plybook_chess::codec::{CodecId, EncodeError, annotation};
use plybook_pgn::Game;

impl Record {
    /// Prepares a game of chess.
    ///
    /// # Errors
    /// The codec cannot represent its moves, or its annotations cannot be encoded.
    pub fn of_pgn(game: Game, codec: CodecId, layouts: &mut TagLayoutCache) -> Result<Record, EncodeError> {
        let marks = match game.annotations.is_empty() {
            true => Vec::new(),
            false => annotation::encode(&game.annotations, &game.start(), &game.moves)?,
        };
        let parts = Parts {
            kind: GameKind::Chess(game.variant),
            codec,
            result: game.outcome,
            plies: game.moves.len(),
            fingerprint: fingerprint(game.variant, &game.tags, &game.moves, game.outcome, &game.annotations),
            marks,
            original: game.raw.as_deref().map(packed),
            moves: codec.compose(game.steps, game.outcome, game.last)?,
            tags: game.tags,
        };
        Ok(Record::assemble(parts, layouts))
    }
}
