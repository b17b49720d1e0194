//! The tag pairs of a game, in their original order and spelling.

use std::fmt;

use super::Date;

/// The tag of a game that was kept up to its first move that cannot be played; its value is that move: `8. Nxe5`.
pub const BROKEN: &str = "Broken";

/// The seven tags that every game in export format has, in order, with the value for "unknown".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A name and its value.
pub type Pair<'a> = (&'a str, &'a str);

/// Tag pairs. Names may repeat; the last pair of a name counts.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// All names and values, concatenated.
    text: String,
    /// The end of each name and of each value in `text`.
    ends: Vec<(usize, usize)>,
    /// The [bits](name_bit) of all names. Most of the names that are looked up are missing, which it says at once.
    name_bits: u64,
    is_repeating: bool,
}

impl Tags {
    /// Appends a pair. Returns whether its name has occurred before.
    pub fn push(&mut self, name: &str, value: &str) -> bool {
        if self.is_empty() {
            // Enough for the tags of most games.
            self.text.reserve(256);
            self.ends.reserve(12);
        }
        let is_repeated = self.find(name).is_some();
        self.is_repeating |= is_repeated;
        self.name_bits |= name_bit(name);
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
        is_repeated
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = Pair<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(_, value_end)| value_end));
        self.ends.iter().zip(starts).filter_map(|(&(name_end, value_end), start)| {
            Some((self.text.get(start..name_end)?, self.text.get(name_end..value_end)?))
        })
    }

    /// The value of the last pair with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(name).and_then(|(_, value)| self.text.get(value))
    }

    /// The value of the pair at an index.
    pub fn value_at(&self, place: usize) -> Option<&str> {
        let &(start, end) = self.ends.get(place)?;
        self.text.get(start..end)
    }

    /// The date of the game: see [`Date::of_game`].
    pub fn date(&self) -> Option<Date> {
        Date::of_game(self.get("Date"), || self.get("UTCDate")).map(|(date, _)| date)
    }

    /// The index of the last pair with this name.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        self.find(name).map(|(place, _)| place)
    }

    fn find(&self, name: &str) -> Option<(usize, std::ops::Range<usize>)> {
        if self.name_bits & name_bit(name) == 0 {
            return None;
        }
        for (place, &(name_end, value_end)) in self.ends.iter().enumerate().rev() {
            let start = place.checked_sub(1).map_or(Some(0), |before| Some(self.ends.get(before)?.1))?;
            // Lengths and first letters distinguish most names.
            let (here, wanted) = (self.text.as_bytes().get(start..name_end)?, name.as_bytes());
            if here.len() == wanted.len() && here.first() == wanted.first() && here == wanted {
                return Some((place, name_end..value_end));
            }
        }
        None
    }

    /// Whether a name occurs more than once.
    pub fn is_repeating(&self) -> bool {
        self.is_repeating
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Their size in memory, in bytes.
    pub fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<(usize, usize)>()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The pairs in export order: the seven-tag roster first, with "unknown" for missing tags, then the others
    /// unchanged. The pairs of a repeated roster tag are together: separated, they would begin another game.
    pub fn in_export_order(&self) -> impl Iterator<Item = Pair<'_>> {
        let (roster, others) = self.roster_and_others();
        let mut pairs = Vec::with_capacity(ROSTER.len() + others.len());
        let (again, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(name, _)| roster_place(name.as_bytes()).is_some());
        for pair in roster {
            pairs.push(pair);
            pairs.extend(again.iter().filter(|(name, _)| *name == pair.0));
        }
        pairs.into_iter().chain(others)
    }

    /// The pairs of the seven-tag roster, with "unknown" for missing tags, and the others. A repeated roster tag
    /// counts as one of the others.
    pub fn roster_and_others(&self) -> ([Pair<'_>; ROSTER.len()], Vec<Pair<'_>>) {
        let (mut roster, mut seen) = (ROSTER, [false; ROSTER.len()]);
        let mut others = Vec::with_capacity(self.len());
        for (name, value) in self.iter() {
            match roster_place(name.as_bytes()) {
                Some(place) if !seen[place] => (roster[place].1, seen[place]) = (value, true),
                _ => others.push((name, value)),
            }
        }
        (roster, others)
    }
}

