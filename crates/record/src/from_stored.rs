//! Preparing a game of one archive for another: it is copied as stored, but only if it decodes.

use shakmaty::Chess;

use super::{GameError, GameKind, Record, StoredGame, TagLayoutCache, fingerprint, original};
use plybook_chess::{
    chess::{Annotations, Move, Variant},
    codec::annotation,
};

/// The result of replaying a stored game.
struct Replayed {
    fingerprint: u64,
    plies: usize,
    /// The annotations, encoded again.
    marks: Vec<u8>,
}

impl Record {
    /// Prepares a game of another archive, with its original bytes if they were kept, compressed. Its moves are copied
    /// unchanged; its annotations are encoded again: few games have any, and copying could carry invalid bytes along.
    ///
    /// # Errors
    /// What is wrong with the game.
    pub fn of_stored(
        game: StoredGame,
        original: Option<Vec<u8>>,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, String> {
        let Replayed { fingerprint, plies, marks } = replayed(&game)?;
        if let Some(frame) = &original {
            original::unpacked(frame).map_err(|error| format!("the original text is damaged: {error}"))?;
        }
        let StoredGame { kind, codec, tags, result, moves, .. } = game;
        let (layout, columns, values) = layouts.assign(codec, kind, &tags, result);
        Ok(Record { layout, moves, plies, result, tags, columns, values, marks, original, fingerprint })
    }
}

fn replayed(game: &StoredGame) -> Result<Replayed, String> {
    let GameKind::Chess(variant) = game.kind else {
        let (fingerprint, plies) = game.replay_fingerprint().map_err(|error| error.to_string())?;
        return Ok(Replayed { fingerprint, plies, marks: Vec::new() });
    };
    let of_chess = |moves: &[Move], annotations: &Annotations, marks| {
        let fingerprint = fingerprint(variant, &game.tags, moves, game.result, annotations);
        Replayed { fingerprint, plies: moves.len(), marks }
    };
    let is_plain = variant == Variant::Standard && game.setup.is_none() && game.marks.is_empty();
    if is_plain {
        // The usual case, which avoids the cost of supporting variants.
        let line = game.line_from(Chess::new()).map_err(|error| error.to_string())?;
        return Ok(of_chess(&line.moves, &Annotations::default(), Vec::new()));
    }
    let line = game.line().map_err(|error| error.to_string())?;
    let annotations = game.annotations(&line).map_err(|error| error.to_string())?;
    let marks = match annotations.is_empty() {
        true => Vec::new(),
        false => {
            annotation::encode(&annotations, &line.start, &line.moves).map_err(|error| error.to_string())?
        }
    };
    Ok(of_chess(&line.moves, &annotations, marks))
}

impl StoredGame {
    /// The fingerprint of the decoded game, and its number of plies.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn replay_fingerprint(&self) -> Result<(u64, usize), GameError> {
        self.kind.family().replay_fingerprint(self)
    }
}
