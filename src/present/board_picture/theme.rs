//! The look of a board: colours for screens, black and white for paper.

use std::{fmt::Write, str::FromStr};

use super::{Brush, SIDE};
use crate::present::{PresentError, Result};

/// How squares, marks and arrows are drawn. The pieces are always black and white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Brown squares, coloured marks.
    #[default]
    Brown,
    /// Black and white, for print: dark squares are hatched, marks are frames and rings.
    Print,
    /// The colours that the style of a page defines.
    Page,
}

impl Theme {
    /// The themes of images that stand alone.
    pub const ALL: [Theme; 2] = [Theme::Brown, Theme::Print];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Brown => "brown",
            Theme::Print => "print",
            Theme::Page => "page",
        }
    }

    /// The fill of a square, `is_last` if the last move began or ended there.
    pub(super) fn square(self, is_light: bool, is_last: bool) -> &'static str {
        match (self, is_light, is_last) {
            (Theme::Brown, true, true) => "#cdd26a",
            (Theme::Brown, false, true) => "#aaa23a",
            (Theme::Brown, true, false) => "#f0d9b5",
            (Theme::Brown, false, false) => "#b58863",
            (Theme::Print, true, _) => "#fff",
            (Theme::Print, false, _) => "url(#hatching)",
            (Theme::Page, true, _) => "var(--square-light)",
            (Theme::Page, false, _) => "var(--square-dark)",
        }
    }

    pub(super) fn coordinates(self) -> &'static str {
        match self {
            Theme::Brown => "#6b6b6b",
            Theme::Page => "var(--quiet)",
            Theme::Print => "#000",
        }
    }

    pub(super) fn shape(self, brush: Brush) -> &'static str {
        if self == Theme::Print { "#000" } else { brush.colour() }
    }

    /// The colour of the arrow of a move.
    pub(super) fn arrow(self) -> &'static str {
        if self == Theme::Page { "var(--arrow)" } else { "#000" }
    }

    /// Writes the definitions that fills refer to.
    pub(super) fn write_definitions(self, svg: &mut String) -> std::fmt::Result {
        if self != Theme::Print {
            return Ok(());
        }
        writeln!(
            svg,
            r##"<pattern id="hatching" width="4.5" height="4.5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0H4.5V4.5H0z" fill="#fff"/><path d="M2.25 0V4.5" stroke="#000" stroke-width="0.9"/></pattern>"##
        )
    }

    /// Draws the border of the board from its upper left corner.
    pub(super) fn write_edge(self, svg: &mut String, left: i32, top: i32) -> std::fmt::Result {
        if self != Theme::Print {
            return Ok(());
        }
        // The lower and right edges are partly white squares.
        let side = 8 * SIDE - 1;
        writeln!(
            svg,
            r##"<rect x="{left}.5" y="{top}.5" width="{side}" height="{side}" fill="none" stroke="#000"/>"##
        )
    }

    /// Marks a square of the last move, given its corner, if its fill does not show it.
    pub(super) fn write_last(self, svg: &mut String, left: i32, top: i32) -> std::fmt::Result {
        match self {
            Theme::Brown => Ok(()),
            Theme::Page => writeln!(
                svg,
                r#"<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="var(--square-last)"/>"#
            ),
            Theme::Print => {
                let (left, top, side) = (left + 2, top + 2, SIDE - 4);
                writeln!(
                    svg,
                    r##"<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="#000" stroke-width="2"/>"##
                )
            }
        }
    }

    /// Marks a king in check, given the centre of its square.
    pub(super) fn write_check(self, svg: &mut String, x: f64, y: f64) -> std::fmt::Result {
        let (radius, mark) = match self {
            Theme::Brown | Theme::Page => (SIDE / 2, r##"fill="#d00" fill-opacity="0.6""##),
            Theme::Print => {
                (SIDE / 2 - 2, r##"fill="#fff" stroke="#000" stroke-width="2" stroke-dasharray="5 3""##)
            }
        };
        writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="{radius}" {mark}/>"#)
    }
}

impl FromStr for Theme {
    type Err = PresentError;

    fn from_str(text: &str) -> Result<Theme> {
        let theme = Theme::ALL.into_iter().find(|theme| theme.name() == text);
        theme.ok_or_else(|| PresentError::Theme(text.to_owned()))
    }
}
