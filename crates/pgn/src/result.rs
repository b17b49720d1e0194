//! Results as people write them: `1:0`, `1 - 0`, `½`, `0.5-0.5`, `0-0`, and results that follow a move without a space.

use plybook_chess::rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS};

/// PGN's result for a game that both sides lost: there is none.
const BOTH_LOST: Outcome = Outcome::Unknown;

/// The results, with normalized signs: `½` as `1/2`, all dashes and colons as `-`, decimal commas as points.
const RESULTS: [(&str, Outcome); 9] = [
    ("1/2-1/2", DRAW),
    ("1/2", DRAW),
    ("1-0", WHITE_WINS),
    ("0-1", BLACK_WINS),
    ("0.5-0.5", DRAW),
    ("1.0-0.0", WHITE_WINS),
    ("0.0-1.0", BLACK_WINS),
    ("0-0", BOTH_LOST),
    ("*", Outcome::Unknown),
];

/// Maximum length of a result with spaces, in bytes.
const LONGEST: usize = 24;

/// The result that a text denotes, whatever its spaces and signs.
pub(super) fn result_of(text: &str) -> Option<Outcome> {
    if let Ok(outcome) = Outcome::from_ascii(text.as_bytes()) {
        return Some(outcome);
    }
    if text.len() > LONGEST {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            ' ' | '\t' | '\u{a0}' => {}
            '½' => plain.push_str("1/2"),
            ',' => plain.push('.'),
            c if is_sign(c) => plain.push('-'),
            c => plain.push(c),
        }
    }
    RESULTS.iter().find(|(result, _)| *result == plain).map(|&(_, outcome)| outcome)
}

/// Whether a text says that both sides lost.
pub(super) fn both_lost(text: &str) -> bool {
    text.contains('0') && Outcome::from_ascii(text.as_bytes()).is_err() && result_of(text) == Some(BOTH_LOST)
}

/// The length of a result at the start of a movetext that is written with spaces, colons or decimals: `1 - 0`, `1:0`,
/// `0.5-0.5`.
pub(super) fn odd_result(text: &[u8]) -> Option<usize> {
    let (left, mut rest) = side(text)?;
    rest = without_blanks(rest);
    let sign = rest
        .get(..rest.len().min(3))?
        .utf8_chunks()
        .next()?
        .valid()
        .chars()
        .next()
        .filter(|&c| is_sign(c))?;
    let (right, after) = side(without_blanks(rest.get(sign.len_utf8()..)?))?;
    let fits = matches!((left, right), (2, 0) | (0, 2) | (1, 1) | (12, 10) | (10, 12) | (11, 11))
        || (left, right, sign) == (0, 0, ':');
    let ends = after.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-/=+#".contains(byte));
    (fits && ends).then_some(text.len() - after.len())
}

/// Whether a character stands between the two sides of a result.
fn is_sign(c: char) -> bool {
    matches!(c, ':' | '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Half points of one side, and the rest of the text. Decimals count ten more: both sides are written alike, and `1.0-0`
/// is a number and a move.
fn side(text: &[u8]) -> Option<(u8, &[u8])> {
    const SIDES: [(&str, u8); 10] = [
        ("1/2", 1),
        ("½", 1),
        ("0.5", 11),
        ("0,5", 11),
        ("1.0", 12),
        ("1,0", 12),
        ("0.0", 10),
        ("0,0", 10),
        ("1", 2),
        ("0", 0),
    ];
    SIDES.into_iter().find_map(|(side, points)| Some((points, text.strip_prefix(side.as_bytes())?)))
}

/// Skips a few spaces within a line.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take(3).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}

/// A move and the result that follows it without a space: `Qh51-0`.
pub(super) fn glued_result(word: &[u8]) -> Option<(&[u8], &[u8])> {
    const GLUED: [&str; 7] = ["1/2-1/2", "1/2\u{2013}1/2", "1/2", "1-0", "0-1", "1:0", "0:1"];
    let (length, _) = GLUED
        .iter()
        .map(|result| (result.len(), result))
        .find(|(_, result)| word.len() > result.len() + 1 && word.ends_with(result.as_bytes()))?;
    let parts = word.split_at_checked(word.len() - length)?;
    (!parts.0.ends_with(b"-")).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_all_notations() {
        for (text, outcome) in [
            ("1-0", WHITE_WINS),
            ("1:0", WHITE_WINS),
            (" 1 – 0 ", WHITE_WINS),
            ("0-1", BLACK_WINS),
            ("½", DRAW),
            ("½-½", DRAW),
            ("1/2", DRAW),
            ("1/2 - 1/2", DRAW),
            ("0-0", BOTH_LOST),
            ("0.5-0.5", DRAW),
            ("0,5 : 0,5", DRAW),
            ("1.0-0.0", WHITE_WINS),
            ("0,0—1,0", BLACK_WINS),
            ("1—0", WHITE_WINS),
            ("*", Outcome::Unknown),
        ] {
            assert_eq!(result_of(text), Some(outcome), "{text}");
        }
        for text in ["", "?", "1-1", "+/-", "1-0 FF", "10", "unfinished", &" ".repeat(99)] {
            assert_eq!(result_of(text), None, "{text}");
        }
        assert!(both_lost("0-0") && both_lost("0 : 0") && !both_lost("*") && !both_lost("1-0"));
    }

    #[test]
    fn results_with_spaces_are_distinguished_from_numbers() {
        for (text, length) in [
            ("1 - 0", 5),
            ("1/2 - 1/2 {x}", 9),
            ("0:1\n", 3),
            ("½ – ½", 9),
            ("0:0", 3),
            ("0.5-0.5 x", 7),
            ("0,5 - 0,5", 9),
            ("1.0-0.0", 7),
            ("0.0—1.0", 9),
            ("1—0", 5),
        ] {
            assert_eq!(odd_result(text.as_bytes()), Some(length), "{text}");
        }
        for text in [
            "1. e4", "1 e4", "0-0", "0-0-0", "1 -", "1 - 1", "1 - 0-0", "0 - 0", "10", "1", "", "1.0-0",
            "1.0-0-0", "1.0-0.5",
        ] {
            assert_eq!(odd_result(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_result_after_a_move_is_split_off() {
        let glued = |word: &'static str| {
            let (m, result) = glued_result(word.as_bytes())?;
            Some((std::str::from_utf8(m).unwrap(), std::str::from_utf8(result).unwrap()))
        };
        assert_eq!(glued("Qh51-0"), Some(("Qh5", "1-0")));
        assert_eq!(glued("Qxf7#1-0"), Some(("Qxf7#", "1-0")));
        assert_eq!(glued("e51/2-1/2"), Some(("e5", "1/2-1/2")));
        assert_eq!(glued("Kg10-1"), Some(("Kg1", "0-1")));
        assert_eq!(glued("O-O1-0"), Some(("O-O", "1-0")));
        for word in ["1-0", "0-0-0", "0-0", "e4", "O-O-O", "x1-0"] {
            assert_eq!(glued(word), None, "{word}");
        }
    }
}
