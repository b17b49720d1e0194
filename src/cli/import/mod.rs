//! `plybook import`, and its progress on standard error

mod conditions;
pub(super) mod report;

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use clap::{Args, builder::RangedU64ValueParser};
use indicatif::{ProgressBar, ProgressStyle};

use self::conditions::Conditions;
use super::{
    ExitStatus, advice,
    answer::ReportFormat,
    archive_arg::usual_archive,
    interrupt,
    reading::SourceReadingArgs,
    terminal::{self, progress_style},
};
use crate::{
    archive::{OnUpdate, PATIENCE, part_name},
    chess::Variant,
    codec::CodecId,
    counts::{GAMES, thousands},
    files::Protected,
    import::{IndexProgress, Options, Progress, import_with_progress},
    limits::MAX_THREADS,
    parts::{PartsReport, import_into_parts},
    pgn::ReadOptions,
    printable,
    request::variant,
};

/// Import PGN files, databases of Scid and ChessBase, other archives, or Xelto records into an archive
///
/// Files may be compressed with zstd, gzip, bzip2, xz or zip. Standard input may be compressed too, but not with zip. Directories are
/// searched for .pgn and .xelto files, plain or compressed, and for .si4, .si5, .cbh and .cbv files; links to directories
/// are not followed. A source is read as Xelto records if its name ends in .xelto or if its content looks like one.
///
/// A database of Scid or ChessBase has several files: give the name of any of them, or a zip archive (of ChessBase also a
/// .cbv archive) with all. Games that are marked as deleted, and texts among games, are left out and counted.
///
/// Games that the archive already contains are counted as duplicates. A version of a stored game, by its address or its
/// players, event, date and round, updates it: see docs/updates.md. Games that cannot be stored are counted as
/// rejected, and reported with their location and the reason.
///
/// If an import was interrupted, run the same command again to resume it. A source that was imported completely is
/// skipped unless it has changed. A file is unchanged if it has the same size, modification times, and first and last
/// 64 KiB; if only the times differ, its contents are compared. A member of a zip archive is unchanged if it has the
/// same checksum and sizes. If a file is still being written, its last game is left for the next import.
///
/// A plybook archive may have any file name; its games are merged with everything that belongs to them. The archive is
/// recorded as their source, and their ids there as their numbers in the source. Every game is verified first, and
/// rejected if it is damaged. Directories are not searched for archives.
///
/// With conditions, only games that meet all of them are stored; they mean the same as in `games`. Under other
/// conditions, or none, a source is read again.
///
/// If a path does not exist, the import stops before anything is read. If a source cannot be read, the other sources
/// are still imported; the failure is reported, and the exit code is 1, or 2 if no source could be read completely.
///
/// Examples:
/// * plybook import games.pgn
/// * plybook import ~/chess -a chess.db --rejects bad.pgn
/// * zstdcat games.pgn.zst | plybook import -
/// * plybook import games.pgn --keep-rejects && plybook retry --keep-broken
/// * plybook import partien.pgn --letters de --encoding cp850
/// * plybook import mybase.si5
/// * plybook import linares.cbh
/// * plybook import a.db b.db -a all.db
/// * plybook import otb.pgn.zst --player 'karpov*' --elo 2500.. -a karpov.db
/// * plybook import games.pgn.zst -a chess.db --index
/// * plybook import ~/chess --into collection --parts-of 1000000
/// * plybook import games.pgn --format json --quiet | jq .bits_per_ply
#[derive(Debug, Args)]
pub(super) struct Import {
    /// Files or directories to import; - reads standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Archive file; created if it does not exist
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive(), help_heading = "Archive")]
    archive: PathBuf,
    /// Import into a directory of archives (parts) with a catalogue; created if it does not exist. Several imports may
    /// write to it at the same time, each from its own sources
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "archive", help_heading = "Archive")]
    into: Option<PathBuf>,
    /// Start a new part after about this many games
    #[arg(long, value_name = "GAMES", default_value_t = 10_000_000, requires = "into",
          value_parser = clap::value_parser!(u64).range(1..), help_heading = "Archive")]
    parts_of: u64,
    /// Build the index, which makes find and explore fast; an existing index is always updated
    #[arg(long, help_heading = "Archive")]
    index: bool,
    /// Number of threads, at most 64 [default: all cores]; does not affect the result
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_THREADS as u64), hide_default_value = true)]
    threads: usize,
    #[command(flatten)]
    reading: SourceReadingArgs,
    /// Read games without a Variant tag as this variant, for example crazyhouse, and add the tag
    #[arg(id = "read_as", long = "variant", value_name = "NAME", value_parser = variant,
          help_heading = "Reading games")]
    variant: Option<Variant>,
    /// Discard comments, glyphs and variations, and count them
    #[arg(long, help_heading = "Reading games")]
    no_annotations: bool,
    /// Import games that are marked as deleted, too (Scid, ChessBase)
    #[arg(long, help_heading = "Reading games")]
    deleted: bool,
    /// Read all sources again, even if they were imported before, and add games that were removed or edited in the archive
    #[arg(long, help_heading = "Reading games")]
    again: bool,
    /// If a game is a version of a stored one, and each says something that the other does not: join, replace, both or
    /// skip
    #[arg(long, value_name = "HOW", default_value = "join", help_heading = "Reading games")]
    on_update: OnUpdate,
    /// Append games that cannot be stored to this file, with their location and the reason
    #[arg(long, value_name = "FILE", help_heading = "Rejected games")]
    rejects: Option<PathBuf>,
    /// Keep games that cannot be stored in the archive, each text once, with their location and the reason; "plybook
    /// rejects" lists them, "plybook retry" reads them again
    #[arg(long, conflicts_with = "into", help_heading = "Rejected games")]
    keep_rejects: bool,
    /// Exit with code 0 even if games were rejected
    #[arg(long, help_heading = "Rejected games")]
    allow_rejects: bool,
    /// Keep annotations that have no form in PGN as comments with their bytes: [%cba 18 01]
    #[arg(long, help_heading = "ChessBase")]
    keep_unknown: bool,
    /// Write the texts among the games to this directory, as HTML or plain text
    #[arg(long, value_name = "DIRECTORY", help_heading = "ChessBase")]
    texts: Option<PathBuf>,
    /// Replace files in the directory of --texts
    #[arg(long, requires = "texts", help_heading = "ChessBase")]
    force: bool,
    /// How moves are stored: index, or model, which takes half of the space but is slower to read; games of archives keep
    /// their codec
    #[arg(long, value_name = "CODEC", default_value = "index", value_parser = codec, help_heading = "Archive")]
    codec: CodecId,
    /// Commit every N games
    #[arg(long, value_name = "GAMES", default_value_t = 10_000, hide = true)]
    commit_every: u64,
    /// How long to wait if another program is using the archive
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE.as_secs(), help_heading = "Archive")]
    wait: u64,
    /// Do not print progress or the text report
    #[arg(short, long, help_heading = "Report")]
    quiet: bool,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "Report")]
    format: ReportFormat,
    #[command(flatten)]
    conditions: Conditions,
}

