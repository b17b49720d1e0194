//! Names of one player in several languages: "Yusupov, Artur" and "A. Jussupow". Coarser than
//! [`same_player`](super::same_player), for use with further evidence: the moves and the event of a game.

use super::given_names::usual;
use crate::{
    case_fold::{folded, latin},
    near_name::differ_by_a_letter,
};

/// More words than any name has.
const MOST_WORDS: usize = 16;

/// How two names are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// The family names differ.
    Other,
    /// The family names sound alike, but the given names differ.
    Family,
    /// At least one name is unknown.
    Unknown,
    /// They may be names of one player.
    Same,
}

/// A name as it sounds.
#[derive(Clone, Debug)]
pub struct SpokenName(Vec<Reading>);

/// One way to divide a name.
#[derive(Clone, Debug)]
struct Reading {
    family: String,
    /// The consonants of the family name.
    sound: String,
    given: Vec<String>,
}

impl SpokenName {
    /// A name, with the family name before a comma or at either end.
    pub fn new(name: &str) -> SpokenName {
        let plain = latin(&folded(name));
        let (family, given) = plain.split_once(',').map_or((plain.as_str(), None), |(f, g)| (f, Some(g)));
        let (words, given) = (words(family), given.map(words));
        let mut readings: Vec<Reading> = Vec::new();
        let mut add = |family: String, given: Vec<&str>| {
            let sound = sound(&family);
            if !readings.iter().any(|reading| reading.sound == sound) {
                let given = given.into_iter().map(str::to_owned).collect();
                readings.push(Reading { family, sound, given });
            }
        };
        match (given, words.as_slice()) {
            (_, [] | ["nn"] | ["n", "n"] | ["unknown"]) => {}
            (Some(given), words) => {
                add(words.concat(), given.clone());
                // "Wely, Loek van" is "Van Wely, Loek".
                words
                    .iter()
                    .max_by_key(|word| word.len())
                    .into_iter()
                    .for_each(|long| add((*long).to_owned(), given.clone()));
            }
            (None, [word]) => add((*word).to_owned(), Vec::new()),
            (None, [first, middle @ .., last]) => {
                let begin = [&[*first], middle].concat();
                let end = [middle, &[*last]].concat();
                for (family, given) in [(*last, &begin), (*first, &end)] {
                    if family.len() > 1 {
                        add(family.to_owned(), given.clone());
                    }
                }
                if !middle.is_empty() {
                    add(end.concat(), vec![*first]);
                }
            }
        }
        SpokenName(readings)
    }

    /// The sounds of what may be the family name; none if the name is unknown.
    pub fn family_sounds(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|reading| reading.sound.as_str())
    }

    /// How the names are related.
    pub fn likeness(&self, other: &SpokenName) -> Likeness {
        if self.0.is_empty() || other.0.is_empty() {
            return Likeness::Unknown;
        }
        let pairs = self.0.iter().flat_map(|one| other.0.iter().map(move |two| one.likeness(two)));
        pairs.max().unwrap_or(Likeness::Other)
    }
}

impl Reading {
    fn likeness(&self, other: &Reading) -> Likeness {
        let is_family = self.sound == other.sound
            || differ_by_a_letter(&self.family, &other.family)
            || differ_by_a_letter(&self.sound, &other.sound);
        if !is_family {
            return Likeness::Other;
        }
        let mut given = self.given.iter().flat_map(|one| other.given.iter().map(move |two| (one, two)));
        let is_missing = self.given.is_empty() || other.given.is_empty();
        if is_missing || given.any(|pair| may_be_one_given_name(pair.0, pair.1)) {
            Likeness::Same
        } else {
            Likeness::Family
        }
    }
}

fn may_be_one_given_name(one: &str, two: &str) -> bool {
    let (one, two) = (usual(one), usual(two));
    let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
    let is_initial = short.len() == 1 && first_sound(short) == first_sound(long);
    is_initial || long.starts_with(short) || sound(one) == sound(two) || differ_by_a_letter(one, two)
}

/// The words of a name in lower-case ASCII.
fn words(plain: &str) -> Vec<&str> {
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty()).take(MOST_WORDS).collect()
}

