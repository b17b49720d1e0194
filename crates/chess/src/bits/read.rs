//! Reads bits.

use super::Integer;

/// Why bits could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BitError {
    /// Fewer bits are left than were requested.
    #[error("the data ends before the value is complete")]
    Ended,
    /// More is left than the zero bits that pad the last byte.
    #[error("unexpected data after the value")]
    Leftover,
}

/// Reads bytes bit by bit, most significant bit first.
///
/// ```
/// use plybook_chess::bits::{BitError, BitReader};
/// let mut reader = BitReader::new(&[0b1010_0000, 0b0010_0000]);
/// assert_eq!(reader.take(3), Ok(0b101));
/// assert_eq!(reader.take(9), Ok(2));
/// assert_eq!(reader.take(5), Err(BitError::Ended));
/// assert_eq!(reader.finish(), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at the first bit.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, place: 0 }
    }

    /// The number of unread bits.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_mul(8).saturating_sub(self.place)
    }

    /// Reads one bit.
    ///
    /// # Errors
    /// No bit is left.
    pub fn bit(&mut self) -> Result<bool, BitError> {
        let byte = self.bytes.get(self.place / 8).ok_or(BitError::Ended)?;
        let bit = byte << (self.place % 8) & 0x80 != 0;
        self.place += 1;
        Ok(bit)
    }

    /// Reads a number of at most 64 bits.
    ///
    /// # Errors
    /// Fewer bits are left; in that case none is read.
    pub fn take(&mut self, width: usize) -> Result<u64, BitError> {
        self.need(width)?;
        // Nearly always all bits are within the next eight bytes.
        if let Some(word) = self.bytes.get(self.place / 8..).and_then(<[u8]>::first_chunk).copied()
            && (1..=56).contains(&width)
        {
            let value = u64::from_be_bytes(word) << (self.place % 8) >> (64 - width);
            self.place += width;
            return Ok(value);
        }
        let (mut value, mut left) = (0u64, width);
        while left > 0 {
            let byte = u64::from(*self.bytes.get(self.place / 8).ok_or(BitError::Ended)?);
            let there = 8 - self.place % 8;
            let taken = there.min(left);
            value = value << taken | byte >> (there - taken) & ((1 << taken) - 1);
            self.place += taken;
            left -= taken;
        }
        Ok(value)
    }

    /// Skips bits.
    ///
    /// # Errors
    /// Fewer bits are left; in that case none is skipped.
    pub fn skip(&mut self, bits: usize) -> Result<(), BitError> {
        self.need(bits)?;
        self.place += bits;
        Ok(())
    }

    /// A reader for the next bits, which are skipped here; it ends with the byte that contains the last of them.
    ///
    /// # Errors
    /// Fewer bits are left; in that case none is skipped.
    pub fn part(&mut self, bits: usize) -> Result<BitReader<'a>, BitError> {
        let place = self.place;
        self.skip(bits)?;
        let bytes = self.bytes.get(..self.place.div_ceil(8)).ok_or(BitError::Ended)?;
        Ok(BitReader { bytes, place })
    }

    /// Reads zero bits and the one bit after them; returns the number of zeros.
    ///
    /// # Errors
    /// There is no one bit left.
    pub fn zeros(&mut self) -> Result<usize, BitError> {
        let mut zeros = 0;
        loop {
            let byte = *self.bytes.get(self.place / 8).ok_or(BitError::Ended)?;
            let rest = byte << (self.place % 8);
            if rest != 0 {
                let here = rest.leading_zeros() as usize;
                self.place += here + 1;
                return Ok(zeros + here);
            }
            let there = 8 - self.place % 8;
            zeros += there;
            self.place += there;
        }
    }

    /// Reads a number of at most 8 bits.
    ///
    /// # Errors
    /// Fewer bits are left; in that case none is read.
    pub fn take_u8(&mut self, width: usize) -> Result<u8, BitError> {
        Ok(u8::try_from(self.take(width.min(8))?).unwrap_or(u8::MAX))
    }

    /// Reads a long number.
    ///
    /// # Errors
    /// Fewer bits are left; in that case none is read.
    pub fn take_integer(&mut self, width: usize) -> Result<Integer, BitError> {
        self.need(width)?;
        let mut value = Integer::ZERO;
        for place in (0..width).rev() {
            let bit = self.bit()?;
            value.set_bit(u64::try_from(place).unwrap_or(u64::MAX), bit);
        }
        Ok(value)
    }

    /// Ends reading: only the zero bits that pad the last byte may be left.
    ///
    /// # Errors
    /// Other bits are left.
    pub fn finish(mut self) -> Result<(), BitError> {
        if self.left() >= 8 || self.take(self.left())? != 0 {
            return Err(BitError::Leftover);
        }
        Ok(())
    }

    fn need(&self, width: usize) -> Result<(), BitError> {
        if width > self.left() { Err(BitError::Ended) } else { Ok(()) }
    }
}
