//! Reads bytes in order, and never past their end.

/// The bytes that have not been read.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(all: &'a [u8]) -> Bytes<'a> {
        Bytes { all, at: 0 }
    }

    /// The offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.all.len() - self.at
    }

    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.all.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.all.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    /// The bytes before the next zero byte, which is read too.
    pub fn until_zero(&mut self) -> Option<&'a [u8]> {
        let length = memchr::memchr(0, self.all.get(self.at..)?)?;
        let taken = self.take(length)?;
        self.at += 1;
        Some(taken)
    }

    /// An unsigned number of at most eight bytes, the highest first.
    pub fn big_endian(&mut self, size: usize) -> Option<u64> {
        self.take(size).map(big_endian)
    }
}

/// An unsigned number of at most eight bytes, the highest first.
pub fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Some of a number's bits, from the lowest up.
pub fn bits(number: u64, from: u32, count: u32) -> u32 {
    u32::try_from(number >> from & ((1 << count) - 1)).unwrap_or(u32::MAX)
}

/// Appends the lowest bytes of a number, the highest first.
pub fn push_big_endian(to: &mut Vec<u8>, number: u64, size: usize) {
    to.extend(number.to_be_bytes().iter().skip(8 - size));
}
