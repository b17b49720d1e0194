//! `plybook comment` and `plybook glyph`

use clap::Args;

use super::ChangeArgs;
use crate::{
    edit::{parse_glyph, with_comment, with_glyphs},
    record::Ply,
};

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

/// Set the glyphs of a move, such as !? or +-
///
/// The glyphs replace those that the move has; without a glyph, they are deleted.
///
/// Examples:
/// * plybook glyph 17 12w '!?'
/// * plybook glyph 17 12b '??' '+-'
/// * plybook glyph 17 12w
#[derive(Debug, Args)]
pub(in crate::cli) struct Glyph {
    /// Id of the game
    id: i64,
    /// Half-move that the glyph follows: a number, or a move such as 12w or 12b
    ply: Ply,
    /// Glyphs: !, ?, !!, ??, !?, ?!, a sign such as +- or =, or a number such as $5
    #[arg(value_parser = parse_glyph)]
    glyphs: Vec<u16>,
    #[command(flatten)]
    change: ChangeArgs,
}

impl CommentArgs {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        self.change.edit_ply(self.id, self.ply, "comment", |game, ply| with_comment(game, ply, &self.text))
    }
}

impl Glyph {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        self.change.edit_ply(self.id, self.ply, "change", |game, ply| with_glyphs(game, ply, &self.glyphs))
    }
}
