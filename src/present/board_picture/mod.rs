//! A position as an SVG image: pieces, coordinates, the last move, a king in check, arrows, circles and pockets. It
//! needs no fonts.

mod letters;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod shapes;
mod theme;

use std::fmt::Write;

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, File, Move, Position, Rank, Role, Square};

use crate::{
    chess::{Setup, squares_of},
    limits::{MAX_PICTURE_SIDE, MIN_PICTURE_SIDE},
};

pub(super) use shapes::of_command as shapes_of_command;
pub use shapes::{Brush, Shape, shapes_of};
pub use theme::Theme;

/// The side of a square, in the units of the piece drawings.
const SIDE: i32 = 45;

/// Space for the coordinates.
const MARGIN: i32 = 16;

/// The height of a pocket.
const POCKET: i32 = 32;

/// A position and how to draw it.
#[derive(Clone, Debug)]
pub struct BoardPicture {
    board: Board,
    pockets: Option<ByColor<ByRole<u8>>>,
    check: Bitboard,
    /// Squares of the last move.
    pub last: Vec<Square>,
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
    /// Moves as arrows, each with its weight from 0 to 1: the heavier, the wider.
    pub moves: Vec<(Square, Square, f64)>,
    /// Whether Black is at the bottom.
    pub flip: bool,
    /// Whether to draw the names of files and ranks.
    pub coordinates: bool,
    /// The theme.
    pub theme: Theme,
    /// The width in pixels, from [`MIN_PICTURE_SIDE`] to [`MAX_PICTURE_SIDE`]; `None`: as wide as there is space (PNG:
    /// 400).
    pub width: Option<u32>,
}

impl BoardPicture {
    /// The image of a position and the move that led to it.
    pub fn of_position<P: Position>(position: &P, last: Option<Move>) -> BoardPicture {
        let king = position.board().king_of(position.turn()).filter(|_| position.is_check());
        BoardPicture {
            check: king.map_or(Bitboard::EMPTY, Bitboard::from_square),
            last: last.map(squares_of).unwrap_or_default(),
            ..BoardPicture::of(position.board(), position.pockets())
        }
    }

    /// The image of a position that need not be legal.
    pub fn of_setup(setup: &Setup) -> BoardPicture {
        BoardPicture::of(&setup.board, setup.pockets.as_ref())
    }

    fn of(board: &Board, pockets: Option<&ByColor<ByRole<u8>>>) -> BoardPicture {
        BoardPicture {
            board: board.clone(),
            pockets: pockets.copied(),
            check: Bitboard::EMPTY,
            last: Vec::new(),
            shapes: Vec::new(),
            moves: Vec::new(),
            flip: false,
            coordinates: true,
            theme: Theme::default(),
            width: None,
        }
    }

