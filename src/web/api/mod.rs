//! The JSON API of the pages: `/api/v1`.

mod export;
mod filter;
mod game;
mod games;
mod info;
mod names;
mod neighbours;
mod report;

pub(super) use export::export;
pub(super) use filter::filter;
pub(super) use game::game;
pub(super) use games::{after, games, list as games_list, matched_names, page as games_page};
pub(super) use info::info;
pub(super) use names::names;
pub(super) use neighbours::neighbours;
pub(super) use report::{LINES as REPORT_LINES, Report, answer as report_of, report};
