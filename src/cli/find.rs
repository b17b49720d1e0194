//! `plybook find`

use std::{
    io::{self, BufRead, Write},
    ops::ControlFlow,
};

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus, advice,
    answer::AnswerArgs,
    format::{ColumnsArg, CommandFormat, Format, lists_or, or_all},
    open_index, opening,
    position_arg::HELP as POSITION,
    terminal,
};
use crate::{
    archive::{Archive, Filter},
    counts::{GAMES, GAMES_REACHING},
    present::{
        find::{FoundFormat, FoundWriter},
        list::{self, ListOptions, Picked},
    },
    query::{PositionIndex, TargetPosition, by_replay, count_reaching, hits},
    record::GameId,
    request::named_opening,
};

/// Find games by position, material or pattern
///
/// A game is found if the position occurs at any time, including the start and the end: the same pieces, side to move
/// and castling rights, and the same en passant square if a legal move captures there. The list shows the ply of the
/// first occurrence.
///
/// Games of standard chess and Chess960 are searched; with --variant, or if GAME:PLY refers to a game of another
/// variant, games of that variant.
#[derive(Debug, Args)]
#[command(after_help = format!("Examples:
  plybook find '1. e4 c5 2. Nf3 d6'
  plybook find 'sicilian najdorf' --player fischer --colour white
  plybook find 1:24 --format lines
  plybook find 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --count
  plybook find --board-only --mirror '8/8/8/4k3/8/4K3/4P3/8 w' --format pgn
  plybook find - --count < positions.fen
  plybook find '1. e4 c5' --columns white,black,ply --format csv
  plybook find --material 'KRPPP KRPP' --min-plies 10
  plybook find --material 'KRP KR' --result won --count
  plybook find --pattern '*/*/*/*/3P4/*/*/*' --white-castles long --count
  plybook find --any-file --pattern '*/*/*/*/*/*/??P?P*/*' --to-move black
  plybook find --pattern '*/*B/*/*/*/*/*/*' --then '*/*/*/*N?/*/*/*/*' --within 6

{POSITION}"))]
pub(super) struct Find {
    /// Position; - reads one per line from standard input, and each row then begins with its position as given
    #[arg(id = "sought", value_name = "POSITION")]
    position: Vec<String>,
    /// Print only the number of games; for standard input, one number per line, or an empty line after an error
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists_or(FORMATS), default_value = "table", help_heading = "Output")]
    format: Format<FoundFormat<'static>>,
    /// CSV: prefix cells that a spreadsheet would treat as a formula (= + - @, tab, CR) with an apostrophe
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    columns: ColumnsArg,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMATS: [CommandFormat<FoundFormat<'static>>; 3] = [
    ("lines", "One GAME:PLY per line", FoundFormat::Places),
    ("ids", "Only the ids, one per line", FoundFormat::Ids),
    ("pgn", "The games as PGN up to the position, with all tag pairs", FoundFormat::Pgn),
];

