//! `plybook merge`

use std::{
    path::PathBuf,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use clap::{Args, builder::RangedU64ValueParser};

use super::{
    ExitStatus,
    answer::ReportFormat,
    edit::tell_of_log,
    import::{progress_bar, report, show_progress},
    interrupt,
};
use crate::{
    files::Protected,
    import::Options,
    limits::MAX_THREADS,
    parts::{archives_of, merge},
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
            report::print(out, &merged, &self.output, false, true)
        })?;
        report::tell_problems(&merged, &self.output, false)
    }
}
