//! `plybook split`

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use clap::{ArgGroup, Args};

use super::{edit::tell_of_log, interrupt, terminal};
use crate::{
    archive::Archive,
    counts::{GAMES, PARTS},
    files::Protected,
    parts::{Catalogue, Cut, PartsError, split},
    printable,
};

/// Split an archive into parts: a directory of archives with a catalogue
///
/// Each part has a range of consecutive ids, with everything that belongs to these games, including their sources. The
/// number of a game in the collection is its id in the original archive. Every game is verified first; a damaged game
/// stops the command. If the archive has an index, each part gets a new one. The archive is not changed. If the command
/// fails, it leaves nothing in the directory.
///
/// Examples:
/// * plybook split plybook.db --parts 4 --into collection
/// * plybook split chess.db --parts-of 1000000 --into collection
/// * plybook split chess.db --parts 2 --into halves && plybook merge halves -o whole.db
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("size").required(true).args(["parts", "parts_of"]))]
pub(super) struct Split {
    /// Archive to split
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Output directory; created if it does not exist
    #[arg(long, value_name = "DIRECTORY")]
    into: PathBuf,
    /// Number of parts, of nearly equal size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    parts: Option<u64>,
    /// Number of games per part; the last part has the remainder
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    parts_of: Option<u64>,
    /// Do not print progress or the list of parts
    #[arg(short, long)]
    quiet: bool,
}

impl Split {
    pub(super) fn run(self) -> anyhow::Result<()> {
        Protected::default().archive(&self.archive).check_stdout()?;
        let cut = self.parts.map(Cut::Parts).or(self.parts_of.map(Cut::Games)).unwrap_or(Cut::Parts(1));
        let games = if self.quiet { 0 } else { Archive::open(&self.archive)?.last_id()?.unsigned_abs() };
        let (bar, cancel) = (terminal::games_bar(games), Arc::<AtomicBool>::default());
        interrupt::ask_first(Arc::clone(&cancel));
        let done = split(&self.archive, cut, &self.into, &cancel, move |games| bar.set_position(games));
        if matches!(done, Err(PartsError::Stopped)) {
            terminal::tell("stopped; no parts were created");
            std::process::exit(interrupt::STOPPED);
        }
        let catalogue = done?;
        if !self.quiet {
            terminal::printed(print_parts(&catalogue).map_err(Into::into))?;
            tell_of_log([self.archive.as_path()]);
        }
        Ok(())
    }
}

/// Lists the parts.
pub(super) fn print_parts(catalogue: &Catalogue) -> std::io::Result<()> {
    let mut out = terminal::stdout();
    let (parts, dir) = (&catalogue.parts, catalogue.dir.display().to_string());
    for part in parts {
        writeln!(out, "{:<14} {}", part.file, GAMES.count(part.holdings.games))?;
    }
    let games = parts.iter().map(|part| part.holdings.games).sum();
    let (count, games) = (PARTS.count(parts.len() as u64), GAMES.count(games));
    writeln!(out, "{}: {count}, {games}", printable::line(&dir))?;
    out.flush()
}
