//! `plybook import`

mod into_parts;
pub(super) mod outcome;
pub(super) mod progress;
pub(super) mod report;

use std::{
    path::PathBuf,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use clap::{Args, builder::RangedU64ValueParser};

use super::{ExitStatus, archive_arg::usual_archive, format::ReportFormat, interrupt, terminal};
use crate::{
    archive::PATIENCE,
    chess::Variant,
    codec::CodecId,
    files::Protected,
    import::{Options, import_with_progress},
    limits::MAX_THREADS,
    pgn::{Encoding, PieceLetters, ReadOptions},
    request::variant,
};

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
  plybook import games.pgn.zst -a chess.db --index
  plybook import ~/chess --into collection --parts-of 1000000
  plybook import games.pgn --format json --quiet | jq .bits_per_ply")]
pub(super) struct Import {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The archive's file; made if it does not exist
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive())]
    archive: PathBuf,
    /// Into parts: a folder of archives with a catalogue, which is made if it does not exist. Several imports may fill it at
    /// the same time, each from sources of its own
    #[arg(long, value_name = "FOLDER", conflicts_with = "archive")]
    into: Option<PathBuf>,
    /// How many games a part has, about; it ends with the batch in which it has so many
    #[arg(long, value_name = "GAMES", default_value_t = 10_000_000, requires = "into",
          value_parser = clap::value_parser!(u64).range(1..))]
    parts_of: u64,
    /// Index the positions too, which makes finding and exploring fast; an archive that has an index keeps it up to
    /// date without being told
    #[arg(long)]
    index: bool,
    /// Threads that parse and encode, at most 64 (default: all cores); the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_THREADS as u64))]
    threads: usize,
    /// Add the games that cannot be stored to this file, each with its place and the reason
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// End with exit code 0 although games were rejected: for scripts that stop at every other code
    #[arg(long)]
    allow_rejects: bool,
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
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,
    /// Drop comments, glyphs and variations, and count them
    #[arg(long)]
    no_annotations: bool,
    /// Read sources again that have been imported before; games that are there already count as duplicates
    #[arg(long)]
    again: bool,
    /// How moves are encoded in the archive
    #[arg(long, value_name = "CODEC", default_value = "index", value_parser = codec, hide = true)]
    codec: CodecId,
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
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

/// An encoding that archives may hold.
fn codec(name: &str) -> Result<CodecId, String> {
    CodecId::from_name(name).ok_or_else(|| format!("{name:?} is no codec of archives"))
}

impl Import {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if let Some(folder) = &self.into {
            return self.run_into_parts(folder);
        }
        let protected = Protected::default().archive(&self.archive);
        self.paths.iter().fold(protected, |all, path| all.source(path)).check_stdout()?;
        let options = self.options();
        // The first Ctrl-C ends the import after the games that have been read, the second ends the process; the
        // archive is whole either way, and the same command resumes it.
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress::bar(self.quiet);
        let report =
            import_with_progress(&self.archive, &self.paths, &options, |at| progress::show(&bar, at));
        bar.finish_and_clear();
        let report = match report {
            Err(error) if error.is_patience() && options.cancel.load(Relaxed) => {
                terminal::tell("stopped while waiting for another program; nothing was stored");
                std::process::exit(interrupt::STOPPED);
            }
            report => report?,
        };
        self.format.print_unless(self.quiet, &report, |out| {
            report::print(out, &report, &self.archive, self.rejects.is_some())
        })?;
        outcome::tell_problems(&report, &self.archive, self.allow_rejects)
    }

    fn options(&self) -> Options {
        let reading = ReadOptions {
            letters: self.letters,
            strict: self.strict,
            annotations: !self.no_annotations,
            variant: self.variant,
            encoding: self.encoding,
        };
        let waiting = || terminal::tell("waiting for another program that has the archive; Ctrl-C ends it");
        Options {
            threads: self.threads,
            rejects: self.rejects.clone(),
            reading,
            codec: self.codec,
            index: self.index,
            again: self.again,
            commit_every: self.commit_every,
            patience: Some(Duration::from_secs(self.wait)),
            waiting: Some(waiting),
            ..Options::default()
        }
    }
}
