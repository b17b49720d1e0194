//! What the numbers of the index mean. Readers and writers share these tables.

/// The letters of the flags that users set, from bit 3 of [`Flags`] up: deleted, White's opening, …, six flags of the
/// user's own.
pub const FLAG_LETTERS: &str = "DWBMENPTKQ!?U123456";

/// The first flag that has a letter. Those before it describe the data of the game.
const FIRST_LETTER: u32 = 3;

/// The tags of White's and Black's rating by its stored type.
pub const RATING_TAGS: [[&str; 7]; 2] = [
    ["WhiteElo", "WhiteRating", "WhiteRapid", "WhiteICCF", "WhiteUSCF", "WhiteDWZ", "WhiteECF"],
    ["BlackElo", "BlackRating", "BlackRapid", "BlackICCF", "BlackUSCF", "BlackDWZ", "BlackECF"],
];

/// The tag names that are stored as one byte, from 241 up.
pub const COMMON_TAGS: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];

/// The flags of a game, one per bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    /// Whether the game is marked as deleted.
    pub fn is_deleted(self) -> bool {
        self.0 & 1 << FIRST_LETTER != 0
    }

    /// The letters of the flags that are set, in Scid's order.
    pub fn letters(self) -> String {
        let set = |&(bit, _): &(u32, char)| self.0 & 1 << bit != 0;
        (FIRST_LETTER..).zip(FLAG_LETTERS.chars()).filter(set).map(|(_, letter)| letter).collect()
    }
}

/// A stored date as in PGN; its parts are 0 if they are unknown.
pub fn date_text(date: u32) -> String {
    let mut text = String::with_capacity(10);
    for (part, width) in [(date >> 9, 4), (date >> 5 & 15, 2), (date & 31, 2)] {
        if !text.is_empty() {
            text.push('.');
        }
        // Every game has a date, and formatting would take longer than all else about its tags.
        for place in (0..width).rev() {
            text.push(if part == 0 { '?' } else { digit(part / 10_u32.pow(place) % 10) });
        }
    }
    text
}

/// A date in PGN as it is stored; `None` if it cannot be.
pub fn date_bits(text: &str) -> Option<u32> {
    let mut parts = text.split('.');
    let mut part = || {
        let part = parts.next()?;
        if part.bytes().all(|byte| byte == b'?') { Some(0) } else { part.parse::<u32>().ok() }
    };
    let (year, month, day) = (part()?, part()?, part()?);
    let date = year.checked_mul(1 << 9)? | month.checked_mul(1 << 5)? | day;
    (year < 1 << 11 && month < 1 << 4 && day < 1 << 5 && date_text(date) == text).then_some(date)
}

/// An ECO code, possibly with Scid's own letter and digit, as it is stored; `None` if it cannot be.
pub fn eco_code(text: &str) -> Option<u32> {
    let mut chars = text.chars();
    let volume = u32::from(chars.next()?).checked_sub(u32::from('A')).filter(|volume| *volume < 5)?;
    let mut number = || chars.next()?.to_digit(10);
    let base = 100 * volume + 10 * number()? + number()?;
    let more = match chars.next() {
        None => 0,
        Some(letter) => {
            let letter = u32::from(letter).checked_sub(u32::from('a')).filter(|letter| *letter < 26)?;
            1 + 5 * letter + chars.next().map_or(Some(0), |digit| digit.to_digit(10))?
        }
    };
    let code = 1 + 131 * base + more;
    (more < 131 && eco_text(code).as_deref() == Some(text)).then_some(code)
}

/// A stored ECO code, with Scid's own letter and digit: `B90`, `B90x`, `A00a4`; `None` if there is none.
pub fn eco_text(code: u32) -> Option<String> {
    let code = code.checked_sub(1)?;
    let (base, more) = (code / 131, code % 131);
    if base >= 500 {
        return None;
    }
    let mut text = String::with_capacity(5);
    text.push(char::from_u32(u32::from(b'A') + base / 100)?);
    text.extend([digit(base / 10 % 10), digit(base % 10)]);
    if let Some(more) = more.checked_sub(1) {
        text.push(char::from_u32(u32::from(b'a') + more / 5)?);
        text.extend(Some(digit(more % 5)).filter(|_| more % 5 > 0));
    }
    Some(text)
}

fn digit(number: u32) -> char {
    char::from_digit(number, 10).unwrap_or('?')
}
