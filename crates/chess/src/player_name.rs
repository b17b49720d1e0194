//! Whether two spellings of a player's name may denote the same player: "Adams, Michael" matches `Adams,Mi`, but not
//! `Rohde, Michael A`.

mod given_names;
mod person;
mod similar;
mod spelling;
mod spoken;

pub use self::spoken::{Likeness, SpokenName};
use self::{person::Person, spelling::spellings};
use crate::{
    case_fold::{folded, latin, with_latin_letters},
    name_pattern::{MOST_PATTERNS, between_semicolons, fits_stars, quoted},
};

/// Whether a player's name matches a pattern, ignoring case, accents and script.
///
/// - If the name or the pattern has a comma, the family name of one must occur in the other as complete words, and the
///   given names must agree in order: equal, an initial, or a prefix: "Carlsen, Magnus" matches `Carlsen,M` and
///   `Carlsen,Mag`. A name without any given name does not match a pattern that has one.
/// - If neither has a comma, each word of the pattern must be a word of the name, in any order, or an initial of one.
/// - A short table has other forms of given names: "Gary" matches `Garry`, and "Bobby" matches `Robert` and `R`.
/// - `*` matches any characters of the complete name, in which commas, points, hyphens and spaces are treated alike:
///   `adams mi*`.
/// - A pattern in quotation marks matches only the complete name, letter by letter, and `*` has no special meaning.
/// - Several patterns, at most 1,000, may be separated by semicolons; one match is enough.
///
/// ```
/// use plybook_chess::player_name::same_player;
/// assert!(same_player("Huebner,R", "Hübner, Robert"));
/// assert!(!same_player("Adams,Ma", "Adams, Michael"));
/// ```
pub fn same_player(name: &str, pattern: &str) -> bool {
    PlayerPattern::new(pattern).fits(name)
}

/// A pattern, compiled for use with many names.
#[derive(Debug)]
pub struct PlayerPattern(Vec<OneOf>);

/// One of the patterns between semicolons.
#[derive(Debug)]
enum OneOf {
    /// The complete name, for a pattern in quotation marks or without any word.
    Whole(String),
    Stars(String),
    People(NameQuery),
}

/// The persons of a pattern.
#[derive(Debug)]
struct NameQuery {
    spelled: NameReadings,
    /// The letters of each word that may be a family name, in Latin letters.
    words: Vec<u64>,
}

impl PlayerPattern {
    /// Compiles a pattern; only the first [`MOST_PATTERNS`] alternatives are used.
    pub fn new(pattern: &str) -> PlayerPattern {
        PlayerPattern(between_semicolons(pattern).take(MOST_PATTERNS).map(OneOf::new).collect())
    }

    /// Whether a name that does not match may be a misspelled match.
    pub fn is_similar_to(&self, name: &str) -> bool {
        self.resembles(name) && !self.fits(name)
    }

    /// Whether a name may be a misspelled match: its family name or a given name differs by at most one letter.
    pub fn resembles(&self, name: &str) -> bool {
        // Compares the part before a comma, unless it may be more than a family name.
        let family =
            name.split_once(',').filter(|(before, _)| !before.contains([':', '/', '&', '+', '(', '.']));
        let letters = ascii_letters(family.map_or(name, |(family, _)| family));
        let may_be = |one: &OneOf| matches!(one, OneOf::People(people) if people.may_be_similar_to(letters, family.is_some()));
        if !self.0.iter().any(may_be) {
            return false;
        }
        let of = NameReadings::new(name);
        let is_similar =
            |one: &OneOf| matches!(one, OneOf::People(people) if people.spelled.is_similar_to(&of));
        self.0.iter().any(is_similar)
    }

    /// Whether a name matches, as defined by [`same_player`].
    pub fn fits(&self, name: &str) -> bool {
        let letters = ascii_letters(name);
        self.0.iter().any(|one| one.fits(name, letters))
    }
}

impl OneOf {
    fn new(pattern: &str) -> OneOf {
        if let Some(name) = quoted(pattern) {
            return OneOf::Whole(folded(name));
        }
        if pattern.contains('*') {
            return OneOf::Stars(with_one_separator(&folded(pattern)));
        }
        let spelled = NameReadings::new(pattern);
        if spelled.has_words() {
            OneOf::People(NameQuery::new(spelled))
        } else {
            OneOf::Whole(folded(pattern))
        }
    }

