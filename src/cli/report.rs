//! `plybook report`

use std::{io::Write, ops::ControlFlow};

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    format::{Format, lists_or},
    open_index,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter},
    present::{
        list::{self, TextStyle},
        report::{
            PictureWords, crosstable_rows, overview_picture, overview_rows, player_picture, player_rows,
            reported_player, write_crosstables, write_overview, write_player_report,
        },
    },
    report::{CrosstableError, Player, crosstables, overview, player_report},
};

/// Report on a player, on an event, or on the games of an archive
///
/// With --player: the score of the games with each colour, against opponents of each hundred of ratings, in each year,
/// in each opening (the last position of a game that has a name), and the first moves. Percent and performance leave
/// games without a result out; the performance, by FIDE's table, also those whose opponent is not rated. First moves
/// are those of games from the usual start, where 4 percent of the games of that colour play them. Names match as in
/// the list of games, which the report begins with; a game between two names that match counts for both.
///
/// With --event: a crosstable of each event that matches, which are its games at one site in one year. Players are ranked
/// by points, then by their Sonneborn-Berger scores: the points of the opponents they beat, and half the points of
/// those they drew with. --overview is about the games of events as of any others.
///
/// With neither: how the games ended, by the difference of ratings, by length, in each decade (in each year, of at
/// most 20), in each opening, and with which pieces on the board. These are the pieces in the last position besides
/// kings and pawns, where each side has at most two: "KR KRB" is rook against rook and bishop, whichever colour, with
/// any pawns.
///
/// All filters choose games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook report
  plybook report --date 1990..1999 --elo 2600..
  plybook report --event 'london*' --date 1922
  plybook report --player kasparov
  plybook report --player 'karpov*' --colour black --date 1974..1985
  plybook report --player '\"Tal, Mikhail\"' --opponent botvinnik --format json
  plybook report --player kramnik --lines 1000 --format csv > kramnik.csv
  plybook report --event 'london*' --format markdown > london.md")]
pub(super) struct Report {
    /// At most so many openings, of each colour, endings and names
    #[arg(long, value_name = "N", default_value_t = 10)]
    lines: usize,
    /// With --event, report on the games as a whole
    #[arg(long, requires = "event", conflicts_with = "player")]
    overview: bool,
    /// How to print it; the formats of lists have all tables in one
    #[arg(long, value_parser = lists_or::<OwnFormat>(), default_value = "text")]
    format: Format<OwnFormat>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OwnFormat {
    /// For people, with bars
    #[value(alias = "table")]
    Text,
    /// Everything, as JSON
    Json,
    /// Bars by year, rating and opening, as a picture
    Svg,
    /// The text as Markdown: tables under headings, without bars
    Markdown,
}

impl Report {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let text = self.filter.text();
        let player = reported_player(&text)?;
        let of_event = player.is_none() && text.has("event") && !self.overview;
        if of_event && matches!(self.format, Format::Own(OwnFormat::Svg)) {
            bail!("there is no picture of a crosstable: choose another --format");
        }
        let archive = self.archive.open()?;
        // The index and the games that it speaks of are of one moment.
        let _snapshot = archive.snapshot()?;
        let filter = self.filter.filter(&archive)?;
        let mut out = self.output.open(&self.archive.protected())?;
        let games = match player {
            Some(player) => self.player(&mut out, &archive, &player, &filter)?,
            None if of_event => self.crosstables(&mut out, &archive, &filter)?,
            None => self.overview(&mut out, &archive, &filter)?,
        };
        out.finish()?;
        Ok(ExitStatus::complete_if(games > 0))
    }

    /// Gives the number of games.
    fn player(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        player: &Player,
        filter: &Filter,
    ) -> anyhow::Result<u64> {
        let bar = self.filter.bar(archive)?;
        let told = player_report(archive, player, filter, self.lines, |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        let told = told.ok_or_else(stopped)?;
        match self.format {
            Format::Own(OwnFormat::Text) => write_player_report(out, &told, self.output.text_style())?,
            Format::Own(OwnFormat::Markdown) => write_player_report(out, &told, TextStyle::MARKDOWN)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &told)?,
            Format::Own(OwnFormat::Svg) => write!(out, "{}", player_picture(&told, &PictureWords::ENGLISH))?,
            Format::List(format) => {
                list::write(format, self.output.list_options(), out, &player_rows(&told))?
            }
        }
        Ok(told.games)
    }

    /// Gives the number of games.
    fn overview(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        let bar = self.filter.bar(archive)?;
        let index = open_index::open(archive)?;
        let told = overview(archive, index.as_ref(), filter, self.lines, |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        let told = told.ok_or_else(stopped)?;
        match self.format {
            Format::Own(OwnFormat::Text) => write_overview(out, &told, self.output.text_style())?,
            Format::Own(OwnFormat::Markdown) => write_overview(out, &told, TextStyle::MARKDOWN)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &told)?,
            Format::Own(OwnFormat::Svg) => {
                write!(out, "{}", overview_picture(&told, &PictureWords::ENGLISH))?
            }
            Format::List(format) => {
                list::write(format, self.output.list_options(), out, &overview_rows(&told))?
            }
        }
        Ok(told.results.counts.games)
    }

    /// Gives the number of games.
    fn crosstables(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        let bar = self.filter.bar(archive)?;
        let told = crosstables(archive, filter, |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        let told = match told {
            Err(CrosstableError::Archive(error)) => return Err(error.into()),
            told => told?.ok_or_else(stopped)?,
        };
        match self.format {
            Format::List(format) => {
                list::write(format, self.output.list_options(), out, &crosstable_rows(&told))?
            }
            Format::Own(OwnFormat::Json) => terminal::json(out, &told)?,
            Format::Own(OwnFormat::Markdown) => write_crosstables(out, &told, TextStyle::MARKDOWN)?,
            Format::Own(_) => write_crosstables(out, &told, self.output.text_style())?,
        }
        Ok(told.events.iter().map(|table| table.games).sum())
    }
}

fn stopped() -> anyhow::Error {
    anyhow!("it was stopped")
}
