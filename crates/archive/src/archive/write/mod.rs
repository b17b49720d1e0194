//! Writing games: one writer, one transaction per batch.

mod changed;
pub(super) mod names;
mod preparation;
mod prepared;
mod raw;
mod sections;
mod writer;

pub use preparation::Preparation;
pub use prepared::{GameSize, PreparedGames};
pub use raw::RawGames;
pub use writer::{Added, NewGame, Writer};
pub(super) use writer::{BUCKET_BITS, player_key};
