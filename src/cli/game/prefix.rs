//! `plybook game prefix`

use clap::Args;

use super::terminal;
use crate::{
    cli::{ArchiveArg, ExitStatus, code_format::game_code_formats, usage::game_id},
    present::encoded_game::game_prefix,
    record::{GameId, Ply},
    request::CodeFormat,
};

/// Encode a position of a game together with its history
///
/// The result is the encoding of the game up to that ply, followed by End: one integer that restores the board,
/// castling rights, en passant square, clocks and all earlier positions. "plybook game decode" reads it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook game prefix 3 --ply 12w -a chess.db
  plybook game prefix 3 --ply 12w | plybook game decode
  plybook game prefix 3 --ply -1")]
pub(in crate::cli) struct Prefix {
    /// Id of the game
    #[arg(value_parser = game_id)]
    id: GameId,
    /// Ply: 23, 12w, 12b or -1
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    ply: Ply,
    /// Output notation: the integer, or its bytes
    #[arg(long, value_parser = game_code_formats(), default_value = "int")]
    format: CodeFormat,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Prefix {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let game = self.archive.open()?.game(self.id)?;
        terminal::print(game_prefix(&game, self.ply, self.format)?)?;
        Ok(ExitStatus::Complete)
    }
}
