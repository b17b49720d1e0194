//! What a player plays, beside what all games do: as text and as a picture.

mod markdown;
mod picture;
mod text;

pub use markdown::write_preparation_markdown;
pub use picture::preparation_picture;
pub use text::write_preparation;

use crate::{printable, query::PreparedMove, report::PreparationReport};

/// Whose games they are: the name as games have it, if there is but one.
fn heading(report: &PreparationReport) -> String {
    let name = match report.names.as_slice() {
        [only] => &only.name,
        _ => &report.player,
    };
    format!("{} with {}", printable::line(name), report.side().fold_wb("White", "Black"))
}

/// The games that the player won, drew and lost with a move.
fn results(report: &PreparationReport, line: &PreparedMove) -> [u64; 3] {
    line.played.results.of(report.side())
}
