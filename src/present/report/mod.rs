//! Reports in words, as lists and as pictures.

mod crosstable;
mod overview;
mod overview_rows;
mod picture;
mod player;
mod player_rows;
mod section;

pub use crosstable::{crosstable_rows, write_crosstables};
pub use overview::{difference_name, length_name, period_name, write_overview};
pub use overview_rows::overview_rows;
pub use picture::{PictureWords, overview_picture, player_picture};
pub use player::{band_name, write_player_report};
pub use player_rows::player_rows;

use super::{FilterText, RequestError};
use crate::report::Player;

/// The player that a filter is about; `None` if it names none.
///
/// # Errors
/// The colour is none.
pub fn reported_player(text: &FilterText) -> Result<Option<Player>, RequestError> {
    let Some(name) = text.get("player") else { return Ok(None) };
    let read = |colour: &str| colour.parse().map_err(|_| RequestError::Colour(colour.to_owned()));
    Ok(Some(Player {
        name: name.to_owned(),
        colour: text.get("colour").map(read).transpose()?,
        opponent: text.get("opponent").map(ToOwned::to_owned),
    }))
}
