//! `plybook explore`

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ExitStatus,
    answer::AnswerArgs,
    format::{Form, Format, Own, lists_or},
    open_index,
};
use crate::{present::explore::ShownTree, query::TreeOptions};

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
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Own<Form>; 2] =
    [("text", "For people, with bars", Form::Text), ("json", "Everything, as one JSON object", Form::Json)];

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.tree.is_some() && matches!(self.format, Format::List(_)) {
            bail!("--tree has the formats text and json");
        }
        self.answer.filter.refuse_unused_modes("that is explored")?;
        let (archive, index) = open_index::with_archive(&self.answer.archive)?;
        let filter = self.answer.filter.filter(&archive)?;
        let asked = self.answer.filter.explored(&self.position, filter.kind, &archive)?;
        let (watch, mut out) = (self.answer.watch(&archive)?, self.answer.out()?);
        let done = match self.tree_options() {
            None => {
                let mut found = asked.explore(&archive, index.as_ref(), &filter, watch)?;
                if let Some(found) = &mut found {
                    found.moves.truncate(self.moves.unwrap_or(usize::MAX));
                }
                self.answer.write(&mut out, self.format, found)?
            }
            Some(options) => {
                let tree = asked.line_tree(&archive, index.as_ref(), &filter, options, watch)?;
                let tree = tree.map(|tree| ShownTree { tree, from: &asked.position });
                self.answer.write(&mut out, self.format, tree)?
            }
        };
        out.finish()?;
        if index.is_none() {
            open_index::advise_index();
        }
        Ok(done)
    }

    fn tree_options(&self) -> Option<TreeOptions> {
        let plies = usize::from(self.tree?);
        let (percent, games, moves) = (self.min_share, self.min_games, self.moves.unwrap_or(usize::MAX));
        Some(TreeOptions { plies, percent, games, moves })
    }
}
