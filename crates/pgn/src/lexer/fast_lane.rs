//! The lexer's fast path. Nearly all movetexts are plain: move numbers, words, a result and nothing else. One short
//! pass finds their words; a movetext with anything else is left to the full [lexer](super).

use std::ops::Range;

use super::move_number;
use crate::lenient_san::nonstandard_san;
use plybook_chess::rules::Outcome;

/// The class of a byte in a plain movetext.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Class {
    Letter,
    Digit,
    /// Part of a move, but never its first byte.
    Mark,
    Blank,
    Dot,
    /// Does not occur in a plain movetext.
    Other,
}

// A table rather than comparisons: the class of the next byte is hard to predict, and comparisons would be
// mispredicted branches.
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

/// The words of a plain movetext; reused from game to game to avoid allocations.
#[derive(Clone, Debug, Default)]
pub struct PlainMovetext {
    words: Vec<Word>,
    result: Option<(Outcome, usize)>,
}

/// Offset and length of a word. The largest game has fewer than 2^32 bytes.
#[derive(Clone, Copy, Debug)]
struct Word {
    at: u32,
    length: u32,
}

impl PlainMovetext {
    /// Finds the words of a movetext whose first move comes after `first` plies. Returns `None` if it is not plain.
    pub fn read(&mut self, movetext: &[u8], first: usize) -> Option<&PlainMovetext> {
        self.words.clear();
        self.result = None;
        let mut rest = skip_while(movetext, |class| class == Class::Blank);
        while let [byte, after @ ..] = rest {
            let at = movetext.len() - rest.len();
            rest = match class(*byte) {
                Class::Blank => after_blanks(rest)?,
                // A word after the result is not accepted here: it may belong to the next game, which only the full
                // reader can decide.
                Class::Letter if self.result.is_none() => {
                    let after = after_word(rest)?;
                    let length = u32::try_from(rest.len() - after.len()).ok()?;
                    self.words.push(Word { at: u32::try_from(at).ok()?, length });
                    after
                }
                Class::Digit => match after_number(rest, move_number(first + self.words.len()))? {
                    Some(rest) => rest,
                    None => {
                        let (outcome, after) = result(rest)?;
                        self.end(outcome, at)?;
                        after
                    }
                },
                _ if *byte == b'*' => {
                    self.end(Outcome::Unknown, at)?;
                    after
                }
                _ => return None,
            };
        }
        Some(self)
    }

    /// Takes the result; there may be only one.
    fn end(&mut self, outcome: Outcome, at: usize) -> Option<()> {
        self.result.replace((outcome, at)).is_none().then_some(())
    }

    /// The number of words.
    pub fn count(&self) -> usize {
        self.words.len()
    }

    /// The byte ranges of the words, nearly all of which are moves.
    pub fn words(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.words.iter().map(|word| word.at as usize..word.at as usize + word.length as usize)
    }

    /// The result and its byte offset.
    pub fn result(&self) -> Option<(Outcome, usize)> {
        self.result
    }
}

/// What follows white space; a blank line between two tokens is not plain.
fn after_blanks(text: &[u8]) -> Option<&[u8]> {
    // Nearly always one space or one line end.
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

/// What follows a move, which must be spelled as usual and be followed by white space or the end.
fn after_word(text: &[u8]) -> Option<&[u8]> {
    if let Some(length) = usual_word(text) {
        return text.get(length..);
    }
    let length = text.iter().position(|&byte| class(byte) > Class::Mark).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(length)?;
    // The full reader gives warnings for nonstandard words; accepting them here would lose the warnings.
    (ends_here(rest) && nonstandard_san(word).is_none()).then_some(rest)
}

/// The length of a word of letters and digits that ends with a digit, then optionally `+` or `#`, then white space:
/// the form of nearly all moves. Eight bytes, enough for nearly all words and the space, are examined together: the
/// end of a word cannot be predicted, and one mispredicted branch costs more than examining all of them.
fn usual_word(text: &[u8]) -> Option<usize> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?);
    // Correct for the first byte that is at most a space; later bytes do not matter.
    let ends = bytes.wrapping_sub(each(b' ' + 1)) & !bytes & HIGH;
    let length = ends.trailing_zeros() as usize / 8;
    let (last, end) = (*text.get(length.checked_sub(1)?)?, *text.get(length)?);
    let checks = (last == b'+') | (last == b'#');
    // The high bit of each byte of the word, except for the check sign.
    let word = (HIGH & (ends & ends.wrapping_neg()).wrapping_sub(1)) >> if checks { 8 } else { 0 };
    let low = bytes & !HIGH;
    let (digits, letters) = (within(low, b'0', b'9'), within(low | each(b' '), b'a', b'z'));
    let usual = (digits | letters) & !bytes & word == word;
    let framed = letters & 0x80 != 0 && digits & word & !(word >> 8) != 0;
    // `Pe4` has this form as well, but needs a warning.
    (usual && framed && class(end) == Class::Blank && text.first() != Some(&b'P')).then_some(length)
}

/// The high bit of each of the eight bytes.
const HIGH: u64 = each(0x80);

/// Eight copies of the same byte.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// For eight ASCII bytes, sets the high bit of those within a range; the other bits are undefined.
fn within(bytes: u64, least: u8, greatest: u8) -> u64 {
    (bytes + each(0x80 - least)) & !(bytes + each(0x7f - greatest))
}

/// What follows a move number and its dots; the number must be correct. `Some(None)` if this is not a move number.
// A wrong number is left to the full reader, which accepts it with a warning. Checking it here costs one comparison,
// because the number of words read so far gives the expected one.
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

/// Reads a number of up to three digits and one dot; returns it and the rest.
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

/// Reads a result; returns it and the rest.
fn result(text: &[u8]) -> Option<(Outcome, &[u8])> {
    let rest = skip_while(text, |class| class != Class::Blank);
    Some((Outcome::from_ascii(&text[..text.len() - rest.len()]).ok()?, rest))
}

fn ends_here(rest: &[u8]) -> bool {
    rest.first().is_none_or(|&byte| class(byte) == Class::Blank)
}

#[cfg(test)]
mod tests;
