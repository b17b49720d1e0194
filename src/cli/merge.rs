//! `plybook merge`

use std::{
    path::PathBuf,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use clap::{Args, builder::RangedU64ValueParser};

use super::{
    ExitStatus,
    format::ReportFormat,
    import::{outcome, progress, report},
    interrupt,
};
use crate::{
    files::Protected,
    import::Options,
    limits::MAX_THREADS,
    parts::{archives_of, merge},
};

/// Put archives together in a new one
///
/// Games are taken over as they stand there, with everything that belongs to them, in the order of the archives; a
/// game that one before has is left out, as is one that is damaged. A folder with a catalogue stands for its parts. The new
/// archive gets its name when it is whole; until then it is FILE.plybook-merge, and the same command resumes it. It
/// is indexed if one of the archives is. The archives stay as they are.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook merge a.db b.db -o all.db
  plybook merge collection -o all.db
  plybook merge collection new.db -o all.db --format json --quiet")]
pub(super) struct Merge {
    /// Archives, or folders with a catalogue
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The new archive; it must not exist
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Index the games although none of the archives is indexed
    #[arg(long)]
    index: bool,
    /// Threads that prove and prepare games, at most 64 (default: all cores)
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_THREADS as u64))]
    threads: usize,
    /// No progress and no report as text
    #[arg(short, long)]
    quiet: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let all = archives_of(&self.archives)?;
        all.iter().fold(Protected::default(), |all, path| all.archive(path)).check_stdout()?;
        let options = Options { threads: self.threads, index: self.index, ..Options::default() };
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress::bar(self.quiet);
        let merged = merge(&self.archives, &self.output, &options, |at| progress::show(&bar, at));
        bar.finish_and_clear();
        if options.cancel.load(Relaxed) && merged.as_ref().is_err_and(|error| error.is_patience()) {
            std::process::exit(interrupt::STOPPED);
        }
        let merged = merged?;
        self.format
            .print_unless(self.quiet, &merged, |out| report::print(out, &merged, &self.output, false))?;
        outcome::tell_problems(&merged, &self.output, false)
    }
}
