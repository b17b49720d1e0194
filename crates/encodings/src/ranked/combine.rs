//! Weighted combinations: sets of k squares, numbered so that likely sets get more numbers.
//!
//! The combinatorial number system numbers the sets of k out of n things from 0 to C(n, k) − 1. Here every square has
//! a weight, the weight of a set is the product of its squares' weights, and the set gets as many numbers as its
//! weight. With all weights 1 this is the ordinary system.
//!
//! ```text
//! ways(i, k) = ways(i+1, k) + weight(i) · ways(i+1, k−1)          the weight of all sets of k from square i on
//! ```
//!
//! The numbers of a set are found in one pass: nothing is added for a square outside the set; for a square in the set,
//! the numbers of all sets that agree so far but omit it are skipped.
//!
//! Squares are traversed file by file because of the pawns: two of a kind on one file are rare, so from the second
//! pawn on a file its weight is divided by [`DOUBLED`] (at least 1).

use plybook_chess::{
    bits::arithmetic::Share,
    chess::{Bitboard, Rank, Square},
};

/// The divisor for the weight of a second pawn on a file.
const DOUBLED: u32 = 32;

/// The weight of every square for one more piece; 0 where it is not allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// By square index.
    pub(super) squares: [u32; 64],
    /// Whether the pieces are pawns, for which a second one on a file is less likely.
    pub(super) pawns: bool,
}

impl Weights {
    /// The weight of a square; `second` is whether its file already has one of the pieces.
    fn get(&self, square: Square, second: bool) -> u128 {
        let weight = self.squares.get(square.to_usize()).copied().unwrap_or(0);
        match weight {
            0 => 0,
            weight if second && self.pawns => (weight / DOUBLED).max(1).into(),
            weight => weight.into(),
        }
    }
}

/// The squares file by file: a1, a2 … h8.
fn order() -> [Square; 64] {
    Square::ALL.map(Square::flip_diagonal)
}

/// The weights of all sets of squares, used to rank and unrank them.
pub(super) struct Ways<'a> {
    weights: &'a Weights,
    count: usize,
    /// For each index in the order, from the end to the start, and each number of remaining pieces: the total weight
    /// if the file has none of the pieces yet, and if it has one.
    table: Vec<[u128; 2]>,
}

impl<'a> Ways<'a> {
    /// Counts the ways for `count` pieces; `None` if there are none, or too many.
    pub(super) fn new(weights: &'a Weights, count: usize) -> Option<Ways<'a>> {
        // The total weight is at most the sum of the weights to the power of the count. If this fits, no product or
        // sum below can overflow.
        let sum: u128 = weights.squares.iter().map(|&weight| u128::from(weight)).sum();
        sum.checked_pow(u32::try_from(count).ok()?)?;
        let mut ways = Ways { weights, count, table: Vec::with_capacity(65 * (count + 1)) };
        ways.table.push([1, 1]);
        ways.table.resize(count + 1, [0, 0]);
        for square in order().into_iter().rev() {
            ways.add_place(square);
        }
        (ways.total() > 0).then_some(ways)
    }

    /// The weight of all sets.
    pub(super) fn total(&self) -> u128 {
        self.at(0, self.count, false)
    }

    /// The numbers of a set; `None` if it does not have this count or uses a square of weight 0.
    pub(super) fn share(&self, squares: Bitboard) -> Option<Share> {
        let mut walk = Walk::new(self);
        for square in order() {
            walk.step(square, squares.contains(square))?;
        }
        (walk.left == 0).then(|| walk.share())
    }

    /// The set for a number; `None` if the number is not below [`total`](Self::total).
    pub(super) fn squares(&self, slot: u128) -> Option<(Bitboard, Share)> {
        let (mut walk, mut squares) = (Walk::new(self), Bitboard::EMPTY);
        for square in order() {
            let taken = slot.saturating_sub(walk.low) >= walk.left_out(square);
            walk.step(square, taken)?;
            if taken {
                squares.add(square);
            }
        }
        (walk.left == 0).then(|| (squares, walk.share()))
    }

    fn at(&self, place: usize, left: usize, second: bool) -> u128 {
        let row = self.table.get((64 - place) * (self.count + 1) + left);
        row.map_or(0, |&[first, next]| if second { next } else { first })
    }

    /// Extends the table by one square towards the start: without the square and with it.
    fn add_place(&mut self, square: Square) {
        let weight = [false, true].map(|second| self.weights.get(square, second));
        let after = self.table.len().saturating_sub(self.count + 1);
        if weight == [0, 0] && !ends_file(square) {
            return self.table.extend_from_within(after..);
        }
        let mut one_less = [0, 0];
        for left in 0..=self.count {
            let [first, next] = self.table.get(after + left).copied().unwrap_or_default();
            let [less_first, less_next] = one_less;
            // After the end of a file the next one begins, with none of the pieces.
            let (out, taken) = if ends_file(square) { (first, less_first) } else { (next, less_next) };
            let ways = |out: u128, weight: u128| out.wrapping_add(weight.wrapping_mul(taken));
            let [once, again] = weight;
            self.table.push([ways(first, once), ways(out, again)]);
            one_less = [first, next];
        }
    }
}

fn ends_file(square: Square) -> bool {
    square.rank() == Rank::Eighth
}

/// A walk through the squares of one set.
struct Walk<'a> {
    ways: &'a Ways<'a>,
    place: usize,
    left: usize,
    second: bool,
    low: u128,
    width: u128,
}

