//! `plybook explore`

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ExitStatus,
    answer::{AnswerArgs, Choice, Form, Format, lists_or},
    archive_arg::{advise_index, open_with_index},
};
use crate::{
    query::Context,
    {present::explore::ShownTree, query::TreeOptions},
};

/// Show which moves were played in a position, and how they scored
///
/// Each game counts once, for the last move it played in the position. Columns: "reached" counts the games that reach
/// the resulting position by any move order; "elo" and "perf" (performance, by FIDE's table) refer to the side to move;
/// "game" is the id of the game with the highest sum of ratings. Castling is written e1g1 in UCI notation; in Chess960,
/// from other squares, as king takes rook.
///
/// Games of standard chess and Chess960 count; with --variant, games of that variant. With --limit N, only the first N
/// games that pass the filters count, in the order of --sort, whether or not they reach the position.
///
/// In the tree, each game belongs to one line: the moves after its last visit to the root position. "+2 by
/// transposition" means that two more games reach the resulting position by other moves.
///
/// Examples:
/// * plybook explore
/// * plybook explore '1. e4 c5 2. Nf3 d6'
/// * plybook explore '1. d4 Nf6' --player karpov --colour black --date 1974..1985
/// * plybook explore '1. e4 c5' --tree 6 --min-share 5
/// * plybook explore 1:24 --elo 2600.. --format json
/// * plybook explore 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --format csv
#[derive(Debug, Args)]
pub(super) struct Explore {
    /// Position: a FEN, moves from the start ('1. e4 c5'), GAME:PLY of the archive, or the name of an opening
    /// [default: the start position]
    position: Vec<String>,
    /// Show at most N moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Print a tree of the main lines, up to N plies deep
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=100), help_heading = "Tree")]
    tree: Option<u16>,
    /// Tree: include only moves played in at least PERCENT percent of the games at the root
    #[arg(long, value_name = "PERCENT", requires = "tree", default_value_t = 2, help_heading = "Tree",
          value_parser = value_parser!(u64).range(..=100))]
    min_share: u64,
    /// Tree: include only moves played in at least N games
    #[arg(long, value_name = "N", requires = "tree", default_value_t = 1, help_heading = "Tree")]
    min_games: u64,
    /// Output format; the table formats list the moves
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text", help_heading = "Output")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

const FORMS: [Choice<Form>; 2] =
    [("text table", "Text with bars", Form::Text), ("json", "All results as one JSON object", Form::Json)];

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.tree.is_some() && matches!(self.format, Format::List(_)) {
            bail!("--tree supports only --format text and json");
        }
        self.answer.filter.refuse_unused_modes("to explore")?;
        let (archive, index) = open_with_index(&self.answer.archive)?;
        let filter = self.answer.filter.filter(&archive)?;
        let asked = self.answer.filter.explored(&self.position, filter.kind, &archive)?;
        let (context, mut out) = (Context::new(&archive).with_index(index.as_ref()), self.answer.out()?);
        let done = match self.tree {
            None => {
                let mut found = self.answer.ask(context, |context| asked.explore(context, &filter))?;
                found.moves.truncate(self.moves.unwrap_or(usize::MAX));
                self.answer.write(&mut out, self.format, found)?
            }
            Some(plies) => {
                let (plies, moves) = (plies.into(), self.moves.unwrap_or(usize::MAX));
                let (percent, games) = (self.min_share, self.min_games);
                let options = TreeOptions { plies, percent, games, moves };
                let tree = self.answer.ask(context, |context| asked.line_tree(context, &filter, options))?;
                self.answer.write(&mut out, self.format, ShownTree { tree, from: &asked.position })?
            }
        };
        out.finish()?;
        advise_index(index.is_none());
        Ok(done)
    }
}
