//! `plybook repertoire`

use std::{io::Write, ops::ControlFlow::Continue, path::PathBuf};

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ExitStatus, advice,
    answer::{AnswerArgs, Choice, Form, Format, choice, lists_or},
    terminal,
};
use crate::{
    archive::{Archive, Filter},
    chess::Color,
    import::{read_games, with_sources},
    pgn::ReadOptions,
    present::repertoire::GameDeparture,
    present::{
        list,
        repertoire::{RepertoireAnswer, write_departures},
    },
    query::{Context, DepartureKind, DeparturesWanted, Repertoire, departures},
    record::GameKind,
};

/// Show where games deviate from your repertoire
///
/// FILE contains your lines as PGN games with variations. Lines are connected by position, so other move orders are in
/// your repertoire too. A game leaves the repertoire at its last position in it: after a reply of the opponent that you
/// have no answer for, after a move of yours that is not in the repertoire, or at the end of a line. Scores are those
/// of the side whose repertoire it is.
///
/// Examples:
/// * plybook repertoire white.pgn --as white
/// * plybook repertoire black.pgn --as black --elo 2500.. --date 2020.. --min-games 10
/// * plybook repertoire white.pgn --as white --player '"Myself"' --colour white --by-game
/// * plybook repertoire white.pgn --as white --kind reply --format csv > gaps.csv
#[derive(Debug, Args)]
pub(super) struct RepertoireArgs {
    /// PGN files with your lines, plain or compressed; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The side that the repertoire is for
    #[arg(long = "as", value_name = "COLOUR", value_parser = choice(COLOURS))]
    owner: Color,
    /// List for each game where it leaves the repertoire
    #[arg(long, conflicts_with_all = ["kind", "min_games", "top"])]
    by_game: bool,
    /// Show only deviations of this kind
    #[arg(long, value_parser = choice(KINDS))]
    kind: Option<DepartureKind>,
    /// Show only moves played in at least N games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Show at most N deviations of each kind [default: 20 for text, all for other formats]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32))]
    top: Option<u32>,
    /// Output format; the table formats list the deviations
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text", help_heading = "Output")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

/// The values of an option for a colour.
pub(super) const COLOURS: [Choice<Color>; 2] = [("white", "", Color::White), ("black", "", Color::Black)];

const KINDS: [Choice<DepartureKind>; 3] = [
    ("reply", "Replies of the opponent that are not in the repertoire", DepartureKind::Reply),
    ("own", "Moves of your side that are not in the repertoire", DepartureKind::Own),
    ("end", "Ends of lines, with the moves that followed", DepartureKind::End),
];

const FORMS: [Choice<Form>; 4] = [
    ("text table", "Plain text", Form::Text),
    ("json", "All results as one JSON object; with --by-game, a list", Form::Json),
    ("markdown", "The text as Markdown; with --by-game, a table", Form::Markdown),
    ("html", "The text as a page; with --by-game, a table", Form::Html),
];

/// The games to compare with the repertoire: those of an archive that pass a filter.
type Compared<'a> = (&'a Archive, &'a Repertoire, &'a Filter);

/// The number of deviations of each kind in the text format.
const SHOWN: usize = 20;

impl RepertoireArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let protected = with_sources(self.answer.archive.protected(), &self.files)?;
        protected.check_stdout()?;
        let archive = self.answer.archive.open()?;
        let (repertoire, rejected) = self.read()?;
        let mut filter = self.answer.filter.before_sample(&archive)?;
        if filter.kind.is_some_and(|kind| !kind.family().has_pgn()) {
            bail!("repertoires support only chess and its variants");
        }
        match (repertoire.variant().map(GameKind::Chess), filter.kind) {
            (Some(lines), None) => filter.kind = Some(lines),
            (Some(lines), Some(games)) if lines != games => {
                bail!("the repertoire is for {lines}, so games of {games} cannot match it")
            }
            _ => {}
        }
        filter.chess = true;
        let filter = self.answer.filter.sampled(&archive, filter)?;
        let mut out = self.answer.output.open(&protected)?;
        let of = (&archive, &repertoire, &filter);
        let complete = if self.by_game { self.by_game(of, &mut out)? } else { self.summed_up(of, &mut out)? };
        out.finish()?;
        Ok(ExitStatus::complete_if(complete && rejected == 0))
    }

    /// Reads the lines. Also returns how many games of the files could not be read.
    fn read(&self) -> anyhow::Result<(Repertoire, u64)> {
        let (mut repertoire, mut rejected, mut games) = (Repertoire::new(self.owner), 0, 0);
        read_games(&self.files, ReadOptions::default(), &mut |read| {
            let added = match &read.game {
                Ok(game) => repertoire.add(game).map_err(anyhow::Error::from),
                Err(reason) => Err(reason.clone().into()),
            };
            match added {
                Ok(()) => games += 1,
                Err(error) => {
                    terminal::tell_error(format_args!("{} {}: ", read.source, read.location), &error);
                    rejected += 1;
                }
            }
            Continue(())
        })?;
        if games == 0 {
            let files: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
            bail!("{}: no lines of moves found", files.join(" "));
        }
        Ok((repertoire, rejected))
    }

    fn by_game(&self, of: Compared<'_>, out: &mut dyn Write) -> anyhow::Result<bool> {
        let (archive, repertoire, filter) = of;
        let format = match self.format {
            Format::Own(Form::Json) => list::by_name("json").unwrap_or(list::TABLE),
            Format::Own(Form::Markdown) => list::by_name("markdown").unwrap_or(list::TABLE),
            Format::Own(Form::Html) => list::by_name("html").unwrap_or(list::TABLE),
            Format::Own(_) => list::TABLE,
            Format::List(format) => format,
        };
        let bar = self.answer.filter.bar(archive)?;
        let rows = format.begin(out, list::Head::of::<GameDeparture>(), self.answer.output.list_options());
        Ok(write_departures(archive, filter, repertoire, rows, |games| bar.set_position(games))? > 0)
    }

    fn summed_up(&self, of: Compared<'_>, out: &mut dyn Write) -> anyhow::Result<bool> {
        let (archive, repertoire, filter) = of;
        let is_text = matches!(self.format, Format::Own(Form::Text));
        let most = self.top.map(|top| top as usize).or(is_text.then_some(SHOWN));
        let wanted = DeparturesWanted { kind: self.kind, least: self.min_games, most };
        let context = Context::new(archive);
        let found = self.answer.ask(context, |context| departures(context, repertoire, filter))?;
        let answer = RepertoireAnswer::new(repertoire, &found, wanted);
        let (games, damaged) = (answer.games, answer.damaged);
        self.answer.write(out, self.format, answer)?;
        if damaged > 0 {
            terminal::tell(advice::passed_over(damaged));
        }
        Ok(games > 0 && damaged == 0)
    }
}
