//! A quick look at a movetext. Nearly all are plain: move numbers, words, a result and nothing else. Those
//! are counted here in one short pass; whatever has anything more is left to the [audit](super::audit).

use super::{
    audit::{Audit, Counts, number_at},
    lenient_san::nonstandard_san,
};

/// What a byte is in a plain movetext.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Class {
    Letter,
    Digit,
    /// Belongs to a move, but begins none.
    Mark,
    Blank,
    Dot,
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

/// Counts the tokens of a plain movetext, whose first move has so many plies before it; `None` if it is not
/// plain.
pub fn plain(movetext: &[u8], first: usize) -> Option<Audit> {
    let mut counts = Counts::default();
    let mut rest = skip_while(movetext, |class| class == Class::Blank);
    while let [byte, after @ ..] = rest {
        rest = match class(*byte) {
            Class::Blank => after_blanks(rest)?,
            Class::Letter if counts.results == 0 => {
                counts.words += 1;
                after_word(rest)?
            }
            Class::Digit => match after_number(rest, number_at(first + counts.words))? {
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
    let end = movetext.len();
    (counts.results <= 1).then_some(Audit {
        mainline: counts,
        plain: true,
        blank_line: false,
        odd_blanks: false,
        punctuation: None,
        end,
    })
}

/// What follows some blanks; between two tokens they hold no blank line.
fn after_blanks(text: &[u8]) -> Option<&[u8]> {
    // Nearly always one blank or one end of a line.
    match text {
        [b' ' | b'\n', next, ..] if class(*next) != Class::Blank => return text.get(1..),
        [b'\r', b'\n', next, ..] if class(*next) != Class::Blank => return text.get(2..),
        _ => {}
    }
    let rest = skip_while(text, |class| class == Class::Blank);
    let blanks = &text[..text.len() - rest.len()];
    let ends = |wanted| blanks.iter().filter(|&&byte| byte == wanted).count();
    (rest.is_empty() || ends(b'\n').max(ends(b'\r')) < 2).then_some(rest)
}

#[inline]
fn skip_while(text: &[u8], wanted: impl Fn(Class) -> bool) -> &[u8] {
    let mut rest = text;
    while let [byte, after @ ..] = rest
        && wanted(class(*byte))
    {
        rest = after;
    }
    rest
}

/// What follows a move, which must be spelled as usual and end at a blank or the end.
fn after_word(text: &[u8]) -> Option<&[u8]> {
    if let Some(length) = usual_word(text) {
        return text.get(length..);
    }
    let length = text.iter().position(|&byte| class(byte) > Class::Mark).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(length)?;
    (ends_here(rest) && nonstandard_san(word).is_none()).then_some(rest)
}

/// The length of a word of letters and digits that ends with a digit, then perhaps `+` or `#`, then a blank: what
/// nearly all moves are. Eight bytes, as many as nearly all words and a blank have, are looked at together: where
/// a word ends cannot be foreseen, and a wrong guess costs more than all of them.
fn usual_word(text: &[u8]) -> Option<usize> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?);
    // Right for the first byte that is no more than a blank; what comes after it does not matter.
    let ends = bytes.wrapping_sub(each(b' ' + 1)) & !bytes & HIGH;
    let length = ends.trailing_zeros() as usize / 8;
    let (last, end) = (*text.get(length.checked_sub(1)?)?, *text.get(length)?);
    let checks = (last == b'+') | (last == b'#');
    // The high bit of each byte of the word but for the sign of check.
    let word = (HIGH & (ends & ends.wrapping_neg()).wrapping_sub(1)) >> if checks { 8 } else { 0 };
    let low = bytes & !HIGH;
    let (digits, letters) = (within(low, b'0', b'9'), within(low | each(b' '), b'a', b'z'));
    let usual = (digits | letters) & !bytes & word == word;
    let framed = letters & 0x80 != 0 && digits & word & !(word >> 8) != 0;
    (usual && framed && class(end) == Class::Blank && text.first() != Some(&b'P')).then_some(length)
}

/// The high bit of each of eight bytes.
const HIGH: u64 = each(0x80);

/// Eight times the same byte.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Eight bytes of ASCII, the high bit set of those that are in a range; their other bits mean nothing.
fn within(bytes: u64, least: u8, greatest: u8) -> u64 {
    (bytes + each(0x80 - least)) & !(bytes + each(0x7f - greatest))
}

/// What follows a move number and its dots; the number must be right. `Some(None)` if this is no move number.
fn after_number(text: &[u8], right: usize) -> Option<Option<&[u8]>> {
    if let Some((number, rest)) = usual_number(text) {
        return (number == right).then_some(Some(rest));
    }
    let rest = skip_while(text, |class| class == Class::Digit);
    let after_dots = skip_while(rest, |class| class == Class::Dot);
    if after_dots.len() == rest.len() && !ends_here(rest) {
        return Some(None);
    }
    let digits = &text[..text.len() - rest.len()];
    let number = digits
        .iter()
        .try_fold(0usize, |number, digit| number.checked_mul(10)?.checked_add(usize::from(digit - b'0')));
    (number == Some(right)).then_some(Some(after_dots))
}

/// A number of up to three digits and one dot, and what follows.
fn usual_number(text: &[u8]) -> Option<(usize, &[u8])> {
    let value = |digit: u8| usize::from(digit - b'0');
    let (number, rest) = match text {
        [a @ b'0'..=b'9', b'.', rest @ ..] => (value(*a), rest),
        [a @ b'0'..=b'9', b @ b'0'..=b'9', b'.', rest @ ..] => (10 * value(*a) + value(*b), rest),
        [a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', b'.', rest @ ..] => {
            (100 * value(*a) + 10 * value(*b) + value(*c), rest)
        }
        _ => return None,
    };
    (rest.first() != Some(&b'.')).then_some((number, rest))
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
        let counts = plain(b"\n\n1. e4 e5 2.Nf3 Nc6 3. O-O-O\r\nbxa8=Q+ 1/2-1/2\r\n\r\n", 0).unwrap();
        assert_eq!((counts.mainline.words, counts.mainline.results), (6, 1));
        for odd in [
            "1. e4 {x}",
            "e4!",
            "e4 $1",
            "(e4)",
            "0-0",
            "1-0 e4",
            "e4 1-",
            "½",
            ";",
            "e4.",
            "1..e4-0)",
            "Pe4",
            "a8=q",
            "e4\n\ne5",
            "2. e4",
            "1\n\n1-0",
        ] {
            assert_eq!(plain(odd.as_bytes(), 0), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn usual_words_are_what_they_are_said_to_be(text in "[a-hNPOx1-8+#=. \t!-]{0,12}|[NQa-h][a-h1-8x]{1,6}[+#]?[ \r\n]?|\\PC{8,9}") {
            let bytes = text.as_bytes();
            let end = bytes.iter().position(|byte| b" \t\r\n".contains(byte)).unwrap_or(bytes.len());
            let word = text.get(..end).filter(|_| end <= 8 && bytes.len() > end.max(7)).unwrap_or("");
            let core = word.strip_suffix(['+', '#']).unwrap_or(word);
            let usual = core.chars().all(|c| c.is_ascii_alphanumeric())
                && core.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'P')
                && core.ends_with(|c: char| c.is_ascii_digit());
            prop_assert_eq!(usual_word(bytes), usual.then_some(word.len()));
        }

        #[test]
        fn the_quick_count_equals_the_audit(
            text in "([1-3]\\.{0,3} ?|[NOPa-e][3-6x]?[a-f1-8+#=O-]{0,4}[ \n]|1-0|0-1|1/2-1/2|\\*|[ \r\n{}!($;%]){0,12}",
            first in 0usize..3,
        ) {
            if let Some(quick) = plain(text.as_bytes(), first) {
                prop_assert_eq!(audit(text.as_bytes(), first).ok(), Some(quick), "{}", text);
            }
        }
    }
}
