//! What is said of the openings that the words of a command name.

use super::terminal;
use crate::{
    counts::thousands,
    openings::{Opening, Openings},
    present::request::named_opening,
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
        let (more, what) = match found.len().saturating_sub(1) {
            0 => (String::new(), "it"),
            more => (format!(" and {} more", thousands(more as u64)), "one of them"),
        };
        let (eco, name) = (first.eco, first.name);
        terminal::tell(format_args!("{eco} {name}{more}: games with {what} as their last named position"));
    }
}
