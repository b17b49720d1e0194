//! `plybook games`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus,
    answer::{AnswerArgs, ColumnsArg, Format, lists_or},
    archive_arg::open_index,
    filter::tell_matched_events,
};
use crate::{
    archive::{Archive, Filter, SizedGame, Sort, Summary},
    present::{
        games::{self, NamedGame},
        list::{Head, ListOptions},
    },
    query::{Context, openings_of_games},
    record::GameId,
    stats::{SurprisingGame, surprising_games},
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
/// * plybook games --elo 2600.. --plies 40.. --sort surprise --desc --limit 10
#[derive(Debug, Args)]
pub(super) struct Games {
    /// Print only the number of games
    #[arg(long, conflicts_with = "opening_names", help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists_or([("ids", "Only the ids, one per line", Ids)]), default_value = "table", help_heading = "Output")]
    format: Format<Ids>,
    /// CSV: put ' before cells that spreadsheets treat as formulas
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

/// A filter for the games of a sorted list, if the index can find them.
fn narrowed(archive: &Archive, filter: Filter) -> anyhow::Result<Filter> {
    if filter.sort == Sort::Id || filter.limit.is_none() {
        return Ok(filter);
    }
    // Not held while the list is written: a reader that stalls must not keep others from writing.
    let _snapshot = archive.snapshot()?;
    match open_index(archive)? {
        Some(index) => Ok(index.narrowed(archive, filter)?),
        None => Ok(filter),
    }
}

impl Games {
    pub(super) fn run(mut self) -> anyhow::Result<ExitStatus> {
        let by_surprise = self.answer.filter.takes_surprise();
        self.check(by_surprise)?;
        let archive = self.answer.archive.open()?;
        let mut filter = self.answer.filter.filter(&archive)?;
        if matches!(self.format, Format::List(format) if format.name == "table") {
            tell_matched_events(&archive, &filter)?;
        }
        let mut out = self.answer.out()?;
        filter = narrowed(&archive, filter)?;
        let count = match self.format {
            Format::List(format) if !self.count => {
                let text = &self.answer.filter.text;
                let format = self.answer.filter.for_readers(&archive, format, text, &mut filter)?;
                let options =
                    ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
                if by_surprise {
                    let format = format.limited(&Head::of::<SurprisingGame>(), &self.columns.columns)?;
                    let bar = self.answer.filter.bar(&archive)?;
                    let found = surprising_games(&archive, &filter, move |games| bar.set_position(games))?;
                    games::write(found, &format, options, &mut out)?
                } else if self.opening_names {
                    let _snapshot = archive.snapshot()?;
                    let index = open_index(&archive)?;
                    let format = format.limited(&Head::of::<NamedGame>(), &self.columns.columns)?;
                    let found =
                        openings_of_games(Context::new(&archive).with_index(index.as_ref()), &filter)?;
                    let found = found.map(|game| game.map(|(game, id)| NamedGame::new(game, id)));
                    games::write(found, &format, options, &mut out)?
                } else if filter.sort == Sort::Bytes {
                    let format = format.limited(&Head::of::<SizedGame>(), &self.columns.columns)?;
                    games::write(archive.list::<SizedGame>(&filter), &format, options, &mut out)?
                } else {
                    let format = format.limited(&Head::of::<Summary>(), &self.columns.columns)?;
                    games::write(archive.list::<Summary>(&filter), &format, options, &mut out)?
                }
            }
            _ => {
                let mut count = 0;
                for id in archive.list::<GameId>(&filter) {
                    let id = id?;
                    if !self.count {
                        writeln!(out, "{id}")?;
                    }
                    count += 1;
                }
                if self.count {
                    writeln!(out, "{count}")?;
                }
                count
            }
        };
        out.finish()?;
        Ok(ExitStatus::complete_if(count > 0))
    }

    /// Whether the options go together.
    fn check(&self, by_surprise: bool) -> anyhow::Result<()> {
        // A plain number is also valid JSON.
        let is_number = |format: &Format<_>| matches!(format, Format::List(format) if ["table", "json"].contains(&format.name));
        if self.count && !is_number(&self.format) {
            bail!("--count prints a number; omit --format, or use --format json");
        }
        if !self.columns.columns.is_empty() && (self.count || matches!(self.format, Format::Own(_))) {
            bail!("--columns cannot be combined with --count or --format ids");
        }
        if by_surprise && (self.count || self.opening_names || matches!(self.format, Format::Own(_))) {
            bail!("--sort surprise cannot be combined with --count, --opening-names or --format ids");
        }
        if by_surprise && self.answer.filter.takes_sample() {
            bail!("--sort surprise cannot be combined with --sample");
        }
        Ok(())
    }
}
