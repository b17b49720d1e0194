//! The changes of the material in a game as phrases: a byte is one change, or several that often follow each other.
//!
//! A change is a capture, a promotion, or both in one move. Bytes: 0 to 9 the capture of a pawn, knight, bishop, rook
//! or queen, by White and by Black; 10 the end of the game; 11 a game without a trail; 12 to 51 promotions: twice the
//! index of the new piece among knight, bishop, rook, queen, plus 8 for each step in the same list, pawn first, to the
//! captured piece (pawn: none), plus 1 if Black's pawn promotes. From 52 on a byte is a pair of earlier ones.
//!
//! The pairs were learned from 148,578 master games (`cargo bench --bench trail_weights`) and never change: a byte
//! covers 2.8 changes there, where a single change would take four bits.

use std::{cmp::Reverse, sync::LazyLock};

use super::{Material, material::ROLES};
use plybook_chess::chess::{Color, Role};

/// A change of the material, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change(u8);

/// The byte of a game without a trail.
pub(super) const NO_TRAIL: u8 = 11;

const FIRST_PROMOTION: u8 = 12;

/// Bytes below this are changes, all others are pairs.
// Whole bytes instead of a bit code: a search by material reads one table entry per byte, without shifting bits, and
// each byte covers several changes. Material searches therefore need no decoder at all.
const FIRST_PAIR: u8 = 52;

impl Change {
    /// The end of the game.
    pub const END: Change = Change(10);

    /// A capture by a side.
    pub fn capture(by: Color, role: Role) -> Change {
        Change(2 * place(role) + by.fold_wb(0, 1))
    }

    /// A promotion by a side, with the piece it captures, if any.
    pub fn promotion(by: Color, role: Role, captured: Option<Role>) -> Change {
        let steps = 4 * captured.map_or(0, place) + place(role).saturating_sub(1);
        Change(FIRST_PROMOTION + 2 * steps + by.fold_wb(0, 1))
    }

    /// The side that captures or promotes.
    #[inline]
    pub fn by(self) -> Color {
        Color::from_white(self.0.is_multiple_of(2))
    }

    /// The captured role.
    #[inline]
    pub fn captured(self) -> Option<Role> {
        match self.0 {
            code @ ..10 => Some(ROLES[usize::from(code / 2)]),
            code @ FIRST_PROMOTION.. => {
                let captured = ROLES[usize::from((code - FIRST_PROMOTION) / 8).min(4)];
                Some(captured).filter(|role| *role != Role::Pawn)
            }
            _ => None,
        }
    }

    /// The role of the promoted piece.
    #[inline]
    pub fn promoted(self) -> Option<Role> {
        let steps = self.0.checked_sub(FIRST_PROMOTION)? / 2;
        Some(ROLES[1 + usize::from(steps % 4)])
    }

    /// The material after this change.
    #[inline]
    pub fn applied_to(self, material: Material) -> Material {
        let by = self.by();
        let after = self.captured().map_or(material, |role| material.minus(Material::one(!by, role)));
        self.promoted()
            .map_or(after, |role| after.minus(Material::one(by, Role::Pawn)).plus(Material::one(by, role)))
    }

    /// Its class in the codes: captures, end, promotions by White, by Black.
    #[inline]
    pub(super) fn class(self) -> usize {
        usize::from(match self.0 {
            code @ ..=10 => code,
            code => 11 + code % 2,
        })
    }
}

fn place(role: Role) -> u8 {
    ROLES.iter().zip(0..).find_map(|(known, place)| (*known == role).then_some(place)).unwrap_or(0)
}

/// Changes in the longest phrase.
const LONGEST: usize = 6;

/// The meaning of a byte.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The changes in order, filled up with the end.
    pub(super) padded: [Change; LONGEST],
    /// The number of changes.
    length: usize,
    /// For each change its effect together with all before it, to be [added](Material::plus).
    pub sums: Vec<Material>,
    /// The number of pieces captured.
    pub captures: u8,
    /// Whether the game ends with it.
    pub is_last: bool,
}

/// The meaning of each byte; empty for 11.
pub static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let mut changes: Vec<Vec<Change>> = (0..FIRST_PAIR).map(|code| vec![Change(code)]).collect();
    changes[usize::from(NO_TRAIL)].clear();
    for pair in PAIRS.split_ascii_whitespace() {
        let of = |byte: &str| {
            byte.parse().ok().and_then(|byte: usize| changes.get(byte)).cloned().unwrap_or_default()
        };
        let pair = pair.split_once(',').map(|(one, next)| [of(one), of(next)].concat());
        changes.push(pair.unwrap_or_default());
    }
    changes.iter().map(|changes| Phrase::new(changes)).collect()
});

