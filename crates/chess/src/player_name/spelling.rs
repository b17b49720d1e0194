//! The ways to spell a name without accents: "Hübner" as Hubner and Huebner.

use unicode_normalization::UnicodeNormalization;

use crate::case_fold::folded;

/// The spellings of a text without accents, keeping script and case: with `ä`, `ö`, `ü`, `ø` and `å` as one letter,
/// with an added e, and with `å` as two letters; `đ` as d and as dj.
pub(super) fn spellings(text: &str) -> Vec<String> {
    if text.is_ascii() {
        return vec![text.to_owned()];
    }
    let composed: String = text.nfc().collect();
    let mut ways =
        vec![spelled(&composed, |_| None), spelled(&composed, with_e), spelled(&composed, with_two)];
    ways.dedup();
    ways
}

fn with_e(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ä' | 'å' => "ae",
        'ö' | 'ø' => "oe",
        'ü' => "ue",
        'đ' => "dj",
        _ => return None,
    })
}

fn with_two(letter: char) -> Option<&'static str> {
    if letter == 'å' { Some("aa") } else { with_e(letter) }
}

/// A text without accents, with special spellings for some lower-case letters. A capital stays a single letter,
/// because capitals identify initials.
fn spelled(text: &str, way: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let small = c.to_lowercase().next().unwrap_or(c);
        let plain = way(small).map_or_else(|| folded(c.encode_utf8(&mut [0; 4])), str::to_owned);
        if c.is_uppercase() { out += &plain.to_uppercase() } else { out += &plain }
    }
    out
}
