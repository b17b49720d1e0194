//! Encodings of text that is not UTF-8, by name, and detection of the one that a text uses.
//!
//! In single-byte encodings a game is split off before it is decoded, so each field can have its own encoding. In the
//! others (UTF-16, GBK, Shift_JIS …) ASCII byte values also occur inside characters: a source in one of them is
//! [converted](super::to_utf8) as a whole, and only if the user named the encoding.

use std::{borrow::Cow, fmt, str::FromStr};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{UTF_8, WINDOWS_1252};
use oem_cp::code_table::DECODING_TABLE_CP_MAP;

/// Minimum number of non-ASCII letters for a guess.
const LEAST_EVIDENCE: usize = 2;

/// The first byte value that is a letter in nearly all encodings, not a sign such as `½` or `±`.
const LETTERS: u8 = 0xc0;

/// An encoding of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(CharTable);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharTable {
    /// An encoding of the WHATWG encoding standard.
    Web(&'static encoding_rs::Encoding),
    /// A DOS code page.
    Dos(u16),
}

/// An unknown encoding name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown encoding {0:?}; use utf-8, utf-16le, utf-16be, windows-1250 to windows-1258, iso-8859-1 to \
     iso-8859-16, koi8-r, koi8-u, macintosh, cp437, cp850, cp852, cp866, gbk, big5, shift_jis, euc-kr or another WHATWG encoding"
)]
pub struct UnknownEncoding(String);

impl Encoding {
    /// The encoding assumed when nothing suggests another one. It has a character for every byte.
    pub const USUAL: Encoding = Encoding(CharTable::Web(WINDOWS_1252));

    /// Decodes bytes; `None` if a byte has no meaning, or in a multi-byte encoding.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self.0 {
            CharTable::Web(web) if web.is_single_byte() => {
                web.decode_without_bom_handling_and_without_replacement(bytes)
            }
            CharTable::Web(_) => None,
            CharTable::Dos(page) => {
                let table = DECODING_TABLE_CP_MAP.get(&page)?;
                table.decode_string_checked(bytes).map(Cow::Owned)
            }
        }
    }

    /// The encoding if a source that uses it must be converted as a whole.
    pub(super) fn of_whole_sources(self) -> Option<&'static encoding_rs::Encoding> {
        match self.0 {
            CharTable::Web(web) if !web.is_single_byte() && web != UTF_8 => Some(web),
            _ => None,
        }
    }

    /// The encoding that non-UTF-8 texts, taken together, appear to be in.
    pub(crate) fn guess<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Encoding {
        let mut guess = EncodingGuess::default();
        texts.for_each(|text| guess.feed(text));
        guess.guess()
    }
}

/// Collects texts that are not UTF-8, to guess the encoding that all of them are in.
pub struct EncodingGuess {
    detector: EncodingDetector,
    evidence: usize,
}

impl Default for EncodingGuess {
    fn default() -> EncodingGuess {
        EncodingGuess { detector: EncodingDetector::new(Iso2022JpDetection::Deny), evidence: 0 }
    }
}

impl EncodingGuess {
    /// Takes a text.
    pub fn feed(&mut self, text: &[u8]) {
        self.evidence += letters(text);
        self.detector.feed(text, false);
        self.detector.feed(b"\n", false);
    }

    /// The encoding that the texts appear to be in.
    pub fn guess(mut self) -> Encoding {
        self.detector.feed(b"", true);
        let guess = Encoding(CharTable::Web(self.detector.guess(None, Utf8Detection::Deny)));
        // One accented letter fits many encodings equally well, so a guess from it would be worse than the most common
        // one. Multi-byte encodings are excluded because their bytes may contain ASCII delimiters, so the game would
        // already have been split wrongly.
        let sound = self.evidence >= LEAST_EVIDENCE && guess.of_whole_sources().is_none();
        if sound { guess } else { Encoding::USUAL }
    }
}

