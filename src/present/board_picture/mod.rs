//! A position as an SVG image: pieces, coordinates, the last move, a king in check, arrows, circles and pockets. It
//! needs no fonts.

mod shapes;
mod theme;

use std::fmt::Write;

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, File, Move, Piece, Position, Rank, Role, Square};

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
    /// Whether it contains the [drawings] of its pieces; a document with many images has them once.
    pub has_drawings: bool,
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
            has_drawings: true,
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
        for color in Color::ALL.into_iter().filter(|_| self.has_drawings) {
            for role in Role::ALL {
                let is_there = (self.board.by_color(color) & self.board.by_role(role)).any();
                if is_there || self.in_pocket(color, role) > 0 {
                    writeln!(svg, "{}", drawing(role.of(color)))?;
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
            let (left, top) = self.corner(*square);
            self.theme.write_last(svg, left, top)?;
        }
        for square in self.check {
            let (x, y) = self.centre(square);
            self.theme.write_check(svg, x, y)?;
        }
        let left = self.extent().0 - 8 * SIDE;
        self.theme.write_edge(svg, left, self.pocket())
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
            write_letter(svg, file.char(), x, f64::from(y), 1.4)?;
        }
        for rank in Rank::ALL {
            let (_, y) = self.centre(Square::from_coords(File::A, rank));
            write_letter(svg, rank.char(), f64::from(MARGIN / 2), y, 1.4)?;
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
                    write_letter(svg, digit, f64::from(x + 4), f64::from(top + POCKET / 2), 1.4)?;
                    x += 8;
                }
                writeln!(svg, "</g>")?;
                x += 6;
            }
        }
        Ok(())
    }
}

/// The default width of a bitmap.
#[cfg(feature = "png")]
const PNG_WIDTH: u32 = 400;

#[cfg(feature = "png")]
impl BoardPicture {
    /// The image as PNG, rendered by resvg.
    ///
    /// # Errors
    /// There is not enough memory for an image of this size.
    pub fn png(&self) -> Result<Vec<u8>, super::PresentError> {
        let sized = BoardPicture { width: Some(self.width.unwrap_or(PNG_WIDTH)), ..self.clone() };
        let draw = || -> Option<Vec<u8>> {
            let tree = resvg::usvg::Tree::from_str(&sized.svg(), &resvg::usvg::Options::default()).ok()?;
            let size = tree.size().to_int_size();
            let mut pixels = resvg::tiny_skia::Pixmap::new(size.width(), size.height())?;
            resvg::render(&tree, resvg::tiny_skia::Transform::identity(), &mut pixels.as_mut());
            pixels.encode_png().ok()
        };
        draw().ok_or(super::PresentError::Picture)
    }
}

// The names of files and ranks, and digits, are drawn as strokes: the image must look the same on systems without fonts.
/// The box in which a letter is drawn.
const LETTER_WIDTH: f64 = 4.0;
const LETTER_HEIGHT: f64 = 6.0;

/// Writes a letter around a centre, scaled by a factor. Letters without a drawing are skipped.
fn write_letter(svg: &mut String, letter: char, x: f64, y: f64, scale: f64) -> std::fmt::Result {
    let (left, top) = (x - scale * LETTER_WIDTH / 2.0, y - scale * LETTER_HEIGHT / 2.0);
    match strokes(letter) {
        Some(strokes) => {
            writeln!(svg, r#"<path transform="translate({left:.1} {top:.1}) scale({scale})" d="{strokes}"/>"#)
        }
        None => Ok(()),
    }
}

fn strokes(letter: char) -> Option<&'static str> {
    Some(match letter {
        '0' => "M2 0C-.1 0-.1 6 2 6S4.1 0 2 0z",
        '1' => "M.9 1.4 2.3.2V6",
        '2' => "M.6 1.6C.6-.5 3.6-.5 3.6 1.7 3.6 3.2.5 4.5.5 6H3.7",
        '3' => {
            "M.6 1C1 .1 3.4-.3 3.4 1.5 3.4 2.8 2.2 2.9 1.6 2.9 2.4 2.9 3.7 3.1 3.7 4.4 3.7 6.5.9 6.4.4 5.2"
        }
        '4' => "M2.9 6V.2L.4 4.2H3.9",
        '5' => "M3.4.2H1L.8 2.8C1.6 2 3.7 2.1 3.7 4.1 3.7 6.5.9 6.4.4 5.3",
        '6' => "M3.3.2C1.2.6.5 2.6.5 4.2.5 6.6 3.7 6.6 3.7 4.2 3.7 2 .9 2 .6 3.8",
        '7' => "M.4.2H3.7C2.4 2 1.7 4 1.6 6",
        '8' => "M2 2.8C.3 2.7.3.1 2.05.1S3.8 2.7 2 2.8C-.1 2.9-.1 6 2.05 6S4.2 2.9 2 2.8z",
        '9' => "M.7 5.8C2.8 5.4 3.5 3.4 3.5 1.8 3.5-.6.3-.6.3 1.8.3 4 3.1 4 3.4 2.2",
        'a' => "M3.5 2.2V6M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'b' => "M.6 0V6M.6 3.4C1.1 1.8 3.6 1.7 3.6 4.1S1.1 6.4.6 4.8",
        'c' => "M3.4 3C2.7 1.7.5 1.8.5 4.1S2.7 6.5 3.4 5.2",
        'd' => "M3.5 0V6M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'e' => "M.6 4.1H3.6C3.6 1.6.5 1.6.5 4.1S3 6.4 3.5 5.1",
        'f' => "M3.3.4C2.3-.2 1.6.5 1.6 1.6V6M.6 2.4H3",
        'g' => "M3.5 2.2V6.2C3.5 7.9 1.3 7.9.7 7M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'h' => "M.6 0V6M.6 3.6C1.2 1.8 3.5 1.6 3.5 3.8V6",
        _ => return None,
    })
}

/// The drawings of the pieces, by Colin M. L. Burnett; see `data/pieces/README.md`. A group for each piece, one per line,
/// named `piece-` and its letter in FEN.
static DRAWINGS: &str = include_str!("../../../data/pieces/cburnett.svg");

/// The drawings of all pieces, for a document whose images do not contain them.
pub(super) fn drawings() -> String {
    let groups: Vec<&str> = DRAWINGS.lines().filter(|line| line.starts_with("<g ")).collect();
    format!(
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\">\n<defs>\n{}\n</defs>\n</svg>\n",
        groups.join("\n")
    )
}

/// The group that draws a piece, 45 units wide and high.
fn drawing(piece: Piece) -> &'static str {
    let begin = format!("<g id=\"piece-{}\"", piece.char());
    DRAWINGS.lines().find(|line| line.starts_with(&begin)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role};

    use super::*;
    use crate::chess::Chess;

    #[test]
    fn a_board_has_all_squares_and_pieces() {
        let svg = BoardPicture::of_position(&Chess::new(), None).svg();
        assert_eq!((svg.matches("<rect").count(), svg.matches("#piece-p").count()), (64, 8));
    }

    #[test]
    fn every_coordinate_and_digit_is_drawn() {
        for letter in ('a'..='h').chain('0'..='9') {
            let mut svg = String::new();
            write_letter(&mut svg, letter, 8.0, 8.0, 1.0).unwrap();
            assert!(svg.contains(" d=\"M"), "{letter}");
        }
    }

    #[test]
    fn every_piece_is_drawn() {
        for color in Color::ALL {
            for role in Role::ALL {
                assert!(drawing(role.of(color)).contains("<path"), "{color} {role:?}");
            }
        }
    }
}
