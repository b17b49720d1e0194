//! Questions about all games: every position of each, the shortest one to a position.

mod scan;
mod shortest_through;

pub use scan::{ScanTotals, ScannedPosition, scan};
pub use shortest_through::{GameReaching, shortest_through};
