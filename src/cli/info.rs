//! `plybook info`

use clap::Args;

use super::{ArchiveArg, advice, answer::ReportFormat, terminal};
use crate::present::archive_info::archive_overview;

/// Show a summary of an archive: games, dates, sources, size and index
///
/// Examples:
/// * plybook info
/// * plybook info -a chess.db
/// * plybook info --format json | jq .games
#[derive(Debug, Args)]
pub(super) struct Info {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Info {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        let answer = archive_overview(&self.archive.paths()?.name().display().to_string(), &archive)?;
        self.format.print(&answer, |out| answer.write_text(out, terminal::list_options().width))?;
        if answer.has_former_values {
            terminal::tell(advice::to_renew_values(archive.path()));
        }
        if let Some(path) = &answer.former_index {
            terminal::tell(format_args!("to rebuild the index: {}", advice::to_index(path)));
        }
        if answer.has_damaged_index {
            terminal::tell(format_args!("the index is corrupt; {}", advice::to_renew_index(archive.path())));
        }
        Ok(())
    }
}
