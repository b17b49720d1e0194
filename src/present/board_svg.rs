//! A position as a board, as an SVG picture.

use std::fmt::Write;

use shakmaty::{Color, File, Move, Position, Rank, Role, Square};

use super::board::{figure, squares_of};

/// The side of a square.
const SIDE: usize = 45;

/// Room for the coordinates.
const MARGIN: usize = 20;

/// Draws a position with coordinates, from White's side or flipped; the squares of the last move are marked. The
/// pieces are the figures of Unicode in the reader's own font.
///
/// ```
/// use plybook::{chess::Chess, present::board_svg};
/// let svg = board_svg(&Chess::new(), None, false);
/// assert_eq!((svg.matches("<rect").count(), svg.matches('♟').count()), (64, 16));
/// ```
pub fn board_svg<P: Position>(position: &P, last: Option<Move>, flip: bool) -> String {
    let marked = last.map(squares_of).unwrap_or_default();
    let size = 8 * SIDE + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" text-anchor=\"middle\" \
         font-family=\"sans-serif\">\n"
    );
    for square in Square::ALL {
        let (left, top) = place(square, flip);
        let colour = match (marked.contains(&square), square.is_light()) {
            (true, _) => "#f0d060",
            (false, true) => "#f0e4d0",
            (false, false) => "#b08860",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{colour}\"/>"
        );
        if let Some(piece) = position.board().piece_at(square) {
            // Both sides have the filled figures: outlines would let the square shine through.
            let fill = piece.color.fold_wb("white", "black");
            let figure = figure(Role::of(piece.role, Color::Black), false);
            let (x, y) = (left + SIDE / 2, top + SIDE * 4 / 5);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"36\" fill=\"{fill}\" stroke=\"black\">{figure}</text>"
            );
        }
    }
    coordinates(&mut svg, flip);
    svg.push_str("</svg>\n");
    svg
}

/// The upper left corner of a square.
fn place(square: Square, flip: bool) -> (usize, usize) {
    let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
    let (column, row) = if flip { (7 - file, rank) } else { (file, 7 - rank) };
    (MARGIN + column * SIDE, row * SIDE)
}

fn coordinates(svg: &mut String, flip: bool) {
    let mut letter = |x: usize, y: usize, name: char| {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"12\">{name}</text>");
    };
    for file in File::ALL {
        let (left, _) = place(Square::from_coords(file, Rank::First), flip);
        letter(left + SIDE / 2, 8 * SIDE + MARGIN * 3 / 4, file.char());
    }
    for rank in Rank::ALL {
        let (_, top) = place(Square::from_coords(File::A, rank), flip);
        letter(MARGIN / 2, top + SIDE * 3 / 5, rank.char());
    }
}
