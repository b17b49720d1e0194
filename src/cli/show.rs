//! `plybook show`

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, ExitStatus,
    picture::{BoardArgs, PictureFormat},
    terminal::{self, OutputArgs},
};
use crate::{
    present::{self, ChessReplay, Replay},
    record::{GameId, Ply},
};

/// Show a game, or its position at a ply
///
/// A game of Xelto has the formats board, san (its own notation) and json.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook show 1                     the game and its last position
  plybook show 1 --ply 12w           the position after White's 12th move
  plybook show 1 --ply -2            one half-move before the end
  plybook show 1 --ply 20 --format fen
  plybook show 1 --format pgn
  plybook show 1 --ply 12w --format png -o game.png")]
pub(super) struct Show {
    /// The game's id (see: plybook games)
    id: GameId,
    /// The place in the game: 23 (after 23 half-moves; 0 is the start), 12w or 12b (after that move), or
    /// counted from the end (-1 is the last position) [default: the last position]
    #[arg(long, allow_hyphen_values = true)]
    ply: Option<Ply>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Board)]
    format: Format,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The board with the players and the last move
    Board,
    /// The position as FEN
    Fen,
    /// The game as PGN (up to --ply, if given)
    Pgn,
    /// The moves in SAN
    San,
    /// The moves in UCI notation
    Uci,
    /// Everything, as one JSON object
    Json,
    /// The board as a picture that can be enlarged, with the arrows and circles of comments (%cal, %csl)
    Svg,
    /// The same in pixels
    Png,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?;
        let mut out = self.output.open(&self.archive.protected())?;
        if let Format::Json = self.format {
            terminal::json(&mut out, &present::game(&archive, self.id, self.ply)?)?;
        } else {
            self.write(&mut out, &*present::replay(&archive, self.id, self.ply)?)?;
        }
        out.finish()?;
        Ok(ExitStatus::Complete)
    }

    fn write(&self, out: &mut dyn Write, game: &dyn Replay) -> anyhow::Result<()> {
        match (self.format, game.chess()) {
            (Format::Board, _) => {
                game.write_text(out, self.board.style())?;
            }
            (Format::San, _) => writeln!(out, "{}", game.moves().join(" "))?,
            (Format::Fen, Some(game)) => writeln!(out, "{}", game.fen())?,
            (Format::Uci, Some(game)) => writeln!(out, "{}", game.uci().join(" "))?,
            (Format::Pgn, Some(game)) => write!(out, "{}", game.pgn())?,
            (Format::Svg, Some(game)) => self.draw(out, game, PictureFormat::Svg)?,
            (Format::Png, Some(game)) => self.draw(out, game, PictureFormat::Png)?,
            _ => bail!(
                "game {id} is a game of {kind}: it has no FEN, PGN, UCI notation or picture; --format board, san (its own \
                 notation) and json are there, and: plybook export --variant {variant} --id {id}",
                id = self.id,
                kind = game.kind(),
                variant = game.kind().name().to_lowercase(),
            ),
        }
        Ok(())
    }

    fn draw(&self, out: &mut dyn Write, game: &ChessReplay, format: PictureFormat) -> anyhow::Result<()> {
        self.board.write_picture(out, game.picture(), format, self.output.is_terminal())
    }
}
