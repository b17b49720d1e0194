//! Numbers whose digits have prices: nested intervals, exact to the last bit.
//!
//! A digit is a [`Share`] of a whole: `width` of `total` parts, from `low` on. It costs log2(total/width)
//! bits, so likely values of a digit take little room. A row of digits is an interval within an interval
//! within …, and it is written as the shortest binary fraction that lies in the last one:
//!
//! ```text
//! 0 ├──────────┤ 1          first digit: its share of the whole
//!       ├──┤                second digit: its share of that
//!        │                  0.0110…, cut after its last 1
//! ```
//!
//! With all widths 1 this is mixed radix. Everything is computed with integers of any length, so nothing is
//! rounded: a row takes ⌈Σ log2(total/width)⌉ bits at most. Zero bits at the end change no fraction; they are
//! never written and may be read, so the padding of the last byte does no harm.
//!
//! Source: C. E. Shannon (1948) and P. Elias for the idea, J. Rissanen and R. Pasco (1976) for making
//! arithmetic coding of it. Codecs that stream must round; a position is short enough to go without.

use super::{Bits, Integer, width_of};

/// One digit: the parts `low` to `low + width − 1` of 0 to `total − 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The first part that means it.
    pub low: u128,
    /// How many parts mean it; at least 1.
    pub width: u128,
    /// How many parts there are.
    pub total: u128,
}

impl Share {
    /// One of `total` equal values.
    pub const fn even(value: u128, total: u128) -> Share {
        Share { low: value, width: 1, total }
    }

    /// The share of a value among values with these weights; `None` if its weight is 0 or there is no such
    /// value.
    pub fn of(value: usize, weights: &[u32]) -> Option<Share> {
        let width = weights.get(value).copied().filter(|&width| width > 0)?.into();
        let sum = |weights: &[u32]| weights.iter().map(|&weight| u128::from(weight)).sum();
        Some(Share { low: sum(weights.get(..value)?), width, total: sum(weights) })
    }

    /// Its price in bits.
    pub fn price(&self) -> f64 {
        // Prices are for reports: the rounding of large numbers does not matter.
        (self.total as f64 / self.width as f64).log2()
    }
}

/// The shortest fraction for a row of digits.
///
/// ```
/// use plybook_chess::bits::arithmetic::{Rest, Share, compose};
/// // The value 2 of 3 equal ones, then the likely one of two at 3 : 1, in ⌈1.58 + 0.42⌉ = 2 bits.
/// let bits = compose(&[Share::even(2, 3), Share::of(0, &[3, 1]).unwrap()]);
/// assert_eq!(bits.to_string(), "11");
/// let mut rest = Rest::new(bits.bytes());
/// assert_eq!(rest.take_even(3), 2);
/// assert_eq!(rest.take_of(&[3, 1]), Some(0));
/// ```
pub fn compose(digits: &[Share]) -> Bits {
    // The interval from low/total to (low + width)/total.
    let (mut low, mut width, mut total) = (Integer::ZERO, Integer::from(1u8), Integer::from(1u8));
    for digit in digits {
        low = low * digit.total + &width * digit.low;
        width *= digit.width.max(1);
        total *= digit.total.max(1);
    }
    // With this many bits, one or two fractions lie in the interval, never none.
    let most = width_of(&((&total + &width - 1u8) / &width));
    let first = ((&low << most) + &total - 1u8) / &total;
    let second = &first + 1u8;
    let inside = &second * &total < (low + width) << most;
    let chosen = if inside && zeros(&second) > zeros(&first) { second } else { first };
    let zeros = zeros(&chosen).min(most);
    let mut bits = Bits::default();
    bits.push_integer(&(chosen >> zeros), most - zeros);
    bits
}

/// The number of zero bits that a number ends in; more than any number has for 0.
fn zeros(number: &Integer) -> usize {
    number.trailing_zeros().and_then(|zeros| usize::try_from(zeros).ok()).unwrap_or(usize::MAX)
}

/// What is left of a fraction while its digits are taken.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The fraction is `above / below`, at least 0 and less than 1.
    above: Integer,
    below: Integer,
}

impl Rest {
    /// Starts with the fraction of some bytes, the first bit worth a half.
    pub fn new(bytes: &[u8]) -> Rest {
        Rest { above: Integer::from_bytes_be(bytes), below: Integer::from(1u8) << (bytes.len() * 8) }
    }

    /// The part of `total` that the fraction points at; `None` for a total of 0.
    pub fn slot(&self, total: u128) -> Option<u128> {
        (total > 0).then(|| u128::try_from(&self.above * total / &self.below).unwrap_or(0))
    }

    /// Takes off a digit that holds the slot.
    pub fn take(&mut self, share: Share) {
        let above = &self.above * share.total;
        let low = &self.below * share.low;
        if low <= above {
            self.above = above - low;
            self.below *= share.width;
        }
    }

    /// Takes one of `total` equal values; 0 for a total of 0.
    pub fn take_even(&mut self, total: u128) -> u128 {
        let Some(slot) = self.slot(total) else { return 0 };
        self.take(Share::even(slot, total));
        slot
    }

    /// Takes one of the values with these weights; `None` if they are all 0.
    pub fn take_of(&mut self, weights: &[u32]) -> Option<usize> {
        let slot = self.slot(weights.iter().map(|&weight| u128::from(weight)).sum())?;
        let mut below = 0;
        let value = weights.iter().position(|&weight| {
            below += u128::from(weight);
            slot < below
        })?;
        self.take(Share::of(value, weights)?);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn digit() -> impl Strategy<Value = (usize, Vec<u32>)> {
        prop::collection::vec(1u32..5000, 1..20).prop_flat_map(|weights| (0..weights.len(), Just(weights)))
    }

    proptest! {
        #[test]
        fn digits_come_back_at_their_price(digits in prop::collection::vec(digit(), 0..60)) {
            let share = |(value, weights): &(usize, Vec<u32>)| Share::of(*value, weights).unwrap();
            let shares: Vec<Share> = digits.iter().map(share).collect();
            let bits = compose(&shares);
            let price: f64 = shares.iter().map(Share::price).sum();
            prop_assert!(bits.len() as f64 <= (price - 1e-6).ceil());
            prop_assert!(!bits.to_string().ends_with('0'));
            let mut rest = Rest::new(bits.bytes());
            for (value, weights) in &digits {
                prop_assert_eq!(rest.take_of(weights), Some(*value));
            }
        }

        #[test]
        fn no_shorter_fraction_means_the_same(digits in prop::collection::vec(digit(), 1..4)) {
            let share = |(value, weights): &(usize, Vec<u32>)| Share::of(*value, weights).unwrap();
            let bits = compose(&digits.iter().map(share).collect::<Vec<_>>());
            for length in 0..bits.len().min(12) {
                for number in 0..1u64 << length {
                    let mut other = Bits::default();
                    other.push(number, length);
                    let mut rest = Rest::new(other.bytes());
                    prop_assert!(digits.iter().any(|(value, weights)| rest.take_of(weights) != Some(*value)));
                }
            }
        }
    }
}
