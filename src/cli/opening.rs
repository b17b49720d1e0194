//! What is said of the openings that the words of a command name.

use super::terminal;
use crate::present::request::named_opening;

/// Says which opening a text for a position names, if it names one.
pub(super) fn tell_position(text: &str) {
    if let Some(opening) = named_opening(text) {
        terminal::tell(format_args!("{} {}", opening.eco, opening.name));
    }
}
