//! A game as PGN.

use crate::{
    archive::Archive,
    present::{PresentError, RequestError},
    record::{GameId, TextOptions},
};

/// A game of an archive as PGN, with a line break at its end.
///
/// # Errors
/// There is no such game, it has no PGN, or it is damaged.
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
