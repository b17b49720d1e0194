//! Formats numbers for people. This is a base layer, because messages of every layer count things.

/// An integer with thousands separators: 297,158.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A countable noun: its singular and plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// Singular.
    pub one: &'static str,
    /// Plural, also for zero.
    pub many: &'static str,
}

macro_rules! nouns {
    ($($name:ident $one:literal $many:literal)*) => {
        $(#[doc = concat!("1 ", $one, ", 2 ", $many, ".")]
        pub const $name: Noun = Noun { one: $one, many: $many };)*
    };
}

nouns! {
    BYTES "byte" "bytes"
    PAIRS "pair" "pairs"
    PARTS "part" "parts"
    GAMES "game" "games"
    GAMES_REACHING "game reaches this position" "games reach this position"
    MOVES "move" "moves"
    NAMES "name" "names"
    ORIGINALS "original text" "original texts"
    PLIES "ply" "plies"
    POSITIONS "position" "positions"
    FAULTS "fault" "faults"
    SEGMENTS "segment" "segments"
    SOURCES "source" "sources"
}

impl Noun {
    /// A number with its noun: "1 game", "297,158 games".
    ///
    /// ```
    /// use plybook_chess::counts::PLIES;
    /// assert_eq!([0, 1, 2000].map(|number| PLIES.count(number)), ["0 plies", "1 ply", "2,000 plies"]);
    /// ```
    pub fn count(self, number: u64) -> String {
        format!("{} {}", thousands(number), self.of(number))
    }

    /// The noun for a number.
    pub fn of(self, number: u64) -> &'static str {
        if number == 1 { self.one } else { self.many }
    }
}

/// A bar of block characters, `width` long for the value `most`.
pub fn bar(value: u64, most: u64, width: u64) -> String {
    "█".repeat(usize::try_from((value * width).div_ceil(most.max(1))).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_separated() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (297_158, "297,158")] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
