//! Text from outside, as it may be shown to people.
//!
//! Tag values, comments, file names and the words of an error can hold anything: sequences that take a terminal
//! over, marks that turn the order of letters around, letters that nobody sees. Here those stand escaped as in
//! Rust (`\u{1b}`); everything else, a backslash too, stays as it is. What programs read (PGN, FEN, JSON, CSV)
//! is no matter for this: it holds such characters as its format has them.

use std::borrow::Cow;

/// A text for one line: its own line breaks and tabs are escaped too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_visible)
}

/// A text whose line feeds and tabs are its layout.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t') || is_visible(c))
}

/// Not so are: controls (C0, DEL, C1), soft hyphens, letters without width, marks of direction, separators of
/// lines and paragraphs, tags of languages.
fn is_visible(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Without a way out of the loop, it takes many bytes at a time.
    let is_plain = text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    if is_plain || text.chars().all(&stays) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if stays(c) { shown.push(c) } else { shown.extend(c.escape_unicode()) }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_or_a_terminal_obeys_is_escaped() {
        for (text, shown) in [
            ("Ng1-f3, Müller – 王, é e\u{301}, 👍🏽, C:\\x", "Ng1-f3, Müller – 王, é e\u{301}, 👍🏽, C:\\x"),
            ("\x1b]0;x\x07", "\\u{1b}]0;x\\u{7}"),
            ("\u{9b}31m\x7f\0", "\\u{9b}31m\\u{7f}\\u{0}"),
            ("\u{202e}abc\u{2066}\u{200f}", "\\u{202e}abc\\u{2066}\\u{200f}"),
            ("a\u{200b}b\u{feff}\u{2028}", "a\\u{200b}b\\u{feff}\\u{2028}"),
            ("a\nb\tc\rd", "a\\u{a}b\\u{9}c\\u{d}d"),
        ] {
            assert_eq!(line(text), shown);
        }
        assert_eq!(lines("a\n\tb\r\x1b"), "a\n\tb\\u{d}\\u{1b}");
    }

    #[test]
    fn what_is_shown_is_shown_again_as_it_is() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let shown = line(c.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(line(&shown), shown);
            assert!(!shown.contains(char::is_control));
        }
    }
}
