//! Numbers in mixed radix: G = d0 + n0·(d1 + n1·(d2 + …)). The first digit is the least significant, so a
//! reader that wants the first p digits divides p times and stops.
//!
//! The number lives in 64-bit limbs, least significant first. Composing gathers digits into one limb before
//! it touches the long number; dividing works in place. Neither allocates a digit.

use super::Integer;

/// One digit with its radix; `value < radix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The value, below the radix.
    pub value: u32,
    /// The number of values the digit could have; at least 1.
    pub radix: u32,
}

/// A number that is taken apart digit by digit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    /// Little endian, without zero limbs on top.
    limbs: Vec<u64>,
}

impl Mixed {
    /// The number of some digits, the first the least significant.
    pub fn compose(digits: &[Digit]) -> Mixed {
        let mut number = Mixed::default();
        let (mut value, mut radix) = (0u64, 1u64);
        for digit in digits.iter().rev() {
            let Some(next) = radix.checked_mul(u64::from(digit.radix)) else {
                number.multiply_add(radix, value);
                (value, radix) = (u64::from(digit.value), u64::from(digit.radix));
                continue;
            };
            // value < radix, so value·n + d < radix·n, which fits.
            value = value * u64::from(digit.radix) + u64::from(digit.value);
            radix = next;
        }
        number.multiply_add(radix, value);
        number
    }

    /// The number whose little-endian bytes these are.
    pub fn from_bytes_le(bytes: &[u8]) -> Mixed {
        let limbs = bytes.chunks(8).map(|chunk| {
            let mut limb = [0; 8];
            for (to, from) in limb.iter_mut().zip(chunk) {
                *to = *from;
            }
            u64::from_le_bytes(limb)
        });
        let mut number = Mixed { limbs: limbs.collect() };
        number.trim();
        number
    }

    /// Little-endian bytes without trailing zero bytes; none for 0.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }

    /// The same number as the public type.
    pub fn to_integer(&self) -> Integer {
        Integer::from_bytes_le(&self.to_bytes_le())
    }

    /// Whether nothing is left.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Takes the least significant digit off: divides in place and gives the remainder. A radix of 0 leaves
    /// the number alone and gives 0.
    #[inline]
    pub fn take_digit(&mut self, radix: u32) -> u32 {
        if radix == 0 {
            return 0;
        }
        let divisor = Divisor::new(radix);
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            (*limb, rest) = divisor.divide(rest, *limb);
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
            *limb = low_half(product);
            carry = product >> 64;
        }
        if carry > 0 {
            self.limbs.push(low_half(carry));
        }
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}

impl From<&Integer> for Mixed {
    fn from(number: &Integer) -> Mixed {
        Mixed { limbs: number.to_u64_digits() }
    }
}

/// A divisor of whole limbs that multiplies instead: a processor takes several times as long to divide.
#[derive(Clone, Copy)]
struct Divisor {
    divisor: u64,
    /// 2^64 is so many times the divisor, and something more.
    reciprocal: u64,
    /// That something: from 1 to the divisor.
    more: u64,
}

/// The divisors that positions have, computed beforehand: making one takes as long as dividing three limbs.
static SMALL: [Divisor; 256] = {
    let mut small = [Divisor::computed(0); 256];
    let mut divisor = 0;
    while divisor < 256 {
        small[divisor] = Divisor::computed(divisor as u64);
        divisor += 1;
    }
    small
};

impl Divisor {
    #[inline(always)]
    fn new(divisor: u32) -> Divisor {
        match usize::try_from(divisor).ok().and_then(|divisor| SMALL.get(divisor)) {
            Some(&small) => small,
            None => Divisor::computed(divisor as u64),
        }
    }

    /// Nothing is ever divided by 0: 1 stands for it.
    const fn computed(divisor: u64) -> Divisor {
        let divisor = if divisor == 0 { 1 } else { divisor };
        Divisor { divisor, reciprocal: u64::MAX / divisor, more: u64::MAX % divisor + 1 }
    }

    /// Divides `high`·2^64 + `low`, where `high` is below the divisor: quotient and rest.
    #[inline]
    fn divide(self, high: u64, low: u64) -> (u64, u64) {
        let (quotient, rest) = self.divide_limb(low);
        // At most divisor² - 1, which fits.
        let (carried, rest) = self.divide_limb(high * self.more + rest);
        (high * self.reciprocal + quotient + carried, rest)
    }

    #[inline]
    fn divide_limb(self, limb: u64) -> (u64, u64) {
        // The reciprocal is too small by at most 1, so this is at most 1 too small.
        let quotient = low_half(u128::from(limb) * u128::from(self.reciprocal) >> 64);
        let rest = limb - quotient * self.divisor;
        let short = u64::from(rest >= self.divisor);
        (quotient + short, rest - short * self.divisor)
    }
}

fn low_half(wide: u128) -> u64 {
    u64::try_from(wide & u128::from(u64::MAX)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn digit() -> impl Strategy<Value = Digit> {
        (1u32..300).prop_flat_map(|radix| (0..radix).prop_map(move |value| Digit { value, radix }))
    }

    proptest! {
        #[test]
        fn limbs_agree_with_num_bigint(digits in prop::collection::vec(digit(), 0..400)) {
            let reference = digits.iter().rev().fold(Integer::ZERO, |n, d| n * d.radix + d.value);
            let number = Mixed::compose(&digits);
            prop_assert_eq!(number.to_integer(), reference.clone());
            prop_assert_eq!(&Mixed::from(&reference), &number);
            prop_assert_eq!(&Mixed::from_bytes_le(&number.to_bytes_le()), &number);

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
            divisor in prop_oneof![1..300u32, 1..u32::MAX, (0..32u32).prop_map(|n| 1 << n), Just(u32::MAX)],
            high: u64,
            low in prop_oneof![any::<u64>(), 0..1000u64, (0..1000u64).prop_map(|n| u64::MAX - n)],
        ) {
            let high = high % u64::from(divisor);
            let (wide, by) = (u128::from(high) << 64 | u128::from(low), u128::from(divisor));
            let (quotient, rest) = Divisor::new(divisor).divide(high, low);
            prop_assert_eq!((u128::from(quotient), u128::from(rest)), (wide / by, wide % by));
        }
    }
}
