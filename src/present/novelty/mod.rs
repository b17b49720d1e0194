//! The novelties of games, as a list.

mod asked;
mod list;
mod row;

pub use asked::{GameHead, RequestedGame};
pub use list::NoveltyList;
pub use row::{KnownGame, NoveltyRow};
