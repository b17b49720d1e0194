//! Numbers in weighted mixed radix: a digit that is expected to be frequent gets a larger part of its radix, and takes fewer
//! bits. [`mixed_radix`](super::mixed_radix) is the special case in which every part is 1.
//!
//! A digit has an interval of the radix M: `weight` values from `start` on. Composing goes from the last digit to the
//! first,
//!
//! ```text
//! x' = (x div weight)·M + start + (x mod weight)
//! ```
//!
//! so the remainder of x' divided by M lies in the interval of the first digit. Taking that digit restores
//! x = weight·(x' div M) + (x' mod M) − start. A number with these digits has Σ log2(M/weight) bits, plus the bits of the
//! initial value. As long as x is smaller than the weights, each division rounds away a part of a bit, so composing starts
//! with a value of 16 bits.
//!
//! Source: the asymmetric numeral systems of Jarek Duda (2009, "rANS") without renormalization, since games are short
//! enough for exact arithmetic.

use super::{Integer, limbs};

/// The largest radix: a remainder and a limb together fit into 64 bits.
pub const MAX_RADIX: u32 = 1 << (u64::BITS - LIMB);

/// Bits of a limb.
const LIMB: u32 = 40;

/// Bytes of a limb.
const LIMB_BYTES: usize = 5;

/// Enough limbs for the numbers of most games.
const USUAL: usize = 8;

/// The part of a radix that belongs to a digit: the values from `start` to `start + weight`, without the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first value.
    pub start: u32,
    /// The number of values; at least 1.
    pub weight: u32,
}

/// A digit with its radix: the interval ends at or before the radix, which is at most [`MAX_RADIX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedDigit {
    /// The part of the radix that belongs to the digit.
    pub interval: Interval,
    /// The sum of the weights of all digits that were possible.
    pub radix: u32,
}

/// A number from which weighted digits are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedRadix {
    /// Little endian, without zero limbs on top.
    limbs: Vec<u64>,
}

impl WeightedRadix {
    /// The number with these digits, the first of which is taken first. Once all are taken, `last` remains.
    pub fn compose(
        digits: impl IntoIterator<Item = WeightedDigit, IntoIter: DoubleEndedIterator>,
        last: u16,
    ) -> WeightedRadix {
        let mut limbs = Vec::with_capacity(USUAL);
        limbs.extend((last > 0).then_some(u64::from(last)));
        let mut number = WeightedRadix { limbs };
        digits.into_iter().rev().for_each(|WeightedDigit { interval, radix }| {
            let rest = number.divide(interval.weight);
            number.multiply_add(radix, interval.start + rest);
        });
        number
    }

    /// The number with these little-endian bytes.
    pub fn from_bytes_le(bytes: &[u8]) -> WeightedRadix {
        WeightedRadix { limbs: limbs::from_bytes_le::<LIMB_BYTES>(bytes) }
    }

