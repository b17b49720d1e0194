//! `plybook duplicates`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus, advice,
    answer::{AnswerArgs, ColumnsArg, lists},
    terminal,
};
use crate::{
    present::{
        duplicates::{self, DuplicateRow},
        list::{Head, ListFormat, ListOptions},
    },
    query::{Context, near_duplicates},
};

/// Find games that are stored twice with small differences
///
/// A pair differs in the spelling of names, the date, the result, the last plies, the order of two moves, or because
/// one game is the beginning of the other; in several of these ways if the rest agrees. The fewer plies two games share
/// that no others do, the more of players, date, event and round must agree. Only chess games are compared.
///
/// With filters, one game of a pair must match them. The order, the limit and the offset are those of pairs.
///
/// Examples:
/// * plybook duplicates --limit 20
/// * plybook duplicates --player 'karpov*' --date 1970..1979
/// * plybook duplicates --source new.pgn --format csv > pairs.csv
/// * plybook duplicates --format json --columns id,other_id,differences
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
    columns: ColumnsArg,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl Duplicates {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // A plain number is also valid JSON.
        if self.count && !["table", "json"].contains(&self.format.name) {
            bail!("--count prints a number; omit --format, or use --format json");
        }
        if self.count && !self.columns.columns.is_empty() {
            bail!("--columns cannot be combined with --count");
        }
        let format = self.format.limited(&Head::of::<DuplicateRow>(), &self.columns.columns)?;
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
            duplicates::write(&archive, &found.pairs, &format, options, &mut out)?;
        }
        out.finish()?;
        if found.damaged > 0 {
            terminal::tell(advice::passed_over(found.damaged));
        }
        Ok(ExitStatus::complete_if(!found.pairs.is_empty() && found.damaged == 0))
    }
}
