//! The characters of a piece of PGN, and which of its bytes they came from.

use std::{borrow::Cow, ops::Range};

use super::{
    note::{Note, Notes},
    reject::Reject,
};

/// A piece as text: UTF-8, or else Windows-1252.
pub(super) struct Text<'a> {
    pub text: Cow<'a, str>,
    /// What is odd about its encoding.
    pub notes: Notes,
}

impl<'a> Text<'a> {
    pub(super) fn new(piece: &'a [u8]) -> Text<'a> {
        let mut notes = Notes::default();
        if memchr::memchr(b'\r', piece).is_some() && !piece.contains(&b'\n') {
            notes.add(Note::CrLineEnds);
        }
        let text = match std::str::from_utf8(piece) {
            Ok(text) => text.into(),
            Err(_) => {
                notes.add(Note::NotUtf8);
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(piece).0
            }
        };
        if text.starts_with('\u{feff}') {
            notes.add(Note::ByteOrderMark);
        }
        Text { text, notes }
    }

    /// The number of bytes of the piece that a part of the text came from.
    pub(super) fn bytes(&self, part: Range<usize>) -> usize {
        match self.text {
            Cow::Borrowed(_) => part.len(),
            // Each byte of Windows-1252 is one character.
            Cow::Owned(ref text) => text.get(part).map_or(0, |part| part.chars().count()),
        }
    }

    /// A reject of the game that begins at a byte of the text, with its place in the game's own bytes.
    pub(super) fn placed(&self, reject: Reject, start: usize) -> Reject {
        Reject { at: self.bytes(start..start + reject.at), ..reject }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_bytes() {
        let text = Text::new(b"\xe9\xe9e4");
        assert_eq!((&*text.text, text.bytes(0..4), text.bytes(2..6)), ("éée4", 2, 3));
        assert_eq!(text.notes.count(Note::NotUtf8), 1);
        assert_eq!(Text::new("ée4".as_bytes()).bytes(0..2), 2);
        assert_eq!(Text::new("\u{feff}a\rb".as_bytes()).notes.iter().count(), 2);
    }
}
