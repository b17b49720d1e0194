//! Finds openings by name, as typed by users.

use super::{Opening, OpeningId, Openings, eco, eco_range};
use crate::{case_fold::folded, name_start::KINDS, near_name::TypedName};

/// Maximum number of names listed in an error.
const LISTED: usize = 12;

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
    /// case, accents and punctuation. Only complete words match: `rook` does not match "Rooks". The words must be
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
        let names: Vec<_> = self.iter().map(|(id, opening)| (id, words(opening.name))).collect();
        let found = |way: &WordMatcher| -> Vec<OpeningId> {
            names.iter().filter(|(_, name)| way(name, &asked)).map(|(id, _)| *id).collect()
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
        let mut found: Vec<(Nearness, Vec<String>, &Opening)> =
            found.map(|opening| (Nearness::of(opening.name, &asked), words(opening.name), opening)).collect();
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
        if all == asked {
            Nearness::Equal
        } else if all.starts_with(asked) {
            Nearness::Begins
        } else if asked.iter().all(|word| KINDS.contains(&word.as_str())) {
            Nearness::Has
        } else if name.split([':', ',']).any(|part| words(part).starts_with(asked)) {
            Nearness::Part
        } else if all.iter().all(|word| asked.contains(word) || KINDS.contains(&word.as_str())) {
            Nearness::Only
        } else {
            Nearness::Has
        }
    }
}

/// The words of a name, without case, accents and punctuation, in a single spelling.
fn words(name: &str) -> Vec<String> {
    let plain = folded(name).replace(['\'', '’'], "");
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| if word == "defence" { "defense" } else { word }.to_owned()).collect()
}

/// Whether a name contains the words consecutively.
fn have_in_a_row(name: &[String], asked: &[String]) -> bool {
    name.windows(asked.len()).any(|some| some == asked)
}

/// Whether a name contains the words in order, possibly with others between them.
fn have_in_order(name: &[String], asked: &[String]) -> bool {
    let mut name = name.iter();
    asked.iter().all(|asked| name.any(|word| word == asked))
}

/// Like [`have_in_order`], with beginnings of words.
fn have_beginnings(name: &[String], asked: &[String]) -> bool {
    let mut name = name.iter();
    asked.iter().all(|asked| name.any(|word| word.starts_with(asked.as_str())))
}

/// Some of the names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join("; ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
