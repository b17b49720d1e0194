//! How similar a name is to a misspelled one: how many letters must change, in any order of the words.

use strsim::osa_distance;

use crate::{
    case_fold::{folded, latin},
    limits::MAX_TYPED_NAME_BYTES,
};

/// Maximum number of letters by which a word may differ; also at most one per three letters.
const MOST_CHANGES: usize = 3;

/// The cost of a word that is missing from the name, if another word matches exactly: more than any typo.
const MISSING: usize = 4;

/// Minimum length of a word that may match the beginning of another.
const PREFIX: usize = 3;

/// A name as typed by a user: one or, separated by semicolons, several.
#[derive(Debug)]
pub struct TypedName(Vec<Vec<Word>>);

impl TypedName {
    /// Prepares a name typed by a user.
    pub fn new(text: &str) -> TypedName {
        let text = if text.len() > MAX_TYPED_NAME_BYTES { "" } else { text };
        let names = text.split(';').map(|name| words(&plain(name)).map(Word::new).collect());
        TypedName(names.collect())
    }

    /// The minimum number of letters that must change to turn a name into the typed one; `None` if they are not
    /// similar. Case, accents and script are ignored, and so are words that only the name has.
    pub fn distance(&self, name: &str) -> Option<usize> {
        let plain = plain(name);
        let words: Vec<&str> = words(&plain).collect();
        // "Van Wely,L" may be typed as one word or as several.
        let surname: String = self::words(plain.split(',').next().unwrap_or_default()).collect();
        self.0.iter().filter_map(|typed| distance(typed, &words, &surname)).min()
    }
}

fn distance(typed: &[Word], name: &[&str], surname: &str) -> Option<usize> {
    let joined = Word::new(&typed.iter().map(|word| word.text.as_str()).collect::<String>());
    let by_words = || {
        let (mut sum, mut is_near, mut is_equal, mut lacks) = (0, false, false, false);
        for word in typed {
            let changes = name.iter().filter_map(|other| word.changes(other)).min();
            let has_initial = || name.iter().any(|other| word.is_initial(other));
            is_near |= changes.is_some();
            is_equal |= changes == Some(0);
            lacks |= changes.is_none() && !has_initial();
            sum += changes.unwrap_or_else(|| if has_initial() { 0 } else { MISSING });
        }
        (is_equal || is_near && !lacks).then_some(sum)
    };
    [joined.changes(surname), by_words()].into_iter().flatten().min()
}

/// Whether two words of at least four letters differ by one letter: replaced, added, or swapped with its neighbour.
pub(crate) fn differ_by_a_letter(one: &str, other: &str) -> bool {
    let is_long = |word: &str| word.chars().nth(3).is_some();
    is_long(one) && is_long(other) && osa_distance(one, other) == 1
}

/// A typed word.
#[derive(Debug)]
struct Word {
    text: String,
    /// A bit for each of its letters.
    letters: u64,
}

impl Word {
    fn new(text: &str) -> Word {
        Word { text: text.to_owned(), letters: letters(text) }
    }

    /// How many letters must change to turn another word into this one; `None` if too many. Single letters match no
    /// other word.
    fn changes(&self, other: &str) -> Option<usize> {
        let (own, length) = (self.text.len(), other.len());
        if own < 2 || length < 2 {
            return None;
        }
        if own >= PREFIX && other.starts_with(&self.text) {
            return Some(usize::from(own < length));
        }
        let most = (own / 3).min(MOST_CHANGES);
        // Nearly all words differ in more letters or in length, which is faster to detect than the distance.
        let differ = (self.letters ^ letters(other)).count_ones() as usize > 2 * most;
        if own.abs_diff(length) > most || differ {
            return None;
        }
        Some(osa_distance(&self.text, other)).filter(|changes| *changes <= most)
    }

    /// Whether one of two words is a single letter, and the other begins with it.
    fn is_initial(&self, other: &str) -> bool {
        let (own, length) = (self.text.len(), other.len());
        (own == 1 || length == 1) && self.text.as_bytes().first() == other.as_bytes().first()
    }
}

fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte % 64))
}

/// A name in lower-case ASCII, without apostrophes; "ph" becomes "f".
fn plain(name: &str) -> String {
    latin(&folded(name)).replace('\'', "").replace("ph", "f")
}

fn words(plain: &str) -> impl Iterator<Item = &str> {
    plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_few_letters_are_similar() {
        for (typed, name, expected) in [
            ("Carlsn", "Carlsen,M", Some(1)),
            ("magnus carlsn", "Carlsen, Magnus", Some(1)),
            ("Carlsn, Magnus", "Carlsen,M", Some(1)),
            ("Karlsne", "Carlsen,M", Some(2)),
            ("Morfy", "Morphy, Paul", Some(0)),
            ("\"Carlsn,M\"", "Carlsen,M", Some(1)),
            ("carlsn*", "Carlsen,M", Some(1)),
            ("xyz; carlsn", "Carlsen,M", Some(1)),
            ("Каспарав", "Kasparov,G", Some(1)),
            ("Kasparof", "Каспаров, Гарри", Some(1)),
            ("Gruenfeld", "Grünfeld, Ernst", Some(1)),
            ("okely", "O'Kelly de Galway", Some(1)),
            ("mc shane", "McShane,L", Some(0)),
            ("vanwely", "Van Wely,L", Some(0)),
            ("kasp", "Kasparov,G", Some(1)),
            ("bobby fischer", "Fischer,R", Some(4)),
            ("wik aan zee", "Wijk aan Zee", Some(1)),
            ("nobodyhere", "Carlsen,M", None),
            ("bobby fisher", "Fischer,R", None),
            ("magnus", "Carlsen,M", None),
            ("m", "Carlsen,M", None),
            ("ta", "Tal,M", None),
            ("", "Carlsen,M", None),
            ("*", "", None),
        ] {
            assert_eq!(TypedName::new(typed).distance(name), expected, "{typed} {name}");
        }
        let long = "carlsn ".repeat(MAX_TYPED_NAME_BYTES);
        assert_eq!(TypedName::new(&long).distance("Carlsen,M"), None);
    }
}
