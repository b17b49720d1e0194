//! Finds openings by name, as typed by users.

use std::iter;

use super::{Opening, OpeningId, Openings, eco, eco_range};
use crate::{case_fold::folded, name_start::KINDS, near_name::TypedName};

/// Maximum number of names listed in an error.
const LISTED: usize = 12;

/// Other names of openings that people know as well or better.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("Spanish Game", "Ruy Lopez"),
    ("Russian Game", "Petrov's Defense"),
    ("Petroff Defense", "Petrov's Defense"),
    ("KID", "King's Indian Defense"),
    ("KIA", "King's Indian Attack"),
    ("QGA", "Queen's Gambit Accepted"),
    ("QGD", "Queen's Gambit Declined"),
    ("QID", "Queen's Indian Defense"),
];

/// A text that matches no opening, or several.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// No match.
    #[error("unknown opening {text:?}{}", similar.map_or(String::new(), |name| format!("; did you mean {name:?}?")))]
    Unknown {
        /// The text of the query.
        text: String,
        /// The most similar name, if any.
        similar: Option<&'static str>,
    },
    /// Several unrelated openings.
    #[error("{text:?} matches several openings; be more specific: {}", listed(names))]
    Several {
        /// The text of the query.
        text: String,
        /// Their names, those with the shortest lines first.
        names: Vec<&'static str>,
    },
}

impl Openings {
    /// The openings that match a text: a range of codes (`B90`, `B90..B99`, `B9`), or words of their names, ignoring
    /// case, accents and punctuation. Only complete words match: `rook` does not match "Rooks", but `queen` and `queens`
    /// match "Queen's". An opening also has its [other names](Opening::other_names). The words must be
    /// consecutive in the name; if there is no such name, they may have others between them (`french winawer`).
    /// Results are in table order; empty if there are none.
    pub fn search(&self, text: &str) -> Vec<OpeningId> {
        let asked = words(text);
        if asked.is_empty() {
            return Vec::new();
        }
        if let Some(range) = eco_range(text) {
            let is_meant = |opening: &Opening| eco(opening.eco).is_some_and(|code| range.contains(&code));
            return self.iter().filter(|(_, opening)| is_meant(opening)).map(|(id, _)| id).collect();
        }
        let names = |(id, opening): (OpeningId, &Opening)| {
            opening.names().map(move |name| (id, words(&name))).collect::<Vec<_>>()
        };
        let names: Vec<_> = self.iter().flat_map(names).collect();
        let found = |way: &WordMatcher| -> Vec<OpeningId> {
            let mut found: Vec<_> =
                names.iter().filter(|(_, name)| way(name, &asked)).map(|(id, _)| *id).collect();
            found.dedup();
            found
        };
        let ways: [WordMatcher; 2] = [have_in_a_row, have_in_order];
        ways.iter().map(found).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The opening with the shortest line among those that match a text. Names that extend another match are not
    /// considered ambiguous: `caro-kann` is "Caro-Kann Defense".
    ///
    /// ```
    /// use plybook_chess::openings::Openings;
    /// assert_eq!(Openings::standard().shortest("grunfeld")?.moves, "1. d4 Nf6 2. c4 g6 3. Nc3 d5");
    /// assert!(Openings::standard().shortest("exchange variation").is_err());
    /// # Ok::<(), plybook_chess::openings::OpeningError>(())
    /// ```
    ///
    /// # Errors
    /// No name matches, or several unrelated names match.
    pub fn shortest(&self, text: &str) -> Result<&Opening, OpeningError> {
        let asked = words(text);
        // The beginning of a code is the square of a move rather than a name.
        if eco_range(text).is_some() && eco(text.trim()).is_none() {
            return Err(self.unknown(text));
        }
        let found = self.search(text).into_iter().filter_map(|id| self.get(id));
        let nearness = |opening: &Opening| opening.names().map(|name| Nearness::of(&name, &asked)).min();
        let mut found: Vec<(Option<Nearness>, Vec<String>, &Opening)> =
            found.map(|opening| (nearness(opening), words(opening.name), opening)).collect();
        let nearest = found.iter().map(|(near, ..)| *near).min();
        found.retain(|(near, ..)| Some(*near) == nearest);
        // The same name may have several codes.
        let is_new = |name: &[String]| {
            !found.iter().any(|(_, other, _)| other.len() < name.len() && name.starts_with(other))
        };
        let mut heads: Vec<&Opening> =
            found.iter().filter(|(_, name, _)| is_new(name)).map(|(.., opening)| *opening).collect();
        heads.sort_by_key(|opening| opening.plies);
        let first = *heads.first().ok_or_else(|| self.unknown(text))?;
        if heads.iter().all(|opening| opening.name == first.name) {
            return Ok(first);
        }
        let mut names: Vec<&str> = Vec::new();
        for opening in heads {
            if !names.contains(&opening.name) {
                names.push(opening.name);
            }
        }
        Err(OpeningError::Several { text: text.to_owned(), names })
    }

    /// The error for a text that matches no opening.
    pub fn unknown(&self, text: &str) -> OpeningError {
        let typed = TypedName::new(text);
        let near = self.iter().filter_map(|(_, opening)| Some((typed.distance(opening.name)?, opening)));
        let asked = words(text);
        // Among equally similar names, one that begins with the text is preferred to a misspelled one, and then the
        // shortest, because it is the most general: a family rather than its variations.
        let similar = near.min_by_key(|(changes, opening)| {
            (*changes, !have_beginnings(&words(opening.name), &asked), opening.name.len())
        });
        OpeningError::Unknown { text: text.to_owned(), similar: similar.map(|(_, opening)| opening.name) }
    }
}

impl Opening {
    /// Other names that people know as well or better: "Spanish Game: Berlin Defense" for "Ruy Lopez: Berlin Defense".
    pub fn other_names(&self) -> impl Iterator<Item = String> + '_ {
        OTHER_NAMES.iter().filter_map(|(other, known)| {
            let rest = self.name.strip_prefix(known)?;
            (rest.is_empty() || rest.starts_with([':', ','])).then(|| format!("{other}{rest}"))
        })
    }

