//! `plybook duplicates`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus, advice,
    answer::{AnswerArgs, lists},
    terminal,
};
use crate::{
    present::{
        duplicates,
        list::{ListFormat, ListOptions},
    },
    query::{Context, near_duplicates},
};

/// Find games that are stored twice with small differences
///
/// The games of a pair differ in the spelling of names, the date, the result, the last moves or the order of two moves,
/// or one is the beginning of the other. The fewer moves they share that others did not play, the more of players,
/// date, event and round must agree. Only games of chess are compared, and nothing is changed.
///
/// At least one game of a pair must match the filters; --limit and --offset count pairs.
///
/// Examples:
/// * plybook duplicates --limit 20
/// * plybook duplicates --player 'karpov*' --date 1970..1979
/// * plybook duplicates --source new.pgn --format csv > pairs.csv
/// * plybook duplicates --count
#[derive(Debug, Args)]
pub(super) struct Duplicates {
    /// Print only the number of pairs
    #[arg(long, help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", help_heading = "Output")]
    format: &'static ListFormat,
    /// CSV: put ' before cells that spreadsheets treat as formulas
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl Duplicates {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // A plain number is also valid JSON.
        if self.count && !["table", "json"].contains(&self.format.name) {
            bail!("--count prints a number; omit --format, or use --format json");
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let filter = self.answer.filter.filter(&archive)?;
        let mut out = self.answer.out()?;
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let found =
            terminal::with_bar(bar, Context::new(&archive), |context| near_duplicates(context, &filter))?;
        if self.count {
            writeln!(out, "{}", found.pairs.len())?;
        } else {
            let options = ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
            duplicates::write(&archive, &found.pairs, self.format, options, &mut out)?;
        }
        out.finish()?;
        if found.damaged > 0 {
            terminal::tell(advice::passed_over(found.damaged));
        }
        Ok(ExitStatus::complete_if(!found.pairs.is_empty() && found.damaged == 0))
    }
}
