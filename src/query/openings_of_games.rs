//! Games with their openings by position.

use super::{PositionIndex, opening_of};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    openings::OpeningId,
    record::StoredMoves,
};

/// A game with the opening of its last named position; `None` if no position has a name, or the game is damaged.
type WithOpening = Result<(Summary, Option<OpeningId>), ArchiveError>;

/// The games that match a filter, in its order, each with its opening. Games that are not indexed are replayed.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn openings_of_games<'a>(
    archive: &'a Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
) -> Result<Box<dyn Iterator<Item = WithOpening> + 'a>, ArchiveError> {
    let replayed = |moves: Option<StoredMoves>| moves.and_then(|moves| opening_of(&moves).ok()?);
    let Some(index) = index else {
        let games = archive.list::<(Summary, Option<StoredMoves>)>(filter);
        return Ok(Box::new(games.map(move |game| game.map(|(summary, moves)| (summary, replayed(moves))))));
    };
    let known = index.known_openings(archive)?;
    Ok(Box::new(archive.list::<Summary>(filter).map(move |game| {
        let game = game?;
        let opening = match known.of(game.id) {
            Some(opening) => opening,
            None => replayed(archive.moves_of(game.id)?),
        };
        Ok((game, opening))
    })))
}
