//! How near a name is to one that somebody misspelt: how many letters must change, whatever the order of the words.

use strsim::osa_distance;

use crate::{
    case_fold::{folded, latin},
    limits::MAX_TYPED_NAME_BYTES,
};

/// Letters that a word may differ by: one for each three that it has, but no more than these.
const MOST_CHANGES: usize = 3;

/// What a word costs that is not in the name at all, where another one is there letter for letter: more than any typo.
const MISSING: usize = 4;

/// Letters that a word must have at least to be taken for the beginning of another.
const PREFIX: usize = 3;

/// A name as somebody typed it: one or, with semicolons between them, several.
#[derive(Debug)]
pub struct TypedName(Vec<Vec<Word>>);

impl TypedName {
    /// Prepares a name that somebody typed.
    pub fn new(text: &str) -> TypedName {
        let text = if text.len() > MAX_TYPED_NAME_BYTES { "" } else { text };
        let names = text.split(';').map(|name| words(&plain(name)).map(Word::new).collect());
        TypedName(names.collect())
    }

    /// How many letters must change, at least, for a name to be what was typed; `None` if it is not near that. Case,
    /// accents and script do not count, nor do words that only the name has.
    pub fn distance(&self, name: &str) -> Option<usize> {
        let plain = plain(name);
        let words: Vec<&str> = words(&plain).collect();
        // Of "Van Wely,L" what may be typed as one word or as more.
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

/// Whether two words, neither of them short, differ by one letter: another one, one more, or two that changed places.
pub(crate) fn differ_by_a_letter(one: &str, other: &str) -> bool {
    let is_long = |word: &str| word.chars().nth(3).is_some();
    is_long(one) && is_long(other) && osa_distance(one, other) == 1
}

/// A word that was typed.
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

    /// How many letters must change for another word to be this one; `None` if these are too many. Single letters are
    /// like no others.
    fn changes(&self, other: &str) -> Option<usize> {
        let (own, length) = (self.text.len(), other.len());
        if own < 2 || length < 2 {
            return None;
        }
        if own >= PREFIX && other.starts_with(&self.text) {
            return Some(usize::from(own < length));
        }
        let most = (own / 3).min(MOST_CHANGES);
        // Nearly all words differ in length or letters by more, which is seen sooner than how much it is.
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

/// A name in lower case and ASCII, without apostrophes; "ph" sounds like "f".
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
    fn a_name_is_near_that_differs_by_few_letters() {
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