    /// All its names.
    fn names(&self) -> impl Iterator<Item = String> + '_ {
        iter::once(self.name.to_owned()).chain(self.other_names())
    }
}

/// Whether the words of a name match those of a query.
type WordMatcher = fn(&[String], &[String]) -> bool;

/// How well a name matches the words of a query, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// It has the same words.
    Equal,
    /// It begins with them.
    Begins,
    /// The text after one of its colons or commas begins with them.
    Part,
    /// Apart from words such as "defense" and "variation", it has no others.
    Only,
    /// It contains them.
    Has,
}

impl Nearness {
    fn of(name: &str, asked: &[String]) -> Nearness {
        let all = words(name);
        if all.len() == asked.len() && begins(&all, asked) {
            Nearness::Equal
        } else if begins(&all, asked) {
            Nearness::Begins
        } else if asked.iter().all(|word| KINDS.contains(&word.as_str())) {
            Nearness::Has
        } else if name.split([':', ',']).any(|part| begins(&words(part), asked)) {
            Nearness::Part
        } else if all
            .iter()
            .all(|word| asked.iter().any(|asked| is_same(word, asked)) || KINDS.contains(&word.as_str()))
        {
            Nearness::Only
        } else {
            Nearness::Has
        }
    }
}

/// The words of a name, without case, accents and punctuation, in a single spelling; those with "'s" keep it.
fn words(name: &str) -> Vec<String> {
    let plain = folded(name).replace('’', "'");
    let words = plain.split(|c: char| c != '\'' && !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let word = |word: &str| match word {
        "defence" => "defense".to_owned(),
        _ if word.ends_with("'s") => word.to_owned(),
        _ => word.replace('\'', ""),
    };
    words.map(word).collect()
}

/// Whether a word of a name is one of a query: "Queen's" is `queen`, `queens` and `queen's`.
fn is_same(word: &str, asked: &str) -> bool {
    let is_of = |stem: &str| asked == stem || asked.strip_suffix('s') == Some(stem);
    word == asked || word.strip_suffix("'s").is_some_and(is_of)
}

/// Whether a name begins with the words.
fn begins(name: &[String], asked: &[String]) -> bool {
    name.len() >= asked.len() && name.iter().zip(asked).all(|(word, asked)| is_same(word, asked))
}

/// Whether a name contains the words consecutively.
fn have_in_a_row(name: &[String], asked: &[String]) -> bool {
    name.windows(asked.len()).any(|some| begins(some, asked))
}

/// Whether a name contains the words in order, possibly with others between them.
fn have_in_order(name: &[String], asked: &[String]) -> bool {
    let mut name = name.iter();
    asked.iter().all(|asked| name.any(|word| is_same(word, asked)))
}

/// Like [`have_in_order`], with beginnings of words.
fn have_beginnings(name: &[String], asked: &[String]) -> bool {
    let mut name = name.iter();
    asked.iter().all(|asked| name.any(|word| is_same(word, asked) || word.starts_with(asked.as_str())))
}

/// Some of the names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join("; ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
