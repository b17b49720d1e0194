//! The order of the games of a segment: sorted by their moves, so that games that reached a position in the same way
//! are adjacent. After the compared plies, the order of import decides; this affects only the size.

use rayon::prelude::*;

use super::visits::Visit;
use plybook_record::{GameId, GameRange};

/// Number of plies that are compared.
// Sorting by moves is what makes exact lists small. In a prototype with 297,156 master games, 4.71 million pairs of a
// popular position and a game became 0.57 million runs.
const PLIES: usize = 32;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beginning {
    /// The bytes of moves, eight per word starting at the top, because comparing words is faster than comparing bytes.
    pub(super) moves: [u64; Beginning::WORDS],
    pub(super) id: GameId,
}

impl Beginning {
    /// Words of moves.
    pub const WORDS: usize = PLIES / 8;

    /// The beginning of a game.
    pub fn of(id: GameId, visits: &[Visit]) -> Beginning {
        let mut moves = [0; Beginning::WORDS];
        for (word, visits) in moves.iter_mut().zip(visits.chunks(8)) {
            let bytes = (0..8).map(|at| visits.get(at).map_or(0, |visit| visit.played.byte()));
            *word = bytes.fold(0, |word, byte| word << 8 | u64::from(byte));
        }
        Beginning { moves, id }
    }
}

/// The order of games.
#[derive(Debug)]
pub struct Ranks {
    /// The offset in the segment of each game, by sort position: its id minus the first id.
    pub places: Vec<u32>,
    /// The id of the first game.
    first: GameId,
    /// The sort position of each game, by offset.
    ranks: Vec<u32>,
}

impl Ranks {
    /// Sorts games with ids in a range.
    pub fn new(mut beginnings: Vec<Beginning>, ids: GameRange) -> Ranks {
        beginnings.par_sort_unstable();
        let places: Vec<u32> =
            beginnings.iter().map(|game| u32::try_from(game.id - ids.start).unwrap_or(u32::MAX)).collect();
        let mut ranks = vec![0; usize::try_from(ids.last - ids.start).unwrap_or(0) + 1];
        for (rank, &place) in places.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(place as usize) {
                *slot = rank as u32;
            }
        }
        Ranks { places, first: ids.start, ranks }
    }

    /// The sort position of a game.
    #[inline]
    pub fn of(&self, id: GameId) -> u32 {
        let place = usize::try_from(id - self.first).unwrap_or(usize::MAX);
        self.ranks.get(place).copied().unwrap_or_default()
    }
}
