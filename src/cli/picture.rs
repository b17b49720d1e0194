//! Boards in text and as pictures, as options.

use std::io::Write;

use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::terminal;
use crate::{
    chess::BoardStyle,
    limits::{MAX_PICTURE_SIDE, MIN_PICTURE_SIDE},
    present::board_picture::{BoardPicture, Shape, Theme},
};

/// How a board is drawn, in text or as a picture.
#[derive(Debug, Args)]
pub(super) struct BoardArgs {
    /// Letters instead of chess figures
    #[arg(long)]
    ascii: bool,
    /// The board seen from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
struct PictureArgs {
    /// Its width in pixels [default: 400 for png; an svg is as wide as there is room]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(i64::from(MIN_PICTURE_SIDE)..=i64::from(MAX_PICTURE_SIDE)))]
    size: Option<u32>,
    /// What it is drawn with: print is black and white, with hatched dark squares, for paper
    #[arg(long, default_value = Theme::default().name(), value_parser = themes())]
    theme: Theme,
    /// Without the names of files and ranks
    #[arg(long)]
    no_coordinates: bool,
    /// An arrow or a circle: a colour (G, R, Y or B) and two squares or one, as in %cal and %csl; may be repeated
    #[arg(long, value_name = "Ge2e4")]
    shape: Vec<Shape>,
}

/// What a picture is written in.
#[derive(Clone, Copy, Debug)]
pub(super) enum PictureFormat {
    Svg,
    Png,
}

fn themes() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::new(Theme::ALL.map(Theme::name)).try_map(|name| name.parse::<Theme>())
}

impl BoardArgs {
    /// Whether it is said how the board is to be drawn in text.
    pub(super) fn is_given(&self) -> bool {
        self.ascii || self.flip
    }

    /// How it is drawn in text.
    pub(super) fn style(&self) -> BoardStyle {
        let marks = if terminal::in_colour() { terminal::REVERSED } else { ["[", "]"] };
        BoardStyle { ascii: self.ascii, flip: self.flip, marks }
    }

    /// Writes a picture of a board; not pixels to a terminal.
    pub(super) fn write_picture(
        &self,
        out: &mut dyn Write,
        mut picture: BoardPicture,
        format: PictureFormat,
        to_terminal: bool,
    ) -> anyhow::Result<()> {
        picture.flip = self.flip;
        picture.coordinates = !self.picture.no_coordinates;
        picture.theme = self.picture.theme;
        picture.width = self.picture.size;
        picture.shapes.extend(&self.picture.shape);
        match format {
            PictureFormat::Svg => out.write_all(picture.svg().as_bytes())?,
            PictureFormat::Png if to_terminal => {
                bail!("a PNG is not for a terminal: write it to a file with --output FILE")
            }
            PictureFormat::Png => out.write_all(&picture.png()?)?,
        }
        Ok(())
    }
}
