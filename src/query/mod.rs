//! Any position of any game: replay to a ply, one position after the other.

mod key;
mod ply;
mod replay;
mod scan;
mod through;

pub use ply::{Ply, PlyError};
pub use replay::{Positions, fen};
pub use scan::{Extent, Scanned, scan};
pub use through::{Through, shortest_through};