/// Parses the name of a codec for archives.
fn codec(name: &str) -> Result<CodecId, String> {
    CodecId::from_name(name).ok_or_else(|| format!("{name:?} is not a codec for archives"))
}

impl Import {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if let Some(folder) = &self.into {
            return self.run_into_parts(folder);
        }
        let protected = Protected::default().archive(&self.archive);
        self.paths.iter().fold(protected, |all, path| all.source(path)).check_stdout()?;
        let options = self.options()?;
        // The first Ctrl-C stops the import after the games that have been read, the second one ends the process.
        // The archive is consistent either way, and the same command resumes the import.
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress_bar(self.quiet);
        let report = import_with_progress(&self.archive, &self.paths, &options, |at| show_progress(&bar, at));
        bar.finish_and_clear();
        let mut report = match report {
            Err(error) if error.is_patience() && options.cancel.load(Relaxed) => {
                terminal::tell("stopped while waiting for another program; nothing was imported");
                std::process::exit(interrupt::STOPPED);
            }
            report => report?,
        };
        advice::on_rejects(&mut report);
        self.format.print_unless(self.quiet, &report, |out| {
            report::print(out, &report, &self.archive, self.rejects.is_some() || self.keep_rejects, true)
        })?;
        report::tell_problems(&report, &self.archive, self.allow_rejects)
    }

    fn options(&self) -> anyhow::Result<Options> {
        let reading = ReadOptions {
            annotations: !self.no_annotations,
            variant: self.variant,
            ..self.reading.options()
        };
        let waiting =
            || terminal::tell("waiting for another program that is using the archive; press Ctrl-C to stop");
        Ok(Options {
            threads: self.threads,
            rejects: self.rejects.clone(),
            keep_rejects: self.keep_rejects,
            reading,
            settings: self.settings(),
            codec: self.codec,
            index: self.index,
            again: self.again,
            on_update: self.on_update,
            condition: self.conditions.at_import()?,
            commit_every: self.commit_every,
            busy_timeout: Some(Duration::from_secs(self.wait)),
            waiting: Some(waiting),
            ..Options::default()
        })
    }

    /// The settings that only some kinds of sources have.
    fn settings(&self) -> BTreeMap<String, String> {
        let flags =
            [("deleted", self.deleted), ("keep-unknown", self.keep_unknown), ("replace-texts", self.force)];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set);
        let flags = flags.map(|(name, _)| (name.to_owned(), String::new()));
        let texts = self.texts.as_ref().map(|folder| ("texts".to_owned(), folder.display().to_string()));
        flags.chain(texts).collect()
    }

    /// Imports into a directory of parts.
    fn run_into_parts(&self, folder: &Path) -> anyhow::Result<ExitStatus> {
        self.paths.iter().fold(Protected::default(), |all, path| all.source(path)).check_stdout()?;
        let options = self.options()?;
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress_bar(self.quiet);
        let done =
            import_into_parts(folder, self.parts_of, &self.paths, &options, |at| show_progress(&bar, at));
        bar.finish_and_clear();
        if options.cancel.load(Relaxed) && done.as_ref().is_err_and(|error| error.is_patience()) {
            terminal::tell("stopped; to continue, run the same command again");
            std::process::exit(interrupt::STOPPED);
        }
        let mut done = done?;
        advice::on_rejects(&mut done.import);
        self.format.print_unless(self.quiet, &done, |out| self.print_parts(out, &done, folder))?;
        for part in &done.unfinished {
            let part = part.display();
            terminal::tell(format_args!(
                "{part} is an unfinished part from other sources; import those again to finish it"
            ));
        }
        for part in &done.unconfirmed_parts {
            let part = folder.join(part_name(*part));
            terminal::tell(format_args!(
                "{}: games of a damaged or changed source that no checksum has confirmed could not be removed, because \
                 later parts have other games",
                part.display()
            ));
        }
        let status = report::tell_problems(&done.import, folder, self.allow_rejects)?;
        anyhow::ensure!(
            done.unconfirmed_parts.is_empty(),
            "not all games of damaged sources could be removed"
        );
        Ok(status)
    }

    fn print_parts(&self, out: &mut dyn Write, done: &PartsReport, folder: &Path) -> io::Result<()> {
        report::print(out, &done.import, folder, self.rejects.is_some(), false)?;
        if let Some((part, games)) = &done.continued {
            let line = format!("{} was unfinished, with {}; continued", part.display(), GAMES.count(*games));
            writeln!(out, "  {}", printable::line(&line))?;
        }
        if done.left_out > 0 {
            let games = GAMES.count(done.left_out);
            writeln!(out, "  removed: {games} that other imports stored in the meantime")?;
        }
        let numbers: Vec<String> = done.parts.iter().map(ToString::to_string).collect();
        let numbers = if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") };
        writeln!(out, "{:<12} {numbers}", "new parts")
    }
}

