//! The answer for people.

use std::io::{self, Write};

use super::RepertoireAnswer;
use crate::{
    counts::{GAMES, POSITIONS, thousands},
    present::list::{self, TABLE},
    query::DepartureKind,
};

impl RepertoireAnswer {
    /// Writes it as text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let side = if self.owner == "white" { "White" } else { "Black" };
        writeln!(out, "repertoire of {side}: {}", POSITIONS.count(self.positions))?;
        writeln!(out, "{}, of which", GAMES.count(self.games))?;
        for (games, what) in [
            (self.reply, "were led out of it by the opponent"),
            (self.own, "left it by an own move"),
            (self.end, "went on where a line ends"),
            (self.finished, "ended in it"),
            (self.outside, "were never in it"),
        ] {
            writeln!(out, "{:>9} {what}", thousands(games))?;
        }
        for (kind, title) in [
            (DepartureKind::Reply, "Replies without an answer"),
            (DepartureKind::Own, "Own moves that are not in it"),
            (DepartureKind::End, "Where lines end, and what came next"),
        ] {
            let rows = self.of(kind);
            if !rows.is_empty() {
                writeln!(out, "\n{title}\n")?;
                list::write(TABLE, out, &rows)?;
            }
        }
        Ok(())
    }
}
