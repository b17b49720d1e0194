//! One traversal for both directions: a coder processes one digit after another. When writing, it receives each value
//! and records its share; when reading, it takes the value from the fraction.

use super::combine;
use plybook_chess::{
    bits::{
        Bits,
        arithmetic::{Rest, Share, compose},
    },
    chess::Bitboard,
};

/// Writes or reads the digits of one fraction.
pub(super) enum Coder {
    /// Records the shares of the values.
    Writing(Vec<Share>),
    /// Takes the values from a fraction.
    Reading(Rest),
}

impl Coder {
    /// The bits of what was written; empty when reading.
    pub(super) fn into_bits(self) -> Bits {
        match self {
            Coder::Writing(shares) => compose(&shares),
            Coder::Reading(_) => Bits::default(),
        }
    }

    /// One of the values with these weights; `None` if all weights are 0. (`value` is used only when writing.)
    pub(super) fn of(&mut self, weights: &[u32], value: usize) -> Option<usize> {
        match self {
            Coder::Writing(shares) => {
                shares.push(Share::of(value, weights)?);
                Some(value)
            }
            Coder::Reading(rest) => rest.take_of(weights),
        }
    }

    /// One of `total` equally likely values.
    pub(super) fn even(&mut self, total: usize, value: usize) -> Option<usize> {
        let total = u128::try_from(total).ok()?;
        match self {
            Coder::Writing(shares) => {
                let share = Share::even(u128::try_from(value).ok()?, total);
                (share.low < total).then(|| shares.push(share))?;
                Some(value)
            }
            Coder::Reading(rest) => usize::try_from(rest.take_even(total)).ok(),
        }
    }

    /// `count` squares out of those with a weight above 0.
    pub(super) fn squares(
        &mut self,
        weights: &combine::Weights,
        count: usize,
        squares: Bitboard,
    ) -> Option<Bitboard> {
        let ways = combine::Ways::new(weights, count)?;
        match self {
            Coder::Writing(shares) => {
                shares.push(ways.share(squares)?);
                Some(squares)
            }
            Coder::Reading(rest) => {
                let (squares, share) = ways.squares(rest.slot(ways.total())?)?;
                rest.take(share);
                Some(squares)
            }
        }
    }
}
