//! Codes for small numbers of unknown magnitude: Rice and Exp-Golomb codes.

use super::{BitError, BitReader, Bits};

/// Maximum number of leading zero bits.
const MOST_ZEROS: usize = 1 << 20;

impl Bits {
    /// Appends a number as a Rice code: `value >> order` in unary (that many zero bits, then a one), then the lowest
    /// `order` bits. Suited to numbers around 2^order.
    pub fn push_rice(&mut self, value: u64, order: usize) {
        let high = usize::try_from(value >> order).unwrap_or(usize::MAX).min(MOST_ZEROS);
        self.push(0, high);
        self.push(1, 1);
        self.push(value, order);
    }

    /// Appends a number below 2^63 as an Exp-Golomb code: first the bits above the lowest `order` bits, plus one,
    /// preceded by as many zero bits as follow its highest bit; then the `order` bits.
    pub fn push_exp_golomb(&mut self, value: u64, order: usize) {
        let high = (value >> order) + 1;
        let width = high.ilog2() as usize;
        self.push(0, width);
        self.push(high, width + 1);
        self.push(value, order);
    }
}

impl BitReader<'_> {
    /// Reads a number written by [`Bits::push_rice`].
    ///
    /// # Errors
    /// The bytes end too early, or the number has more than 64 bits.
    #[inline]
    pub fn take_rice(&mut self, order: usize) -> Result<u64, BitError> {
        let high = self.zeros()? as u64;
        let low = self.take(order)?;
        high.checked_mul(1 << order).map(|high| high | low).ok_or(BitError::Leftover)
    }

    /// Reads a number written by [`Bits::push_exp_golomb`].
    ///
    /// # Errors
    /// The bytes end too early, or the number has more than 63 bits.
    #[inline]
    pub fn take_exp_golomb(&mut self, order: usize) -> Result<u64, BitError> {
        let width = self.zeros()?;
        if width + order > 62 {
            return Err(BitError::Leftover);
        }
        let high = (1 << width | self.take(width)?) - 1;
        Ok(high << order | self.take(order)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_round_trip(numbers in prop::collection::vec((0u64..1 << 40, 20usize..40), 0..50)) {
            let mut bits = Bits::default();
            for &(number, order) in &numbers {
                bits.push_rice(number, order);
                bits.push_exp_golomb(number, order % 8);
            }
            let mut reader = BitReader::new(bits.bytes());
            for &(number, order) in &numbers {
                prop_assert_eq!(reader.take_rice(order), Ok(number));
                prop_assert_eq!(reader.take_exp_golomb(order % 8), Ok(number));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }

        #[test]
        fn any_bytes_give_numbers_or_an_error(bytes: Vec<u8>, order in 0usize..60) {
            let mut reader = BitReader::new(&bytes);
            while reader.take_rice(order).is_ok() && reader.take_exp_golomb(order).is_ok() {}
        }
    }
}
