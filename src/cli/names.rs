//! `plybook names`

use clap::Args;

use super::{
    ArchiveArg, ExitStatus,
    answer::lists,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{CountedName, NameKind, matches},
    player_name::same_player,
    present::list::{self, ListFormat},
    query::{Context, all_names},
};

/// List players, events or sites by name, with their games and years
///
/// Names that match, as with --player, --event and --site, come first; then names with a similar spelling. Standard
/// error has the number of each. Without TEXT, all names are listed, most games first.
///
/// Examples:
/// * plybook names adams
/// * plybook names 'Kasparov, Garry' --format csv
/// * plybook names --events 'wijk aan zee'
/// * plybook names --sites --limit 20
#[derive(Debug, Args)]
pub(super) struct Names {
    /// Name, or part of a name
    text: Vec<String>,
    /// List events
    #[arg(long, conflicts_with = "sites")]
    events: bool,
    /// List sites
    #[arg(long)]
    sites: bool,
    /// List at most N names
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", help_heading = "Output")]
    format: &'static ListFormat,
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
        let found = match &text {
            Some(text) => archive.names().near(of, text, self.limit)?,
            None => all_names(Context::new(&archive), of, self.limit)?,
        };
        if let Some(text) = text.filter(|_| !found.is_empty()) {
            self.report_matches(of, &text, &found);
        }
        let mut out = self.output.open(&self.archive.protected())?;
        list::write(self.format, self.output.list_options(), &mut out, &found)?;
        out.finish()?;
        Ok(ExitStatus::complete_if(!found.is_empty()))
    }
    /// Reports how many of the listed names match, and how many are only similar.
    fn report_matches(&self, of: NameKind, text: &str, found: &[CountedName]) {
        let is_match = if of == NameKind::Player { same_player } else { matches };
        let matching = found.iter().filter(|of| is_match(&of.name, text)).count();
        let similar = found.len() - matching;
        let mut report = match matching {
            0 => "no name matches".to_owned(),
            1 => "1 name matches".to_owned(),
            several => format!("{several} names match"),
        };
        if similar > 0 {
            report += &format!("; {similar} with a similar spelling");
        } else if found.len() == self.limit {
            report += ", and possibly more: raise --limit";
        }
        terminal::tell(report);
    }
}
