//! The API of the pages, as JSON: `/api/v1`.

mod export;
mod filter;
mod game;
mod games;
mod info;
mod names;

pub(super) use export::export;
pub(super) use game::game;
pub(super) use games::games;
pub(super) use info::info;
pub(super) use names::names;
