//! `plybook games`, `names` and `info`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ArchiveArg, ExitStatus, advice,
    answer::{AnswerArgs, ColumnsArg, Format, ReportFormat, lists, lists_or},
    archive_arg::open_index,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{NameKind, Summary},
    present::{
        archive_info::archive_overview,
        games::{self, NamedGame, write_named_games},
        list::{self, Head, ListFormat, ListOptions},
    },
    query::all_names,
    record::GameId,
};

/// List games that match filters
///
/// Examples:
/// * plybook games --limit 20
/// * plybook games --player 'karpov*' --colour white --result 1-0
/// * plybook games --date 1970..1979 --elo 2600.. --sort date
/// * plybook games --eco B90 --format csv > najdorf.csv
/// * plybook games --opening 'ruy lopez' --opening-names
/// * plybook games --event 'london*' --format ids
/// * plybook games --player fischer --count
/// * plybook games --player fischer --format csv --columns white,black,date
/// * plybook games --elo 2600.. --sample 20
#[derive(Debug, Args)]
pub(super) struct Games {
    /// Print only the number of games
    #[arg(long, conflicts_with = "opening_names", help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists_or([("ids", "Only the ids, one per line", Ids)]), default_value = "table", help_heading = "Output")]
    format: Format<Ids>,
    /// CSV: prefix cells that a spreadsheet would treat as a formula (= + - @, tab, CR) with an apostrophe
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    /// Add the ECO code and the name of the opening, by the last named position of each game
    #[arg(long)]
    opening_names: bool,
    #[command(flatten)]
    columns: ColumnsArg,
    #[command(flatten)]
    answer: AnswerArgs,
}

#[derive(Clone, Copy, Debug)]
struct Ids;

impl Games {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // A plain number is also valid JSON.
        let is_number = |format: &Format<_>| matches!(format, Format::List(format) if ["table", "json"].contains(&format.name()));
        if self.count && !is_number(&self.format) {
            bail!("--count prints a number; omit --format, or use --format json");
        }
        if !self.columns.columns.is_empty() && (self.count || matches!(self.format, Format::Own(_))) {
            bail!("--columns cannot be combined with --count or --format ids");
        }
        let archive = self.answer.archive.open()?;
        let filter = self.answer.filter.filter(&archive)?;
        let mut out = self.answer.out()?;
        let count = match self.format {
            _ if self.count => {
                let games = archive.list::<GameId>(&filter).try_fold(0, |games, id| id.map(|_| games + 1))?;
                writeln!(out, "{games}")?;
                games
            }
            Format::Own(Ids) => {
                let mut count = 0;
                for id in archive.list::<GameId>(&filter) {
                    writeln!(out, "{}", id?)?;
                    count += 1;
                }
                count
            }
            Format::List(format) => {
                let options =
                    ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
                if self.opening_names {
                    let _snapshot = archive.snapshot()?;
                    let index = open_index(&archive)?;
                    let format = format.limited(&Head::of::<NamedGame>(), &self.columns.columns)?;
                    write_named_games(&archive, index.as_ref(), &filter, &format, options, &mut out)?
                } else {
                    let format = format.limited(&Head::of::<Summary>(), &self.columns.columns)?;
                    games::write(&archive, &filter, &format, options, &mut out)?
                }
            }
        };
        out.finish()?;
        Ok(ExitStatus::complete_if(count > 0))
    }
}

/// List players, events or sites by name, with their games and years
///
/// Names that match, as with --player, --event and --site, come first; then names with a similar spelling. Without
/// TEXT, all names are listed, most games first.
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
        let found = match text {
            Some(text) => archive.names().near(of, &text, self.limit)?,
            None => all_names(&archive, None, of, self.limit)?,
        };
        let mut out = self.output.open(&self.archive.protected())?;
        list::write(self.format, self.output.list_options(), &mut out, &found)?;
        out.finish()?;
        Ok(ExitStatus::complete_if(!found.is_empty()))
    }
}

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
        if answer.has_damaged_index {
            terminal::tell(format_args!("the index is corrupt; {}", advice::to_renew_index(archive.path())));
        }
        Ok(())
    }
}