    /// Little-endian bytes without trailing zero bytes; none for 0.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        limbs::to_bytes_le::<LIMB_BYTES>(&self.limbs)
    }

    /// The same number in the public type.
    pub fn to_integer(&self) -> Integer {
        limbs::to_integer::<LIMB_BYTES>(&self.limbs)
    }

    /// Whether only this value is left.
    pub fn is(&self, last: u16) -> bool {
        match *self.limbs {
            [] => last == 0,
            [limb] => limb == u64::from(last),
            _ => false,
        }
    }

    /// The bits of the number, rounded up to a limb.
    pub fn most_bits(&self) -> usize {
        LIMB as usize * self.limbs.len()
    }

    /// Whether the number is less than this value.
    pub fn is_less_than(&self, value: u16) -> bool {
        match *self.limbs {
            [] => value > 0,
            [limb] => limb < u64::from(value),
            _ => false,
        }
    }

    /// Takes the next digit: `find` receives a value below the radix and returns the digit in whose interval it lies,
    /// and that interval. If there is none, the number is of no further use.
    #[inline]
    pub fn take<D>(&mut self, radix: u32, find: impl FnOnce(u32) -> Option<(D, Interval)>) -> Option<D> {
        let value = self.divide(radix);
        let (digit, Interval { start, weight }) = find(value)?;
        self.multiply_add(weight, value.checked_sub(start)?);
        Some(digit)
    }

    /// Divides in place and returns the remainder. A divisor of 0 or 1 leaves the number as it is.
    #[inline]
    fn divide(&mut self, divisor: u32) -> u32 {
        if divisor <= 1 {
            return 0;
        }
        debug_assert!(divisor <= MAX_RADIX, "{divisor}");
        let (divisor, mut rest) = (u64::from(divisor), 0);
        for limb in self.limbs.iter_mut().rev() {
            // The remainder has at most 24 bits, so both fit.
            let value = rest << LIMB | *limb;
            (*limb, rest) = (value / divisor, value % divisor);
        }
        limbs::drop_zeros(&mut self.limbs);
        // rest < divisor, which is 32 bits wide.
        u32::try_from(rest).unwrap_or(u32::MAX)
    }

    /// Multiplies in place and adds.
    #[inline]
    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for limb in &mut self.limbs {
            let product = *limb * u64::from(factor) + carry;
            *limb = product & ((1 << LIMB) - 1);
            carry = product >> LIMB;
        }
        // A factor of 0 is a bug of the caller, but must not leave zero limbs on top.
        if carry > 0 { self.limbs.push(carry) } else { limbs::drop_zeros(&mut self.limbs) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::mixed_radix::{Digit, MixedRadix};

    /// One of several digits with weights like those of moves.
    fn digit() -> impl Strategy<Value = WeightedDigit> {
        let weight = prop_oneof![Just(1u32), 1..20u32, 1..=1u32 << 16, Just(1u32 << 16)];
        let weights = prop::collection::vec(weight, 1..220);
        (weights, any::<prop::sample::Index>()).prop_map(|(weights, chosen)| {
            let chosen = chosen.index(weights.len());
            let interval = Interval { start: weights[..chosen].iter().sum(), weight: weights[chosen] };
            WeightedDigit { interval, radix: weights.iter().sum() }
        })
    }

    /// A digit with any interval, up to the largest radix.
    fn any_digit() -> impl Strategy<Value = WeightedDigit> {
        let radix = prop_oneof![Just(MAX_RADIX), 1..MAX_RADIX];
        let start = radix.prop_flat_map(|radix| (Just(radix), 0..radix));
        let digit = start.prop_flat_map(|(radix, start)| {
            let weight = prop_oneof![Just(1), Just(radix - start), 1..=radix - start];
            weight.prop_map(move |weight| WeightedDigit { interval: Interval { start, weight }, radix })
        });
        prop_oneof![digit, self::digit()]
    }

    fn compose_slowly(digits: &[WeightedDigit], last: u16) -> Integer {
        digits.iter().rev().fold(Integer::from(last), |x, WeightedDigit { interval, radix }| {
            &x / interval.weight * radix + interval.start + x % interval.weight
        })
    }

    proptest! {
        #[test]
        fn limbs_agree_with_num_bigint(digits in prop::collection::vec(any_digit(), 0..200), last: u16) {
            let mut slow = compose_slowly(&digits, last);
            let mut number = WeightedRadix::compose(digits.iter().copied(), last);
            prop_assert_eq!(number.to_integer(), slow.clone());
            prop_assert_eq!(&WeightedRadix::from_bytes_le(&number.to_bytes_le()), &number);
            for (taken, &WeightedDigit { interval, radix }) in digits.iter().enumerate() {
                let Interval { start, weight } = interval;
                let rest = u32::try_from(&slow % radix).unwrap();
                prop_assert!(start <= rest && rest - start < weight);
                slow = slow / radix * weight + (rest - start);
                let found = number.take(radix, |value| (value == rest).then_some((taken, interval)));
                prop_assert_eq!(found, Some(taken));
                prop_assert_eq!(number.to_integer(), slow.clone());
            }
            prop_assert!(number.is(last));
        }

        #[test]
        fn weights_of_one_give_the_number_of_mixed_radix(
            digits in prop::collection::vec((1..1000u32).prop_flat_map(|radix| (0..radix, Just(radix))), 0..300),
        ) {
            let plain = digits.iter().map(|&(value, radix)| Digit { value, radix });
            let weighted = digits.iter().map(|&(value, radix)| {
                WeightedDigit { interval: Interval { start: value, weight: 1 }, radix }
            });
            let bytes = WeightedRadix::compose(weighted, 0).to_bytes_le();
            prop_assert_eq!(bytes, MixedRadix::compose(plain).to_bytes_le());
        }

        #[test]
        fn a_number_has_the_bits_of_its_digits_and_few_more(
            digits in prop::collection::vec(digit(), 0..200),
            last in 1 << 15..=u16::MAX,
        ) {
            let bits = |d: &WeightedDigit| (f64::from(d.radix) / f64::from(d.interval.weight)).log2();
            let ideal: f64 = digits.iter().map(bits).sum();
            let number = WeightedRadix::compose(digits, last).to_integer();
            // Every division rounds away less than 1 part in x div weight, so a heavy digit among the last costs most.
            prop_assert!(number.bits() as f64 <= ideal + 16.0 + 4.0, "{} {ideal}", number.bits());
        }

        #[test]
        fn any_bytes_and_any_weights_are_taken_without_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            radixes in prop::collection::vec(0..=MAX_RADIX, 0..60),
            weight in 0..=MAX_RADIX,
        ) {
            let mut number = WeightedRadix::from_bytes_le(&bytes);
            for radix in radixes {
                number.take(radix, |value| Some((value, Interval { start: value / 2, weight })));
            }
        }
    }
}
