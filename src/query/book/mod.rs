//! A position as an opening book tells of it, in the way of the public opening explorers: only games that were won, lost
//! or drawn and played a move there count, and the best and the latest of them are named.

mod collect;
mod leading;
mod selection;

pub use collect::{Book, BookGame, BookMonth, BookMove, book};
pub use selection::{BookOptions, RatingGroups};
