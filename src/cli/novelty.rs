//! `plybook novelty`

use std::io::{IsTerminal, stdout};

use clap::{Args, value_parser};
use indicatif::ProgressBar;

use super::{
    ExitStatus,
    answer::{AnswerArgs, lists},
    archive_arg::{advise_index, open_explorer},
    requested_games::RequestedGames,
    terminal,
};
use crate::{
    files::Protected,
    import::with_sources,
    present::{
        list::{ListFormat, ListOptions},
        novelty::NoveltyList,
    },
    query::NoveltyOptions,
};

/// Find the first new move (novelty) of games
///
/// A novelty is the first move after which no earlier game has reached the position, by any move order. Games are
/// compared in the order of "games --sort date": unknown parts of a date sort first, games of the same date are ordered
/// by id, and games without a date come last. "known" is the number of earlier games that reached the position before
/// the new move, or the final position if all positions are known.
///
/// Examples:
/// * plybook novelty 1 2 3
/// * plybook novelty --player kasparov --date 1999 --format csv > new.csv
/// * plybook novelty my_games.pgn --games 5
/// * plybook novelty --event 'candidates*' --any-date
#[derive(Debug, Args)]
pub(super) struct Novelty {
    /// Ids of games in the archive, or PGN files with games that are not in it; - reads standard input [default:
    /// the games of the archive that pass the filters]
    #[arg(value_name = "ID|FILE")]
    games: Vec<String>,
    /// Compare with all other games, including later ones
    #[arg(long)]
    any_date: bool,
    /// List up to N earlier games with the position, highest rated first, then most recent
    #[arg(long = "games", value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(..=100))]
    named: u16,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", help_heading = "Output")]
    format: &'static ListFormat,
    /// CSV: put ' before cells that spreadsheets treat as formulas
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl Novelty {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let asked = RequestedGames::new(&self.games, &self.answer.filter)?;
        // A missing file is reported when its turn comes.
        let with_file =
            |all: Protected, file| with_sources(all.clone(), std::slice::from_ref(file)).unwrap_or(all);
        let protected = asked.files().iter().fold(self.answer.archive.protected(), with_file);
        protected.check_stdout()?;
        let explorer = open_explorer(&self.answer.archive)?;
        let archive = self.answer.archive.open()?;
        let options = NoveltyOptions { any_date: self.any_date, games: self.named.into() };
        let mut out = self.answer.output.open(&protected)?;
        let list = ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
        // Rows are printed while games are compared; on a terminal they would interfere with the progress bar.
        let is_shown = !stdout().is_terminal();
        let bar = if is_shown { terminal::games_counter() } else { ProgressBar::hidden() };
        let watch = terminal::watch(bar.clone());
        let mut list = NoveltyList::new(&explorer, options, self.format, list, &mut out, watch)?;
        let mut is_begun = false;
        let counted = asked.for_each(&archive, &bar, &mut |game| {
            is_begun = true;
            Ok(list.add(game)?)
        });
        let counted = match counted {
            Err(error) if !is_begun => return Err(error),
            // If a file cannot be read, the rows of the games before it are still printed.
            counted => counted,
        };
        let written = list.end()?;
        bar.finish_and_clear();
        out.finish()?;
        let failed = counted?;
        advise_index(!explorer.ask(|context| Ok(context.has_positions()))?);
        Ok(ExitStatus::complete_if(written > 0 && failed == 0))
    }
}
