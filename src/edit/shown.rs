//! What keeps an edit to the state that its author saw, and what the log says of it.

use crate::{archive::ArchiveError, record::StoredGame};

/// A number that is different after every edit of a game.
///
/// # Errors
/// The game is damaged.
pub fn fingerprint(game: &StoredGame) -> Result<u64, ArchiveError> {
    let replayed = game.replay_fingerprint();
    let damaged =
        |error: crate::record::GameError| ArchiveError::Damaged { id: game.id, what: error.to_string() };
    replayed.map(|(fingerprint, _)| fingerprint).map_err(damaged)
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