/// The consonants of a word, those alike in some languages as one, and none twice in a row. A word with fewer than two
/// is its own sound.
fn sound(word: &str) -> String {
    // The longest spellings first.
    const SPELLINGS: [(&str, &str); 13] = [
        ("tsch", "k"),
        ("sch", "s"),
        ("tch", "k"),
        ("ch", "k"),
        ("sh", "s"),
        ("kh", "h"),
        ("ph", "v"),
        ("ts", "s"),
        ("tz", "s"),
        ("ce", "s"),
        ("ci", "s"),
        ("cy", "s"),
        ("x", "ks"),
    ];
    let (mut rest, mut sound) = (word, String::new());
    while let Some(letter) = rest.chars().next() {
        let spelling = SPELLINGS.iter().find(|spelling| rest.starts_with(spelling.0));
        let letters = match (spelling, letter) {
            (Some((_, sound)), _) => sound,
            (_, 'c' | 'k' | 'q') => "k",
            (_, 'v' | 'w' | 'f') => "v",
            (_, 's' | 'z') => "s",
            (_, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'j' | 'h' | '\'') => "",
            _ => rest.get(..letter.len_utf8()).unwrap_or_default(),
        };
        for letter in letters.chars().filter(|letter| *letter != 'h') {
            if !sound.ends_with(letter) {
                sound.push(letter);
            }
        }
        rest =
            rest.get(spelling.map_or(letter.len_utf8(), |spelling| spelling.0.len())..).unwrap_or_default();
    }
    if sound.len() < 2 { word.to_owned() } else { sound }
}

/// The sound with which a given name begins: "Yuri", "Iouri" and "Jurij" begin alike.
fn first_sound(word: &str) -> Option<char> {
    word.chars().next().map(|letter| match letter {
        'c' | 'k' | 'q' | 'x' => 'k',
        'v' | 'w' | 'f' => 'v',
        'e' | 'i' | 'j' | 'y' => 'i',
        'z' => 's',
        letter => letter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_player_in_several_languages_are_the_same() {
        for (one, two) in [
            ("Yusupov, Artur", "A. Jussupow"),
            ("Yusupov, Artur", "Юсупов, Артур"),
            ("Korchnoi, Viktor", "Kortschnoj"),
            ("Chigorin, Mikhail", "Tschigorin,M"),
            ("Smirnov, Pavel", "Pavel Smirnoff"),
            ("Huebner,R", "Hübner, Robert"),
            ("Kholmov, Ratmir", "Holmov,R"),
            ("Kasparov, Garry", "KASPAROV G."),
            ("Kasparov, Garry", "Kaspraov, Gary"),
            ("van Wely, Loek", "Wely, Loek van"),
            ("Loek van Wely", "Van Wely,L"),
            ("Fischer, Robert James", "Bobby Fischer"),
            ("Averbakh, Yuri", "Averbach,I"),
            ("Aleksandrov,A", "Alexandrov, Aleksej"),
            ("Matseyko,K", "Maceyko, K"),
            ("O'Kelly", "OKelly"),
            ("Li", "Li, Chao"),
        ] {
            let (spoken, other) = (SpokenName::new(one), SpokenName::new(two));
            assert_eq!(spoken.likeness(&other), Likeness::Same, "{one} {two}");
            assert_eq!(other.likeness(&spoken), Likeness::Same, "{two} {one}");
        }
    }

    #[test]
    fn names_of_several_players_are_not_the_same() {
        for (one, two, expected) in [
            ("Polgar, Judit", "Polgar, Zsofia", Likeness::Family),
            ("Adams, Michael", "Adams, Weaver", Likeness::Family),
            ("Karpov, Anatoly", "Kasparov, Garry", Likeness::Other),
            ("Li, Chao", "Lu, Chao", Likeness::Other),
            ("Tal, Mikhail", "?", Likeness::Unknown),
            ("NN", "", Likeness::Unknown),
        ] {
            assert_eq!(SpokenName::new(one).likeness(&SpokenName::new(two)), expected, "{one} {two}");
        }
    }

    #[test]
    fn any_text_is_a_name() {
        for text in [
            "",
            ",",
            ",,,",
            "' ' '",
            "\0",
            "x".repeat(70_000).as_str(),
            "a ".repeat(70_000).as_str(),
            "李,超",
        ] {
            let _ = SpokenName::new(text).likeness(&SpokenName::new(text));
        }
    }
}
