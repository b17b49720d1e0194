//! `plybook rejects`

use clap::Args;

use super::{
    ExitStatus, OneArchiveArg,
    answer::{Choice, Format, lists_or},
    terminal::OutputArgs,
};
use crate::{
    archive::{Archive, ArchiveError, KeptReject},
    import::write_reject,
    present::{list::Head, rejects::RejectRow},
};

/// The texts themselves.
const TEXTS: Choice<()> = (
    "pgn",
    "Their texts unchanged, each after a line with its place and the reason, as \"import --rejects\" writes them",
    (),
);

/// List the rejected games that an archive keeps
///
/// "plybook import --keep-rejects" keeps them. To read them again, use "plybook retry"; to delete them, "plybook compact
/// --rejects".
///
/// Examples:
/// * plybook rejects
/// * plybook rejects --format csv > rejects.csv
/// * plybook rejects -o bad.pgn
#[derive(Debug, Args)]
pub(super) struct Rejects {
    /// Output format
    #[arg(long, value_parser = lists_or([TEXTS]), default_value = "table", help_heading = "Output")]
    format: Format<()>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Rejects {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?.at_this_moment()?;
        let ids = archive.reject_ids()?;
        let mut out = self.output.open(&self.archive.protected())?;
        match self.format {
            Format::Own(()) => {
                for reject in kept(&archive, &ids) {
                    let KeptReject { source, location, reason, text, .. } = reject?;
                    write_reject(&mut out, &format!("{source}: {location}: {reason}"), &text)?;
                }
            }
            Format::List(format) => {
                let mut list = format.begin(&mut out, Head::of::<RejectRow>(), self.output.list_options());
                kept(&archive, &ids)
                    .try_for_each(|reject| anyhow::Ok(list.row(&RejectRow::from(reject?))?))?;
                list.end()?;
            }
        }
        out.finish()?;
        Ok(ExitStatus::complete_if(!ids.is_empty()))
    }
}

/// Reads rejected games one by one.
fn kept<'a>(
    archive: &'a Archive,
    ids: &'a [i64],
) -> impl Iterator<Item = Result<KeptReject, ArchiveError>> + 'a {
    ids.iter().filter_map(|id| archive.reject(*id).transpose())
}
