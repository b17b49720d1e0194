//! Sets of squares.

use std::ops::{BitAnd, BitOr, Not};

use super::{Square, Vector};

/// A set of squares, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squares(u64);

impl Squares {
    /// The empty set.
    pub const NONE: Squares = Squares(0);

    /// The complete board.
    pub const ALL: Squares = Squares((1 << Square::COUNT) - 1);

    /// One square.
    pub const fn of(square: Square) -> Squares {
        Squares(1 << square.number())
    }

    /// The squares of some columns, given by the seven lowest bits.
    const fn columns(bits: u64) -> Squares {
        // One bit in column 1 of every row.
        Squares((bits & 0x7f) * 0x0000_0408_1020_4081)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set shifted by an offset, without the squares that leave the board.
    #[inline]
    pub fn shifted(self, way: Vector) -> Squares {
        let columns = u32::from(way.columns.unsigned_abs());
        let stay = if way.columns < 0 { 0x7f >> columns } else { 0x7f << columns };
        let by = i32::from(way.rows) * i32::from(Square::SIDE) + i32::from(way.columns);
        let moved = if by < 0 { self.0 >> by.unsigned_abs() } else { self.0 << by.unsigned_abs() };
        Squares(moved) & Squares::columns(stay)
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.number() & 1 == 1
    }

    /// Adds a square.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.number();
    }

    /// Removes a square.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.number());
    }
}

impl BitAnd for Squares {
    type Output = Squares;

    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Squares;

    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

/// The other squares of the board.
impl Not for Squares {
    type Output = Squares;

    fn not(self) -> Squares {
        Squares(!self.0) & Squares::ALL
    }
}

/// Iterates over the squares of a set, by number.
impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = u8::try_from(self.0.trailing_zeros()).ok().and_then(Square::from_number)?;
        self.remove(square);
        Some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_is_moving_every_square() {
        let squares: Vec<Square> = Squares::ALL.collect();
        assert_eq!(squares.len(), usize::from(Square::COUNT));
        for rows in -6..=6 {
            for columns in -6..=6 {
                let way = Vector { rows, columns };
                let arrivals: Vec<Square> = squares.iter().filter_map(|square| square.offset(way)).collect();
                assert_eq!(Squares::ALL.shifted(way).collect::<Vec<_>>(), arrivals, "{way:?}");
                for &square in &squares {
                    let arrival = Squares::of(square).shifted(way);
                    assert_eq!(arrival.collect::<Vec<_>>(), Vec::from_iter(square.offset(way)));
                }
            }
        }
    }
}
