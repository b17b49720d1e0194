//! `plybook import`

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use clap::{Args, ValueEnum, builder::RangedU64ValueParser};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Done, interrupt,
    output::{self, thousands},
};
use crate::{
    archive::{PATIENCE, VERSION},
    chess::Variant,
    import::{How, Met, Options, Progress, Report, Trouble, import_with_progress},
    limits::MAX_THREADS,
    pgn::{Encoding, PieceLetters, ReadOptions},
    printable,
};

/// Most sources imported before that are told one by one.
const TOLD: usize = 20;

/// Import PGN, records of Xelto, or other archives, into an archive
///
/// Files may be packed with zstd, gzip, bzip2, xz or zip; pipes too, but not with zip. Folders are searched for
/// .pgn and .xelto files and their packed forms; links to folders are not followed. A source is taken for records
/// of Xelto if its name ends in .xelto or if it begins like one.
///
/// A source that was imported before is resumed where that import stopped, whatever stopped it. One that was
/// read to its end is not read again while it is the same: a file has the same size, times of change and first
/// and last 64 KiB (where only the times differ its bytes are read and compared), a member of a zip archive the
/// same checksum and sizes. The last game of a file that is being written is left for the next import.
///
/// An archive of plybook, whatever it is called, is merged: its games are taken over as they stand there, with
/// everything that belongs to them; the archive is their source, and their numbers in it are their ids there. Each
/// is proved first, and rejected if it is damaged. Folders are not searched for archives.
///
/// A path that does not exist stops the import before anything is read. A source that cannot be read does not
/// keep the others from being imported: it is told, and the exit code is 1, or 2 if no source could be read to
/// its end.
///
/// Games that the archive has already are counted as duplicates; games that cannot be stored are
/// counted as rejected and told with their place and the reason.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook import games.pgn
  plybook import ~/chess -a chess.db --rejects bad.pgn
  zstdcat games.pgn.zst | plybook import -
  plybook import partien.pgn --letters de --encoding cp850
  plybook import a.db b.db -a all.db
  plybook import games.pgn --format json --quiet | jq .bits_per_ply")]
