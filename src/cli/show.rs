//! `plybook show`

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::{ArchiveArg, ExitStatus, terminal};
use crate::{
    present::{BoardStyle, ChessReplay, Replay, XeltoReplay},
    record::GameId,
    record::Ply,
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
  plybook show 1 --format pgn")]
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
    /// Letters instead of chess figures
    #[arg(long)]
    ascii: bool,
    /// The board seen from Black's side
    #[arg(long)]
    flip: bool,
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
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?;
        let replay = Replay::new(&archive, self.id, self.ply)?;
        let mut out = terminal::raw_stdout();
        match (self.format, &replay) {
            (Format::Json, _) => {
                terminal::json(&mut out, &replay.answer(&archive)?)?;
            }
            (_, Replay::Chess(game)) => self.chess(&mut out, game)?,
            (_, Replay::Xelto(game)) => self.xelto(&mut out, game)?,
        }
        out.flush()?;
        Ok(ExitStatus::Complete)
    }

    fn chess(&self, out: &mut dyn Write, game: &ChessReplay) -> std::io::Result<()> {
        match self.format {
            Format::Board => {
                let marks = if terminal::in_colour() { terminal::REVERSED } else { ["[", "]"] };
                game.write_text(out, BoardStyle { ascii: self.ascii, flip: self.flip, marks })
            }
            Format::Fen => writeln!(out, "{}", game.fen()),
            Format::San => writeln!(out, "{}", game.san().join(" ")),
            Format::Uci => writeln!(out, "{}", game.uci().join(" ")),
            Format::Pgn => write!(out, "{}", game.pgn()),
            Format::Json => Ok(()),
        }
    }

    fn xelto(&self, out: &mut dyn Write, game: &XeltoReplay) -> anyhow::Result<()> {
        match self.format {
            Format::Board => game.write_text(out)?,
            Format::San => writeln!(out, "{}", game.moves().join(" "))?,
            _ => bail!(
                "game {id} is a game of Xelto: it has no FEN, PGN or UCI notation; --format board, san (its own \
                 notation) and json are there, and: plybook export --variant xelto --id {id}",
                id = self.id
            ),
        }
        Ok(())
    }
}
