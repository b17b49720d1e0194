//! A game as PGN text, and back; what keeps an edit to the state that its author saw, and what the log says of it.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::error::EditError;
use crate::{
    archive::{Archive, ArchiveError, Change, Filter, GameSet},
    codec::CodecId,
    pgn::{Game, ReadOptions, Reader, Reject, RejectReason, TagOrder},
    record::{GameId, GameKind, Record, StoredGame, TagLayoutCache, TextOptions},
};

/// The text of a game that can be edited.
///
/// # Errors
/// It is not a game of chess, or it is damaged.
pub fn text_of(game: &StoredGame) -> Result<String, ArchiveError> {
    let GameKind::Chess(_) = game.kind else {
        let what = format!("game {} is a game of {}, which cannot be edited", game.id, game.kind.name());
        return Err(ArchiveError::Edit(what.into()));
    };
    let mut text = String::new();
    let options = TextOptions { order: TagOrder::AsTheyAre, ..TextOptions::default() };
    let written = game.kind.family().write(game, &options, &mut text);
    written.map_err(|error| ArchiveError::damaged(game.id, error))?;
    Ok(text)
}

/// The only game of a text, encoded with a codec.
///
/// # Errors
/// The text has no game, several games, or one that cannot be stored.
pub fn record_of(text: &[u8], codec: CodecId) -> Result<Record, ArchiveError> {
    encoded(game_of(text)?, codec)
}

/// A game, encoded with a codec.
///
/// # Errors
/// It cannot be stored.
pub fn encoded(game: Game, codec: CodecId) -> Result<Record, ArchiveError> {
    let record = Record::of_pgn(game, codec, &mut TagLayoutCache::default());
    record.map_err(|error| ArchiveError::Edit(error.to_string().into()))
}

/// An edited game, encoded like the game as it was.
pub(super) fn edited_record(game: &StoredGame, edited: Game) -> Result<Option<Record>, ArchiveError> {
    let record = Record::of_pgn(edited, game.codec, &mut TagLayoutCache::default());
    record.map(Some).map_err(|error| ArchiveError::Edit(format!("game {}: {error}", game.id).into()))
}

/// A game read back from its edited text, with the tags that it has.
pub(super) fn reread(game: &StoredGame, edited: &str) -> Result<Game, ArchiveError> {
    let mut read = game_of(edited.as_bytes())?;
    // A text may have tags that the game lacks, before a comment at its start.
    if read.tags != game.tags && read.tags != game_of(text_of(game)?.as_bytes())?.tags {
        return Err(EditError::NotReadBack(game.id).into());
    }
    read.tags = game.tags.clone();
    Ok(read)
}

/// The only game of a text.
///
/// # Errors
/// The text has no game, several games, or one that cannot be read.
pub fn game_of(text: &[u8]) -> Result<Game, EditError> {
    game_read_with(text, ReadOptions::default())
}

/// The only game of a text, read with options.
///
/// # Errors
/// The text has no game, several games, or one that cannot be read.
pub fn game_read_with(text: &[u8], options: ReadOptions) -> Result<Game, EditError> {
    let mut reader = Reader::with_options(options);
    let mut games = reader.read(text);
    let first = games.next().ok_or(EditError::NoGame)?;
    let game = first.1.map_err(|reject| at_line(text, reject))?;
    if games.next().is_some() {
        return Err(EditError::SeveralGames);
    }
    Ok(game)
}

/// What is wrong in a text, with its line.
fn at_line(text: &[u8], Reject { reason, at }: Reject) -> EditError {
    let before = text.get(..at).unwrap_or_default();
    EditError::Text { line: 1 + before.iter().filter(|byte| **byte == b'\n').count(), reason }
}

/// What a game keeps as a comment or as text, since it was not understood in its text.
pub fn not_understood(text: &[u8], game: &Game) -> Vec<EditError> {
    let details = game.warnings.iter().filter_map(|(warning, _)| game.warnings.detail(warning));
    details.map(|reject| at_line(text, reject)).collect()
}

/// The first variation of a text that cannot be played: its game keeps it as a comment.
pub fn broken_variation(text: &[u8], game: &Game) -> Option<EditError> {
    not_understood(text, game).into_iter().find_map(|error| match error {
        EditError::Text { line, reason: RejectReason::InVariation(reason) } => {
            Some(EditError::BrokenVariation { line, reason })
        }
        _ => None,
    })
}

/// A number that is different after every edit of a game.
///
/// # Errors
/// The game is damaged.
pub fn fingerprint(game: &StoredGame) -> Result<u64, ArchiveError> {
    let replayed = game.replay_fingerprint();
    replayed.map(|(fingerprint, _)| fingerprint).map_err(|error| ArchiveError::damaged(game.id, error))
}

/// Checks that a game is still the one that was shown.
///
/// # Errors
/// It has been changed since, or it is damaged.
pub fn check_unchanged(game: &StoredGame, shown: u64) -> Result<(), ArchiveError> {
    if fingerprint(game)? == shown {
        return Ok(());
    }
    let id = game.id;
    Err(ArchiveError::Conflict(format!("game {id} has been changed in the meantime; nothing was stored")))
}

/// Games to be changed, with the [fingerprints](fingerprint) that they had when somebody decided on it.
pub type ShownGames = BTreeMap<GameId, u64>;

/// Games as they are now.
///
/// # Errors
/// One of them is damaged; errors of SQLite.
pub fn shown_now(archive: &Archive, games: GameSet) -> Result<ShownGames, ArchiveError> {
    let games = archive.games(&Filter { among: Some(games), ..Filter::default() });
    games.map(|game| game.and_then(|game| Ok((game.id, fingerprint(&game)?)))).collect()
}

/// Checks, in a change, that games are still as they were shown.
///
/// # Errors
/// One of them has been changed or removed since, or is damaged.
pub fn check_shown(change: &mut Change<'_>, shown: &ShownGames) -> Result<(), ArchiveError> {
    let games: GameSet = shown.keys().copied().collect();
    let expected = |game: &StoredGame| shown.get(&game.id).copied().unwrap_or_default();
    let check = |game: &StoredGame| check_unchanged(game, expected(game)).map(|()| None);
    change.edit(&games, check, |_| ControlFlow::Continue(()))
}

/// A command line with these arguments, as it could be typed.
pub fn command_line(arguments: impl IntoIterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    let quoted = |argument: String| match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', "'\\''")),
    };
    std::iter::once("plybook".to_owned())
        .chain(arguments.into_iter().map(quoted))
        .collect::<Vec<_>>()
        .join(" ")
}
