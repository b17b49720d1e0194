//! A game as PGN.

use crate::{
    archive::Archive,
    present::{PresentError, RequestError},
    record::{GameId, TextOptions},
};

/// A game of an archive as PGN, ending in a line break.
///
/// # Errors
/// The game does not exist, it has no PGN form, or it is damaged.
pub fn pgn(archive: &Archive, id: GameId) -> Result<String, PresentError> {
    let game = archive.checked_game(id)?;
    let family = game.kind.family();
    if !family.has_pgn() {
        return Err(RequestError::NotChess(game.kind.name().to_owned()).into());
    }
    let mut text = String::new();
    family.write(&game, &TextOptions::default(), &mut text)?;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}
