//! `plybook retry`

use clap::Args;

use super::{
    ExitStatus, OneArchiveArg, advice, answer::ReportFormat, import::report, reading::SourceReadingArgs,
    terminal,
};
use crate::import::{self, Options};

/// Read the rejected games that an archive keeps again
///
/// Games that can be read now, with a later version of plybook or with these options, are stored, and leave the rejected
/// games, as do those that the archive has. This is an import: "plybook log" lists it, and "plybook undo" removes its games
/// and restores the rejected ones. The source of its games is that of the rejected game, with "(retried)" after it.
///
/// The exit code is 1 if a game is rejected again.
///
/// Examples:
/// * plybook retry
/// * plybook retry --letters de
/// * plybook retry --encoding windows-1251 --keep-broken
#[derive(Debug, Args)]
pub(super) struct Retry {
    #[command(flatten)]
    reading: SourceReadingArgs,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "Report")]
    format: ReportFormat,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Retry {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let path = &self.archive.archive;
        let games = self.archive.open()?.kept_rejects()?.games;
        if games == 0 && self.format == ReportFormat::Text {
            terminal::print("the archive keeps no rejected games")?;
            return Ok(ExitStatus::Complete);
        }
        let reading = self.reading.options();
        let mut report = import::retry(path, &Options { reading, ..Options::default() })?;
        advice::on_rejects(&mut report);
        self.format.print(&report, |out| report::print(out, &report, path, true, true))?;
        report::tell_problems(&report, path, false)
    }
}
