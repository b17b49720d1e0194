//! `plybook merge`, `split` and `catalogue`

use std::{
    io::Write,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use clap::{ArgGroup, Args, builder::RangedU64ValueParser};

use super::{
    ExitStatus,
    answer::ReportFormat,
    edit::tell_of_log,
    import::{progress_bar, report, show_progress},
    interrupt, terminal,
};
use crate::{
    archive::Archive,
    counts::{GAMES, PARTS},
    files::Protected,
    import::Options,
    limits::MAX_THREADS,
    parts::{Catalogue, Cut, PartsError, archives_of, merge, split},
    printable,
};

/// Merge archives into a new one
///
/// The games are copied with everything that belongs to them, in the order of the archives. Games that an earlier
/// archive contains, and damaged games, are skipped. A directory with a catalogue stands for its parts. The new archive is
/// written to FILE.plybook-merge and renamed when it is complete; run the same command again to resume an interrupted
/// merge. It is indexed if one of the archives is. The input archives are not changed.
///
/// Examples:
/// * plybook merge a.db b.db -o all.db
/// * plybook merge collection -o all.db
/// * plybook merge collection new.db -o all.db --format json --quiet
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Archives to merge, or directories of parts
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// New archive file; must not exist
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Build the index even if no input archive is indexed
    #[arg(long)]
    index: bool,
    /// Number of threads, at most 64 [default: all cores]
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_THREADS as u64), hide_default_value = true)]
    threads: usize,
    /// Do not print progress or the text report
    #[arg(short, long)]
    quiet: bool,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let all = archives_of(&self.archives)?;
        all.iter().fold(Protected::default(), |all, path| all.archive(path)).check_stdout()?;
        let options = Options { threads: self.threads, index: self.index, ..Options::default() };
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress_bar(self.quiet);
        let merged = merge(&self.archives, &self.output, &options, |at| show_progress(&bar, at));
        bar.finish_and_clear();
        if options.cancel.load(Relaxed) && merged.as_ref().is_err_and(|error| error.is_patience()) {
            std::process::exit(interrupt::STOPPED);
        }
        let merged = merged?;
        if !self.quiet {
            tell_of_log(all.iter().map(PathBuf::as_path));
        }
        self.format.print_unless(self.quiet, &merged, |out| {
            report::print(out, &merged, &self.output, (false, true))
        })?;
        report::tell_problems(&merged, &self.output, false)
    }
}

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
    let (parts, dir) = (catalogue.parts(), catalogue.dir().display().to_string());
    for part in parts {
        writeln!(out, "{:<14} {}", part.file, GAMES.count(part.games))?;
    }
    let games = parts.iter().map(|part| part.games).sum();
    let (count, games) = (PARTS.count(parts.len() as u64), GAMES.count(games));
    writeln!(out, "{}: {count}, {games}", printable::line(&dir))?;
    out.flush()
}

/// Rebuild the catalogue of a directory of parts
///
/// Use this command if the catalogue is lost or damaged, or after you added or replaced a part. It lists every archive
/// in the directory that is named like a part (part-0001.db, part-0002.db and so on) in numerical order, and rebuilds the
/// fingerprint filters. The archives are not changed.
///
/// The number of a game in the collection counts the games in earlier parts, so it changes if an earlier part is
/// removed. Games are not compared: a game that is stored in two parts appears twice in the collection.
///
/// Examples:
/// * plybook catalogue collection
/// * plybook catalogue collection --quiet
/// * rm collection/catalogue.json && plybook catalogue collection
#[derive(Debug, Args)]
pub(super) struct CatalogueArgs {
    /// Directory that contains the parts
    #[arg(value_name = "DIRECTORY")]
    folder: PathBuf,
    /// Do not list the parts
    #[arg(short, long)]
    quiet: bool,
}

impl CatalogueArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let catalogue = Catalogue::make(&self.folder)?;
        if !self.quiet {
            terminal::printed(print_parts(&catalogue).map_err(Into::into))?;
        }
        Ok(())
    }
}
