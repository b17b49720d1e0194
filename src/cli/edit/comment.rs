//! `plybook comment`

use clap::Args;

use super::{ChangeArgs, terminal};
use crate::{archive::GameSet, cli::ExitStatus, edit::with_comment, record::Ply};

/// Add or replace a comment on a move of a game
///
/// The comment replaces the comments that the move has; an empty text deletes them. Comments in variations stay.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook comment 17 12w 'The best move here.'
  plybook comment 17 0 'Played in the last round.'
  plybook comment 17 23 ''")]
pub(in crate::cli) struct CommentArgs {
    /// Id of the game
    id: i64,
    /// Half-move that the comment follows: a number, 0 for before the first move, or a move such as 12w or 12b
    ply: Ply,
    /// The comment
    text: String,
    #[command(flatten)]
    change: ChangeArgs,
}

impl CommentArgs {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut editor = self.change.archive.open()?;
        let ply = super::ply_of(editor.archive(), self.id, self.ply)?;
        let game: GameSet = [self.id].into_iter().collect();
        self.change.list(editor.archive(), &game)?;
        self.change.make(&mut editor, ("commented", "comment"), |change| {
            let bar = terminal::games_bar(1);
            Ok(change.edit(&game, |game| with_comment(game, ply, &self.text), terminal::watch(bar))?)
        })?;
        Ok(ExitStatus::Complete)
    }
}
