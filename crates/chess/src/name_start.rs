//! How well the first letters that a user typed fit a name: for suggestions while typing.

use crate::{case_fold::folded, name_pattern::words};

/// Words that say what kind of opening it is, but not which one, wherever they are in the name.
pub(crate) const KINDS: [&str; 12] = [
    "accepted",
    "attack",
    "counterattack",
    "countergambit",
    "declined",
    "defense",
    "gambit",
    "game",
    "line",
    "opening",
    "system",
    "variation",
];

/// The letters that a user has typed, as words.
#[derive(Debug)]
pub struct NameStart(Vec<String>);

/// How well typed words fit a name, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartFit {
    /// They are a complete part of the name: a family name, a variation.
    Part,
    /// A part begins with them.
    Words,
    /// A part begins with them, if the last word is completed.
    Letters,
    /// Each of them begins a word of the name, in any order.
    Anywhere,
}

impl NameStart {
    /// Splits a text into words.
    pub fn new(text: &str) -> NameStart {
        let word = |word: &str| if word == "defence" { "defense" } else { word }.to_owned();
        NameStart(words(&plain(text)).map(word).collect())
    }

    /// Whether the text has no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How well the words fit a name, ignoring case and accents; `None` if they do not. Without any word, all names fit.
    pub fn fit(&self, name: &str) -> Option<StartFit> {
        let fits = |parts: Vec<Option<StartFit>>| match parts.first() {
            Some(first) if self.is_short() => first.map(|fit| fit.max(StartFit::Letters)),
            _ => parts.into_iter().flatten().min(),
        };
        self.fits_of_parts(name).map(|parts| fits(parts).unwrap_or(StartFit::Anywhere))
    }

    /// The same if only the first part counts: the family name of a player.
    pub fn fit_of_first_part(&self, name: &str) -> Option<StartFit> {
        let first = |parts: Vec<Option<StartFit>>| parts.into_iter().next().flatten();
        self.fits_of_parts(name).map(|parts| first(parts).unwrap_or(StartFit::Anywhere))
    }

    /// How well the words fit the parts of a name, each with those after it; `None` if a word begins no word of the name.
    fn fits_of_parts(&self, name: &str) -> Option<Vec<Option<StartFit>>> {
        let Some(first) = self.0.first() else { return Some(vec![Some(StartFit::Letters)]) };
        let name = plain(name);
        // Most names lack the first word, which is faster to detect than splitting the name.
        if !name.contains(first.as_str()) {
            return None;
        }
        let all: Vec<&str> = words(&name).collect();
        let begins = |typed: &String| all.iter().any(|word| word.starts_with(typed.as_str()));
        if !self.0.iter().all(begins) {
            return None;
        }
        // A part may continue in the next ones: "kasparov g" and "sicilian najdorf".
        let parts: Vec<Vec<&str>> = name.split([':', ',']).map(|part| words(part).collect()).collect();
        let fit = |from: usize| self.fit_of_part(&parts[from], &parts[from..].concat());
        Some((0..parts.len()).map(fit).collect())
    }

    /// Whether the text is more likely the beginning of a name than a complete one, such as an initial.
    fn is_short(&self) -> bool {
        self.0.iter().map(String::len).sum::<usize>() < 3
    }

    fn fit_of_part(&self, part: &[&str], rest: &[&str]) -> Option<StartFit> {
        let (last, before) = self.0.split_last()?;
        let is_same = |(typed, word): (&String, &&str)| typed == word;
        if !before.iter().zip(rest).all(is_same) || rest.len() < self.0.len() {
            return None;
        }
        let word = rest[before.len()];
        if word != last {
            return word.starts_with(last.as_str()).then_some(StartFit::Letters);
        }
        let further = part.get(self.0.len()..).unwrap_or_default();
        let is_whole = further.iter().all(|word| KINDS.contains(word));
        Some(if is_whole { StartFit::Part } else { StartFit::Words })
    }
}

/// A text without case, accents and apostrophes.
fn plain(text: &str) -> String {
    let mut plain = folded(text);
    plain.retain(|c| !matches!(c, '\'' | '’'));
    plain
}

#[cfg(test)]
mod tests {
    use super::{NameStart, StartFit::*};

    #[test]
    fn complete_parts_fit_better_than_words_and_words_better_than_letters() {
        for (name, typed, fit) in [
            ("Kasparov, Garry", "kasparov", Some(Part)),
            ("Kasparov, Garry", "KASPAROV G", Some(Letters)),
            ("Kasparov,G", "kasparov g", Some(Part)),
            ("Kasparov, Garry", "garry", Some(Part)),
            ("Kasparov, Garry", "garry kas", Some(Anywhere)),
            ("Kasparov, Garry", "kas", Some(Letters)),
            ("Kasparov, Garry", "gar", Some(Letters)),
            ("Kasparov, Garry", "", Some(Letters)),
            ("Kasparov, Garry", "par", None),
            ("Kasparov, Garry", "kasparov x", None),
            ("Najdorf Memorial", "najdorf", Some(Words)),
            ("Buenos Aires Najdorf", "naj", Some(Anywhere)),
            ("Sicilian Defense: Najdorf Variation, English Attack", "najdorf", Some(Part)),
            ("Sicilian Defense: Najdorf Variation", "sicilian najdorf", Some(Anywhere)),
            ("Queen's Indian Defense: Kasparov-Petrosian Variation", "kasparov", Some(Words)),
            ("Queen's Gambit Declined", "queen's gambit", Some(Part)),
            ("King's Indian Defense", "kings indian defence", Some(Part)),
            ("Müller,H", "muller", Some(Part)),
            ("Li,Chao", "li", Some(Letters)),
            ("Gallegos,Ca", "ca", Some(Anywhere)),
        ] {
            assert_eq!(NameStart::new(typed).fit(name), fit, "{name} {typed}");
        }
    }

    #[test]
    fn the_first_part_alone_is_the_family_name() {
        for (name, typed, fit) in [
            ("Carlsen,M", "carl", Some(Letters)),
            ("Carlsen,M", "carlsen", Some(Part)),
            ("Schlechter, Carl", "carl", Some(Anywhere)),
            ("Kasparov, Garry", "kasparov ga", Some(Letters)),
            ("Ding Liren", "ding", Some(Words)),
            ("So,W", "so", Some(Part)),
            ("Kasparov, Garry", "par", None),
        ] {
            assert_eq!(NameStart::new(typed).fit_of_first_part(name), fit, "{name} {typed}");
        }
    }
}
