//! The order of the games of a segment: sorted by their moves, so that games that came to a position in the same way
//! stand side by side. After so many plies as are compared the order of import decides; nothing depends on it but size.

use rayon::prelude::*;

use super::records::Visit;

/// Plies that are compared.
const PLIES: usize = 32;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beginning {
    moves: [u8; PLIES],
    place: u32,
}

impl Beginning {
    /// Of a game, by its place in the segment.
    pub fn of(place: u32, visits: &[Visit]) -> Beginning {
        let mut moves = [0; PLIES];
        for (byte, visit) in moves.iter_mut().zip(visits) {
            *byte = visit.played.byte();
        }
        Beginning { moves, place }
    }
}

/// The order of games.
#[derive(Debug)]
pub struct Ranks {
    /// The place in the segment of each game, by rank.
    pub places: Vec<u32>,
    /// The rank of each game, by its place.
    ranks: Vec<u32>,
}

impl Ranks {
    /// Sorts games; places are below `last`.
    pub fn new(mut beginnings: Vec<Beginning>, last: u32) -> Ranks {
        beginnings.par_sort_unstable();
        let places: Vec<u32> = beginnings.iter().map(|beginning| beginning.place).collect();
        let mut ranks = vec![0; last as usize + 1];
        for (rank, &place) in places.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(place as usize) {
                *slot = rank as u32;
            }
        }
        Ranks { places, ranks }
    }

    /// The rank of the game at a place.
    #[inline]
    pub fn of(&self, place: u32) -> u32 {
        self.ranks.get(place as usize).copied().unwrap_or_default()
    }
}
