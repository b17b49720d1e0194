//! Decodes texts. Nothing in a database says how they are encoded, and one database mixes UTF-8 with a code page, in
//! which some bytes are figurines: so this is decided once, from all its texts.

use std::{borrow::Cow, cell::Cell};

use plybook_pgn::{Encoding, EncodingGuess};

/// The pieces of the figurine bytes from this one on, and of the private characters of UTF-8 texts.
const FIGURINE: u8 = 0xa2;
const PRIVATE_FIGURINE: u32 = 0xe024;
const PIECES: [char; 6] = ['K', 'Q', 'N', 'B', 'R', 'P'];

/// The first byte that is a letter in nearly all code pages, not a sign such as `½` or `±`.
const LETTERS: u8 = 0xc0;

/// Collects what the texts of a database say about its encoding.
#[derive(Default)]
pub(crate) struct TextSurvey {
    guess: EncodingGuess,
    has_figurines: bool,
    /// Letters beyond ASCII next to another one, and others.
    in_groups: u64,
    alone: u64,
}

/// How the texts of a database are decoded.
#[derive(Clone, Copy, Debug)]
pub struct TextEncoding {
    /// The code page of texts that are not UTF-8.
    pub page: Encoding,
    /// Whether some bytes of annotations are figurines.
    pub has_figurines: bool,
}

impl TextSurvey {
    /// Takes a field with a name.
    pub(crate) fn name(&mut self, field: &[u8]) {
        if utf8_name(field).is_none() {
            self.in_page(until_zero(field));
        }
    }

    /// Takes the text of an annotation.
    pub(crate) fn prose(&mut self, text: &[u8]) {
        if str::from_utf8(text).is_err() {
            self.in_page(text);
            self.has_figurines |= (0..text.len()).any(|at| is_figurine_move(text, at));
        }
    }

    /// Takes a text that is not UTF-8.
    fn in_page(&mut self, text: &[u8]) {
        self.guess.feed(text);
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte >= LETTERS) {
            let is_letter =
                |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|byte| *byte >= LETTERS);
            match is_letter(at.checked_sub(1)) || is_letter(Some(at + 1)) {
                true => self.in_groups += 1,
                false => self.alone += 1,
            }
        }
    }

    /// The encoding, unless the user has named the code page.
    // In Western texts letters beyond ASCII are rare and alone. Only where most are in groups, as in Cyrillic and Greek,
    // the detector decides: it would read some Western databases as Central European.
    pub(crate) fn encoding(self, named: Option<Encoding>) -> TextEncoding {
        let guessed = if self.in_groups > self.alone { self.guess.guess() } else { Encoding::USUAL };
        TextEncoding { page: named.unwrap_or(guessed), has_figurines: self.has_figurines }
    }
}

/// Whether a byte of a text is a figurine that a move follows: a square, or a file or a capture before one.
fn is_figurine_move(text: &[u8], at: usize) -> bool {
    let is_figurine = text.get(at).is_some_and(|byte| (FIGURINE..FIGURINE + 6).contains(byte));
    is_figurine
        && matches!(
            text.get(at + 1..),
            Some([b'a'..=b'h', b'1'..=b'8' | b'x' | b'a'..=b'h', ..] | [b'x', b'a'..=b'h', ..])
                | Some([b'1'..=b'8', b'a'..=b'h' | b'x', ..])
        )
}

/// Decodes the texts of a game.
pub(crate) struct TextDecoder {
    encoding: TextEncoding,
    /// Whether a text was not UTF-8.
    pub used_page: Cell<bool>,
}

impl TextDecoder {
    pub(crate) fn new(encoding: TextEncoding) -> TextDecoder {
        TextDecoder { encoding, used_page: Cell::new(false) }
    }

    /// A field of a name: it ends at its first zero byte, and what follows is left over from another name.
    pub(crate) fn name(&self, field: &[u8]) -> String {
        let text = utf8_name(field).map_or_else(|| self.in_page(until_zero(field)), Cow::Borrowed);
        text.trim().replace(['\n', '\r'], " ")
    }

    /// The text of an annotation, with `\n` at the end of lines and letters instead of figurines.
    pub(crate) fn prose(&self, text: &[u8]) -> String {
        let text = trimmed(text);
        let decoded = match str::from_utf8(text) {
            Ok(text) => text.chars().map(letter_of_private).collect(),
            Err(_) if self.encoding.has_figurines => self.with_figurines(text),
            Err(_) => self.in_page(text).into_owned(),
        };
        decoded.replace("\r\n", "\n").replace('\r', "\n").replace('\0', " ")
    }

    fn with_figurines(&self, text: &[u8]) -> String {
        let mut decoded = String::with_capacity(text.len());
        for part in text.chunk_by(|a, b| piece(*a).is_none() && piece(*b).is_none()) {
            match part.first().copied().and_then(piece) {
                Some(piece) => decoded.push(piece),
                None => decoded.push_str(&self.in_page(part)),
            }
        }
        decoded
    }

    fn in_page<'a>(&self, text: &'a [u8]) -> Cow<'a, str> {
        self.used_page.set(self.used_page.get() || !text.is_ascii());
        let usual = || Encoding::USUAL.decode(text).unwrap_or_else(|| String::from_utf8_lossy(text));
        self.encoding.page.decode(text).unwrap_or_else(usual)
    }
}

/// A name in UTF-8. If it fills its field, with or without a zero byte, the end may have cut its last character; in a code
/// page, a character before it would have to look like UTF-8 as well.
fn utf8_name(field: &[u8]) -> Option<&str> {
    let name = until_zero(field);
    let error = match str::from_utf8(name) {
        Ok(name) => return Some(name),
        Err(error) => error,
    };
    let before = str::from_utf8(name.get(..error.valid_up_to())?).ok()?;
    let is_cut = name.len() + 1 >= field.len() && error.error_len().is_none();
    (is_cut && !before.is_ascii()).then_some(before)
}

fn piece(byte: u8) -> Option<char> {
    PIECES.get(usize::from(byte.checked_sub(FIGURINE)?)).copied()
}

fn letter_of_private(c: char) -> char {
    let number = u32::from(c).checked_sub(PRIVATE_FIGURINE).and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| PIECES.get(number).copied()).unwrap_or(c)
}

pub(crate) fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A text without zero bytes at its end.
fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    text.get(..end).unwrap_or_default()
}
