//! A reader whose first bytes can be inspected before they are read.

use std::io::{self, Cursor, Read};

/// A reader whose first bytes are available in advance.
#[derive(Debug)]
pub struct PeekReader<R> {
    seen: Cursor<Vec<u8>>,
    /// The error that occurred while reading them.
    failure: Option<io::Error>,
    rest: R,
}

impl<R: Read> PeekReader<R> {
    /// Reads the given number of bytes in advance. A read error is returned again after the bytes before it.
    pub(super) fn new(mut rest: R, bytes: u64) -> PeekReader<R> {
        let mut seen = Vec::new();
        let failure = (&mut rest).take(bytes).read_to_end(&mut seen).err();
        PeekReader { seen: Cursor::new(seen), failure, rest }
    }

    /// The first bytes.
    pub fn beginning(&self) -> &[u8] {
        self.seen.get_ref()
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.seen.read(buffer)? {
            0 => self.failure.take().map_or_else(|| self.rest.read(buffer), Err),
            read => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peeking_loses_no_bytes_and_keeps_the_order_of_errors() {
        struct Failing<'a>(&'a [u8]);
        impl Read for Failing<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.read(buffer)? {
                    0 => Err(io::Error::other("the disk is gone")),
                    read => Ok(read),
                }
            }
        }
        for bytes in [0, 1, 6, 7, 20] {
            let mut reader = PeekReader::new(Failing(b"1. e4 *"), bytes);
            assert_eq!(reader.beginning(), &b"1. e4 *"[..7.min(bytes as usize)]);
            let mut text = Vec::new();
            assert!(reader.read_to_end(&mut text).is_err());
            assert_eq!(text, b"1. e4 *");
        }
    }
}
