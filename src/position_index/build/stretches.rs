//! Which entries a game gets for its positions that are not popular.
//!
//! A pawn structure never comes back within a game, so a game stands in each for one stretch. One entry for the
//! structure finds all of them, unless more than [`COMMON`] games have it: then one entry for each arrangement of the
//! minor pieces in it, and where that is as common one for each position. A game that has only one arrangement in the
//! stretch, or one position, gets the sharper entry at once: it costs no more, and fewer games are replayed in vain.

use super::{records::Visit, sketch::Sketch};
use crate::position_index::{Level, PositionKeys};

/// Most games that are found by one pawn structure or arrangement.
pub const COMMON: u8 = 32;

/// Rough counts of what is common.
#[derive(Debug, Default)]
pub struct Common {
    /// Games that a pawn structure would find.
    pub pawns: Option<Sketch>,
    /// Games that an arrangement would find.
    pub minors: Option<Sketch>,
}

impl Common {
    /// Whether a level finds too many games. While its counts are not made, nothing does.
    fn is_common(&self, level: Level, keys: &PositionKeys) -> bool {
        let sketch = match level {
            Level::Pawns => &self.pawns,
            Level::Minors => &self.minors,
            Level::Whole => &None,
        };
        sketch.as_ref().is_some_and(|sketch| sketch.may_exceed(keys.hash(level), COMMON))
    }

    /// Hands over the entries of a game: level and keys of each. `rare` are its positions that are not popular.
    pub fn entries(&self, rare: &mut [Visit], entry: &mut impl FnMut(Level, &PositionKeys)) {
        for stretch in rare.chunk_by_mut(|a, b| a.keys.pawns == b.keys.pawns) {
            let Some(keys) = stretch.first().map(|visit| visit.keys) else { continue };
            let is_one = stretch.iter().all(|visit| visit.keys.minors == keys.minors);
            if !is_one && !self.is_common(Level::Pawns, &keys) {
                entry(Level::Pawns, &keys);
                continue;
            }
            // Arrangements may come back within a stretch.
            stretch.sort_unstable_by_key(|visit| visit.keys.minors);
            for same in stretch.chunk_by(|a, b| a.keys.minors == b.keys.minors) {
                self.arrangement(same, entry);
            }
        }
    }

    /// The entries of a game for an arrangement.
    fn arrangement(&self, visits: &[Visit], entry: &mut impl FnMut(Level, &PositionKeys)) {
        match visits {
            [first, _, ..] if !self.is_common(Level::Minors, &first.keys) => {
                entry(Level::Minors, &first.keys)
            }
            _ => visits.iter().for_each(|visit| entry(Level::Whole, &visit.keys)),
        }
    }
}
