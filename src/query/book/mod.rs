//! A position as in the public opening explorers: only games with a result count that continued from the position, and
//! the best and latest of them are listed.

mod collect;
mod selection;
mod top_games;

pub use collect::{Book, BookGame, BookMonth, BookMove, book};
pub use selection::{BookOptions, RatingGroups};
