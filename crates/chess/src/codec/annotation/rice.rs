//! Codes for integers of which small ones are likely: adaptive Rice codes.
//!
//! A Rice code with parameter k writes the part of a number above the lowest k bits in unary (ones terminated by a
//! zero), then the k bits. The parameter follows the mean of the previous numbers, as in LOCO-I (Weinberger, Seroussi,
//! Sapiro 2000, section III-C).

use crate::{
    bits::{BitReader, Bits},
    codec::DecodeError,
};

use super::damaged;

/// Number of ones after which the number follows as an Exp-Golomb code instead.
const LONGEST: u64 = 20;

/// Number of values in the running mean.
const MEMORY: u64 = 12;

/// An adaptive Rice code.
#[derive(Clone, Debug)]
pub(super) struct Rice {
    sum: u64,
    count: u64,
}

impl Rice {
    /// A code with an initial expected mean.
    pub(super) const fn new(mean: u64) -> Rice {
        Rice { sum: mean * 2, count: 2 }
    }

    fn parameter(&self) -> usize {
        (0..32).find(|&k| self.count << k >= self.sum - self.sum / 4).unwrap_or(32)
    }

    fn learn(&mut self, number: u64) {
        self.sum = self.sum.saturating_add(number.min(1 << 32));
        self.count += 1;
        if self.count > MEMORY {
            self.sum = self.sum * (MEMORY - 1) / MEMORY;
            self.count -= 1;
        }
    }

    pub(super) fn write(&mut self, number: u64, bits: &mut Bits) {
        let k = self.parameter();
        let ones = number >> k;
        for _ in 0..ones.min(LONGEST) {
            bits.push_bit(true);
        }
        match ones.checked_sub(LONGEST) {
            None => bits.push_bit(false),
            Some(more) => bits.push_exp_golomb(more, 0),
        }
        bits.push(number, k);
        self.learn(number);
    }

    pub(super) fn read(&mut self, bits: &mut BitReader<'_>) -> Result<u64, DecodeError> {
        let k = self.parameter();
        let mut ones = 0;
        while ones < LONGEST && bits.bit()? {
            ones += 1;
        }
        if ones == LONGEST {
            ones += bits.take_exp_golomb(0)?;
        }
        if ones >= 1 << 31 {
            return Err(damaged("number out of range"));
        }
        let number = ones << k | bits.take(k)?;
        self.learn(number);
        Ok(number)
    }
}

/// Signed numbers as unsigned ones: 0, -1, 1, -2, 2, …
pub(super) fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

/// The inverse of [`folded`].
pub(super) fn unfolded(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let numbers = [0, 1, 5, 1000, 3, 0, 0, 0, 7, 1 << 30, 2, 2, 2, 100_000_000, 0];
        let (mut bits, mut rice) = (Bits::default(), Rice::new(8));
        for number in numbers {
            rice.write(number, &mut bits);
        }
        let bytes = bits.into_bytes();
        let (mut reader, mut rice) = (BitReader::new(&bytes), Rice::new(8));
        for number in numbers {
            assert_eq!(rice.read(&mut reader), Ok(number));
        }
        assert_eq!(reader.finish(), Ok(()));
        for number in [0, 1, -1, 1 << 40, -(1 << 40)] {
            assert_eq!(unfolded(folded(number)), number);
        }
    }
}
