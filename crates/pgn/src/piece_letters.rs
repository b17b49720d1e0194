//! The letters of the pieces in other languages.

use std::{fmt, str::FromStr};

use plybook_chess::chess::Role;

/// The language of the piece letters in a movetext. Figurines are always accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PieceLetters {
    /// English: K Q R B N.
    #[default]
    En,
    /// German: K D T L S.
    De,
    /// French: R D T F C.
    Fr,
    /// Spanish: R D T A C.
    Es,
    /// Italian: R D T A C.
    It,
    /// Dutch: K D T L P.
    Nl,
    /// Russian: Кр Ф Л С К.
    Ru,
    /// Only figurines: ♔ ♕ ♖ ♗ ♘.
    Figurine,
    /// English, else the first other language in which the whole game is legal.
    Auto,
}

const ENGLISH: [&str; 5] = ["K", "Q", "R", "B", "N"];

/// The names of the values, and their letters for king, queen, rook, bishop, knight.
const LETTERS: [(&str, [&str; 5]); 9] = [
    ("en", ENGLISH),
    ("de", ["K", "D", "T", "L", "S"]),
    ("fr", ["R", "D", "T", "F", "C"]),
    ("es", ["R", "D", "T", "A", "C"]),
    ("it", ["R", "D", "T", "A", "C"]),
    ("nl", ["K", "D", "T", "L", "P"]),
    ("ru", ["Кр", "Ф", "Л", "С", "К"]),
    ("figurine", ENGLISH),
    ("auto", ENGLISH),
];

impl PieceLetters {
    /// All values.
    pub const ALL: [PieceLetters; 9] = [
        PieceLetters::En,
        PieceLetters::De,
        PieceLetters::Fr,
        PieceLetters::Es,
        PieceLetters::It,
        PieceLetters::Nl,
        PieceLetters::Ru,
        PieceLetters::Figurine,
        PieceLetters::Auto,
    ];

    /// The value's name: a two-letter language code, `figurine` or `auto`.
    pub const fn name(self) -> &'static str {
        LETTERS[self as usize].0
    }

    /// The languages that automatic detection tries after English.
    pub(super) fn others() -> impl Iterator<Item = PieceLetters> {
        PieceLetters::ALL.into_iter().filter(|letters| !letters.is_english())
    }

    /// Whether the letters K, Q, R, B, N have their English meaning.
    pub(super) const fn is_english(self) -> bool {
        matches!(self, PieceLetters::En | PieceLetters::Figurine | PieceLetters::Auto)
    }

    /// The piece at the start of a text, and the length of its letters.
    pub(super) fn role(self, text: &str) -> Option<(Role, usize)> {
        const ROLES: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let mut letters = LETTERS[self as usize].1.into_iter().zip(ROLES);
        letters.find(|(letter, _)| text.starts_with(letter)).map(|(letter, role)| (role, letter.len()))
    }
}

/// The piece of a figurine of either colour.
pub(super) fn figurine(c: char) -> Option<Role> {
    let mut figures = "♙♘♗♖♕♔♟♞♝♜♛♚".chars().zip(Role::ALL.into_iter().cycle());
    figures.find(|(figure, _)| *figure == c).map(|(_, role)| role)
}

impl fmt::Display for PieceLetters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a [`PieceLetters::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language; use en, de, fr, es, it, nl, ru, figurine or auto")]
pub struct UnknownPieceLetters;

impl FromStr for PieceLetters {
    type Err = UnknownPieceLetters;

    fn from_str(name: &str) -> Result<PieceLetters, UnknownPieceLetters> {
        PieceLetters::ALL.into_iter().find(|letters| letters.name() == name).ok_or(UnknownPieceLetters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_letters_of_other_languages() {
        assert_eq!(PieceLetters::De.role("Sf3"), Some((Role::Knight, 1)));
        assert_eq!(PieceLetters::Ru.role("Крf1"), Some((Role::King, 4)));
        assert_eq!(PieceLetters::Ru.role("Кf3"), Some((Role::Knight, 2)));
        assert_eq!(PieceLetters::Fr.role("Rg1"), Some((Role::King, 1)));
        assert_eq!(PieceLetters::En.role("e4"), None);
        for letters in PieceLetters::ALL {
            assert_eq!(letters.name().parse(), Ok(letters));
        }
    }
}