/// One of 64 bits. The factors were tried out: they give 35 of the 37 most common names in collections a bit of their own.
fn name_bit(name: &str) -> u64 {
    let byte = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or(0));
    let bytes = name.as_bytes();
    let [first, second, last] = [bytes.first(), bytes.get(1), bytes.last()].map(byte);
    1 << ((41 * first + 58 * second + 6 * last + 58 * bytes.len()) % 64)
}

/// The index of a name in the roster.
pub fn roster_place(name: &[u8]) -> Option<usize> {
    Some(match name {
        b"Event" => 0,
        b"Site" => 1,
        b"Date" => 2,
        b"Round" => 3,
        b"White" => 4,
        b"Black" => 5,
        b"Result" => 6,
        _ => return None,
    })
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.push(name, value);
        }
        tags
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_roster_name_has_its_index() {
        for (place, (name, _)) in ROSTER.into_iter().enumerate() {
            assert_eq!(roster_place(name.as_bytes()), Some(place));
        }
    }

    #[test]
    fn names_are_found_and_their_repetition_is_noticed_as_by_a_search_through_all() {
        // Names of one letter share bits.
        let mut number = 7_usize;
        let mut next = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) % below
        };
        for _ in 0..300 {
            let mut pairs: Vec<(String, String)> = Vec::new();
            let mut tags = Tags::default();
            for place in 0..next(20) {
                let name = char::from(b'A' + next(26) as u8).to_string().repeat(next(3));
                let is_repeated = pairs.iter().any(|(other, _)| *other == name);
                assert_eq!(tags.push(&name, &place.to_string()), is_repeated, "{name}");
                pairs.push((name, place.to_string()));
            }
            let is_repeating = pairs
                .iter()
                .enumerate()
                .any(|(place, (name, _))| pairs.iter().take(place).any(|(other, _)| other == name));
            assert_eq!(tags.is_repeating(), is_repeating);
            for name in
                ('A'..='Z').flat_map(|c| [c.to_string(), c.to_string().repeat(2)]).chain([String::new()])
            {
                let last = pairs.iter().rfind(|(other, _)| *other == name);
                assert_eq!(tags.get(&name), last.map(|(_, value)| value.as_str()), "{name}");
            }
        }
    }

    #[test]
    fn utc_date_is_the_date_of_a_game_whose_date_has_no_year() {
        let date = |pairs: &[Pair<'static>]| {
            let tags: Tags = pairs.iter().copied().collect();
            tags.date().map(|date| date.to_string())
        };
        let utc = ("UTCDate", "2013.01.31");
        assert_eq!(date(&[utc]).as_deref(), Some("2013.01.31"));
        for unknown in ["", "?", "????.??.??", "????.05.06", "yesterday"] {
            assert_eq!(date(&[("Date", unknown), utc]).as_deref(), Some("2013.01.31"), "{unknown}");
        }
        assert_eq!(date(&[utc, ("Date", "1972.??.??")]).as_deref(), Some("1972.??.??"));
        assert_eq!(date(&[("Date", "????.??.??"), ("UTCDate", "????.??.??")]).as_deref(), Some("????.??.??"));
        assert_eq!(date(&[("Date", "yesterday")]), None);
    }

    #[test]
    fn export_order_has_the_roster_first() {
        let tags: Tags =
            [("ECO", "A00"), ("White", "x"), ("Event", "y"), ("White", "z")].into_iter().collect();
        let names: Vec<_> = tags.in_export_order().collect();
        assert_eq!(names[0], ("Event", "y"));
        assert_eq!(names[4], ("White", "x"));
        assert_eq!(names[5], ("White", "z"));
        assert_eq!(names[8..], [("ECO", "A00")]);
    }

    #[test]
    fn the_last_pair_of_a_name_counts() {
        let tags: Tags = [("White", "x"), ("Elo", "1"), ("White", "y"), ("W", "z")].into_iter().collect();
        assert_eq!((tags.get("White"), tags.place_of("White")), (Some("y"), Some(2)));
        assert_eq!((tags.get("Elo"), tags.get("W"), tags.get("Black")), (Some("1"), Some("z"), None));
    }
}
