//! Writes bits.

use std::fmt;

use super::Integer;

/// A bit string that grows at its end. Numbers are appended most significant bit first; the last byte is padded with
/// zero bits.
///
/// ```
/// use plybook_chess::bits::Bits;
/// let mut bits = Bits::default();
/// bits.push(0b101, 3);
/// bits.push(2, 9);
/// assert_eq!(bits.to_string(), "101000000010");
/// assert_eq!((bits.len(), bits.bytes()), (12, &[0b1010_0000, 0b0010_0000][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    /// Complete bytes as bits.
    pub fn from_bytes(bytes: Vec<u8>) -> Bits {
        Bits { len: bytes.len() * 8, bytes }
    }

    /// A number as little-endian bytes without trailing zero bytes, the form of stored games. Its length in bits is
    /// that of the number, so 0 has no bits.
    pub fn from_integer_le(number: &Integer) -> Bits {
        let len = super::bit_length(number);
        Bits { bytes: if len == 0 { Vec::new() } else { number.to_bytes_le() }, len }
    }

    /// The first `len` bits of some bytes, the rest of the last byte being zero. For bytes as written by
    /// [`from_integer_le`](Bits::from_integer_le), `len` is the bit length of the number.
    pub(crate) fn from_stored(len: u64, bytes: Vec<u8>) -> Bits {
        Bits { len: usize::try_from(len).unwrap_or(usize::MAX), bytes }
    }

    /// Appends one bit.
    pub fn push_bit(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut().filter(|_| bit) {
            *last |= 0x80 >> (self.len % 8);
        }
        self.len += 1;
    }

    /// Appends the `width` lowest bits of a number (with leading zero bits if the width is above 64).
    pub fn push(&mut self, value: u64, width: usize) {
        let zeros = width.saturating_sub(64);
        if zeros > 0 {
            self.len += zeros;
            self.bytes.resize(self.len.div_ceil(8), 0);
        }
        let (width, begun) = (width - zeros, self.len % 8);
        if width == 0 {
            return;
        }
        // Most codes are a few bits long, and fit into the last byte.
        if begun > 0 && begun + width <= 8 {
            if let Some(last) = self.bytes.last_mut() {
                *last |= (value << (8 - width)) as u8 >> begun;
            }
            self.len += width;
            return;
        }
        let first = if begun > 0 { self.bytes.pop().unwrap_or(0) } else { 0 };
        let low = u128::from(value << (64 - width)) << (64 - begun);
        self.bytes.extend_from_slice(&(u128::from(first) << 120 | low).to_be_bytes());
        self.len += width;
        self.bytes.truncate(self.len.div_ceil(8));
    }

    /// Appends the `width` lowest bits of a long number.
    pub fn push_integer(&mut self, value: &Integer, width: usize) {
        for place in (0..width).rev() {
            self.push_bit(u64::try_from(place).is_ok_and(|place| value.bit(place)));
        }
    }

    /// Appends other bits.
    pub fn append(&mut self, other: &Bits) {
        let mut left = other.len;
        for byte in &other.bytes {
            let width = left.min(8);
            self.push((byte >> (8 - width)).into(), width);
            left -= width;
        }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bits as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The bits in byte order, each byte from its most significant bit.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        f.write_str(text.get(..self.len).unwrap_or(&text))
    }
}
