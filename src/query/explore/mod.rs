//! The moves played in a position, and the results of the games.
//!
//! A [`Tally`] counts games from any source; an [`Exploration`] is its result.

mod answer;
mod asked;
mod by_scan;
mod performance;
mod successors;
mod tally;
#[cfg(test)]
mod tests;

pub use answer::{Exploration, ExploredMove, NoSuchMove, OpeningName, Transposition};
pub use asked::{explore, explore_with_transpositions};
pub use by_scan::explore_by_scan;
pub(super) use by_scan::{Search, Visit, scan, scan_each, unsorted};
pub(crate) use performance::{performance, rounded};
pub(super) use successors::Successors;
pub use tally::{BestGame, GameSums, RatingSum, Tally};
