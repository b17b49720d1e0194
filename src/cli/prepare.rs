//! `plybook prepare`

use std::{io::Write, ops::ControlFlow::Continue};

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};

use super::{
    ArchiveArg, ExitStatus,
    filter::{FilterArgs, tell_matched_names, tell_unknown_names},
    open_index, opening,
    repertoire::Side,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter},
    chess::Color,
    present::{
        FilterText, explored_position,
        prepare::{preparation_picture, write_preparation, write_preparation_markdown},
    },
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
    #[arg(long, value_enum, default_value_t = OwnFormat::Text)]
    format: OwnFormat,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OwnFormat {
    /// For people
    #[value(alias = "table")]
    Text,
    /// Everything, as one JSON object; without --as a list of two
    Json,
    /// The first moves as bars, as a picture
    Svg,
    /// The text as Markdown: the moves as a list in a list
    Markdown,
}

impl PrepareArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.filter.has_unused_modes() {
            bail!(
                "--board-only and --mirror are for --position here: the position of the tree is that one alone"
            );
        }
        if self.own.is_none() && self.format == OwnFormat::Svg {
            bail!("a picture shows one colour: choose it with --as");
        }
        let archive = self.archive.open()?;
        // The index and the games that it speaks of are of one moment.
        let _snapshot = archive.snapshot()?;
        let index = open_index::open(&archive)?;
        tell_unknown_names(&archive, &FilterText::of([("player", self.against.as_str())])?)?;
        let filter = self.filter.before_sample(&archive)?;
        let text = Some(self.position.join(" ")).filter(|_| !self.position.is_empty());
        let asked = explored_position(text.as_deref(), filter.kind, &archive)
            .map_err(|error| opening::with_games(&archive, error))?;
        if let Some(text) = &text {
            self.filter.tell_of_castling(text);
        }
        let colours = self.own.map_or(Color::ALL.to_vec(), |own| vec![!own.color()]);
        let answer = |colour| self.answer(&archive, index.as_ref(), &asked, (colour, filter.clone()));
        let answers: Vec<_> = colours.into_iter().map(answer).collect::<anyhow::Result<_>>()?;
        let mut out = self.output.open(&self.archive.protected())?;
        self.write(&mut out, &asked, &answers)?;
        out.finish()?;
        let lacks_moves = answers
            .iter()
            .any(|answer| answer.preparation.results.games > 0 && answer.preparation.lines.is_empty());
        if lacks_moves && self.min_games > 1 {
            terminal::tell("no move has enough games; use --min-games 1 --min-share 0 to show all moves");
        }
        if index.is_none() {
            open_index::advise_index();
        }
        Ok(ExitStatus::complete_if(answers.iter().any(|answer| answer.preparation.results.games > 0)))
    }

    /// What the player does with a colour, in games that pass a filter.
    fn answer(
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
        let filter = self.filter.sampled(archive, filter)?;
        let of_position = asked.games_of(archive, index, &filter)?;
        tell_matched_names(archive, &of_position)?;
        let bar = terminal::games_counter();
        let watch = |games| {
            bar.set_position(games);
            Continue(())
        };
        let player = (self.against.trim_matches('"'), colour, [&filter, &of_position]);
        let found = preparation_report(archive, index, asked, player, self.options(), watch)?;
        bar.finish_and_clear();
        let Some(found) = found else { bail!("it was stopped") };
        Ok(found)
    }

    /// Writes the answer about a colour, or about both.
    fn write(
        &self,
        out: &mut dyn Write,
        asked: &ExploredPosition,
        answers: &[PreparationReport],
    ) -> anyhow::Result<()> {
        match (self.format, answers) {
            (OwnFormat::Json, [one]) => terminal::json(out, one)?,
            (OwnFormat::Json, both) => terminal::json(out, &both)?,
            (OwnFormat::Svg, answers) => {
                for answer in answers {
                    write!(out, "{}", preparation_picture(answer, asked))?;
                }
            }
            (format, answers) => {
                for (number, answer) in answers.iter().enumerate() {
                    if number > 0 {
                        writeln!(out)?;
                    }
                    match format {
                        OwnFormat::Markdown => write_preparation_markdown(out, answer, &asked.position)?,
                        _ => write_preparation(out, answer, &asked.position, self.output.text_style())?,
                    }
                }
            }
        }
        Ok(())
    }

    fn options(&self) -> PrepareOptions {
        let (plies, percent, games) = (self.tree.into(), self.min_share, self.min_games);
        let tree = TreeOptions { plies, percent, games, moves: self.moves.unwrap_or(usize::MAX) };
        PrepareOptions { tree, rare_games: self.rare_games, rare_percent: self.rare_share }
    }
}
