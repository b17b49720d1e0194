//! Decodes PGN, and maps the decoded text to the source bytes.

use std::{borrow::Cow, ops::Range};

use super::{
    encoding::Encoding,
    reject::Reject,
    text_fields::{TextField, TextFields},
    warning::Warning,
    warnings::Warnings,
};

/// Decoded bytes. Each field is UTF-8, or in the named encoding, or in the encoding that the remaining fields appear
/// to be in.
pub(super) struct Text<'a> {
    pub text: Cow<'a, str>,
    /// Irregularities of the complete text.
    warnings: Warnings,
    spans: Vec<Span>,
}

/// Consecutive fields in the same encoding. A text that is entirely UTF-8 has none.
struct Span {
    /// The byte offset of its end: the text of the largest game has fewer than 2^32 bytes.
    end: u32,
    read: ReadAs,
}

/// How a field was decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadAs {
    Utf8,
    /// In the named encoding; each character was one byte.
    Named,
    /// In a detected encoding; each character was one byte.
    Guessed,
}

impl<'a> Text<'a> {
    pub(super) fn new(raw: &'a [u8], named: Option<Encoding>) -> Text<'a> {
        let mut text = match std::str::from_utf8(raw) {
            Ok(text) => Text { text: text.into(), warnings: Warnings::default(), spans: Vec::new() },
            Err(_) => decoded(raw, named),
        };
        if memchr::memchr(b'\r', raw).is_some() && !raw.contains(&b'\n') {
            text.warnings.add(Warning::CrLineEnds);
        }
        if text.text.starts_with('\u{feff}') {
            text.warnings.add(Warning::ByteOrderMark);
        }
        text
    }

    /// Encoding warnings for a game that is part of the text.
    pub(super) fn warnings_of(&self, game: Range<usize>) -> Warnings {
        let mut warnings = self.warnings.clone();
        for (part, read) in self.spans_in(game.clone()) {
            match read {
                ReadAs::Named => warnings.mark(Warning::NamedEncoding, part.start - game.start),
                ReadAs::Guessed => warnings.mark(Warning::NotUtf8, part.start - game.start),
                ReadAs::Utf8 => {}
            }
        }
        warnings
    }

    /// The number of source bytes for a part of the text.
    pub(super) fn bytes(&self, range: Range<usize>) -> usize {
        if self.spans.is_empty() {
            return range.len();
        }
        let bytes = |(part, read): (Range<usize>, ReadAs)| match read {
            ReadAs::Utf8 => part.len(),
            _ => self.text.get(part).unwrap_or_default().chars().count(),
        };
        self.spans_in(range).map(bytes).sum()
    }

    /// The parts of a range that were decoded in different ways.
    fn spans_in(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, ReadAs)> {
        let first = self.spans.partition_point(|span| span.end as usize <= range.start);
        let mut at = range.start;
        self.spans.iter().skip(first).map_while(move |span| {
            let part = at..range.end.min(span.end as usize);
            at = span.end as usize;
            (part.start < range.end).then_some((part, span.read))
        })
    }

    /// Converts a reject of the game that begins at a byte of the text to an offset in the game's own bytes.
    pub(super) fn placed(&self, reject: Reject, start: usize) -> Reject {
        Reject { at: self.bytes(start..start + reject.at), ..reject }
    }
}

/// Decodes bytes that are not UTF-8.
fn decoded<'a>(raw: &'a [u8], named: Option<Encoding>) -> Text<'a> {
    // All fields of a game are given to the detector together: a name alone has too few letters for a reliable guess,
    // and the fields of one game usually share an encoding.
    let encoding = named.unwrap_or_else(|| {
        let foreign = TextFields::new(raw).filter(|field| field.is_prose && !is_utf8(field));
        Encoding::guess(foreign.map(|field| field.bytes))
    });
    let (mut text, mut spans) = (String::with_capacity(raw.len()), Vec::<Span>::new());
    // Decoded field by field: merged collections may have UTF-8 and an older encoding in one game, and a UTF-8 field
    // must not be decoded as the other encoding.
    for TextField { bytes, .. } in TextFields::new(raw) {
        let (field, read) = match std::str::from_utf8(bytes) {
            Ok(field) => (field.into(), ReadAs::Utf8),
            Err(_) => match encoding.decode(bytes) {
                Some(field) => (field, if named.is_some() { ReadAs::Named } else { ReadAs::Guessed }),
                None => (Encoding::USUAL.decode(bytes).unwrap_or_default(), ReadAs::Guessed),
            },
        };
        text.push_str(&field);
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        match spans.last_mut() {
            Some(last) if last.read == read => last.end = end,
            _ => spans.push(Span { end, read }),
        }
    }
    Text { text: text.into(), warnings: Warnings::default(), spans }
}

