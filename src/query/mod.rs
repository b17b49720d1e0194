//! Questions about all games: every position of each, the shortest one to a position, what was played in one.

mod explore;
mod scan;
mod shortest_through;

pub use explore::{BestGame, Exploration, ExploredMove, GameSums, NoSuchMove, OpeningName, RatingSum, Tally};
pub use scan::{ScanTotals, ScannedPosition, scan};
pub use shortest_through::{GameReaching, shortest_through};
