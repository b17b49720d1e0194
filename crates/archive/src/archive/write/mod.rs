//! Writing games: one writer, one transaction per batch.

mod changed;
mod identities;
mod in_memory;
pub(super) mod names;
mod player_key;
mod preparation;
mod prepared;
mod raw;
mod sections;
mod unprepared;
mod versions;
mod writer;

pub(super) use identities::{Compared, IdentityCheck};
pub(super) use player_key::{BUCKET_BITS, player_key};
pub use preparation::Preparation;
pub use prepared::{GameSize, PreparedGames};
pub use raw::RawGames;
pub(super) use versions::Found;
pub use versions::{Beside, OnUpdate, Version};
pub use writer::{Added, NewGame, Writer};
