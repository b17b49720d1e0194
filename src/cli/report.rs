//! `plybook report`

use anyhow::bail;
use clap::Args;

use super::{
    ExitStatus,
    answer::{AnswerArgs, Choice, Form, Format, lists_or},
    archive_arg::open_index,
};
use crate::{
    present::report::reported_player,
    query::Context,
    report::{CrosstableError, crosstables, overview, player_report},
};

/// Report on a player, an event, or all games of an archive
///
/// With --player: the score with each colour, by the opponents' rating, by year and by opening (the last named position
/// of a game), and the first moves. Games without a result do not count in percentages and performance; performance, by
/// FIDE's table, also omits games against unrated opponents. First moves are counted in games from the initial
/// position, and shown if they were played in at least 4 percent of the games with that colour. Names match as in the
/// list of games; the report begins with the names that it covers. A game between two matching players counts for both.
///
/// With --event: a crosstable of each matching event. An event is the games at one site in one year. Players are ranked
/// by points, then by Sonneborn-Berger score: the sum of the points of the opponents they beat, and half the points of
/// those they drew with. With --overview, the games of events are reported like any others.
///
/// With neither: the results by rating difference, length, decade (or year, for at most 20 years), opening, and final
/// material. Final material is the pieces other than kings and pawns in the last position, if each side has at most
/// two: "KR KRB" is rook against rook and bishop, for either colour, with any pawns.
///
/// All filters apply.
///
/// Examples:
/// * plybook report
/// * plybook report --date 1990..1999 --elo 2600..
/// * plybook report --event 'london*' --date 1922
/// * plybook report --player kasparov
/// * plybook report --player 'karpov*' --colour black --date 1974..1985
/// * plybook report --player '"Tal, Mikhail"' --opponent botvinnik --format json
/// * plybook report --player kramnik --lines 1000 --format csv > kramnik.csv
/// * plybook report --event 'london*' --format markdown > london.md
#[derive(Debug, Args)]
pub(super) struct Report {
    /// Show at most N openings per colour, endings and names
    #[arg(long, value_name = "N", default_value_t = 10)]
    lines: usize,
    /// With --event, report on the games instead of showing crosstables
    #[arg(long, requires = "event", conflicts_with = "player")]
    overview: bool,
    /// Output format; the table formats put all tables into one
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text", help_heading = "Output")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Choice<Form>; 5] = [
    ("text table", "Text with bars", Form::Text),
    ("json", "All results as JSON", Form::Json),
    ("svg", "Bar charts by year, rating and opening", Form::Svg),
    ("markdown", "The text as Markdown: tables under headings, without bars", Form::Markdown),
    ("html", "The text as a page, for printing and for a site", Form::Html),
];

impl Report {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let text = &self.answer.filter.text;
        let player = reported_player(text)?;
        let of_event = player.is_none() && text.has("event") && !self.overview;
        if of_event && matches!(self.format, Format::Own(Form::Svg)) {
            bail!("crosstables have no image format; choose another --format");
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let filter = self.answer.filter.filter(&archive)?;
        let (mut out, context, lines) = (self.answer.out()?, Context::new(&archive), self.lines);
        let done = if let Some(player) = player {
            let answer =
                self.answer.ask(context, |context| player_report(context, &player, &filter, lines))?;
            self.answer.write(&mut out, self.format, answer)?
        } else if of_event {
            let crosstables = |context: Context<'_>| crosstables(context, &filter);
            let answer = self.answer.ask(context, crosstables).map_err(|error| match error.downcast() {
                Ok(CrosstableError::Archive(error)) => error.into(),
                Ok(error) => error.into(),
                Err(error) => error,
            })?;
            self.answer.write(&mut out, self.format, answer)?
        } else {
            let index = open_index(&archive)?;
            let context = context.with_index(index.as_ref());
            let answer = self.answer.ask(context, |context| overview(context, &filter, lines))?;
            self.answer.write(&mut out, self.format, answer)?
        };
        out.finish()?;
        Ok(done)
    }
}
