//! Numbers as people read them. It is a base layer: messages of every layer count things.

/// A whole number with its thousands apart: 297,158.
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

/// A thing that is counted: its name for one of them, and for any other number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// For one.
    pub one: &'static str,
    /// For none or several.
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
    /// A number with the noun: "1 game", "297,158 games".
    ///
    /// ```
    /// use plybook_chess::counts::PLIES;
    /// assert_eq!([0, 1, 2000].map(|number| PLIES.count(number)), ["0 plies", "1 ply", "2,000 plies"]);
    /// ```
    pub fn count(self, number: u64) -> String {
        format!("{} {}", thousands(number), self.of(number))
    }

    /// The word that stands after a number.
    pub fn of(self, number: u64) -> &'static str {
        if number == 1 { self.one } else { self.many }
    }
}

/// A bar of blocks, `width` long for a value of `most`.
pub fn bar(value: u64, most: u64, width: u64) -> String {
    "█".repeat(usize::try_from((value * width).div_ceil(most.max(1))).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (297_158, "297,158")] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
