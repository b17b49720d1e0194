//! Reports as text, lists and charts.

mod crosstable;
mod editions;
mod overview;
mod overview_rows;
mod picture;
mod player;
mod player_rows;
mod section;

pub use editions::EditionRow;
pub use overview::{difference_name, length_name, period_name};
pub use picture::{PictureWords, overview_picture, player_picture};
pub use player::band_name;

use super::{FilterText, RequestError};
use crate::report::Player;

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
