//! Opening codes (ECO): A00 to E99 as numbers.

use std::ops::RangeInclusive;

/// A00 to E99 as 0 to 499.
pub fn eco(value: &str) -> Option<u16> {
    let [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *value.as_bytes() else {
        return None;
    };
    Some(u16::from(letter - b'A') * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0'))
}

/// 0 to 499 as A00 to E99.
pub fn eco_text(eco: i64) -> String {
    let letter = u8::try_from(eco / 100).map_or('?', |letter| char::from(b'A'.saturating_add(letter)));
    format!("{letter}{:02}", eco % 100)
}

/// A range of opening codes as numbers: `B90`, `B90..B99`, `B9` (B90 to B99), `B` (B00 to B99), `..B99`, `B90..`.
/// `None` for any other text.
pub fn eco_range(text: &str) -> Option<RangeInclusive<u16>> {
    let text = text.trim();
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let filled = |end: &str, open: &str| {
        let code = end.trim().trim_end_matches('*').to_ascii_uppercase();
        let missing = open.get(code.len()..).unwrap_or_default();
        eco(&(code + missing))
    };
    Some(filled(from, "A00")?..=filled(to.trim_start_matches('='), "E99")?)
}
