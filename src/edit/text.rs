//! A game as PGN text, and back.

use crate::{
    archive::ArchiveError,
    codec::CodecId,
    pgn::{Game, ReadOptions, Reader, TagOrder},
    record::{GameKind, Record, StoredGame, TagLayoutCache, TextOptions},
};

/// The text of a game that can be edited.
///
/// # Errors
/// It is not a game of chess, or it is damaged.
pub fn text_of(game: &StoredGame) -> Result<String, ArchiveError> {
    let GameKind::Chess(_) = game.kind else {
        let what = format!("game {} is a game of {}, which cannot be edited", game.id, game.kind.name());
        return Err(ArchiveError::Edit(what));
    };
    let mut text = String::new();
    let options = TextOptions { order: TagOrder::AsTheyAre, ..TextOptions::default() };
    let written = game.kind.family().write(game, &options, &mut text);
    written.map_err(|error| ArchiveError::Damaged { id: game.id, what: error.to_string() })?;
    Ok(text)
}

/// The only game of a text, encoded with a codec.
///
/// # Errors
/// The text has no game, several games, or one that cannot be stored.
pub fn record_of(text: &[u8], codec: CodecId) -> Result<Record, ArchiveError> {
    let game = game_of(text)?;
    let record = Record::of_pgn(game, codec, &mut TagLayoutCache::default());
    record.map_err(|error| ArchiveError::Edit(error.to_string()))
}

pub(super) fn game_of(text: &[u8]) -> Result<Game, ArchiveError> {
    let mut reader = Reader::with_options(ReadOptions::default());
    let mut games = reader.read(text);
    let first = games.next().ok_or_else(|| ArchiveError::Edit("the text has no game".to_owned()))?;
    let game = first.1.map_err(|reject| {
        let before = text.get(..reject.at).unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        ArchiveError::Edit(format!("line {line}: {}", reject.reason))
    })?;
    if games.next().is_some() {
        return Err(ArchiveError::Edit("the text has more than one game".to_owned()));
    }
    Ok(game)
}
