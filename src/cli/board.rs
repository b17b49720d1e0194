//! `plybook board`

use std::io::Write;

use clap::{Args, ValueEnum};

use super::{
    ArchiveArg,
    picture::BoardArgs,
    position_arg::{self, PositionReader},
    terminal::OutputArgs,
};
use crate::{chess::board_of_setup, present::board_picture::BoardPicture};

/// Draw a position as text or as an image
///
/// Examples:
/// * plybook board '1. e4 c5'
/// * plybook board '1. e4 c5' --format svg > sicilian.svg
/// * plybook board 'sicilian najdorf' --flip --format png --size 600 -o najdorf.png
/// * plybook board '1. e4 c5' --theme print --format svg -o for-paper.svg
/// * plybook board '1. e4 e5 2. Bc4' --shape Rc4f7 --shape Rf7 --format png -o f7.png
#[derive(Debug, Args)]
#[command(after_help = position_arg::HELP)]
pub(super) struct Board {
    /// Position to draw
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = BoardFormat::Board, help_heading = "Output")]
    format: BoardFormat,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoardFormat {
    /// Text
    Board,
    /// Vector image
    Svg,
    /// Pixel image
    Png,
}

impl Board {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let protected = self.archive.protected();
        let setup = PositionReader::new(self.archive.clone()).read(&self.position.join(" "))?;
        let mut out = self.output.open(&protected)?;
        match self.format {
            BoardFormat::Board => {
                out.write_all(board_of_setup(&setup, self.board.style()).as_bytes())?;
            }
            format => {
                let picture = BoardPicture::of_setup(&setup);
                let is_png = matches!(format, BoardFormat::Png);
                self.board.write_picture(&mut out, picture, is_png, self.output.is_terminal())?;
            }
        }
        Ok(out.finish()?)
    }
}
