//! What is said of the openings that the words of a command name.

use super::terminal;
use crate::{
    archive::Archive,
    counts::thousands,
    openings::{Opening, OpeningError, Openings},
    present::PresentError,
    query::{PositionIndex, known_opening_games},
    request::{RequestError, named_opening},
};

/// Says which opening a text for a position names, if it names one.
pub(super) fn tell_position(text: &str) {
    if let Some(opening) = named_opening(text) {
        terminal::tell(format_args!("{} {}", opening.eco, opening.name));
    }
}

/// Says of which opening the games are that are found.
pub(super) fn tell_reached(opening: &Opening) {
    terminal::tell(format_args!("{} {}: games that reach this position", opening.eco, opening.name));
}

/// Says which openings --opening means, and that it is about the last one of a game: more games reach its position.
pub(super) fn tell_last_named(text: &str) {
    let openings = Openings::standard();
    for text in text.split(';') {
        let found = openings.search(text);
        let shortest = openings.shortest(text).ok();
        let Some(first) = shortest.or_else(|| openings.get(*found.first()?)) else { continue };
        let more = match found.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {} more", thousands(more as u64)),
        };
        let (eco, name) = (first.eco, first.name);
        terminal::tell(format_args!("{eco} {name}{more}, as the last named position"));
    }
}

/// What is said of an error: where a misspelt opening is probably another one, also the games and years of that one, if
/// the index knows them without a look at the games.
pub(super) fn with_games(archive: &Archive, error: PresentError) -> anyhow::Error {
    let with_games = match &error {
        PresentError::Request(RequestError::Opening(OpeningError::Unknown { text, similar: Some(name) })) => {
            about(archive, name).map(|about| (text, name, about))
        }
        _ => None,
    };
    match with_games {
        Some((text, name, about)) => {
            anyhow::anyhow!("unknown opening {text:?}; did you mean {name:?} ({about})?")
        }
        None if are_moves(&error) => {
            anyhow::anyhow!("{error}; games that begin with moves: --position MOVES")
        }
        None => error.into(),
    }
}

/// Whether what is no opening is rather moves: they begin with a number.
fn are_moves(error: &PresentError) -> bool {
    matches!(error, PresentError::Request(RequestError::Opening(OpeningError::Unknown { text, .. }))
        if text.starts_with(|first: char| first.is_ascii_digit()))
}

/// The games of an opening. What keeps them from being counted is no reason for another error.
fn about(archive: &Archive, name: &str) -> Option<String> {
    let index = PositionIndex::open(archive).ok()??;
    let counted = known_opening_games(archive, &index, &Openings::standard().search(name)).ok()??;
    let noun = if counted.games == 1 { "game" } else { "games" };
    let games = format!("{} {noun} by the last named position", thousands(counted.games));
    Some(counted.years().map_or(games.clone(), |years| format!("{games}, {years}")))
}