pub(super) struct Import {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The archive's file; made if it does not exist
    #[arg(short, long, value_name = "FILE", default_value = "plybook.db")]
    archive: PathBuf,
    /// Threads that parse and encode, at most 64 (default: all cores); the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_THREADS as u64))]
    threads: usize,
    /// Add the games that cannot be stored to this file, each with its place and the reason
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Piece letters: en, de, fr, es, it, nl, ru, figurine, or auto (English, else whatever makes the game legal)
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    letters: PieceLetters,
    /// The encoding of text that is not UTF-8: windows-1251, latin2, koi8-r, cp437, macintosh, gbk and others
    /// (default: the one it looks like, else windows-1252). Sources in those of several bytes a character, such as
    /// gbk, are converted to UTF-8 as a whole, and so are their originals
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
    /// Reject games that would have to be repaired
    #[arg(long)]
    strict: bool,
    /// Read games without a Variant tag as games of this variant, such as crazyhouse; they get the tag
    #[arg(long, value_name = "NAME", value_parser = super::filter::variant)]
    variant: Option<Variant>,
    /// Drop comments, glyphs and variations, and count them
    #[arg(long)]
    no_annotations: bool,
    /// Read sources again that have been imported before; games that are there already count as duplicates
    #[arg(long)]
    again: bool,
    /// Make what has been stored durable every so many games
    #[arg(long, value_name = "GAMES", default_value_t = 10_000, hide = true)]
    commit_every: u64,
    /// How long to wait for another program that has the archive
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE.as_secs())]
    wait: u64,
    /// No progress and no report as text
    #[arg(short, long)]
    quiet: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Import {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let reading = ReadOptions {
            letters: self.letters,
            strict: self.strict,
            annotations: !self.no_annotations,
            variant: self.variant,
            encoding: self.encoding,
        };
        let options = Options {
            threads: self.threads,
            rejects: self.rejects.clone(),
            reading,
            again: self.again,
            commit_every: self.commit_every,
            patience: Some(Duration::from_secs(self.wait)),
            waiting: Some(|| {
                output::tell(format_args!(
                    "waiting for another program that has the archive; Ctrl-C ends it"
                ));
            }),
            ..Options::default()
        };
        // The first Ctrl-C ends the import with the games at hand, the second ends the process; the archive is
        // whole either way, and the same command goes on.
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = self.bar();
        let report =
            import_with_progress(&self.archive, &self.paths, &options, |progress| show(&bar, progress));
        bar.finish_and_clear();
        let report = match report {
            Err(error) if error.is_patience() && options.cancel.load(Relaxed) => {
                output::tell(format_args!("stopped while waiting for another program; nothing was stored"));
                std::process::exit(interrupt::STOPPED);
            }
            report => report?,
        };
        match self.format {
            Format::Json => output::printed(output::json(&report))?,
            Format::Text if !self.quiet => output::printed(self.print(&report).map_err(Into::into))?,
            Format::Text => {}
        }
        for failure in &report.failures {
            let Trouble { source, reason, game, byte, .. } = failure;
            let after = match (game, byte) {
                (0, 0) => String::new(),
                (0, byte) => format!(" (after byte {})", thousands(*byte)),
                (game, _) => format!(" (after game {})", thousands(*game)),
            };
            output::tell(format_args!("{source}: {reason}{after}"));
        }
        if report.cancelled {
            let games = output::games(report.seen);
            output::tell(format_args!(
                "stopped after {games}; to go on from there, give the same command again"
            ));
            std::process::exit(interrupt::STOPPED);
        }
        for game in &report.unfinished {
            let (source, line, reason) = (&game.source, thousands(game.line), &game.reason);
            output::tell(format_args!("{source}: line {line}: {reason}; the next import takes it"));
        }
        if !report.failures.is_empty() {
            if report.sources_read == 0 {
                let stored = if report.seen > 0 { "; what was read is stored" } else { "" };
                anyhow::bail!("nothing could be read to its end{stored}");
            }
            output::tell(format_args!("not everything could be read; what was read is stored"));
        }
        Ok(report.rejected == 0 && report.failures.is_empty() && report.unfinished.is_empty())
    }

    fn bar(&self) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(0).with_style(style(false));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    fn print(&self, report: &Report) -> std::io::Result<()> {
        let mut out = output::stdout();
        let mut line = |name: &str, value: String| writeln!(out, "{name:<12} {}", printable::line(&value));
        line("seen", output::games(report.seen))?;
        line("stored", thousands(report.stored))?;
        line("duplicate", thousands(report.duplicate))?;
        line("rejected", thousands(report.rejected))?;
        line("plies", thousands(report.plies))?;
        let megabytes = report.pgn_bytes as f64 / 1e6;
        line(
            "time",
            format!(
                "{:.2} s: {} games/s, {:.1} MB/s",
                report.seconds,
                thousands(report.games_per_second as u64),
                megabytes / report.seconds.max(1e-9)
            ),
        )?;
        let archive = match report.archive_bytes {
            0 => "none made: nothing to store".to_owned(),
            bytes => {
                let (file, each) = (self.archive.display(), report.bytes_per_game);
                format!("{file}: {} bytes, {each:.1} a game", thousands(bytes))
            }
        };
        line("archive", archive)?;
        if report.stored > 0 {
            line(
                "moves",
                format!("{:.1} bits a game, {:.4} bits a ply", report.bits_per_game, report.bits_per_ply),
            )?;
        }
        for (note, count) in report.notes.iter() {
            writeln!(out, "  note: {} {}", thousands(count), note.text())?;
            for at in report.warnings_of(note) {
                let source = printable::line(&at.source);
                writeln!(out, "    {source} game {}, line {}, byte {}", at.game, at.line, at.byte)?;
            }
        }
        for reject in &report.rejects {
            let Trouble { source, game, line, byte, reason } = reject;
            let place = if *line == 0 { String::new() } else { format!(", line {line}, byte {byte}") };
            let told = format!("{source} game {game}{place}: {reason}");
            writeln!(out, "  rejected: {}", printable::line(&told))?;
        }
        let untold = report.rejected.saturating_sub(report.rejects.len() as u64);
        if untold > 0 {
            let hint = if self.rejects.is_none() { " (--rejects FILE writes them all)" } else { "" };
            writeln!(out, "  and {} more rejected{hint}", thousands(untold))?;
        }
        if let Some(version) = report.migrated_from {
            writeln!(out, "  the archive has been brought from version {version} to {VERSION}")?;
        }
        for met in report.met.iter().take(TOLD) {
            writeln!(out, "  {}", printable::line(&told(met)))?;
        }
        let untold = report.met.len().saturating_sub(TOLD);
        if untold > 0 {
            writeln!(out, "  and {} more sources that were imported before", thousands(untold as u64))?;
        }
        out.flush()
    }
}

/// What was made of a source that had been imported before.
fn told(met: &Met) -> String {
    let (source, games) = (&met.source, output::games(met.games));
    match met.how {
        How::Done => {
            let rejected = match met.rejected {
                0 => String::new(),
                rejected => format!(", {} of them rejected", thousands(rejected)),
            };
            format!("already imported: {source}, {games}{rejected} (--again reads it again)")
        }
        How::Continued => format!("resumed: {source}, after {games}"),
        How::Grown => format!("grown: {source}, gone on after {games}"),
        How::Changed => format!("changed: {source}, all of it read again"),
    }
}

/// Shows progress: games/s, MB/s and time left.
fn show(bar: &ProgressBar, progress: &Progress) {
    if bar.is_hidden() {
        return;
    }
    if bar.length() != progress.total_bytes {
        bar.set_length(progress.total_bytes.unwrap_or(0));
        bar.set_style(style(progress.total_bytes.is_some()));
    }
    let seconds = bar.elapsed().as_secs_f64().max(1e-3);
    bar.set_position(progress.bytes);
    bar.set_message(format!(
        "{} games, {} games/s, {:.0} MB/s",
        thousands(progress.games),
        thousands((progress.games as f64 / seconds) as u64),
        progress.unpacked as f64 / 1e6 / seconds
    ));
    bar.set_prefix(super::table::cut(&progress.source, 30));
}

fn style(length_known: bool) -> ProgressStyle {
    let template = if length_known {
        "{prefix} {wide_bar} {percent}% {msg}, {eta} left"
    } else {
        "{spinner} {prefix} {msg}, {elapsed}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
