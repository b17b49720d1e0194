//! Opening codes (ECO): A00 to E99 as numbers.

use std::ops::RangeInclusive;

/// A00 to E99 as 0 to 499.
pub fn eco(value: &str) -> Option<u16> {
    let [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *value.as_bytes() else {
        return None;
    };
    Some(u16::from(letter - b'A') * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0'))
}

/// The code that a tag means, whatever follows it but a digit or the end of a range: the standard allows a number after it
/// (`D85/07`), and Scid writes letters and digits after it (`B90a`, `D85r1`).
pub fn eco_of_tag(value: &str) -> Option<u16> {
    let (code, rest) = value.trim().split_at_checked(3)?;
    let is_other = rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') || rest.starts_with("..");
    eco(&code.to_ascii_uppercase()).filter(|_| !is_other)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_codes_of_tags_count_as_their_code() {
        for text in
            ["D85", "D85/07", "D85r", "D85r1", " D85 ", "D85/01/02", "D85 Grünfeld", "d85", "D85.", "D85: x"]
        {
            assert_eq!(eco_of_tag(text), Some(385), "{text}");
        }
        for text in ["D850", "D8", "F00", "?", "", "d8", "D85..D89", "D85-D89", "Déé"] {
            assert_eq!(eco_of_tag(text), None, "{text}");
        }
    }
}