    fn fits(&self, name: &str, letters: Option<u64>) -> bool {
        match self {
            OneOf::Whole(whole) => folded(name) == *whole,
            OneOf::Stars(stars) => {
                let in_its_script = with_one_separator(&folded(name));
                fits_stars(&in_its_script, stars)
                    || !name.is_ascii() && fits_stars(&with_one_separator(&latin(&in_its_script)), stars)
            }
            OneOf::People(pattern) => {
                pattern.may_fit(letters) && pattern.spelled.fits(&NameReadings::new(name))
            }
        }
    }
}

/// Most names lack some letter of each family name, which is faster to detect than splitting the name into words. A
/// name that is not ASCII may have any letters.
impl NameQuery {
    fn new(spelled: NameReadings) -> NameQuery {
        let people = spelled.latin.as_ref().unwrap_or(&spelled.own).iter().flatten();
        let words = people.flat_map(Person::family_words).map(letters).collect();
        NameQuery { spelled, words }
    }

    /// Whether a name has all letters of one of the words.
    fn may_fit(&self, name: Option<u64>) -> bool {
        name.is_none_or(|name| self.words.iter().any(|word| word & !name == 0))
    }

    /// Whether a name has all letters of one of the words except one; if it is a family name, it has at most one other
    /// letter.
    fn may_be_similar_to(&self, name: Option<u64>, is_family: bool) -> bool {
        name.is_none_or(|name| {
            let others = self.words.iter().fold(name, |others, word| others & !word);
            let is_near = |word: &u64| (word & !name).count_ones() <= 1;
            self.words.iter().any(is_near) && (!is_family || others.count_ones() <= 1)
        })
    }
}

/// The possible meanings of a text: for each spelling, the persons whose names it combines.
#[derive(Debug)]
struct NameReadings {
    own: Vec<Vec<Person>>,
    /// In Latin letters, if the text has others.
    latin: Option<Vec<Vec<Person>>>,
}

impl NameReadings {
    fn new(text: &str) -> NameReadings {
        let own = spellings(text);
        let people = |texts: &[String]| texts.iter().map(|text| Person::all(text)).collect();
        let latin: Option<Vec<String>> = own
            .iter()
            .any(|text| !text.is_ascii())
            .then(|| own.iter().map(|text| with_latin_letters(text)).collect());
        NameReadings { own: people(&own), latin: latin.as_deref().map(people) }
    }

    fn has_words(&self) -> bool {
        self.own.iter().flatten().any(Person::has_words)
    }

    /// Whether each person of this text is one of the name's.
    fn fits(&self, name: &NameReadings) -> bool {
        self.is_in(name, Person::can_be)
    }

    fn is_similar_to(&self, name: &NameReadings) -> bool {
        self.is_in(name, Person::is_similar_to)
    }

    fn is_in(&self, name: &NameReadings, can_be: fn(&Person, &Person) -> bool) -> bool {
        let (pattern, name) = match (&self.latin, &name.latin) {
            // Names in the same script are compared in that script: words that only sound alike are different.
            (Some(_), Some(_)) => (&self.own, &name.own),
            (latin, others) => (latin.as_ref().unwrap_or(&self.own), others.as_ref().unwrap_or(&name.own)),
        };
        let are_in = |pattern: &[Person], name: &[Person]| {
            !pattern.is_empty()
                && pattern.iter().all(|sought| name.iter().any(|person| can_be(sought, person)))
        };
        pattern.iter().any(|pattern| name.iter().any(|name| are_in(pattern, name)))
    }
}

/// The letters of a name, if it is ASCII.
fn ascii_letters(name: &str) -> Option<u64> {
    name.is_ascii().then(|| letters(name))
}

/// A bit for each letter and digit of a text, ignoring case; some characters share a bit.
fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |letters, byte| letters | LETTERS[usize::from(byte)])
}

/// The bit of each byte: a table, because every search by name looks at all names of an archive.
const LETTERS: [u64; 256] = {
    let (mut letters, mut byte) = ([0; 256], 0);
    while byte < letters.len() {
        if (byte as u8).is_ascii_alphanumeric() {
            letters[byte] = 1 << ((byte as u8).to_ascii_lowercase() % 64);
        }
        byte += 1;
    }
    letters
};

/// A text in which commas, points, hyphens and spaces between words are replaced by one space.
fn with_one_separator(text: &str) -> String {
    let words = text.split([',', '.', '-', ' ']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
