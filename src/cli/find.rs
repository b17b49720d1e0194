//! `plybook find`

use std::{
    io::{self, BufRead, Write},
    ops::ControlFlow,
};

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus, advice,
    answer::{AnswerArgs, Choice, ColumnsArg, Format, lists_or},
    archive_arg::{advise_index, open_with_index},
    filter::tell_of_castling,
    position_arg::{HELP as POSITION, tell_reached, with_opening_games},
    terminal,
};
use crate::{
    archive::{Archive, Filter},
    counts::{GAMES, GAMES_REACHING},
    present::{
        find::{FoundFormat, FoundWriter},
        list::{self, ListFormat, ListOptions},
    },
    query::{Context, FindProgress, Search},
    request::named_opening,
};

/// Find games by position, material or pattern
///
/// A game is found if the position occurs at any time, including the start and the end: the same pieces, side to move
/// and castling rights, and the same en passant square if a legal move captures there. The list shows the ply of the
/// first occurrence and the move before it.
///
/// Games of standard chess and Chess960 are searched; with --variant, or if GAME:PLY refers to a game of another
/// variant, games of that variant.
///
/// Examples:
/// * plybook find '1. e4 c5 2. Nf3 d6'
/// * plybook find 'sicilian najdorf' --player fischer --colour white
/// * plybook find 1:24 --format lines
/// * plybook find 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --count
/// * plybook find --board-only --mirror '8/8/8/4k3/8/4K3/4P3/8 w' --format pgn
/// * plybook find --material 'KRPPP KRPP' --min-plies 10
/// * plybook find --material 'KRP KR' --result won --count
/// * plybook find --pattern '*/*/*/*/3P4/*/*/*' --white-castles long --count
/// * plybook find --any-file --pattern '*/*/*/*/*/*/??P?P*/*' --to-move black
/// * plybook find --pattern '*/*B/*/*/*/*/*/*' --then '*/*/*/*N?/*/*/*/*' --within 6
#[derive(Debug, Args)]
#[command(after_help = format!("{{examples}}

{POSITION}"))]
pub(super) struct Find {
    /// Position; - reads one per line, and names it in each row of the list
    #[arg(id = "sought", value_name = "POSITION")]
    position: Vec<String>,
    /// Print only the number of games; for standard input, one number per line, or an empty line after an error
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    count: bool,
    /// Output format
    #[arg(long, value_parser = lists_or(FORMATS), default_value = "table", help_heading = "Output")]
    format: Format<FoundFormat<'static>>,
    /// PGN: leave out what follows the position
    #[arg(long, help_heading = "Output")]
    to_position: bool,
    /// CSV: put ' before cells that spreadsheets treat as formulas
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    columns: ColumnsArg,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMATS: [Choice<FoundFormat<'static>>; 3] = [
    ("lines", "One GAME:PLY per line", FoundFormat::Places),
    ("ids", "Only the ids, one per line", FoundFormat::Ids),
    ("pgn", "The games as PGN, with all tag pairs", FoundFormat::Pgn { to_position: false }),
];

impl Find {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let text = self.position.join(" ");
        let is_of_position = !text.trim().is_empty();
        let search = if is_of_position { None } else { self.answer.filter.text.search()? };
        if !is_of_position && search.is_none() {
            bail!(
                "give a position (a FEN, moves, GAME:PLY, the name of an opening, or -), or a condition such as --material or --pattern; to find games by players, dates or results: plybook games"
            );
        }
        if self.answer.filter.sample.is_some() && !text.trim().is_empty() {
            bail!(
                "--sample does not support a position; for a sample of the games that reach it: plybook games --position POSITION --sample N"
            );
        }
        if !self.columns.columns.is_empty() && (self.count || matches!(self.format, Format::Own(_))) {
            bail!("--columns cannot be combined with --count or with --format lines, ids or pgn");
        }
        if self.to_position && !matches!(self.format, Format::Own(FoundFormat::Pgn { .. })) {
            bail!("--to-position cuts the games of --format pgn; no other format has their moves");
        }
        let (archive, index) = open_with_index(&self.answer.archive)?;
        let mut filter = self.answer.filter.filter(&archive)?;
        let format = self.list_format(&archive, &text, &mut filter)?;
        // Each line is flushed, so that the first games are visible while the search continues.
        let mut out = self.answer.out()?;
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let watch = |progress: FindProgress| {
            match progress.hits {
                // The rows follow.
                1.. if !self.count => bar.finish_and_clear(),
                _ => bar.set_position(progress.games),
            }
            ControlFlow::Continue(())
        };
        let context = Context::new(&archive).with_index(index.as_ref()).watched_by(&watch);
        let (is_whole, hits, damaged) =
            self.look(context, &filter, &text, search.as_ref(), &format, &mut out)?;
        bar.finish_and_clear();
        out.finish()?;
        // For conditions without a position, the filter has already reported the scan.
        advise_index(index.is_none() && is_of_position);
        if damaged > 0 {
            terminal::tell(advice::passed_over(damaged));
        }
        Ok(ExitStatus::complete_if(is_whole && hits > 0 && damaged == 0))
    }

