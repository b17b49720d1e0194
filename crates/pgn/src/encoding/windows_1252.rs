//! Windows-1252: Latin-1 with letters and signs in place of most control characters from 0x80 on.

use std::borrow::Cow;

/// The characters for bytes 0x80 to 0x9f, as defined by the WHATWG encoding standard.
const FROM_0X80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The encoding of text that is not UTF-8: Windows-1252, the only one without the feature `sources`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding;

impl Encoding {
    /// The encoding assumed when nothing suggests another one. It has a character for every byte.
    pub const USUAL: Encoding = Encoding;

    /// Decodes bytes.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        let character = |&byte: &u8| match byte {
            0x80..=0x9f => FROM_0X80.get(usize::from(byte - 0x80)).copied().unwrap_or(char::from(byte)),
            _ => char::from(byte),
        };
        Some(Cow::Owned(bytes.iter().map(character).collect()))
    }

    /// The encoding that the texts appear to be in.
    #[cfg(not(feature = "sources"))]
    pub(crate) fn guess<'a>(_: impl Iterator<Item = &'a [u8]>) -> Encoding {
        Encoding::USUAL
    }
}

#[cfg(all(test, feature = "sources"))]
mod tests {
    use super::*;

    #[test]
    fn every_byte_decodes_as_in_the_web_standard() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(Encoding::USUAL.decode(&all), crate::sources::Encoding::USUAL.decode(&all));
    }
}