    /// The image as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let (width, height) = self.extent();
        write!(svg, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}""#)?;
        if let Some(across) = self.width {
            let across = across.clamp(MIN_PICTURE_SIDE, MAX_PICTURE_SIDE);
            let high = f64::from(across) * f64::from(height) / f64::from(width);
            write!(svg, r#" width="{across}" height="{}""#, high.round())?;
        }
        writeln!(svg, r#" role="img"><title>{}</title>"#, self.board)?;
        self.write_definitions(svg)?;
        self.write_squares(svg)?;
        if self.coordinates {
            self.write_coordinates(svg)?;
        }
        self.write_pieces(svg)?;
        for (from, to, weight) in &self.moves {
            let arrow = Shape { brush: Brush::Blue, from: *from, to: Some(*to) };
            let width = f64::from(SIDE) * (0.4 + 1.1 * weight);
            arrow.write(svg, self.theme.arrow(), |square| self.centre(square), width)?;
        }
        for shape in &self.shapes {
            shape.write(svg, self.theme.shape(shape.brush), |square| self.centre(square), f64::from(SIDE))?;
        }
        self.write_pockets(svg)?;
        writeln!(svg, "</svg>")
    }

    /// Width and height.
    fn extent(&self) -> (i32, i32) {
        let margin = if self.coordinates { MARGIN } else { 0 };
        (8 * SIDE + margin, 8 * SIDE + margin + 2 * self.pocket())
    }

    /// The space for the pocket of a side.
    fn pocket(&self) -> i32 {
        if self.pockets.is_some() { POCKET } else { 0 }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file() as u8), i32::from(square.rank() as u8));
        let (column, row) = if self.flip { (7 - file, rank) } else { (file, 7 - rank) };
        let left = if self.coordinates { MARGIN } else { 0 };
        (left + column * SIDE, self.pocket() + row * SIDE)
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (left, top) = self.corner(square);
        (f64::from(left) + f64::from(SIDE) / 2.0, f64::from(top) + f64::from(SIDE) / 2.0)
    }

    /// The pieces that occur, each once, and the definitions of the theme.
    fn write_definitions(&self, svg: &mut String) -> std::fmt::Result {
        svg.push_str("<defs>\n");
        self.theme.write_definitions(svg)?;
        for color in Color::ALL {
            for role in Role::ALL {
                let is_there = (self.board.by_color(color) & self.board.by_role(role)).any();
                if is_there || self.in_pocket(color, role) > 0 {
                    writeln!(svg, "{}", pieces::drawing(role.of(color)))?;
                }
            }
        }
        writeln!(svg, "</defs>")
    }

    fn in_pocket(&self, color: Color, role: Role) -> u8 {
        self.pockets.as_ref().map_or(0, |pockets| *pockets.get(color).get(role))
    }

    fn write_squares(&self, svg: &mut String) -> std::fmt::Result {
        for square in Square::ALL {
            let (left, top) = self.corner(square);
            let colour = self.theme.square(square.is_light(), self.last.contains(&square));
            writeln!(svg, r#"<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="{colour}"/>"#)?;
        }
        for square in &self.last {
            self.theme.write_last(svg, self.corner(*square))?;
        }
        for square in self.check {
            self.theme.write_check(svg, self.centre(square))?;
        }
        let left = self.extent().0 - 8 * SIDE;
        self.theme.write_edge(svg, (left, self.pocket()))
    }

    fn write_pieces(&self, svg: &mut String) -> std::fmt::Result {
        for (square, piece) in self.board.iter() {
            let ((x, y), name) = (self.corner(square), piece.char());
            writeln!(svg, r##"<use href="#piece-{name}" x="{x}" y="{y}"/>"##)?;
        }
        Ok(())
    }

    fn write_coordinates(&self, svg: &mut String) -> std::fmt::Result {
        let colour = self.theme.coordinates();
        writeln!(svg, r#"<g fill="none" stroke="{colour}" stroke-linecap="round" stroke-linejoin="round">"#)?;
        for file in File::ALL {
            let (x, _) = self.centre(Square::from_coords(file, Rank::First));
            let y = self.pocket() + 8 * SIDE + MARGIN / 2;
            letters::write(svg, file.char(), (x, f64::from(y)), 1.4)?;
        }
        for rank in Rank::ALL {
            let (_, y) = self.centre(Square::from_coords(File::A, rank));
            letters::write(svg, rank.char(), (f64::from(MARGIN / 2), y), 1.4)?;
        }
        writeln!(svg, "</g>")
    }

    /// The pieces in hand of each side; those of the lower side are below the board.
    fn write_pockets(&self, svg: &mut String) -> std::fmt::Result {
        let (left, height) = (self.extent().0 - 8 * SIDE, self.extent().1);
        for color in Color::ALL {
            let top = if color.is_white() == self.flip { 0 } else { height - POCKET };
            let mut x = left;
            for role in Role::ALL {
                let count = self.in_pocket(color, role);
                if count == 0 {
                    continue;
                }
                let name = role.of(color).char();
                writeln!(
                    svg,
                    r##"<use href="#piece-{name}" transform="translate({x} {top}) scale(0.7)"/>"##
                )?;
                x += 30;
                let colour = self.theme.coordinates();
                writeln!(svg, r#"<g fill="none" stroke="{colour}" stroke-width="1.2">"#)?;
                for digit in count.to_string().chars() {
                    let at = (f64::from(x + 4), f64::from(top + POCKET / 2));
                    letters::write(svg, digit, at, 1.4)?;
                    x += 8;
                }
                writeln!(svg, "</g>")?;
                x += 6;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;

    #[test]
    fn a_board_has_all_squares_and_pieces() {
        let svg = BoardPicture::of_position(&Chess::new(), None).svg();
        assert_eq!((svg.matches("<rect").count(), svg.matches("#piece-p").count()), (64, 8));
    }
}
