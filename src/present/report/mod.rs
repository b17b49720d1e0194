//! Reports as text, lists and charts.

mod crosstable;
mod overview;
mod player;

use serde::Serialize;

use super::{FilterText, RequestError};
use crate::report::Player;
pub use overview::{difference_name, length_name, period_name};
pub use player::band_name;

/// The player that a filter names; `None` if it names none.
///
/// # Errors
/// The colour is invalid.
pub fn reported_player(text: &FilterText) -> Result<Option<Player>, RequestError> {
    let Some(name) = text.get("player") else { return Ok(None) };
    let read = |colour: &str| colour.parse().map_err(|_| RequestError::Colour(colour.to_owned()));
    Ok(Some(Player {
        name: name.to_owned(),
        colour: text.get("colour").map(read).transpose()?,
        opponent: text.get("opponent").map(ToOwned::to_owned),
    }))
}

/// A row of a report, which has several tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportRow<T> {
    /// The table.
    pub table: &'static str,
    /// The item in the table.
    pub of: String,
    /// The code of the opening.
    pub eco: Option<&'static str>,
    /// The results.
    #[serde(flatten)]
    pub results: T,
}

/// A share in percent, with one decimal.
fn tenths(percent: Option<f64>) -> String {
    percent.map_or(String::new(), |percent| format!("{percent:.1}"))
}