impl Phrase {
    fn new(changes: &[Change]) -> Phrase {
        Phrase {
            sums: changes
                .iter()
                .scan(Material::default(), |sum, change| {
                    *sum = change.applied_to(*sum);
                    Some(*sum)
                })
                .collect(),
            captures: changes.iter().filter(|change| change.captured().is_some()).count() as u8,
            is_last: changes.last() == Some(&Change::END),
            padded: std::array::from_fn(|at| changes.get(at).copied().unwrap_or(Change::END)),
            length: changes.len(),
        }
    }

    /// The changes in order.
    #[inline]
    pub fn changes(&self) -> &[Change] {
        self.padded.get(..self.length).unwrap_or_default()
    }

    /// The effect of all its changes on the material, to be [added](Material::plus).
    #[inline]
    pub fn sum(&self) -> Material {
        self.sums.last().copied().unwrap_or_default()
    }
}

/// The bytes whose phrases begin with a change, the longest phrases first, by that change.
static BEGINNING_WITH: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut beginning = vec![Vec::new(); FIRST_PAIR.into()];
    for byte in 0..=u8::MAX {
        if let Some(first) = PHRASES[usize::from(byte)].changes().first() {
            beginning[usize::from(first.0)].push(byte);
        }
    }
    for bytes in &mut beginning {
        bytes.sort_by_key(|byte| Reverse(PHRASES[usize::from(*byte)].changes().len()));
    }
    beginning
});

/// Appends the changes of a game as bytes, always choosing the longest phrase that fits.
pub(super) fn write(mut changes: &[Change], bytes: &mut Vec<u8>) {
    while let Some(first) = changes.first() {
        let fits = |byte: &&u8| changes.starts_with(PHRASES[usize::from(**byte)].changes());
        let Some(&byte) = BEGINNING_WITH[usize::from(first.0)].iter().find(fits) else { return };
        bytes.push(byte);
        changes = &changes[PHRASES[usize::from(byte)].changes().len()..];
    }
}

/// The pairs of bytes from [`FIRST_PAIR`] on.
const PAIRS: &str = include_str!("pairs.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_encode_captures_and_promotions() {
        let mut seen = std::collections::HashSet::new();
        for by in Color::ALL {
            for role in ROLES {
                let change = Change::capture(by, role);
                assert_eq!((change.by(), change.captured(), change.promoted()), (by, Some(role), None));
                assert!(seen.insert(change) && change.class() < 10);
            }
            for promoted in &ROLES[1..] {
                for captured in [None].into_iter().chain(ROLES[1..].iter().copied().map(Some)) {
                    let change = Change::promotion(by, *promoted, captured);
                    assert_eq!(
                        (change.by(), change.captured(), change.promoted()),
                        (by, captured, Some(*promoted))
                    );
                    assert!(seen.insert(change) && change.class() == by.fold_wb(11, 12));
                    let after = change.applied_to(Material::STANDARD);
                    assert_eq!(after.count(by, Role::Pawn), 7);
                    assert_eq!(after.count(by, *promoted), Material::STANDARD.count(by, *promoted) + 1);
                }
            }
        }
        assert!(seen.insert(Change::END) && seen.len() == usize::from(FIRST_PAIR) - 1);
        assert_eq!(Change::END.applied_to(Material::STANDARD), Material::STANDARD);
    }

    #[test]
    fn phrases_are_complete_and_distinct() {
        let mut seen = std::collections::HashSet::new();
        assert_eq!(PHRASES.len(), 256);
        for (byte, phrase) in PHRASES.iter().enumerate() {
            assert_eq!(phrase.changes().is_empty(), byte == usize::from(NO_TRAIL));
            assert!(seen.insert(phrase.changes()), "{byte}");
            let ends = phrase.changes().iter().filter(|change| **change == Change::END).count();
            assert_eq!(ends, usize::from(phrase.is_last), "the end is the last change of {byte}");
        }
    }

    #[test]
    fn changes_round_trip() {
        let mut seed = 1u64;
        for length in 0..60 {
            let mut changes: Vec<Change> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    let code = (seed >> 33) as u8;
                    if code < 200 { Change(code % 10) } else { Change(12 + code % 40) }
                })
                .collect();
            changes.push(Change::END);
            let mut bytes = Vec::new();
            write(&changes, &mut bytes);
            let read: Vec<Change> =
                bytes.iter().flat_map(|byte| PHRASES[usize::from(*byte)].changes().to_vec()).collect();
            assert_eq!(read, changes);
        }
    }
}
