//! `plybook prepare`

use std::{io::Write, ops::ControlFlow::Continue};

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};

use super::{
    ArchiveArg, ExitStatus, advice,
    filter::FilterArgs,
    repertoire::Side,
    terminal::{self, OutputArgs},
};
use crate::{
    chess::Color,
    present::{ExploredPosition, PreparationAnswer},
    query::{PositionIndex, PrepareOptions, TreeOptions, prepare},
};

/// Show what one meets in a game against a player
///
/// The tree of the player's games with the other colour: what was played, how often, and how the player scored. "perf" is
/// the performance of the player with an own move, by FIDE's table; "all" are the games of the whole archive with the
/// same position that played the move, and the second % is their share. An own move of the player is rare if few games have the position after it, or a
/// small share of those that had the position before played it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook prepare --against '\"Fischer, Robert James\"' --as white
  plybook prepare '1. e4' --against karpov --as white --date 1980.. --tree 16
  plybook prepare --against kasparov --as black --min-share 10 --format json
  plybook prepare --against carlsen --as black --format svg > carlsen.svg")]
pub(super) struct PrepareArgs {
    /// The position: a FEN, moves from the start ('1. e4 c5'), GAME:PLY of the archive, or an opening's name
    /// [default: the start]
    position: Vec<String>,
    /// The player, by the name or its beginning
    #[arg(long, value_name = "NAME")]
    against: String,
    /// One's own colour
    #[arg(long = "as", value_name = "COLOUR", value_enum)]
    own: Side,
    /// The longest line, in plies
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(1..=100))]
    tree: u16,
    /// Only moves that so many percent of the player's games from the position played
    #[arg(long, value_name = "PERCENT", default_value_t = 3, value_parser = value_parser!(u64).range(..=100))]
    min_share: u64,
    /// Only moves of at least so many games of the player
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u64,
    /// At most so many moves from each position
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// A position is rare if fewer games of the archive have it
    #[arg(long, value_name = "N", default_value_t = 10)]
    rare_games: u64,
    /// A move is rare if less than so many percent of the games played it that had the position
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
    /// Everything, as one JSON object
    Json,
    /// The first moves as bars, as a picture
    Svg,
}

impl PrepareArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.filter.has_unused_modes() {
            bail!(
                "--board-only and --mirror are for --position here: the position of the tree is that one alone"
            );
        }
        let archive = self.archive.open()?;
        // The index and the games that it speaks of are of one moment.
        let _snapshot = archive.snapshot()?;
        let index = PositionIndex::open(&archive)?;
        let mut filter = self.filter.filter(&archive)?;
        let colour = !self.own.color();
        let player = match colour {
            Color::White => &mut filter.white,
            Color::Black => &mut filter.black,
        };
        if player.is_some() {
            bail!("--against says who has {}: leave the other name away", colour.fold_wb("White", "Black"));
        }
        *player = Some(self.against.clone());
        let text = Some(self.position.join(" ")).filter(|_| !self.position.is_empty());
        let asked = ExploredPosition::read(text.as_deref(), filter.kind, &archive)?;
        if let Some(text) = &text {
            self.filter.tell_of_castling(text);
        }
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let watch = |games| {
            bar.set_position(games);
            Continue(())
        };
        let found =
            prepare(&archive, index.as_ref(), &asked.position, (colour, &filter), self.options(), watch)?;
        bar.finish_and_clear();
        let Some(mut found) = found else { bail!("it was stopped") };
        found.opening = asked.opening;
        let is_empty = found.lines.is_empty();
        let games = found.games;
        let answer = PreparationAnswer::new(&archive, (self.against.trim_matches('"'), &filter), found)?;
        let mut out = self.output.open(&self.archive.protected())?;
        match self.format {
            OwnFormat::Text => answer.write_text(&mut out, &asked.position)?,
            OwnFormat::Json => terminal::json(&mut out, &answer)?,
            OwnFormat::Svg => write!(out, "{}", answer.picture(&asked.position))?,
        }
        out.finish()?;
        if is_empty && games > 0 && self.min_games > 1 {
            terminal::tell("no move has so many games: --min-games 1 --min-share 0 shows all");
        }
        if index.is_none() {
            terminal::tell(advice::AFTER_SCAN);
        }
        Ok(ExitStatus::complete_if(games > 0))
    }

    fn options(&self) -> PrepareOptions {
        let (plies, percent, games) = (self.tree.into(), self.min_share, self.min_games);
        let tree = TreeOptions { plies, percent, games, moves: self.moves.unwrap_or(usize::MAX) };
        PrepareOptions { tree, rare_games: self.rare_games, rare_percent: self.rare_share }
    }
}
