//! Preparing a game of one archive for another: it is copied as stored, but only if it decodes.

use super::{GameError, GameKind, Record, Sides, StoredGame, TagLayoutCache, fingerprint, xelto_fingerprint};
use plybook_chess::{
    chess::{Annotations, Move, QuickChess, Variant, VariantPosition},
    codec::{annotation, game::GameMoves},
};

/// A stored game, decoded.
struct Decoded {
    fingerprint: u64,
    plies: usize,
    annotated: Option<(GameMoves<VariantPosition>, Annotations)>,
}

impl Record {
    /// Prepares a game of another archive, with what else is stored next to it. Its moves are copied unchanged; its
    /// annotations are encoded again: few games have any, and copying could carry invalid bytes along.
    ///
    /// # Errors
    /// What is wrong with the game.
    pub fn of_stored(
        game: StoredGame,
        others: Sides,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, String> {
        let Decoded { fingerprint, plies, annotated } =
            decoded(&game, |_, _, _| ()).map_err(|error| error.to_string())?;
        let sides = match &annotated {
            Some((line, annotations)) => {
                let marks = annotation::encode(annotations, &line.start, &line.moves);
                others.with(Sides::ANNOTATION, Some(marks.map_err(|error| error.to_string())?))
            }
            None => others,
        };
        let annotations = annotated.map(|(_, annotations)| annotations).unwrap_or_default();
        let StoredGame { kind, codec, tags, result, moves, .. } = game;
        let (layout, columns, values) = layouts.assign(codec, kind, &tags, result, &annotations);
        Ok(Record { layout, moves, plies, result, tags, columns, values, sides, fingerprint })
    }
}

/// Decodes a game. `each` receives one of chess: its variant, its start position and its moves.
fn decoded(
    game: &StoredGame,
    each: impl FnOnce(Variant, VariantPosition, &[Move]),
) -> Result<Decoded, GameError> {
    let GameKind::Chess(variant) = game.kind else {
        let moves = game.xelto()?.moves;
        let fingerprint = xelto_fingerprint(&game.tags, &moves, game.result);
        return Ok(Decoded { fingerprint, plies: moves.len(), annotated: None });
    };
    let of_chess = |moves: &[Move], annotations: &Annotations| {
        (fingerprint(variant, &game.tags, moves, game.result, annotations), moves.len())
    };
    if variant == Variant::Standard && game.setup.is_none() && game.marks.is_empty() {
        // The usual case, which avoids the cost of supporting variants.
        let line = game.line_from(QuickChess::default())?;
        each(variant, VariantPosition::default(), &line.moves);
        let (fingerprint, plies) = of_chess(&line.moves, &Annotations::default());
        return Ok(Decoded { fingerprint, plies, annotated: None });
    }
    let line = game.line()?;
    each(variant, line.start.clone(), &line.moves);
    let annotations = game.annotations(&line)?;
    let (fingerprint, plies) = of_chess(&line.moves, &annotations);
    let annotated = (!annotations.is_empty()).then_some((line, annotations));
    Ok(Decoded { fingerprint, plies, annotated })
}

impl StoredGame {
    /// The fingerprint of the decoded game, and its number of plies.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn replay_fingerprint(&self) -> Result<(u64, usize), GameError> {
        self.replay_fingerprint_with(|_, _, _| ())
    }

    /// The same. `each` receives a game of chess: its variant, its start position and its moves.
    ///
    /// # Errors
    /// The game is damaged; it may have been passed on.
    pub fn replay_fingerprint_with(
        &self,
        each: impl FnOnce(Variant, VariantPosition, &[Move]),
    ) -> Result<(u64, usize), GameError> {
        decoded(self, each).map(|decoded| (decoded.fingerprint, decoded.plies))
    }
}
