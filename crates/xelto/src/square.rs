//! Squares, and offsets between them.
//!
//! *Stated*: rows have letters, columns have digits; as seen by arxe, v1 is at the top left and p7 at the bottom
//! right.

use std::{fmt, str::FromStr};

/// The letters of the rows (velm, erva, satii, teeve, beezel, ilva, palt), from the top.
const ROWS: &str = "vestbip";

/// The digits of the columns, from the left.
const COLUMNS: &str = "1234567";

/// A square, numbered row by row: v1 is 0, p7 is 48.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Number of rows and of columns.
    pub const SIDE: u8 = 7;

    /// Number of squares.
    pub const COUNT: u8 = Square::SIDE * Square::SIDE;

    /// The square in a 0-based row (0 is v) and a 0-based column.
    pub const fn new(row: u8, column: u8) -> Option<Square> {
        if row < Square::SIDE && column < Square::SIDE {
            Some(Square(row * Square::SIDE + column))
        } else {
            None
        }
    }

    /// The square with the given number.
    pub const fn from_number(number: u8) -> Option<Square> {
        if number < Square::COUNT { Some(Square(number)) } else { None }
    }

    /// The number, below [`COUNT`](Self::COUNT).
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The 0-based row; 0 is v, 6 is p.
    pub const fn row(self) -> u8 {
        self.0 / Square::SIDE
    }

    /// The 0-based column.
    pub const fn column(self) -> u8 {
        self.0 % Square::SIDE
    }

    /// The square at an offset, if it is on the board.
    pub fn offset(self, way: Vector) -> Option<Square> {
        let row = self.row().checked_add_signed(way.rows)?;
        let column = self.column().checked_add_signed(way.columns)?;
        Square::new(row, column)
    }

    /// The offset from this square to another.
    pub fn way_to(self, other: Square) -> Vector {
        let minus = |a: u8, b: u8| a.cast_signed() - b.cast_signed();
        Vector { rows: minus(other.row(), self.row()), columns: minus(other.column(), self.column()) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = ROWS.chars().nth(self.row().into()).zip(COLUMNS.chars().nth(self.column().into()));
        name.map_or(Ok(()), |(row, column)| write!(f, "{row}{column}"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = UnknownSquare;

    fn from_str(name: &str) -> Result<Square, UnknownSquare> {
        let square = || {
            let (row, column) = name.split_at_checked(1)?;
            let column = (column.len() == 1).then(|| COLUMNS.find(column))??;
            Square::new(ROWS.find(row)?.try_into().ok()?, column.try_into().ok()?)
        };
        square().ok_or_else(|| UnknownSquare(name.to_owned()))
    }
}

/// An unknown square name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square")]
pub struct UnknownSquare(pub String);

/// An offset on the board: rows downwards (towards p), columns to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Rows downwards.
    pub rows: i8,
    /// Columns to the right.
    pub columns: i8,
}

/// One of the four neighbours that share an edge with a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards v.
    Up,
    /// Towards p.
    Down,
    /// Towards column 1.
    Left,
    /// Towards column 7.
    Right,
}

impl Direction {
    /// All four, in canonical order.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// One step in this direction.
    pub const fn vector(self) -> Vector {
        match self {
            Direction::Up => Vector { rows: -1, columns: 0 },
            Direction::Down => Vector { rows: 1, columns: 0 },
            Direction::Left => Vector { rows: 0, columns: -1 },
            Direction::Right => Vector { rows: 0, columns: 1 },
        }
    }

    /// The direction of a single step; `None` for any other offset.
    pub fn of(way: Vector) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.vector() == way)
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Direction {
        // Each is next to its opposite in the order.
        Direction::ALL[self as usize ^ 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for number in 0..Square::COUNT {
            let square = Square::from_number(number).unwrap();
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.row(), square.column()), Some(square));
        }
        assert_eq!("v1".parse(), Ok(Square(0)));
        assert_eq!("t4".parse(), Ok(Square(24)));
        assert_eq!("p7".parse(), Ok(Square(48)));
        for wrong in ["", "t", "4t", "t0", "t8", "t44", "a1", "V1", "t４", "ｔ4", "tt", "11"] {
            assert_eq!(wrong.parse::<Square>(), Err(UnknownSquare(wrong.to_owned())));
        }
    }
}