/// The number of non-ASCII bytes that look like letters: by themselves, or because they are next to one.
fn letters(text: &[u8]) -> usize {
    let before = std::iter::once(&b' ').chain(text);
    let after = text.iter().skip(1).chain(std::iter::once(&b' '));
    let with_neighbours = before.zip(text).zip(after);
    with_neighbours
        .filter(|((before, byte), after)| {
            let in_word = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
            **byte >= LETTERS || !byte.is_ascii() && in_word
        })
        .count()
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Parses a WHATWG encoding name, or another common spelling: `latin-1`, `cp1251`, `850`.
    fn from_str(name: &str) -> Result<Encoding, UnknownEncoding> {
        let plain = name.trim().to_ascii_lowercase();
        let joined = plain.replace(['-', '_', ' '], "");
        let number =
            ["cp", "ibm", "oem", "dos", "win", ""].iter().find_map(|start| joined.strip_prefix(start));
        let page = number.and_then(|number| number.parse::<u16>().ok());
        let numbered = page.map(|page| format!("cp{page}"));
        let web = [Some(plain), Some(joined), numbered].into_iter().flatten().find_map(|label| {
            let web = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
            (web.name() != "x-user-defined").then_some(CharTable::Web(web))
        });
        let dos = page.filter(|page| DECODING_TABLE_CP_MAP.contains_key(page)).map(CharTable::Dos);
        web.or(dos).map(Encoding).ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CharTable::Web(web) => f.write_str(web.name()),
            CharTable::Dos(page) => write!(f, "cp{page}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_names_and_other_spellings_are_accepted() {
        for (names, encoding) in [
            (&["windows-1252", "latin1", "latin-1", "Latin_1", "iso-8859-1", "cp1252"][..], "windows-1252"),
            (&["cp1251", "windows-1251", "1251", "win1251"], "windows-1251"),
            (&["cp437", "437", "IBM437"], "cp437"),
            (&["cp850", "cp852", "cp858"][..1], "cp850"),
            (&["cp866", "866", "ibm866"], "IBM866"),
            (&["koi8-r", "koi8"], "KOI8-R"),
            (&["macintosh", "mac"], "macintosh"),
            (&["utf-16le", "utf-16"], "UTF-16LE"),
            (&["gbk", "gb2312"], "GBK"),
            (&["utf8", "UTF-8"], "UTF-8"),
        ] {
            for name in names {
                assert_eq!(name.parse::<Encoding>().unwrap().to_string(), encoding, "{name}");
            }
        }
        for name in ["", "klingon", "cp9", "x-user-defined", "replacement", "hz-gb-2312"] {
            assert!(name.parse::<Encoding>().is_err(), "{name}");
        }
    }

    #[test]
    fn bytes_are_decoded_completely_or_rejected() {
        let decode = |name: &str, bytes: &'static [u8]| {
            name.parse::<Encoding>().unwrap().decode(bytes).map(Cow::into_owned)
        };
        assert_eq!(decode("cp437", b"M\x81ller, J\x94rg").as_deref(), Some("Müller, Jörg"));
        assert_eq!(decode("koi8-r", b"\xeb\xc1\xd2\xd0\xcf\xd7").as_deref(), Some("Карпов"));
        assert_eq!(decode("windows-1253", b"\xff"), None);
        assert_eq!(decode("cp857", b"\xd5"), None);
        assert_eq!(decode("gbk", b"\xcd\xf5"), None);
        let all: Vec<u8> = (0..=255).collect();
        let text = Encoding::USUAL.decode(&all).unwrap();
        assert!(text.chars().count() == 256 && !text.contains('\u{fffd}'));
    }

    #[test]
    fn a_guess_needs_evidence() {
        let guess = |encoding: &str, texts: &[&str]| {
            let label = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap();
            let bytes: Vec<Vec<u8>> = texts.iter().map(|text| label.encode(text).0.into_owned()).collect();
            Encoding::guess(bytes.iter().map(Vec::as_slice)).to_string()
        };
        for (encoding, name) in
            [("windows-1251", "windows-1251"), ("KOI8-R", "KOI8-U"), ("ISO-8859-5", "ISO-8859-5")]
        {
            assert_eq!(guess(encoding, &["Карпов, Анатолий", "Сильный ход"]), name);
        }
        for encoding in ["windows-1250", "ISO-8859-2"] {
            assert_eq!(guess(encoding, &["Šarić", "Wojtaszek, Radosław"]), encoding);
        }
        for names in [
            &["Müller, Jörg"][..],
            &["4th Marx György Mem"],
            &["Þórhallsson", "Ståhlberg"],
            &["José Raúl", "ein schöner Zug für Weiß"],
            &["André", "l'échec perpétuel"],
        ] {
            assert_eq!(guess("windows-1252", names), "windows-1252", "{names:?}");
        }
        // A single byte is not enough.
        assert_eq!(guess("windows-1250", &["Łomza"]), "windows-1252");
        // Multi-byte encodings are never guessed.
        assert_eq!(guess("gbk", &["丁立人", "叶江川"]), "windows-1252");
    }
}
