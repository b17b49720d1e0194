//! Arrows and circles from PGN comments: `[%cal Ge2e4,Rd8h4]` and `[%csl Gd5]`, or `[%draw arrow,e2,e4,green]` of Scid.

use std::{
    fmt::{self, Display, Write},
    str::FromStr,
};

use shakmaty::{Color, Square};

use crate::{
    pgn::{CommentCommand, comment_commands},
    present::{PresentError, Result},
};

/// The colour of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brush {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

/// An arrow between two squares, or a circle on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its colour.
    pub brush: Brush,
    /// Where an arrow begins, or the square of a circle.
    pub from: Square,
    /// Where an arrow points to.
    pub to: Option<Square>,
}

impl Brush {
    const ALL: [(Brush, char, &str); 4] = [
        (Brush::Green, 'G', "#15781b"),
        (Brush::Red, 'R', "#a02020"),
        (Brush::Yellow, 'Y', "#d98a00"),
        (Brush::Blue, 'B', "#1c4fa0"),
    ];

    /// Its letter in PGN.
    pub fn letter(self) -> char {
        Brush::ALL.iter().find(|(brush, ..)| *brush == self).map_or('G', |(_, letter, _)| *letter)
    }

    pub(super) fn colour(self) -> &'static str {
        Brush::ALL.iter().find(|(brush, ..)| *brush == self).map_or("", |(_, _, colour)| colour)
    }
}

/// The arrows and circles of a comment, in their order; invalid ones are skipped.
pub fn shapes_of(comment: &str) -> Vec<Shape> {
    // Shapes are the same for both sides.
    comment_commands(comment, Color::White).1.iter().flat_map(of_command).collect()
}

/// The shapes of a command; invalid ones are skipped.
pub(in crate::present) fn of_command(command: &CommentCommand<'_>) -> Vec<Shape> {
    match command.name {
        "cal" | "csl" => command.value.split(',').filter_map(|shape| shape.trim().parse().ok()).collect(),
        "draw" => of_scid(&command.value).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A shape of Scid: its kind, one or two squares, and the name of its colour.
fn of_scid(value: &str) -> Option<Shape> {
    let (kind_and_squares, colour) = value.rsplit_once(',')?;
    let (_, squares) = kind_and_squares.split_once(',')?;
    let brush = colour.trim().get(..1)?.to_ascii_uppercase();
    let shape: Shape = squares.replace(|c: char| c == ',' || c.is_whitespace(), "").parse().ok()?;
    let brush = Brush::ALL.into_iter().find(|(_, letter, _)| brush.starts_with(*letter));
    Some(Shape { brush: brush.map_or(shape.brush, |(brush, ..)| brush), ..shape })
}

impl FromStr for Shape {
    type Err = PresentError;

    /// `Ge2e4`, `Rd5`; without a letter it is green.
    fn from_str(text: &str) -> Result<Shape> {
        let shape = || -> Option<Shape> {
            let brush = Brush::ALL.iter().find(|(_, letter, _)| text.starts_with(*letter));
            let squares = text.get(usize::from(brush.is_some())..)?;
            let square = |text: &str| Square::from_ascii(text.as_bytes()).ok();
            let brush = brush.map_or(Brush::Green, |(brush, ..)| *brush);
            let from = square(squares.get(..2)?)?;
            let to = match squares.get(2..)? {
                "" => None,
                to => Some(square(to)?),
            };
            // An arrow to its own square is a circle.
            Some(Shape { brush, from, to: to.filter(|to| *to != from) })
        };
        shape().ok_or_else(|| PresentError::Shape(text.to_owned()))
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.brush.letter(), self.from)?;
        self.to.map_or(Ok(()), |to| write!(f, "{to}"))
    }
}

impl Shape {
    /// Draws it in a colour; `centre` returns the centre of a square.
    pub(super) fn write(
        &self,
        svg: &mut String,
        colour: &str,
        centre: impl Fn(Square) -> (f64, f64),
        side: f64,
    ) -> fmt::Result {
        let (x, y) = centre(self.from);
        let Some((to_x, to_y)) = self.to.map(centre) else {
            let (radius, width) = (side * 0.46, side * 0.07);
            return writeln!(
                svg,
                r#"<circle cx="{x}" cy="{y}" r="{radius:.1}" fill="none" stroke="{colour}" stroke-width="{width:.1}" stroke-opacity="0.8"/>"#
            );
        };
        // One polygon, so that the shaft does not show through the head.
        let length = (to_x - x).hypot(to_y - y);
        let (along, across) = (((to_x - x) / length, (to_y - y) / length), side * 0.08);
        let (neck, head) = (length - side * 0.35, side * 0.2);
        let corners = [
            (0.0, across),
            (neck, across),
            (neck, head),
            (length, 0.0),
            (neck, -head),
            (neck, -across),
            (0.0, -across),
        ];
        let points = corners.map(|(far, aside)| {
            let (x, y) = (x + along.0 * far - along.1 * aside, y + along.1 * far + along.0 * aside);
            format!("{x:.1},{y:.1}")
        });
        writeln!(svg, r#"<polygon points="{}" fill="{colour}" fill-opacity="0.8"/>"#, points.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::shapes_of;

    #[test]
    fn a_comment_has_its_arrows_and_circles_in_their_order() {
        let shapes = shapes_of("best [%csl Rf7][%cal Gd3h7,Gh5f7] now");
        assert_eq!(shapes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["Rf7", "Gd3h7", "Gh5f7"]);
    }

    #[test]
    fn shapes_of_scid_are_drawn() {
        let shapes = shapes_of(
            "Look [%draw arrow,e4,\ne5,green] [%draw full,d5,red] [%draw full,a1,white] [%draw x,z9,red]",
        );
        assert_eq!(shapes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["Ge4e5", "Rd5", "Ga1"]);
    }
}
