//! Whether the material of a game is at some point within given bounds.

use super::condition::Step;
use crate::trail::{Material, PHRASES};

/// The required material, in one of several ways.
pub(super) struct MaterialScan {
    /// For each way, the minimum and maximum bounds, all of which must hold.
    ways: Vec<Vec<(Material, Material)>>,
    /// The maximum number of pieces in any of the ways, not counting kings.
    most_pieces: u8,
}

impl MaterialScan {
    pub(super) fn new(step: &Step) -> MaterialScan {
        let ways: Vec<Vec<_>> = step.ways.iter().map(|way| way.material_bounds().collect()).collect();
        let of_way = |bounds: &Vec<(Material, Material)>| bounds.iter().map(|(_, most)| most.pieces()).min();
        let most_pieces = ways.iter().map(|way| of_way(way).unwrap_or(u8::MAX)).max().unwrap_or(u8::MAX);
        MaterialScan { ways, most_pieces }
    }

    fn fits(&self, material: Material) -> bool {
        self.ways.iter().any(|way| way.iter().all(|(least, most)| material.is_between(*least, *most)))
    }

    /// Whether the material of a game, in phrases, is at some point within the bounds.
    #[inline]
    pub(super) fn has(&self, phrases: &[u8]) -> bool {
        let (mut material, mut pieces) = (Material::STANDARD, Material::STANDARD.pieces());
        if pieces <= self.most_pieces && self.fits(material) {
            return true;
        }
        for phrase in phrases {
            let phrase = &PHRASES[usize::from(*phrase)];
            pieces = pieces.saturating_sub(phrase.captures);
            // The number of pieces only decreases.
            // Comparing two integers first skips the bounds of every way while there are too many pieces, which is most
            // of the game in a search for an ending.
            if pieces <= self.most_pieces && phrase.sums.iter().any(|sum| self.fits(material.plus(*sum))) {
                return true;
            }
            material = material.plus(phrase.sum());
        }
        false
    }
}
