//! What was played in a position, and what became of it.
//!
//! A [`Tally`] counts games, wherever they come from; an [`Exploration`] says what it has counted.

mod answer;
mod by_scan;
mod performance;
mod tally;
#[cfg(test)]
mod tests;
mod tree;
mod wanted;

pub use answer::{Exploration, ExploredMove, NoSuchMove, OpeningName};
pub use by_scan::explore_by_scan;
pub use tally::{BestGame, GameSums, RatingSum, Tally};
pub use tree::{LineMove, LineTree, TreeOptions};
