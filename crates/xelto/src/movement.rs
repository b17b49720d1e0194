//! How each kind of piece moves. The rules are the same for both sides; only the jump passes over other pieces.
//!
//! | kind | moves | turned | certainty |
//! |---|---|---|---|
//! | tate | 1 step vertically | 1 step horizontally | inferred (the records show single steps only) |
//! | yoko | 1 step horizontally | 1 step vertically | inferred, as above |
//! | naname | 1 step diagonally | 1 step straight | forced; turned, only the forward step is |
//! | tou | 1 or 2 steps vertically | 1 or 2 steps horizontally | forced; turned moves and not jumping: inferred |
//! | iro | like a rook | | forced (its range to 5 squares) |
//! | chou | like a knight | | forced |
//! | tobira | like a bishop, and 1 step horizontally | | forced (its range to 3 squares) |
//! | tsuki | like a king | | forced |

use super::{PieceType, Square, Squares, Vector};

const fn way(rows: i8, columns: i8) -> Vector {
    Vector { rows, columns }
}

const VERTICAL: &[Vector] = &[way(-1, 0), way(1, 0)];
const HORIZONTAL: &[Vector] = &[way(0, -1), way(0, 1)];
const ORTHOGONAL: &[Vector] = &[way(-1, 0), way(1, 0), way(0, -1), way(0, 1)];
const DIAGONAL: &[Vector] = &[way(-1, -1), way(-1, 1), way(1, -1), way(1, 1)];
const LEAPS: &[Vector] =
    &[way(-2, -1), way(-2, 1), way(-1, -2), way(-1, 2), way(1, -2), way(1, 2), way(2, -1), way(2, 1)];

/// The steps from one edge of the board to the opposite one.
const ACROSS: u8 = Square::SIDE - 1;

/// The movement of a kind of piece: offsets, and how many times each may be repeated in one move.
const fn ways(kind: PieceType, turned: bool) -> &'static [(&'static [Vector], u8)] {
    match (kind, turned) {
        (PieceType::Tate, false) | (PieceType::Yoko, true) => &[(VERTICAL, 1)],
        (PieceType::Tate, true) | (PieceType::Yoko, false) => &[(HORIZONTAL, 1)],
        (PieceType::Naname, false) => &[(DIAGONAL, 1)],
        (PieceType::Naname, true) => &[(ORTHOGONAL, 1)],
        (PieceType::Tou, false) => &[(VERTICAL, 2)],
        (PieceType::Tou, true) => &[(HORIZONTAL, 2)],
        (PieceType::Iro, _) => &[(ORTHOGONAL, ACROSS)],
        (PieceType::Tobira, _) => &[(DIAGONAL, ACROSS), (HORIZONTAL, 1)],
        (PieceType::Chou, _) => &[(LEAPS, 1)],
        (PieceType::Tsuki, _) => &[(ORTHOGONAL, 1), (DIAGONAL, 1)],
        // Teems by itself does not move: forced, otherwise the records would be full of missed wins.
        (PieceType::Eien, _) => &[],
    }
}

/// The squares that a piece reaches from a square, including the first occupied one in every direction.
pub(super) fn reach(kind: PieceType, turned: bool, from: Square, empty: Squares) -> Squares {
    let mut squares = Squares::NONE;
    for &(group, range) in ways(kind, turned) {
        for &way in group {
            let mut front = Squares::of(from);
            for _ in 0..range {
                front = front.shifted(way);
                squares = squares | front;
                front = front & empty;
                if front.is_empty() {
                    break;
                }
            }
        }
    }
    squares
}
