//! Digits with individual costs: nested intervals, exact to the last bit.
//!
//! A digit is a [`Share`]: `width` of `total` parts, starting at `low`. It costs log2(total/width) bits, so likely
//! values of a digit take little space. A sequence of digits is an interval within an interval within …, and it is
//! written as the shortest binary fraction that lies in the innermost one:
//!
//! ```text
//! 0 ├──────────┤ 1          first digit: its share of the unit
//!       ├──┤                second digit: its share of that
//!        │                  0.0110…, cut after its last 1
//! ```
//!
//! With all widths 1 this is mixed radix. Everything is computed with integers of arbitrary length, so nothing is
//! rounded: a sequence takes at most ⌈Σ log2(total/width)⌉ bits. Zero bits at the end do not change a fraction; they
//! are never written and may be read, so the padding of the last byte is harmless.
//!
//! Source: C. E. Shannon (1948) and P. Elias for the idea; J. Rissanen and R. Pasco (1976), who developed it into
//! arithmetic coding. Streaming codecs must round; a position is short enough to avoid it.

use super::{Bits, Integer, width_of};

/// One digit: the parts `low` to `low + width − 1` of 0 to `total − 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The first part of the value.
    pub low: u128,
    /// The number of parts of the value; at least 1.
    pub width: u128,
    /// The total number of parts.
    pub total: u128,
}

impl Share {
    /// One of `total` equally likely values.
    pub const fn even(value: u128, total: u128) -> Share {
        Share { low: value, width: 1, total }
    }

    /// The share of a value, given the weights of all values; `None` if its weight is 0 or there is no such value.
    pub fn of(value: usize, weights: &[u32]) -> Option<Share> {
        let width = weights.get(value).copied().filter(|&width| width > 0)?.into();
        let sum = |weights: &[u32]| weights.iter().map(|&weight| u128::from(weight)).sum();
        Some(Share { low: sum(weights.get(..value)?), width, total: sum(weights) })
    }

    /// Its cost in bits.
    pub fn price(&self) -> f64 {
        // Costs are for reports only, so rounding of large numbers does not matter.
        (self.total as f64 / self.width as f64).log2()
    }
}

/// The shortest fraction for a sequence of digits.
///
/// ```
/// use plybook_chess::bits::arithmetic::{Rest, Share, compose};
/// // The value 2 of 3 equally likely ones, then the likelier of two at 3 : 1, in ⌈1.58 + 0.42⌉ = 2 bits.
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
    // With this many bits, one or two fractions lie in the interval, never zero.
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

/// The number of trailing zero bits; for 0, more than any number has.
fn zeros(number: &Integer) -> usize {
    number.trailing_zeros().and_then(|zeros| usize::try_from(zeros).ok()).unwrap_or(usize::MAX)
}

/// The rest of a fraction while digits are read from it.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The fraction is `above / below`, in the range 0 to 1, excluding 1.
    above: Integer,
    below: Integer,
}

impl Rest {
    /// Starts with the fraction in some bytes; the first bit is worth one half.
    pub fn new(bytes: &[u8]) -> Rest {
        Rest { above: Integer::from_bytes_be(bytes), below: Integer::from(1u8) << (bytes.len() * 8) }
    }

    /// Which of `total` parts contains the fraction; `None` for a total of 0.
    pub fn slot(&self, total: u128) -> Option<u128> {
        (total > 0).then(|| u128::try_from(&self.above * total / &self.below).unwrap_or(0))
    }

    /// Removes a digit whose share contains the current slot.
    pub fn take(&mut self, share: Share) {
        let above = &self.above * share.total;
        let low = &self.below * share.low;
        if low <= above {
            self.above = above - low;
            self.below *= share.width;
        }
    }

    /// Takes one of `total` equally likely values; 0 for a total of 0.
    pub fn take_even(&mut self, total: u128) -> u128 {
        let Some(slot) = self.slot(total) else { return 0 };
        self.take(Share::even(slot, total));
        slot
    }

    /// Takes one of the values with these weights; `None` if all weights are 0.
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
        fn digits_round_trip_at_their_cost(digits in prop::collection::vec(digit(), 0..60)) {
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
        fn no_shorter_fraction_decodes_to_the_same_digits(digits in prop::collection::vec(digit(), 1..4)) {
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
