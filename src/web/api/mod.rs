//! The API of the pages, as JSON: `/api/v1`.

mod export;
mod filter;
mod game;
mod games;
mod info;
mod names;
mod picture;
mod report;

use serde::Serialize;

use super::{Asked, Failure};
use crate::present::{FilterText, unknown_name::UnknownName};

pub(super) use export::export;
pub(super) use filter::filter;
pub(super) use game::game;
pub(super) use games::{games, matched_names, page as games_page};
pub(super) use info::info;
pub(super) use names::names;
pub(super) use report::{LINES as REPORT_LINES, Report, report, told as report_of};

/// An answer about the games of a filter; where there are none, with the names that no game of the archive has.
#[derive(Serialize)]
struct Found<T> {
    #[serde(flatten)]
    found: T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_names: Vec<UnknownName>,
}

impl<T> Found<T> {
    fn new(found: T, games: u64, asked: &Asked<'_>, filter: &FilterText) -> Result<Found<T>, Failure> {
        let unknown_names = if games == 0 { filter.unknown_names(asked.archive)? } else { Vec::new() };
        Ok(Found { found, unknown_names })
    }
}
