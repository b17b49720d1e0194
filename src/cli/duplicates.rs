//! `plybook duplicates`

use std::io::Write;

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus, advice,
    answer::{AnswerArgs, lists},
    edit::ResolveArgs,
    terminal,
};
use crate::{
    archive::Archive,
    present::{
        duplicates,
        list::{ListFormat, ListOptions},
    },
    query::{Context, Marked, NearDuplicates, near_duplicates},
};

/// Find games that are stored twice with small differences
///
/// The games of a pair differ in the spelling of names, the date, the result, the last moves or the order of two moves,
/// or one is the beginning of the other. The fewer moves they share that others did not play, the more of players,
/// date, event and round must agree. Only games of chess are compared. Nothing is changed without --keep, --join or
/// --different; each of these is one change, which "plybook undo" takes back.
///
/// At least one game of a pair must match the filters; --limit and --offset count pairs. Games that pairs connect are the
/// same game: of three, two are removed or joined with the first. The richer game is the one with more plies; of these,
/// with more bytes of annotations, then with more known tags; of equal ones the first. A joined game keeps the values of
/// the first where both have one.
///
/// Examples:
/// * plybook duplicates --limit 20
/// * plybook duplicates --player 'karpov*' --date 1970..1979
/// * plybook duplicates --source new.pgn --format csv > pairs.csv
/// * plybook duplicates --keep richer --dry-run
/// * plybook duplicates --join --source new.pgn
/// * plybook duplicates --different 12 80
/// * plybook duplicates --marked
#[derive(Debug, Args)]
pub(super) struct Duplicates {
    #[command(flatten)]
    resolve: ResolveArgs,
    /// List only pairs that are marked as different
    #[arg(long, conflicts_with = "action", help_heading = "Output")]
    marked: bool,
    /// Print only the number of pairs
    #[arg(long, conflicts_with = "action", help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", conflicts_with = "action", help_heading = "Output")]
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
        if let Some(action) = self.resolve.action() {
            return self.resolve.run(action, &self.answer, |archive| {
                Ok(self.find(archive)?.pairs.into_iter().map(|pair| pair.games).collect())
            });
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let mut out = self.answer.out()?;
        let found = self.find(&archive)?;
        if self.count {
            writeln!(out, "{}", found.pairs.len())?;
        } else {
            let options = ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
            duplicates::write(&archive, &found.pairs, self.format, options, &mut out)?;
        }
        out.finish()?;
        Ok(ExitStatus::complete_if(!found.pairs.is_empty() && found.damaged == 0))
    }

    /// Finds the pairs.
    fn find(&self, archive: &Archive) -> anyhow::Result<NearDuplicates> {
        let filter = self.answer.filter.filter(archive)?;
        let marked = if self.marked { Marked::Only } else { Marked::Left };
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let query = |context: Context<'_>| near_duplicates(context, &filter, marked);
        let found = terminal::with_bar(bar, Context::new(archive), query)?;
        if found.damaged > 0 {
            terminal::tell(advice::passed_over(found.damaged));
        }
        Ok(found)
    }
}
