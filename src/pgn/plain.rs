//! A quick look at a movetext. Nearly all are plain: move numbers, words, a result and nothing else. Those
//! are counted here in one short pass; whatever has anything more is left to the [audit](super::audit).

use super::audit::{Audit, Counts};

/// What a byte is in a plain movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Letter,
    Digit,
    Dot,
    /// Belongs to a move, but begins none.
    Mark,
    /// Not plain.
    Other,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => Class::Blank,
            b'A'..=b'Z' | b'a'..=b'z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'.' => Class::Dot,
            b'+' | b'#' | b'=' | b'-' => Class::Mark,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Counts the tokens of a plain movetext; `None` if it is not plain.
pub fn plain(movetext: &[u8]) -> Option<Audit> {
    let mut counts = Counts::default();
    let mut rest = movetext;
    while let [byte, after @ ..] = rest {
        rest = match class(*byte) {
            Class::Blank => after,
            Class::Letter if counts.results == 0 => {
                counts.words += 1;
                after_word(after)?
            }
            Class::Digit => match after_number(after) {
                Some(rest) => rest,
                None => {
                    counts.results += 1;
                    after_result(rest)?
                }
            },
            _ if *byte == b'*' => {
                counts.results += 1;
                after
            }
            _ => return None,
        };
    }
    Some(Audit { mainline: counts, inner: Counts::default(), line_comments: 0, end: movetext.len() })
}

fn skip_while(text: &[u8], wanted: impl Fn(Class) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| !wanted(class(byte))).unwrap_or(text.len());
    &text[end..]
}

/// What follows a move, which must end at a blank or the end.
fn after_word(text: &[u8]) -> Option<&[u8]> {
    let rest = skip_while(text, |class| matches!(class, Class::Letter | Class::Digit | Class::Mark));
    ends_here(rest).then_some(rest)
}

/// What follows a move number and its dots.
fn after_number(text: &[u8]) -> Option<&[u8]> {
    let rest = skip_while(text, |class| class == Class::Digit);
    let after_dots = skip_while(rest, |class| class == Class::Dot);
    (after_dots.len() < rest.len() || ends_here(rest)).then_some(after_dots)
}

fn after_result(text: &[u8]) -> Option<&[u8]> {
    let mut results = [b"1-0".as_slice(), b"0-1", b"1/2-1/2"].into_iter();
    let rest = results.find_map(|result| text.strip_prefix(result))?;
    ends_here(rest).then_some(rest)
}

fn ends_here(rest: &[u8]) -> bool {
    rest.first().is_none_or(|&byte| class(byte) == Class::Blank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::audit::audit, *};

    #[test]
    fn plain_games_are_counted_and_others_left_alone() {
        let counts = plain(b"1. e4 e5 2.Nf3 Nc6 3... O-O-O bxa8=Q+ 1/2-1/2\r\n").unwrap().mainline;
        assert_eq!((counts.words, counts.results), (6, 1));
        for odd in
            ["1. e4 {x}", "e4!", "e4 $1", "(e4)", "0-0", "1-0 e4", "e4 1-", "½", ";", "e4.", "1..e4-0)"]
        {
            assert_eq!(plain(odd.as_bytes()), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_count_equals_the_audit(text in "([1-3]\\.{0,3} ?|[NOa-e][3-6x]?[a-f1-8+#=O-]{0,4}[ \n]|1-0|0-1|1/2-1/2|\\*|[ {}!($;%]){0,12}") {
            if let Some(quick) = plain(text.as_bytes()) {
                prop_assert_eq!(audit(text.as_bytes()).ok(), Some(quick), "{}", text);
            }
        }
    }
}
