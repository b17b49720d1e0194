//! `plybook comment`

use clap::Args;

use super::ChangeArgs;
use crate::{cli::ExitStatus, edit::with_comment, record::Ply};

/// Add or replace a comment on a move of a game
///
/// The comment replaces the comments that the move has; an empty text deletes them. Comments in variations stay.
///
/// Examples:
/// * plybook comment 17 12w 'The best move here.'
/// * plybook comment 17 0 'Played in the last round.'
/// * plybook comment 17 23 ''
#[derive(Debug, Args)]
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
        self.change.edit_ply(self.id, self.ply, ("commented", "comment"), |game, ply| {
            with_comment(game, ply, &self.text)
        })
    }
}
