//! Numbers in mixed radix: G = d0 + n0·(d1 + n1·(d2 + …)). The first digit is the least significant, so reading the
//! first p digits takes p divisions.
//!
//! The number is stored in limbs of 48 bits, least significant first: a remainder and a limb together fit into a word,
//! which one multiplication divides. Composing collects digits in one word before it updates the long number; dividing
//! works in place. Neither allocates memory per digit.

use super::{Integer, limbs};

/// One digit with its radix; `value < radix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The value, below the radix.
    pub value: u32,
    /// The number of values that the digit can have; at least 1.
    pub radix: u32,
}

/// Bytes of a limb.
// An exact integer instead of a range or ANS coder: for the same symbols those took 4 to 29 bits more per game (449.8
// to 474.1 bits, compared with 445.4 for the integer), mostly padding of their state. Games are short enough for exact
// arithmetic.
const LIMB_BYTES: usize = 6;

/// Enough limbs for the numbers of most games.
const USUAL: usize = 16;

/// Bits of a limb.
// With 64-bit limbs a remainder and a limb need 128 bits, and dividing by a reciprocal needs several steps and
// corrections: in the prototype 19.5 ns per digit, more than plain 128-bit division with 14.0. With 48 bits one
// multiplication is exact for every radix of a position, and a game of average size (405 bits) still needs only nine
// limbs.
const LIMB: u32 = 48;

/// A number from which digits are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MixedRadix {
    /// Little endian, without zero limbs on top.
    limbs: Vec<u64>,
}

impl MixedRadix {
    /// The number with these digits, the least significant first.
    pub fn compose(digits: impl IntoIterator<Item = Digit, IntoIter: DoubleEndedIterator>) -> MixedRadix {
        let mut number = MixedRadix { limbs: Vec::with_capacity(USUAL) };
        let (mut value, mut radix) = (0u64, 1u64);
        digits.into_iter().rev().for_each(|digit| {
            // Batching digits into one word before touching the long number took 1.7 ns per digit in the prototype,
            // compared with 8.3 for num-bigint with one multiplication per digit (3.5 with batching).
            let Some(next) = radix.checked_mul(u64::from(digit.radix)) else {
                number.multiply_add(radix, value);
                (value, radix) = (u64::from(digit.value), u64::from(digit.radix));
                return;
            };
            // value < radix, so value·n + d < radix·n, which fits.
            value = value * u64::from(digit.radix) + u64::from(digit.value);
            radix = next;
        });
        number.multiply_add(radix, value);
        number
    }

    /// The number with these little-endian bytes.
    pub fn from_bytes_le(bytes: &[u8]) -> MixedRadix {
        MixedRadix { limbs: limbs::from_bytes_le::<LIMB_BYTES>(bytes) }
    }

    /// Little-endian bytes without trailing zero bytes; none for 0.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        limbs::to_bytes_le::<LIMB_BYTES>(&self.limbs)
    }

    /// The same number in the public type.
    pub fn to_integer(&self) -> Integer {
        limbs::to_integer::<LIMB_BYTES>(&self.limbs)
    }

    /// Whether the number is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Takes the least significant digit: divides in place and returns the remainder. A radix of 0 or 1 leaves the
    /// number unchanged and gives 0.
    #[inline]
    pub fn take_digit(&mut self, radix: u32) -> u32 {
        if radix <= 1 {
            return 0;
        }
        let mut rest = 0;
        // Every radix of a standard position is at most 219, so the table covers all of them; the other branch is for
        // arbitrary digits.
        match usize::try_from(radix).ok().and_then(|radix| RECIPROCALS.get(radix)) {
            Some(&reciprocal) => {
                for limb in self.limbs.iter_mut().rev() {
                    (*limb, rest) = divide_small(rest << LIMB | *limb, u64::from(radix), reciprocal);
                }
            }
            None => {
                for limb in self.limbs.iter_mut().rev() {
                    (*limb, rest) = divide(rest, *limb, radix);
                }
            }
        }
        if self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        // rest < radix, which is 32 bits wide.
        u32::try_from(rest).unwrap_or(u32::MAX)
    }

    fn multiply_add(&mut self, factor: u64, summand: u64) {
        let mut carry = u128::from(summand);
        for limb in &mut self.limbs {
            let product = u128::from(*limb) * u128::from(factor) + carry;
            *limb = low_limb(product);
            carry = product >> LIMB;
        }
        while carry > 0 {
            self.limbs.push(low_limb(carry));
            carry >>= LIMB;
        }
    }
}

