//! Random games of Xelto, the same on every machine.

use plybook_chess::rules::LegalMoves;
use plybook_xelto::{Move, Position};

/// A tiny generator of pseudo-random numbers (xorshift64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 % u64::from(n)).unwrap()
    }

    /// A game of random legal moves, to its end or the given number of plies.
    pub(super) fn game(&mut self, plies: usize) -> Vec<Move> {
        let (mut position, mut moves) = (Position::start(), Vec::new());
        while moves.len() < plies {
            let legal = position.legal_moves();
            if legal.count() == 0 {
                break;
            }
            let m = legal.nth(self.below(legal.count())).unwrap();
            position.play(m);
            moves.push(m);
        }
        moves
    }
}
