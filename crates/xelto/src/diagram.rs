//! A position as plain ASCII text, for terminals.

use std::fmt;

use super::{Move, Piece, Position, Side, Square};

/// Draws a position as seen by arxe: turned pieces in capitals, the squares of the last move in brackets, then the
/// side to move, each side's hand and mounted piece, the box, and the result if the board has ended the game.
///
/// ```
/// use plybook_xelto::{Diagram, Move, Position};
///
/// let mut position = Position::start();
/// let m = Move::turn("mik".parse()?);
/// position.play(m);
/// let diagram = Diagram::after(&position, m).to_string();
/// assert_eq!(diagram, "      1    2    3    4    5    6    7
/// v |  rav  nen  pin  mir  ket  lin  len
/// e |  din  rez  kun  mat  lax  jil  tan
/// s |   .    .    .    .    .    .    .
/// t |   .    .    .   tem   .    .    .
/// b |   .    .    .    .    .    .    .
/// i |  pal  ful [MIK] fav  zan  gil  ruj
/// p |  dyu  lis  mel  ser  dia  vio  ral
/// sorn to move
/// arxe: hand -, mounted -
/// sorn: hand -, mounted -
/// box: -
/// ");
/// # Ok::<(), plybook_xelto::UnknownPiece>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    position: &'a Position,
    last: Option<Move>,
}

impl<'a> Diagram<'a> {
    /// A single position.
    pub const fn new(position: &'a Position) -> Diagram<'a> {
        Diagram { position, last: None }
    }

    /// A position after a move. If a piece was mounted or unmounted, Teems is marked.
    pub const fn after(position: &'a Position, last: Move) -> Diagram<'a> {
        Diagram { position, last: Some(last) }
    }

    fn is_marked(&self, square: Square) -> bool {
        self.last.is_some_and(|last| {
            let stays = || self.position.square(last.piece).or(self.position.square(Piece::Tem));
            let mut arrivals = last.arrivals().peekable();
            match arrivals.peek() {
                Some(_) => arrivals.any(|arrival| arrival == square),
                None => stays() == Some(square),
            }
        })
    }

    fn cell(&self, square: Square) -> String {
        let name = match self.position.at(square) {
            Some(piece) if self.position.is_turned(piece) => piece.name().to_uppercase(),
            Some(piece) => piece.name().to_owned(),
            None => " . ".to_owned(),
        };
        if self.is_marked(square) { format!("[{name}]") } else { format!(" {name} ") }
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: Vec<Square> = (0..Square::COUNT).filter_map(Square::from_number).collect();
        writeln!(f, "      1    2    3    4    5    6    7")?;
        for (letter, row) in "vestbip".chars().zip(squares.chunks(Square::SIDE.into())) {
            let cells: String = row.iter().map(|&square| self.cell(square)).collect();
            writeln!(f, "{}", format_args!("{letter} | {cells}").to_string().trim_end())?;
        }
        writeln!(f, "{} to move", self.position.mover())?;
        for side in Side::ALL {
            let (hand, mount) = (names(self.position.hand(side)), names(self.position.mount(side)));
            writeln!(f, "{side}: hand {hand}, mounted {mount}")?;
        }
        writeln!(f, "box: {}", names(self.position.boxed()))?;
        self.position.ending().map_or(Ok(()), |ending| writeln!(f, "{ending}"))
    }
}

fn names(pieces: impl IntoIterator<Item = Piece>) -> String {
    let names: Vec<&str> = pieces.into_iter().map(Piece::name).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}