fn is_utf8(field: &TextField<'_>) -> bool {
    std::str::from_utf8(field.bytes).is_ok()
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "sources")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn offsets_are_those_of_the_source_bytes() {
        let text = Text::new(b"\xe9\xe9e4", None);
        assert_eq!((&*text.text, text.bytes(0..4), text.bytes(2..6)), ("éée4", 2, 3));
        assert_eq!(text.warnings_of(0..1).count(Warning::NotUtf8), 1);
        assert_eq!(Text::new("ée4".as_bytes(), None).bytes(0..2), 2);
        assert_eq!(Text::new("\u{feff}a\rb".as_bytes(), None).warnings_of(0..1).iter().count(), 2);
    }

    #[test]
    fn each_field_is_decoded_separately() {
        let text =
            Text::new(b"[White \"M\xc3\xbcller\"]\n[Black \"M\xfcller\"]\n{\xc3\xbc} {\xfc} \xe9", None);
        assert_eq!(text.text, "[White \"Müller\"]\n[Black \"Müller\"]\n{ü} {ü} é");
        let length = text.text.len();
        assert_eq!(text.bytes(0..length), length - 3);
        assert_eq!(text.bytes(17..18), 1);
        assert_eq!(
            text.warnings_of(0..length).places(),
            [(Warning::NotUtf8, text.text.find("Müller\"]\n{").unwrap())]
        );
        assert_eq!(text.warnings_of(length - 1..length).places(), [(Warning::NotUtf8, 0)]);
    }

    #[cfg(feature = "sources")]
    #[test]
    fn text_in_the_named_encoding_is_not_a_repair() {
        let named = |name: &str, raw: &'static [u8]| {
            let text = Text::new(raw, Some(name.parse().unwrap()));
            let repaired = text.warnings_of(0..text.text.len()).repair().is_some();
            (text.text.into_owned(), repaired)
        };
        assert_eq!(named("cp437", b"{M\x81ller}"), ("{Müller}".to_owned(), false));
        assert_eq!(named("windows-1253", b"{\xff}"), ("{ÿ}".to_owned(), true));
        assert_eq!(named("utf-8", b"{\xfc}"), ("{ü}".to_owned(), true));
        assert_eq!(named("cp437", b"{\xc3\xbc} {\x81}"), ("{ü} {ü}".to_owned(), false));
    }

    #[cfg(feature = "sources")]
    proptest! {
        #[test]
        fn all_bytes_are_decoded_and_offsets_add_up(raw: Vec<u8>, cut in 0usize..200, name in 0usize..4) {
            let named = [None, Some("cp857"), Some("windows-1253"), Some("gbk")][name];
            let text = Text::new(&raw, named.map(|name| name.parse().unwrap()));
            let source_had_it = raw.windows(3).any(|bytes| bytes == "\u{fffd}".as_bytes());
            let lost = text.text.contains('\u{fffd}');
            prop_assert!(source_had_it || !lost);
            let length = text.text.len();
            prop_assert_eq!(text.bytes(0..length), raw.len());
            let cut = text.text.floor_char_boundary(cut);
            prop_assert_eq!(text.bytes(0..cut) + text.bytes(cut..length), raw.len());
        }
    }
}
