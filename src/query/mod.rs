//! Any position of any game: replay to a ply, one position after the other.

mod key;
mod scan;
mod through;

pub use scan::{Extent, Scanned, scan};
pub use through::{Through, shortest_through};
