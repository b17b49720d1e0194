//! `plybook names`

use clap::Args;

use super::{ArchiveArg, ExitStatus, format, terminal::OutputArgs};
use crate::{
    archive::NameKind,
    present::{
        list::{self, ListFormat},
        names,
    },
};

/// List the players, events or sites that are called something, with their games and years
///
/// The names that fit come first, as --player, --event and --site find them; then those that are spelled like that.
/// Without TEXT it is all names, those with most games first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook names adams
  plybook names 'Kasparov, Garry' --format csv
  plybook names --events 'wijk aan zee'
  plybook names --sites --limit 20")]
pub(super) struct Names {
    /// The name, or what is known of it
    text: Vec<String>,
    /// Events
    #[arg(long, conflicts_with = "sites")]
    events: bool,
    /// Sites
    #[arg(long)]
    sites: bool,
    /// At most so many names
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// How to print the list
    #[arg(long, value_parser = format::lists(), default_value = "table")]
    format: &'static dyn ListFormat,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Names {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open_at_this_moment()?;
        let of = match (self.events, self.sites) {
            (true, _) => NameKind::Event,
            (_, true) => NameKind::Site,
            _ => NameKind::Player,
        };
        let text = Some(self.text.join(" ")).filter(|text| !text.trim().is_empty());
        let found = names::list(&archive, of, text.as_deref(), self.limit)?;
        let mut out = self.output.open(&self.archive.protected())?;
        list::write(self.format, self.output.list_options(), &mut out, &found)?;
        out.finish()?;
        Ok(ExitStatus::complete_if(!found.is_empty()))
    }
}