impl<'a> Walk<'a> {
    fn new(ways: &'a Ways<'a>) -> Walk<'a> {
        Walk { ways, place: 0, left: ways.count, second: false, low: 0, width: 1 }
    }

    /// The weight of the sets that agree so far and omit the square.
    fn left_out(&self, square: Square) -> u128 {
        let rest = self.ways.at(self.place + 1, self.left, self.second && !ends_file(square));
        self.width.wrapping_mul(rest)
    }

    /// Includes or omits a square; `None` if it cannot be included.
    fn step(&mut self, square: Square, taken: bool) -> Option<()> {
        if taken {
            let weight = self.ways.weights.get(square, self.second);
            self.low = self.low.wrapping_add(self.left_out(square));
            self.width = self.width.wrapping_mul(weight);
            self.left = self.left.checked_sub(1).filter(|_| weight > 0)?;
        }
        self.second = (self.second || taken) && !ends_file(square);
        self.place += 1;
        Some(())
    }

    fn share(&self) -> Share {
        Share { low: self.low, width: self.width, total: self.ways.total() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_weights_give_the_combinatorial_number_system() {
        let weights = Weights { squares: [1; 64], pawns: false };
        let ways = Ways::new(&weights, 3).unwrap();
        assert_eq!(ways.total(), 64 * 63 * 62 / 6);
        for slot in 0..ways.total() {
            let (squares, share) = ways.squares(slot).unwrap();
            assert_eq!(share, Share::even(slot, ways.total()));
            assert_eq!(ways.share(squares), Some(share));
        }
        assert_eq!(ways.squares(ways.total()), None);
    }

    #[test]
    fn the_shares_of_all_sets_are_complete() {
        let mut weights = Weights { squares: [0; 64], pawns: true };
        for (place, weight) in [(8, 40), (9, 7), (16, 100), (24, 3), (17, 64), (63, 5)] {
            weights.squares[place] = weight;
        }
        let ways = Ways::new(&weights, 3).unwrap();
        let mut next = 0;
        while next < ways.total() {
            let (squares, share) = ways.squares(next).unwrap();
            assert_eq!((share.low, squares.count()), (next, 3));
            assert_eq!(ways.share(squares), Some(share));
            next += share.width;
        }
        // Three on the a-file: 40 · 100/32 · 3/32, each at least 1.
        let a_file = Bitboard::from_iter([Square::A2, Square::A3, Square::A4]);
        assert_eq!(ways.share(a_file).unwrap().width, 40 * 3);
    }

    #[test]
    fn impossible_sets_give_none() {
        let weights = Weights { squares: [1; 64], pawns: false };
        assert!(Ways::new(&weights, 65).is_none());
        assert_eq!(Ways::new(&weights, 0).unwrap().share(Bitboard::EMPTY), Some(Share::even(0, 1)));
        assert_eq!(Ways::new(&weights, 2).unwrap().share(Bitboard::FULL), None);
        let heavy = Weights { squares: [u32::MAX; 64], pawns: false };
        assert!(Ways::new(&heavy, 9).is_none(), "too many to count");
    }
}
