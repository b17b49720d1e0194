//! `plybook prepare`

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ExitStatus,
    answer::{AnswerArgs, Choice, Form, Format, choice},
    archive_arg::{advise_index, open_with_index},
    filter::{tell_matched_names, tell_unknown_names},
    repertoire::COLOURS,
    terminal,
};
use crate::{
    archive::Filter,
    chess::Color,
    present::{FilterText, prepare::Preparations},
    query::{Context, ExploredPosition, PrepareOptions, TreeOptions},
    report::{PreparationReport, PreparedPlayer, preparation_report},
};

/// Prepare for an opponent: which openings they play, how often, and with what score
///
/// Without --as, the opponent's games with White come first, then those with Black. Each row is a move: the number and
/// share of these games in which it was played, and the opponent's score. "perf" is the opponent's performance (by
/// FIDE's table) with their own move. "all" is the number of games in the complete archive with this move in the
/// position, and the second % is their share.
///
/// A move of the opponent is marked as rare if few games of the archive reach the resulting position, or if it was
/// played in few of the games that reached the position before it.
///
/// Each game belongs to one line: the moves after its last visit to the root position. "+2 by transposition" means that
/// two more games of the opponent reach the resulting position by other moves.
///
/// Examples:
/// * plybook prepare --against carlsen
/// * plybook prepare --against '"Fischer, Robert James"' --as white
/// * plybook prepare '1. e4' --against karpov --as white --date 1980.. --tree 16
/// * plybook prepare --against kasparov --as black --min-share 10 --format json
/// * plybook prepare --against carlsen --as black --format svg > carlsen.svg
#[derive(Debug, Args)]
pub(super) struct PrepareArgs {
    /// Position: a FEN, moves from the start ('1. e4 c5'), GAME:PLY of the archive, or the name of an opening
    /// [default: the start position]
    position: Vec<String>,
    /// Your opponent; names match as with --player
    #[arg(long, value_name = "NAME")]
    against: String,
    /// Your colour [default: both, one after the other]
    #[arg(long = "as", value_name = "COLOUR", value_parser = choice(COLOURS))]
    own: Option<Color>,
    /// Depth of the tree, in plies
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(1..=100), help_heading = "Tree")]
    tree: u16,
    /// Show only moves played in at least PERCENT percent of the opponent's games at the root
    #[arg(long, value_name = "PERCENT", default_value_t = 3, value_parser = value_parser!(u64).range(..=100), help_heading = "Tree")]
    min_share: u64,
    /// Show only moves played in at least N games of the opponent
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Tree")]
    min_games: u64,
    /// Show at most N moves per position
    #[arg(long, value_name = "N", help_heading = "Tree")]
    moves: Option<usize>,
    /// A position is rare if fewer than N games of the archive reach it
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Rare moves")]
    rare_games: u64,
    /// A move is rare if it was played in fewer than PERCENT percent of the games that reached the position
    #[arg(long, value_name = "PERCENT", default_value_t = 2, value_parser = value_parser!(u64).range(..=100), help_heading = "Rare moves")]
    rare_share: u64,
    /// Output format
    #[arg(long, value_parser = choice(FORMS.map(|(name, about, form)| (name, about, Format::Own(form)))), default_value = "text", help_heading = "Output")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Choice<Form>; 5] = [
    ("text table", "Plain text", Form::Text),
    ("json", "All results as one JSON object; without --as, a list of two", Form::Json),
    ("svg", "Bar chart of the first moves", Form::Svg),
    ("markdown", "The text as Markdown, with the moves as nested lists", Form::Markdown),
    ("html", "The text as a page, for printing and for a site", Form::Html),
];

impl PrepareArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        self.answer.filter.refuse_unused_modes("the root of the tree")?;
        if self.own.is_none() && matches!(self.format, Format::Own(Form::Svg)) {
            bail!("an image shows only one colour; choose it with --as");
        }
        let (archive, index) = open_with_index(&self.answer.archive)?;
        tell_unknown_names(&archive, &FilterText::of([("player", self.against.as_str())])?)?;
        let filter = self.answer.filter.before_sample(&archive)?;
        let asked = self.answer.filter.explored(&self.position, filter.kind, &archive)?;
        let colours = self.own.map_or(Color::ALL.to_vec(), |own| vec![!own]);
        let context = Context::new(&archive).with_index(index.as_ref());
        let report = |colour| self.report(context, &asked, colour, filter.clone());
        let reports: Vec<_> = colours.into_iter().map(report).collect::<anyhow::Result<_>>()?;
        let answer = || reports.iter().map(|report| &report.preparation);
        let lacks_moves = answer().any(|answer| answer.results.games > 0 && answer.lines.is_empty());
        let mut out = self.answer.out()?;
        let conditions = self.answer.filter.text.with_complete_names(&archive)?.in_words();
        let answer = Preparations { asked: &asked, reports, conditions };
        let done = self.answer.write(&mut out, self.format, answer)?;
        out.finish()?;
        if lacks_moves && self.min_games > 1 {
            terminal::tell("no move has enough games; use --min-games 1 --min-share 0 to show all moves");
        }
        advise_index(index.is_none());
        Ok(done)
    }

    /// The report on the player's games with a colour.
    fn report(
        &self,
        context: Context<'_>,
        asked: &ExploredPosition,
        colour: Color,
        mut filter: Filter,
    ) -> anyhow::Result<PreparationReport> {
        let player = colour.fold_wb(&mut filter.white, &mut filter.black);
        if player.is_some() {
            bail!(
                "--against already names the player with {}; omit the other name",
                colour.fold_wb("White", "Black")
            );
        }
        *player = Some(self.against.clone());
        let filter = self.answer.filter.sampled(context.archive, filter)?;
        let of_position = asked.games_of(context, &filter)?;
        tell_matched_names(context.archive, &of_position)?;
        let name = self.against.trim_matches('"');
        let player = PreparedPlayer { name, games: &filter, of_position: &of_position };
        let (plies, percent, games) = (self.tree.into(), self.min_share, self.min_games);
        let tree = TreeOptions { plies, percent, games, moves: self.moves.unwrap_or(usize::MAX) };
        let (rare_games, rare_percent) = (self.rare_games, self.rare_share);
        let options = PrepareOptions { colour, tree, rare_games, rare_percent };
        let report = |context: Context<'_>| preparation_report(context, asked, player, options);
        Ok(terminal::with_bar(terminal::games_counter(), context, report)?)
    }
}
