//! Weighted combinations: sets of k squares numbered so that likely sets get more numbers.
//!
//! The combinatorial number system numbers the sets of k out of n things from 0 to C(n, k) − 1. Here every
//! square has a weight, a set weighs the product of its squares, and it gets as many numbers as it weighs.
//! With all weights 1 this is the plain system again.
//!
//! ```text
//! ways(i, k) = ways(i+1, k) + weight(i) · ways(i+1, k−1)          the weight of all sets of k from square i on
//! ```
//!
//! A set's numbers follow from one pass: where square i is not in the set nothing is added, where it is,
//! those of all the sets that agree so far but leave it out are passed over.
//!
//! Squares are taken file by file, for the sake of pawns: two of a kind on one file are rare, so from the
//! second on a pawn weighs one [`DOUBLED`]th (at least 1).

use plybook_chess::{
    bits::arithmetic::Share,
    chess::{Bitboard, Rank, Square},
};

/// How much less a second pawn on a file weighs.
const DOUBLED: u32 = 32;

/// The weight of every square for one more piece; 0 where it cannot stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// By square number.
    pub(super) squares: [u32; 64],
    /// Whether they are pawns, which avoid their own file.
    pub(super) pawns: bool,
}

impl Weights {
    /// The weight of a square whose file has or has not one of the pieces already.
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

/// The weights of all sets of squares: the table that ranks and unranks them.
pub(super) struct Ways<'a> {
    weights: &'a Weights,
    count: usize,
    /// For each place in the order, from the one after the last to the first, and each number of pieces still to
    /// come: the weight of all ways, if the file has none of the pieces yet, and if it has one.
    table: Vec<[u128; 2]>,
}

impl<'a> Ways<'a> {
    /// Counts the ways for `count` pieces; `None` if there are none, or too many to count.
    pub(super) fn new(weights: &'a Weights, count: usize) -> Option<Ways<'a>> {
        // All ways together weigh at most the sum of the weights to the power of the count. Once this fits, no
        // product or sum below can overflow.
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

    /// The numbers of a set; `None` if it is not of this count or uses a square without weight.
    pub(super) fn share(&self, squares: Bitboard) -> Option<Share> {
        let mut walk = Walk::new(self);
        for square in order() {
            walk.step(square, squares.contains(square))?;
        }
        (walk.left == 0).then(|| walk.share())
    }

    /// The set that a number belongs to; `None` from [`total`](Self::total) on.
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

    /// Adds the ways from one place further to the front: without its square and with it.
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
            // Past the end of a file the next one begins, without any of the pieces.
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

/// The way through the squares of one set.
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

    /// The weight of the sets that agree so far and leave the square out.
    fn left_out(&self, square: Square) -> u128 {
        let rest = self.ways.at(self.place + 1, self.left, self.second && !ends_file(square));
        self.width.wrapping_mul(rest)
    }

    /// Takes a square or leaves it out; `None` if it cannot be taken.
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
    fn the_shares_of_all_sets_fill_the_whole() {
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
    fn what_cannot_be_is_nothing() {
        let weights = Weights { squares: [1; 64], pawns: false };
        assert!(Ways::new(&weights, 65).is_none());
        assert_eq!(Ways::new(&weights, 0).unwrap().share(Bitboard::EMPTY), Some(Share::even(0, 1)));
        assert_eq!(Ways::new(&weights, 2).unwrap().share(Bitboard::FULL), None);
        let heavy = Weights { squares: [u32::MAX; 64], pawns: false };
        assert!(Ways::new(&heavy, 9).is_none(), "too many to count");
    }
}
