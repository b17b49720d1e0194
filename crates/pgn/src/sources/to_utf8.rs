//! Converts text in UTF-16, or in the multi-byte encoding that the user named, to UTF-8; other text is passed
//! unchanged. UTF-16 is recognized by its byte order mark, or by every other byte at the beginning being 0.

use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult, UTF_16BE, UTF_16LE};

use super::encoding::Encoding;

/// Bytes converted at a time.
const PORTION: usize = 64 << 10;

/// A reader of the same text in an encoding that is a superset of ASCII, and whether the text is converted.
pub(super) fn as_utf8<'a>(
    mut reader: impl Read + 'a,
    named: Option<Encoding>,
) -> io::Result<(Box<dyn Read + 'a>, bool)> {
    let mut start = Vec::new();
    (&mut reader).take(4).read_to_end(&mut start)?;
    let (encoding, mark) = match *start {
        [0xff, 0xfe, ..] => (Some(UTF_16LE), 2),
        [0xfe, 0xff, ..] => (Some(UTF_16BE), 2),
        [0xef, 0xbb, 0xbf, ..] => (None, 0),
        [1..0x80, 0, 1..0x80, 0] => (Some(UTF_16LE), 0),
        [0, 1..0x80, 0, 1..0x80] => (Some(UTF_16BE), 0),
        _ => (named.and_then(Encoding::of_whole_sources), 0),
    };
    let reader = Cursor::new(start.split_off(mark)).chain(reader);
    let Some(encoding) = encoding else { return Ok((Box::new(reader), false)) };
    let (decoder, name) = (encoding.new_decoder_without_bom_handling(), encoding.name());
    let converted =
        Utf8Reader { reader, decoder, name, text: Vec::new(), given: 0, ended: false, broken: false };
    Ok((Box::new(converted), true))
}

/// Converts text while it is read.
struct Utf8Reader<R> {
    reader: R,
    decoder: Decoder,
    name: &'static str,
    /// Converted text, and how much of it has been returned.
    text: Vec<u8>,
    given: usize,
    ended: bool,
    /// Whether the text after the current buffer is invalid in this encoding.
    broken: bool,
}

impl<R: Read> Utf8Reader<R> {
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

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            if self.broken {
                let why = format!("the text is not valid {}", self.name);
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
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

    fn read_named(bytes: &[u8], name: Option<&str>) -> io::Result<String> {
        let mut text = String::new();
        as_utf8(bytes, name.map(|name| name.parse().unwrap()))?.0.read_to_string(&mut text)?;
        Ok(text)
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        read_named(bytes, None)
    }

    #[test]
    fn utf16_is_converted_and_other_text_is_unchanged() {
        let long = "[Event \"Łódź 😀\"]\n".repeat(10_000);
        let le: Vec<u8> =
            "\u{feff}".encode_utf16().chain(long.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> =
            "\u{feff}".encode_utf16().chain(long.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for bytes in [&le, &be] {
            assert_eq!(read(bytes).unwrap(), long);
            assert_eq!(read(&bytes[2..]).unwrap(), long);
            assert_eq!(read_named(bytes, Some("gbk")).unwrap(), long);
        }
        for plain in ["", "a", "ab", "abc", "\u{feff}abc"] {
            assert_eq!(read(plain.as_bytes()).unwrap(), plain);
        }
        assert!(read(&le[..le.len() - 1]).is_err());
        assert!(read(b"\xff\xfe\x00\xd8a\x00").is_err());
    }

    #[test]
    fn the_named_encoding_is_converted_unless_a_byte_order_mark_overrides_it() {
        let text = "[White \"叶江川\"]\n".repeat(9_000);
        let gbk = encoding_rs::GBK.encode(&text).0;
        assert_eq!(read_named(&gbk, Some("gbk")).unwrap(), text);
        let marked = format!("\u{feff}{text}");
        assert_eq!(read_named(marked.as_bytes(), Some("gbk")).unwrap(), marked);
        let error = read_named(&[&gbk, &b"\xff\xff"[..]].concat(), Some("gbk")).unwrap_err();
        assert_eq!(error.to_string(), "the text is not valid GBK");
        assert_eq!(read_named("Müller".as_bytes(), Some("cp437")).unwrap(), "Müller");
    }
}
