//! Text in UTF-16, which begins with a byte order mark, is read as UTF-8; all other text as it is.

use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult, UTF_16BE, UTF_16LE};

/// Bytes converted at once.
const PORTION: usize = 64 << 10;

/// A reader of the same text in an encoding that has ASCII's bytes.
pub(super) fn as_utf8<'a>(mut reader: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut mark = Vec::new();
    (&mut reader).take(2).read_to_end(&mut mark)?;
    let encoding = match *mark {
        [0xff, 0xfe] => UTF_16LE,
        [0xfe, 0xff] => UTF_16BE,
        _ => return Ok(Box::new(Cursor::new(mark).chain(reader))),
    };
    let decoder = encoding.new_decoder_without_bom_handling();
    Ok(Box::new(Utf16 { reader, decoder, text: Vec::new(), given: 0, ended: false, broken: false }))
}

/// Converts UTF-16.
struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    /// Converted text, and how much of it has been given.
    text: Vec<u8>,
    given: usize,
    ended: bool,
    /// Whether what follows the text at hand is no UTF-16.
    broken: bool,
}

impl<R: Read> Utf16<R> {
    fn convert(&mut self) -> io::Result<()> {
        let mut portion = Vec::with_capacity(PORTION);
        (&mut self.reader).take(PORTION as u64).read_to_end(&mut portion)?;
        let last = portion.is_empty();
        let room = self.decoder.max_utf8_buffer_length_without_replacement(portion.len());
        self.text.resize(room.unwrap_or(4 * PORTION), 0);
        let (result, _, length) =
            self.decoder.decode_to_utf8_without_replacement(&portion, &mut self.text, last);
        self.text.truncate(length);
        self.given = 0;
        self.broken = result != DecoderResult::InputEmpty;
        self.ended = last && !self.broken;
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            if self.broken {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the text is not valid UTF-16"));
            }
            self.convert()?;
        }
        let rest = self.text.get(self.given..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        as_utf8(bytes)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn utf16_becomes_utf8_and_all_else_stays() {
        let long = "[Event \"Łódź 😀\"]\n".repeat(10_000);
        let le: Vec<u8> =
            "\u{feff}".encode_utf16().chain(long.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> =
            "\u{feff}".encode_utf16().chain(long.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&le).unwrap(), long);
        assert_eq!(read(&be).unwrap(), long);
        for plain in ["", "a", "ab", "abc", "\u{feff}abc"] {
            assert_eq!(read(plain.as_bytes()).unwrap(), plain);
        }
        assert!(read(&le[..le.len() - 1]).is_err());
        assert!(read(b"\xff\xfe\x00\xd8a\x00").is_err());
    }
}