    /// The format of a list, with its order for readers.
    fn list_format(&self, archive: &Archive, text: &str, filter: &mut Filter) -> anyhow::Result<ListFormat> {
        let Format::List(format) = self.format else { return Ok(list::TABLE.clone()) };
        let mut conditions = self.answer.filter.text.clone();
        if !matches!(text.trim(), "" | "-") {
            conditions.set("position", text)?;
        }
        self.answer.filter.for_readers(archive, format, &conditions, filter)
    }

    /// Searches for the position or the conditions. Returns whether all could be parsed, and how many games were
    /// found and how many are damaged.
    fn look(
        &self,
        context: Context<'_>,
        filter: &Filter,
        text: &str,
        search: Option<&Search>,
        format: &ListFormat,
        out: &mut dyn Write,
    ) -> anyhow::Result<(bool, u64, u64)> {
        let opening = named_opening(text);
        if let Some(opening) = opening {
            match self.is_table() {
                true => writeln!(out, "{} {}", opening.eco, opening.name)?,
                false => tell_reached(opening),
            }
        }
        let (is_named, noun) = (text == "-", if opening.is_some() { GAMES_REACHING } else { GAMES });
        let format = format.limited(&FoundWriter::head(is_named), &self.columns.columns)?;
        let mut found = FoundWriter::new(context, filter, self.format(&format), noun, is_named, out);
        // A closed pipe is not an error: the reader has seen what it needed.
        let is_whole = match search {
            Some(conditions) => found.conditions(conditions).map(|()| true)?,
            None => self.search(text, context.archive, &mut found)?,
        };
        let (games, damaged) = (found.games, found.damaged);
        found.end()?;
        Ok((is_whole, games, damaged))
    }

    /// Searches for a position, or for `-` for the position on each line of standard input. Returns whether all
    /// lines are valid.
    fn search(&self, text: &str, archive: &Archive, found: &mut FoundWriter<'_>) -> anyhow::Result<bool> {
        if text != "-" {
            tell_of_castling(&self.answer.filter.text, text);
            let sought = self.answer.filter.text.sought(text, archive);
            found.position(text, &sought.map_err(|error| with_opening_games(archive, error))?)?;
            return Ok(true);
        }
        let (mut is_whole, mut is_told) = (true, false);
        for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
            let line = line?;
            // Text that is not UTF-8 is not a valid position either.
            let line = String::from_utf8_lossy(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line));
            match self.answer.filter.text.sought(&line, archive).map_err(anyhow::Error::from) {
                Ok(sought) => {
                    // Reported once, because all lines may lack the field.
                    is_told = is_told || tell_of_castling(&self.answer.filter.text, &line);
                    found.position(&line, &sought)?;
                }
                Err(error) => {
                    found.invalid()?;
                    terminal::tell_error(format_args!("line {number}: "), &error);
                    is_whole = false;
                }
            }
        }
        Ok(is_whole)
    }

    /// Whether the output is a table for people rather than for programs.
    fn is_table(&self) -> bool {
        !self.count && matches!(self.format, Format::List(format) if format.name == list::TABLE.name)
    }

    fn format<'a>(&self, list: &'a ListFormat) -> FoundFormat<'a> {
        let options = ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
        match self.format {
            _ if self.count => FoundFormat::Count,
            Format::Own(FoundFormat::Pgn { .. }) => FoundFormat::Pgn { to_position: self.to_position },
            Format::Own(format) => format,
            Format::List(_) => FoundFormat::List(list, options),
        }
    }
}
