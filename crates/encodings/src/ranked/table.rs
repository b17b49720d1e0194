//! The weights of [`played`](super::played) positions, counted on real games.
//!
//! `weights.txt` contains a row of letters for each question, and each letter is a weight. The letters are `0`, `1`,
//! `2` and so on in ASCII order up to `_`; letter number n is the weight
//!
//! ```text
//! (4, 5, 6, 7)[n mod 4] · 2^⌊n/4⌋ / 4, at least 1
//! ```
//!
//! A weight is therefore accurate to within a tenth, which costs almost nothing, and the product of eight times the
//! largest, 3584, fits into 128 bits.

use std::{collections::HashMap, sync::LazyLock};

/// Identifies a row of weights: what is coded, and two numbers for the context.
pub type Question = (char, usize, usize);

/// Rows of weights by question.
static TABLE: LazyLock<HashMap<Question, Vec<u32>>> = LazyLock::new(|| read(include_str!("weights.txt")));

/// The weights for a question; empty if there are none.
pub(super) fn row(question: Question) -> &'static [u32] {
    TABLE.get(&question).map_or(&[], Vec::as_slice)
}

/// The letter of the closest weight; the inverse of [`weight`].
pub fn letter(weight: f64) -> char {
    let distance = |letter: &char| (f64::from(self::weight(*letter)) / weight).ln().abs();
    // Ties do not occur between weights a tenth apart.
    let closer = |a: &char, b: &char| distance(a).total_cmp(&distance(b));
    letters().min_by(closer).unwrap_or('0')
}

/// The letters, from the smallest to the largest weight. (The first four all mean 1; one of them is enough.)
fn letters() -> impl Iterator<Item = char> {
    '0'..='_'
}

/// The weight of a letter.
pub fn weight(letter: char) -> u32 {
    let number = u32::from(letter).saturating_sub(u32::from('0')).min(47);
    (((4 + number % 4) << (number / 4)) / 4).max(1)
}

/// Reads rows of the form `name number number letters …`; spaces between the letters are for readability.
fn read(text: &str) -> HashMap<Question, Vec<u32>> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.chars().next().filter(|&name| name != '#')?;
        let question = (name, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some((question, words.flat_map(str::chars).map(weight).collect()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_weights_and_back() {
        assert_eq!(("0123".chars().map(weight).collect::<Vec<_>>()), [1, 1, 1, 1]);
        assert_eq!(("4567".chars().map(weight).collect::<Vec<_>>()), [2, 2, 3, 3]);
        assert_eq!(("89:;".chars().map(weight).collect::<Vec<_>>()), [4, 5, 6, 7]);
        assert_eq!(weight('_'), 3584);
        for letter in letters() {
            assert_eq!(weight(self::letter(weight(letter).into())), weight(letter));
        }
    }

    #[test]
    fn every_row_has_its_length() {
        for (&(name, a, b), row) in TABLE.iter() {
            let length = match name {
                'W' | 'w' => 9,
                'D' | 'd' | 'T' | 't' | 'L' | 'l' | 'H' | 'h' => 4,
                'E' => 1,
                _ => 64,
            };
            assert_eq!(row.len(), length, "{name} {a} {b}");
        }
    }
}