/// A progress bar; hidden with --quiet or if standard error is not a terminal.
pub(in crate::cli) fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0).with_style(style(false));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows games/s, MB/s and the time left.
pub(in crate::cli) fn show_progress(bar: &ProgressBar, progress: &Progress) {
    if bar.is_hidden() {
        return;
    }
    if let Some(IndexProgress { games, of }) = progress.index {
        return show_index(bar, games, of);
    }
    if bar.length() != progress.total_bytes {
        bar.set_length(progress.total_bytes.unwrap_or(0));
    }
    bar.set_style(style(progress.total_bytes.is_some()));
    let seconds = (bar.elapsed().as_secs_f64() - progress.index_seconds).max(1e-3);
    bar.set_position(progress.bytes);
    bar.set_message(format!(
        "{}, {} games/s, {:.0} MB/s, {}",
        GAMES.count(progress.games),
        thousands((progress.games as f64 / seconds) as u64),
        progress.unpacked as f64 / 1e6 / seconds,
        printable::line(&progress.source)
    ));
}

/// Shows the progress of a segment of the index, without the bar, which is that of the import.
fn show_index(bar: &ProgressBar, games: u64, of: u64) {
    bar.set_style(style(false));
    // Games that were recorded are done when it begins; then they are sorted, which takes longer.
    let done = if games < of { format!("{}% read", 100 * games / of) } else { "sorting".to_owned() };
    bar.set_message(format!("index of {}: {done}", GAMES.count(of)));
}

/// The message is cut at the end of the line.
fn style(length_known: bool) -> ProgressStyle {
    progress_style(match length_known {
        true => "{bar:14} {percent}%{left}: {wide_msg}",
        false => "{spinner} {elapsed}: {wide_msg}",
    })
}
