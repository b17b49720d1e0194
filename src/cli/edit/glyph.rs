//! `plybook glyph`

use clap::Args;

use super::ChangeArgs;
use crate::{
    cli::ExitStatus,
    edit::{parse_glyph, with_glyphs},
    record::Ply,
};

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

impl Glyph {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        self.change.edit_ply(self.id, self.ply, ("changed", "change"), |game, ply| {
            with_glyphs(game, ply, &self.glyphs)
        })
    }
}
