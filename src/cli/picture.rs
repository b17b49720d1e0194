//! Options for boards, in text or as images.

use std::io::Write;

use anyhow::bail;
use clap::{Args, builder::TypedValueParser};

use super::{answer::choice, terminal};
use crate::{
    chess::BoardStyle,
    limits::{MAX_PICTURE_SIDE, MIN_PICTURE_SIDE},
    present::board_picture::{BoardPicture, Shape, Theme},
};

/// How to draw a board, in text or as an image.
#[derive(Debug, Args)]
#[command(next_help_heading = "Board")]
pub(super) struct BoardArgs {
    /// Use letters instead of chess symbols
    #[arg(long)]
    ascii: bool,
    /// Show the board from Black's side
    #[arg(long)]
    pub(super) flip: bool,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Images (svg, png)")]
struct PictureArgs {
    /// Width in pixels [default: 400 for png; svg scales to the available width]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(i64::from(MIN_PICTURE_SIDE)..=i64::from(MAX_PICTURE_SIDE)))]
    size: Option<u32>,
    /// Theme; print is black and white with hatched dark squares, for paper
    #[arg(long, default_value = Theme::default().name(), value_parser = themes())]
    theme: Theme,
    /// Omit the coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Draw an arrow or a circle: a colour (G, R, Y or B) and two squares or one, as in %cal and %csl; may be
    /// repeated
    #[arg(long, value_name = "Ge2e4")]
    shape: Vec<Shape>,
}

fn themes() -> impl TypedValueParser<Value = Theme> {
    choice(Theme::ALL.map(|theme| (theme.name(), "", theme)))
}

impl BoardArgs {
    /// Whether an option for boards in text was given.
    pub(super) fn is_given(&self) -> bool {
        self.ascii || self.flip
    }

    /// The style of a board in text.
    pub(super) fn style(&self) -> BoardStyle {
        let marks = if terminal::in_colour() { terminal::REVERSED } else { ["[", "]"] };
        BoardStyle { ascii: self.ascii, flip: self.flip, marks }
    }

    /// Writes an image of a board, SVG or PNG; PNG is not written to a terminal.
    pub(super) fn write_picture(
        &self,
        out: &mut dyn Write,
        mut picture: BoardPicture,
        is_png: bool,
        to_terminal: bool,
    ) -> anyhow::Result<()> {
        picture.flip = self.flip;
        picture.coordinates = !self.picture.no_coordinates;
        picture.theme = self.picture.theme;
        picture.width = self.picture.size;
        picture.shapes.extend(&self.picture.shape);
        if is_png && to_terminal {
            bail!("cannot show a PNG on the terminal; write it to a file with --output FILE");
        }
        let picture = if is_png { picture.png()? } else { picture.svg().into_bytes() };
        Ok(out.write_all(&picture)?)
    }
}
