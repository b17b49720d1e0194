//! `plybook glyph`

use clap::Args;

use super::{ChangeArgs, terminal};
use crate::{
    archive::GameSet,
    cli::ExitStatus,
    edit::{parse_glyph, with_glyphs},
    record::Ply,
};

/// Set the glyphs of a move, such as !? or +-
///
/// The glyphs replace those that the move has; without a glyph, they are deleted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook glyph 17 12w '!?'
  plybook glyph 17 12b '??' '+-'
  plybook glyph 17 12w")]
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
        let mut editor = self.change.archive.open()?;
        let ply = super::ply_of(editor.archive(), self.id, self.ply)?;
        let game: GameSet = [self.id].into_iter().collect();
        self.change.list(editor.archive(), &game)?;
        self.change.make(&mut editor, ("changed", "change"), |change| {
            let bar = terminal::games_bar(1);
            Ok(change.edit(&game, |game| with_glyphs(game, ply, &self.glyphs), terminal::watch(bar))?)
        })?;
        Ok(ExitStatus::Complete)
    }
}