impl Find {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let text = self.position.join(" ");
        if text.trim().is_empty() && self.answer.filter.text().search()?.is_none() {
            bail!(
                "give a position (a FEN, moves, GAME:PLY, the name of an opening, or -), or a condition such as --material or --pattern; to find games by players, dates or results: plybook games"
            );
        }
        if self.answer.filter.has_sample() && !text.trim().is_empty() {
            bail!(
                "--sample does not support a position; for a sample of the games that reach it: plybook games --position POSITION --sample N"
            );
        }
        if self.columns.is_given() && (self.count || matches!(self.format, Format::Own(_))) {
            bail!("--columns cannot be combined with --count or with --format lines, ids or pgn");
        }
        let (archive, index) = open_index::with_archive(&self.answer.archive)?;
        let filter = self.answer.filter.filter(&archive)?;
        // Each line is flushed, so that the first games are visible while the search continues.
        let mut out = self.answer.out()?;
        let (is_whole, hits, damaged) = self.look(&archive, index.as_ref(), &filter, &text, &mut out)?;
        out.finish()?;
        // For conditions without a position, the filter has already reported the scan.
        if index.is_none() && !text.trim().is_empty() {
            open_index::advise_index();
        }
        if damaged > 0 {
            terminal::tell(advice::passed_over(damaged));
        }
        Ok(ExitStatus::complete_if(is_whole && hits > 0 && damaged == 0))
    }

    /// Searches for the position or the conditions. Returns whether all could be parsed, and how many games were
    /// found and how many are damaged.
    fn look(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        filter: &Filter,
        text: &str,
        out: &mut dyn Write,
    ) -> anyhow::Result<(bool, u64, u64)> {
        let opening = named_opening(text);
        if let Some(opening) = opening {
            match self.is_table() {
                true => writeln!(out, "{} {}", opening.eco, opening.name)?,
                false => opening::tell_reached(opening),
            }
        }
        let (is_named, noun) = (text == "-", if opening.is_some() { GAMES_REACHING } else { GAMES });
        let picked = match self.format {
            Format::List(format) => self.columns.of(format, &FoundWriter::head(is_named))?,
            Format::Own(_) => None,
        };
        let to = match self.count {
            true => SearchOutput::Counts(out),
            false => {
                let format = (self.format(&picked), noun);
                SearchOutput::Games(FoundWriter::new(archive, filter, format, is_named, out))
            }
        };
        let mut search = Search { archive, index, filter, to, hits: 0, damaged: 0 };
        // A closed pipe is not an error: the reader has seen what it needed.
        let is_whole = match self.answer.filter.text().search()?.filter(|_| text.trim().is_empty()) {
            Some(conditions) => search.all(&conditions).map(|()| true)?,
            None => self.search(text, &mut search)?,
        };
        let Search { to, hits, damaged, .. } = search;
        to.end()?;
        Ok((is_whole, hits, damaged))
    }

    /// Searches for a position, or for `-` for the position on each line of standard input. Returns whether all
    /// lines are valid.
    fn search(&self, text: &str, search: &mut Search<'_>) -> anyhow::Result<bool> {
        if text != "-" {
            self.answer.filter.tell_of_castling(text);
            let sought = self.answer.filter.text().sought(text, search.archive);
            search.one(text, &sought.map_err(|error| opening::with_games(search.archive, error))?)?;
            return Ok(true);
        }
        let (mut is_whole, mut is_told) = (true, false);
        for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
            let line = line?;
            // Text that is not UTF-8 is not a valid position either.
            let line = String::from_utf8_lossy(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line));
            match self.answer.filter.text().sought(&line, search.archive).map_err(anyhow::Error::from) {
                Ok(sought) => {
                    // Reported once, because all lines may lack the field.
                    is_told = is_told || self.answer.filter.tell_of_castling(&line);
                    search.one(&line, &sought)?;
                }
                Err(error) => {
                    search.none()?;
                    terminal::tell_error(format_args!("line {number}: "), &error);
                    is_whole = false;
                }
            }
        }
        Ok(is_whole)
    }

    /// Whether the output is a table for people rather than for programs.
    fn is_table(&self) -> bool {
        !self.count && matches!(self.format, Format::List(format) if format.name() == list::TABLE.name())
    }

    fn format<'a>(&self, picked: &'a Option<Picked>) -> FoundFormat<'a> {
        match self.format {
            Format::Own(format) => format,
            Format::List(format) => FoundFormat::List(
                or_all(picked, format),
                ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() },
            ),
        }
    }
}

/// A search for one position after another.
struct Search<'a> {
    archive: &'a Archive,
    index: Option<&'a PositionIndex>,
    filter: &'a Filter,
    to: SearchOutput<'a>,
    /// The number of games found, and the number of games skipped.
    hits: u64,
    damaged: u64,
}

/// What to do with the games.
enum SearchOutput<'a> {
    Games(FoundWriter<'a>),
    Counts(&'a mut dyn Write),
}

impl SearchOutput<'_> {
    fn end(self) -> anyhow::Result<()> {
        match self {
            SearchOutput::Games(writer) => Ok(writer.end()?),
            SearchOutput::Counts(out) => Ok(out.flush()?),
        }
    }
}

impl Search<'_> {
    /// Searches for the games that reach a position.
    fn one(&mut self, text: &str, sought: &TargetPosition) -> anyhow::Result<()> {
        let bar = terminal::games_bar(self.archive.last_id()?.unsigned_abs());
        match &mut self.to {
            SearchOutput::Games(writer) => {
                let found = hits(self.archive, self.index, sought, self.filter, |progress| {
                    match progress.hits {
                        0 => bar.set_position(progress.games),
                        // The rows follow.
                        _ => bar.finish_and_clear(),
                    }
                    ControlFlow::Continue(())
                })?;
                let progress = writer.write(text, found)?;
                self.hits += progress.hits;
                self.damaged += progress.damaged;
            }
            SearchOutput::Counts(out) => {
                let counted = count_reaching(self.archive, self.index, sought, self.filter, |progress| {
                    bar.set_position(progress.games);
                    ControlFlow::Continue(())
                })?
                .unwrap_or_default();
                let games = counted.hits.saturating_sub(self.filter.offset);
                let games = games.min(self.filter.limit.unwrap_or(u64::MAX));
                writeln!(out, "{games}")?;
                self.hits += games;
                self.damaged += counted.damaged;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Lists the games that pass the filter and contain the conditions.
    fn all(&mut self, conditions: &crate::query::Search) -> anyhow::Result<()> {
        match &mut self.to {
            SearchOutput::Games(writer) => {
                let found = by_replay(self.archive, conditions, self.filter, |_| ControlFlow::Continue(()));
                let progress = writer.write("", found)?;
                self.hits += progress.hits;
                self.damaged += progress.damaged;
            }
            SearchOutput::Counts(out) => {
                let mut games = 0;
                for id in self.archive.list::<GameId>(self.filter) {
                    id?;
                    games += 1;
                }
                writeln!(out, "{games}")?;
                self.hits += games;
            }
        }
        Ok(())
    }

    /// Output for a line that is not a valid position.
    fn none(&mut self) -> anyhow::Result<()> {
        match &mut self.to {
            SearchOutput::Games(_) => Ok(()),
            SearchOutput::Counts(out) => Ok(writeln!(out)?),
        }
    }
}
