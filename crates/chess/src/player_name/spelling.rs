//! The ways to spell the letters of a name: "Hübner" is Hubner and Huebner.

use unicode_normalization::UnicodeNormalization;

use crate::case_fold::folded;

/// A text without accents, in the letters and the case that it has: with `ä`, `ö`, `ü`, `ø` and `å` as one letter, with an
/// e behind it, and with `å` as two; `đ` as d and as dj.
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

/// A text without accents, some of its small letters being spelled in a way of their own. A capital stays one, since
/// capitals tell initials.
fn spelled(text: &str, way: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let small = c.to_lowercase().next().unwrap_or(c);
        let plain = way(small).map_or_else(|| folded(c.encode_utf8(&mut [0; 4])), str::to_owned);
        if c.is_uppercase() { out += &plain.to_uppercase() } else { out += &plain }
    }
    out
}
