//! Folds names for comparison: case, accents, and letters of other scripts.

use any_ascii::any_ascii;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A name in lower case without accents: "Đurić, Šahović" becomes "duric, sahovic".
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        // The common case: nothing to decompose.
        return name.to_ascii_lowercase();
    }
    let mut text = String::with_capacity(name.len());
    for c in name.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ø' => text.push('o'),
            'ł' => text.push('l'),
            'đ' | 'ð' => text.push('d'),
            'ı' => text.push('i'),
            'ß' => text.push_str("ss"),
            'æ' => text.push_str("ae"),
            'œ' => text.push_str("oe"),
            'þ' => text.push_str("th"),
            c => text.push(c),
        }
    }
    text
}

/// A name in lower case, with each letter of another script transliterated to Latin: "Каспаров" becomes "kasparov".
pub(crate) fn latin(name: &str) -> String {
    with_latin_letters(name).to_ascii_lowercase()
}

/// Like [`latin`], but keeps the case: "Каспаров" becomes "Kasparov".
pub(crate) fn with_latin_letters(name: &str) -> String {
    any_ascii(name)
}
