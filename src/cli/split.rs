//! `plybook split`

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use clap::Args;

use super::{ExitStatus, interrupt, terminal};
use crate::{
    archive::Archive,
    counts::{GAMES, PARTS},
    files::Protected,
    parts::{Catalogue, Cut, PartsError, split},
    printable,
};

/// Cut an archive into parts: a folder of archives with a catalogue
///
/// A part has the games of a run of ids, with everything that belongs to them, their sources included; so the number of a
/// game in the collection is the id that it had. Each game is proved first, and one that is damaged ends it. An
/// index is made anew in every part if the archive has one. The archive stays as it is, and nothing is left in the folder
/// if it does not come to its end.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook split plybook.db --parts 4 --into collection
  plybook split chess.db --parts-of 1000000 --into collection
  plybook split chess.db --parts 2 --into halves && plybook merge halves -o whole.db")]
pub(super) struct Split {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// The folder; made if it does not exist
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
    /// How many parts, as equal as can be
    #[arg(long, value_name = "N", required_unless_present = "parts_of", value_parser = clap::value_parser!(u64).range(1..))]
    parts: Option<u64>,
    /// How many games a part has; the last one has fewer
    #[arg(long, value_name = "GAMES", conflicts_with = "parts", value_parser = clap::value_parser!(u64).range(1..))]
    parts_of: Option<u64>,
    /// No progress, and no list of the parts
    #[arg(short, long)]
    quiet: bool,
}

impl Split {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        Protected::default().archive(&self.archive).check_stdout()?;
        let cut = self.parts.map(Cut::Parts).or(self.parts_of.map(Cut::Games)).unwrap_or(Cut::Parts(1));
        let games = if self.quiet { 0 } else { Archive::open(&self.archive)?.last_id()?.unsigned_abs() };
        let (bar, cancel) = (terminal::games_bar(games), Arc::<AtomicBool>::default());
        interrupt::ask_first(Arc::clone(&cancel));
        let done = split(&self.archive, cut, &self.into, &cancel, move |games| bar.set_position(games));
        if matches!(done, Err(PartsError::Stopped)) {
            terminal::tell("stopped; nothing was made");
            std::process::exit(interrupt::STOPPED);
        }
        let catalogue = done?;
        if !self.quiet {
            terminal::printed(print(&catalogue).map_err(Into::into))?;
        }
        Ok(ExitStatus::Complete)
    }
}

/// Lists the parts.
pub(super) fn print(catalogue: &Catalogue) -> std::io::Result<()> {
    let mut out = terminal::stdout();
    let (parts, dir) = (catalogue.parts(), catalogue.dir().display().to_string());
    for part in parts {
        writeln!(out, "{:<14} {}", part.file, GAMES.count(part.games))?;
    }
    let games = parts.iter().map(|part| part.games).sum();
    let (count, games) = (PARTS.count(parts.len() as u64), GAMES.count(games));
    writeln!(out, "{}: {count}, {games}", printable::line(&dir))?;
    out.flush()
}
