//! What a player plays, compared with all games: as text and as a chart.

mod markdown;
mod picture;
mod text;

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::{Answer, list::TextStyle};
use crate::{
    printable,
    query::{ExploredPosition, PreparedMove},
    report::PreparationReport,
};

/// What a player plays from a position, for each requested colour.
pub struct Preparations<'a> {
    /// The position.
    pub asked: &'a ExploredPosition,
    /// The reports.
    pub reports: Vec<PreparationReport>,
}

/// A single report, or a list of two for both colours.
impl Serialize for Preparations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.reports.as_slice() {
            [one] => one.serialize(serializer),
            both => both.serialize(serializer),
        }
    }
}

/// The score and the performance are the player's.
impl Answer for Preparations<'_> {
    fn count(&self) -> u64 {
        self.reports.iter().map(|report| report.preparation.results.games).sum()
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        for (number, report) in self.reports.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            let write = if style.markdown { markdown::write } else { text::write };
            write(out, report, &self.asked.position, style)?;
        }
        Ok(())
    }

    fn picture(&self) -> Option<String> {
        Some(self.reports.iter().map(|report| picture::of(report, self.asked)).collect())
    }
}

/// The player of the report: the name as written in the games, if there is only one.
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
