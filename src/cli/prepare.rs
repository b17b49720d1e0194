//! `plybook prepare`

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ExitStatus,
    answer::{AnswerArgs, stopped},
    filter::{tell_matched_names, tell_unknown_names},
    format::{Form, Format, Own, only},
    open_index,
    repertoire::Side,
    terminal,
};
use crate::{
    archive::{Archive, Filter},
    chess::Color,
    present::{FilterText, prepare::Preparations},
    query::{ExploredPosition, PositionIndex, PrepareOptions, TreeOptions},
    report::{PreparationReport, preparation_report},
};

/// Prepare for an opponent: which openings they play, how often, and with what score
///
/// Without --as the games of the opponent with White come first, then those with Black. Each row is a move: how many of
/// these games played it, their share, and the score of the opponent. "perf" is the performance of the opponent with a
/// move of their own, by FIDE's table; "all" counts the games of the whole archive that played the move in the same
/// position, and the second % is their share. A move of the opponent is rare if few games of the archive reach the
/// position after it, or if few of those that reached the position before played it. A game belongs to one line, by its
/// moves after its last visit to the first position; "+2 by transposition" are further games of the opponent that reach
/// the position after the move.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook prepare --against carlsen
  plybook prepare --against '\"Fischer, Robert James\"' --as white
  plybook prepare '1. e4' --against karpov --as white --date 1980.. --tree 16
  plybook prepare --against kasparov --as black --min-share 10 --format json
  plybook prepare --against carlsen --as black --format svg > carlsen.svg")]
pub(super) struct PrepareArgs {
    /// The position: a FEN, moves from the start ('1. e4 c5'), GAME:PLY of the archive, or an opening's name
    /// [default: the start]
    position: Vec<String>,
    /// The player: a name as with --player
    #[arg(long, value_name = "NAME")]
    against: String,
    /// One's own colour [default: both, one after the other]
    #[arg(long = "as", value_name = "COLOUR", value_enum)]
    own: Option<Side>,
    /// The longest line, in plies
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(1..=100))]
    tree: u16,
    /// Only moves that at least PERCENT percent of the player's games from the position played
    #[arg(long, value_name = "PERCENT", default_value_t = 3, value_parser = value_parser!(u64).range(..=100))]
    min_share: u64,
    /// Only moves of at least N games of the player
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u64,
    /// At most N moves from each position
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// A position is rare if fewer than N games of the archive reach it
    #[arg(long, value_name = "N", default_value_t = 10)]
    rare_games: u64,
    /// A move is rare if it was played in fewer than PERCENT percent of the games that reached the position
    #[arg(long, value_name = "PERCENT", default_value_t = 2, value_parser = value_parser!(u64).range(..=100))]
    rare_share: u64,
    /// How to print it
    #[arg(long, value_parser = only(FORMS), default_value = "text")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Own<Form>; 4] = [
    ("text", "For people", Form::Text),
    ("json", "Everything, as one JSON object; without --as a list of two", Form::Json),
    ("svg", "The first moves as bars, as a picture", Form::Svg),
    ("markdown", "The text as Markdown: the moves as a list in a list", Form::Markdown),
];

impl PrepareArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        self.answer.filter.refuse_unused_modes("of the tree")?;
        if self.own.is_none() && matches!(self.format, Format::Own(Form::Svg)) {
            bail!("a picture shows one colour: choose it with --as");
        }
        let (archive, index) = open_index::with_archive(&self.answer.archive)?;
        tell_unknown_names(&archive, &FilterText::of([("player", self.against.as_str())])?)?;
        let filter = self.answer.filter.before_sample(&archive)?;
        let asked = self.answer.filter.explored(&self.position, filter.kind, &archive)?;
        let colours = self.own.map_or(Color::ALL.to_vec(), |own| vec![!own.color()]);
        let report = |colour| self.report(&archive, index.as_ref(), &asked, (colour, filter.clone()));
        let reports: Vec<_> = colours.into_iter().map(report).collect::<anyhow::Result<_>>()?;
        let told = || reports.iter().map(|report| &report.preparation);
        let lacks_moves = told().any(|told| told.results.games > 0 && told.lines.is_empty());
        let mut out = self.answer.out()?;
        let done = self.answer.write(&mut out, self.format, Some(Preparations { asked: &asked, reports }))?;
        out.finish()?;
        if lacks_moves && self.min_games > 1 {
            terminal::tell("no move has enough games; use --min-games 1 --min-share 0 to show all moves");
        }
        if index.is_none() {
            open_index::advise_index();
        }
        Ok(done)
    }

    /// What the player does with a colour, in games that pass a filter.
    fn report(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        asked: &ExploredPosition,
        (colour, mut filter): (Color, Filter),
    ) -> anyhow::Result<PreparationReport> {
        let player = match colour {
            Color::White => &mut filter.white,
            Color::Black => &mut filter.black,
        };
        if player.is_some() {
            bail!("--against says who has {}: leave the other name away", colour.fold_wb("White", "Black"));
        }
        *player = Some(self.against.clone());
        let filter = self.answer.filter.sampled(archive, filter)?;
        let of_position = asked.games_of(archive, index, &filter)?;
        tell_matched_names(archive, &of_position)?;
        let watch = terminal::watch(terminal::games_counter());
        let player = (self.against.trim_matches('"'), colour, [&filter, &of_position]);
        preparation_report(archive, index, asked, player, self.options(), watch)?.ok_or_else(stopped)
    }

    fn options(&self) -> PrepareOptions {
        let (plies, percent, games) = (self.tree.into(), self.min_share, self.min_games);
        let tree = TreeOptions { plies, percent, games, moves: self.moves.unwrap_or(usize::MAX) };
        PrepareOptions { tree, rare_games: self.rare_games, rare_percent: self.rare_share }
    }
}
