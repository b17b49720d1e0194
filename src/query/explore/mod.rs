//! What was played in a position, and what became of it.
//!
//! A [`Tally`] counts games, wherever they come from; an [`Exploration`] says what it has counted.

mod answer;
mod asked;
mod by_scan;
mod performance;
mod tally;
#[cfg(test)]
mod tests;
mod wanted;

pub use answer::{Exploration, ExploredMove, NoSuchMove, OpeningName, Transposition};
pub use asked::{explore, explore_with_transpositions};
pub use by_scan::explore_by_scan;
pub(super) use by_scan::{Search, Visit, scan, scan_each, unsorted};
pub(crate) use performance::{performance, rounded};
pub use tally::{BestGame, GameSums, RatingSum, Tally};
pub(super) use wanted::Wanted;
