//! `plybook game prefix`

use clap::Args;

use super::terminal;
use crate::{
    cli::{ArchiveArg, ExitStatus, code_format::game_code_formats, usage::game_id},
    present::encoded_game::game_prefix,
    record::{GameId, Ply},
    request::CodeFormat,
};

/// Print the number of a position of a game, with its whole history
///
/// It is the prefix of the game up to that ply, followed by End: one integer that gives back the board,
/// castling rights, en passant, clocks and all positions before it. "plybook game decode" reads it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook game prefix 3 --ply 12w -a chess.db
  plybook game prefix 3 --ply 12w | plybook game decode
  plybook game prefix 3 --ply -1")]
pub(in crate::cli) struct Prefix {
    /// The game's id
    #[arg(value_parser = game_id)]
    id: GameId,
    /// The place in the game: 23, 12w, 12b or -1
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    ply: Ply,
    /// How to write it: the integer, or its bytes
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