impl From<&Integer> for MixedRadix {
    fn from(number: &Integer) -> MixedRadix {
        MixedRadix::from_bytes_le(&number.to_bytes_le())
    }
}

/// 2^64 divided by each radix that occurs in positions, rounded up. (Radices 0 and 1 need no division.)
static RECIPROCALS: [u64; 257] = {
    let mut reciprocals = [0; 257];
    let mut radix = 2;
    while radix < reciprocals.len() {
        reciprocals[radix] = u64::MAX / radix as u64 + 1;
        radix += 1;
    }
    reciprocals
};

/// Divides a value below radix·2^48 and returns quotient and remainder. (A processor takes several times as long to
/// divide as to multiply.) The reciprocal is too large by less than 1, so the quotient is too large by less than
/// radix/2^16. Up to a radix of 256 that is at most 1/radix, and an inexact quotient is at least that far below the
/// next integer.
#[inline(always)]
fn divide_small(value: u64, radix: u64, reciprocal: u64) -> (u64, u64) {
    let quotient = (u128::from(value) * u128::from(reciprocal) >> 64) as u64;
    (quotient, value - quotient * radix)
}

/// Divides `high`·2^48 + `limb`, where `high` is below the radix; returns quotient and remainder.
#[cold]
fn divide(high: u64, limb: u64, radix: u32) -> (u64, u64) {
    let value = u128::from(high) << LIMB | u128::from(limb);
    ((value / u128::from(radix)) as u64, (value % u128::from(radix)) as u64)
}

fn low_limb(wide: u128) -> u64 {
    (wide & ((1 << LIMB) - 1)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn digit() -> impl Strategy<Value = Digit> {
        prop_oneof![1u32..300, 1..u32::MAX, Just(u32::MAX)]
            .prop_flat_map(|radix| (0..radix).prop_map(move |value| Digit { value, radix }))
    }

    proptest! {
        #[test]
        fn limbs_agree_with_num_bigint(digits in prop::collection::vec(digit(), 0..400)) {
            let reference = digits.iter().rev().fold(Integer::ZERO, |n, d| n * d.radix + d.value);
            let number = MixedRadix::compose(digits.iter().copied());
            prop_assert_eq!(number.to_integer(), reference.clone());
            prop_assert_eq!(&MixedRadix::from(&reference), &number);
            prop_assert_eq!(&MixedRadix::from_bytes_le(&number.to_bytes_le()), &number);

            let (mut fast, mut slow) = (number, reference);
            for d in &digits {
                prop_assert_eq!(fast.take_digit(d.radix), d.value);
                slow /= d.radix;
                prop_assert_eq!(fast.to_integer(), slow.clone());
            }
            prop_assert!(fast.is_zero());
        }

        #[test]
        fn division_by_multiplication_is_exact(
            radix in prop_oneof![2..257u64, Just(255), Just(256), (1..9u32).prop_map(|n| 1 << n)],
            high: u64,
            low in prop_oneof![0..1u64 << LIMB, 0..1000u64, (0..1000u64).prop_map(|n| (1 << LIMB) - 1 - n)],
        ) {
            for high in [high % radix, radix - 1] {
                let value = high << LIMB | low;
                let (quotient, rest) = divide_small(value, radix, RECIPROCALS[radix as usize]);
                prop_assert_eq!((quotient, rest), (value / radix, value % radix));
            }
        }
    }
}
