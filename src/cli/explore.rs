//! `plybook explore`

use std::{io::Write, ops::ControlFlow};

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    format::{Format, lists_or},
    open_index, opening,
    terminal::{self, OutputArgs},
};
use crate::{
    present::{
        explore::{write_exploration, write_line_tree},
        explored_position, list,
    },
    query::{Exploration, ExploredPosition, LineTree, TreeOptions},
};

/// Show what was played in a position, and what became of the games
///
/// A game counts once, under the move that it played when the position stood on its board for the last time.
/// "reached" counts the games that come to the position after the move by any order of moves; "elo" and "perf"
/// (performance, by FIDE's table) are those of the side that moves; "game" is the number of the game with the
/// highest sum of ratings. Castling is e1g1 in UCI notation; in Chess960, from other squares, king takes rook. With --variant, the
/// position is one of that variant; else games of standard chess and Chess960 count. With --limit only the first so many
/// games that pass the filters count, in the order of --sort, whether they come to the position or not. In the tree a game
/// belongs to one line, by its moves after its last visit to the first position; "+2 by transposition" are further games
/// that reach the position after the move.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook explore
  plybook explore '1. e4 c5 2. Nf3 d6'
  plybook explore '1. d4 Nf6' --player karpov --colour black --date 1974..1985
  plybook explore '1. e4 c5' --tree 6 --min-share 5
  plybook explore 1:24 --elo 2600.. --format json
  plybook explore 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --format csv")]
pub(super) struct Explore {
    /// The position: a FEN, moves from the start ('1. e4 c5'), GAME:PLY of the archive, or an opening's name
    /// [default: the start]
    position: Vec<String>,
    /// At most so many moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Print the tree of main lines, so many plies long
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=100))]
    tree: Option<u16>,
    /// In the tree, only moves that so many percent of the games at its beginning played
    #[arg(long, value_name = "PERCENT", requires = "tree", default_value_t = 2, value_parser = value_parser!(u64).range(..=100))]
    min_share: u64,
    /// In the tree, only moves of at least so many games
    #[arg(long, value_name = "N", requires = "tree", default_value_t = 1)]
    min_games: u64,
    /// How to print it; the formats of lists have the moves
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
    /// Everything, as one JSON object
    Json,
}

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.tree.is_some() && matches!(self.format, Format::List(_)) {
            bail!("--tree has the formats text and json");
        }
        if self.filter.has_unused_modes() {
            bail!(
                "--board-only and --mirror are for --position here: the position that is explored is that one alone"
            );
        }
        let archive = self.archive.open()?;
        // The index and the games that it speaks of are of one moment.
        let _snapshot = archive.snapshot()?;
        let index = open_index::open(&archive)?;
        let filter = self.filter.filter(&archive)?;
        let text = Some(self.position.join(" ")).filter(|_| !self.position.is_empty());
        let asked = explored_position(text.as_deref(), filter.kind, &archive)
            .map_err(|error| opening::with_games(&archive, error))?;
        if let Some(text) = &text {
            self.filter.tell_of_castling(text);
        }
        let bar = self.filter.bar(&archive)?;
        let watch = |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        };
        let mut out = self.output.open(&self.archive.protected())?;
        let games = match self.tree_options() {
            None => asked
                .explore(&archive, index.as_ref(), &filter, watch)?
                .map(|told| self.write(&mut out, told)),
            Some(options) => asked
                .line_tree(&archive, index.as_ref(), &filter, options, watch)?
                .map(|tree| self.write_tree(&mut out, &tree, &asked)),
        };
        bar.finish_and_clear();
        let games = games.transpose()?.unwrap_or(0);
        out.finish()?;
        if index.is_none() {
            open_index::advise_index();
        }
        Ok(ExitStatus::complete_if(games > 0))
    }

    /// Gives the number of games.
    fn write(&self, out: &mut dyn Write, mut told: Exploration) -> anyhow::Result<u64> {
        told.moves.truncate(self.moves.unwrap_or(usize::MAX));
        match self.format {
            Format::Own(OwnFormat::Text) => write_exploration(out, &told, self.output.in_colour())?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &told)?,
            Format::List(format) => list::write(format, self.output.list_options(), out, &told.moves)?,
        }
        Ok(told.results.games)
    }

    fn tree_options(&self) -> Option<TreeOptions> {
        let plies = usize::from(self.tree?);
        let (percent, games, moves) = (self.min_share, self.min_games, self.moves.unwrap_or(usize::MAX));
        Some(TreeOptions { plies, percent, games, moves })
    }

    /// Gives the number of games.
    fn write_tree(
        &self,
        out: &mut dyn Write,
        tree: &LineTree,
        from: &ExploredPosition,
    ) -> anyhow::Result<u64> {
        match self.format {
            Format::Own(OwnFormat::Text) => {
                write_line_tree(out, tree, &from.position, self.output.text_style())?;
            }
            _ => terminal::json(out, tree)?,
        }
        Ok(tree.results.games)
    }
}
