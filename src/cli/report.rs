//! `plybook report`

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus,
    answer::AnswerArgs,
    format::{Form, Format, Own, lists_or},
    open_index,
};
use crate::{
    present::report::reported_player,
    report::{CrosstableError, crosstables, overview, player_report},
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
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Own<Form>; 4] = [
    ("text", "For people, with bars", Form::Text),
    ("json", "Everything, as JSON", Form::Json),
    ("svg", "Bars by year, rating and opening, as a picture", Form::Svg),
    ("markdown", "The text as Markdown: tables under headings, without bars", Form::Markdown),
];

impl Report {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let text = self.answer.filter.text();
        let player = reported_player(&text)?;
        let of_event = player.is_none() && text.has("event") && !self.overview;
        if of_event && matches!(self.format, Format::Own(Form::Svg)) {
            bail!("there is no picture of a crosstable: choose another --format");
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let filter = self.answer.filter.filter(&archive)?;
        let (mut out, watch) = (self.answer.out()?, self.answer.watch(&archive)?);
        let done = if let Some(player) = player {
            let told = player_report(&archive, &player, &filter, self.lines, watch)?;
            self.answer.write(&mut out, self.format, told)?
        } else if of_event {
            let told = crosstables(&archive, &filter, watch).map_err(|error| match error {
                CrosstableError::Archive(error) => error.into(),
                error => anyhow::Error::from(error),
            })?;
            self.answer.write(&mut out, self.format, told)?
        } else {
            let index = open_index::open(&archive)?;
            let told = overview(&archive, index.as_ref(), &filter, self.lines, watch)?;
            self.answer.write(&mut out, self.format, told)?
        };
        out.finish()?;
        Ok(done)
    }
}
