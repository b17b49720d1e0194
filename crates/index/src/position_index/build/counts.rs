//! Which positions, pawn structures and arrangements of a segment are common, and so which entries each game gets.

use super::{
    entries::GameEntries,
    sketch::{Often, Sketch},
    visits::Visit,
};
use crate::position_index::Level;
use plybook_chess::bits::mix;

/// Positions reached by at least this many games are popular.
// Measured in a prototype on 297,156 master games: with 16, 35,872 of 18.5 million positions are popular and take
// 5.55 bytes per game (with 64 it would be 8,687 positions and 2.0 bytes). It pays for itself, because popular
// positions need no postings, and it bounds lookups: a popular position needs a single replay.
pub const POPULAR: u8 = 16;

/// Most games found by one pawn structure (including in popular positions), and by one arrangement.
// A candidate costs 10 to 15 µs, for fetching and replaying its game, so these limits bound a lookup. A prototype
// with 32 took 67.0 bytes per game; 16, with half as many games per bucket, took 72.7. The limit for pawns is higher
// because it also counts the games in popular positions, which need no posting.
const COMMON_PAWNS: u8 = 48;
pub const COMMON_MINORS: u8 = 32;

/// Approximate numbers of games.
#[derive(Debug)]
pub struct Counts {
    /// That reach a position.
    whole: Sketch,
    /// That have a pawn structure.
    pawns: Sketch,
}

/// What many games have in common.
#[derive(Debug)]
pub struct Common {
    /// Positions that may be popular.
    popular: Often,
    /// Pawn structures that find too many games.
    pawns: Often,
}

/// The positions of a game, split by popularity. Reused from game to game.
#[derive(Debug, Default)]
pub struct Parted {
    may_be_popular: Vec<bool>,
    /// Positions that are not popular.
    pub rare: Vec<Visit>,
}

impl Counts {
    /// Empty counters, sized for a number of games.
    pub fn new(games: usize) -> Counts {
        Counts { whole: Sketch::of_games(games, POPULAR - 1), pawns: Sketch::of_games(games, COMMON_PAWNS) }
    }

    /// Counts a game. `hashes` is a buffer.
    pub fn add(&self, visits: &[Visit], hashes: &mut Vec<u64>) {
        self.each(visits, hashes, Sketch::add);
    }

    /// Takes back a game that was counted, [at most this many](super::sketch::MOST_TAKEN_BACK).
    pub fn take_back(&self, visits: &[Visit], hashes: &mut Vec<u64>) {
        self.each(visits, hashes, Sketch::take_back);
    }

    /// Forgets all games.
    pub fn clear(&mut self) {
        self.whole.clear();
        self.pawns.clear();
    }

    fn each(&self, visits: &[Visit], hashes: &mut Vec<u64>, change: impl Fn(&Sketch, &[u64])) {
        hashes.clear();
        hashes.extend(visits.iter().map(|visit| mix(visit.keys.whole)));
        change(&self.whole, hashes);
        hashes.clear();
        let stretches = visits.chunk_by(|a, b| a.keys.pawns == b.keys.pawns);
        hashes
            .extend(stretches.filter_map(|visits| visits.first()).map(|visit| visit.keys.hash(Level::Pawns)));
        change(&self.pawns, hashes);
    }

    /// What is common, after all games of a segment with this many games have been counted.
    pub fn common(self, games: usize) -> Common {
        Common { popular: self.whole.often(games), pawns: self.pawns.often(games) }
    }
}

impl Common {
    /// Splits the positions of a game; those that may be popular are passed on.
    pub fn part(&self, visits: &[Visit], parted: &mut Parted, popular: impl FnMut(&Visit)) {
        let Parted { may_be_popular, rare } = parted;
        // Looked up together, because the bits are far apart in memory: the cache misses overlap.
        may_be_popular.clear();
        may_be_popular.extend(visits.iter().map(|visit| self.popular.may_have(mix(visit.keys.whole))));
        let both = || visits.iter().zip(may_be_popular.iter());
        rare.clear();
        rare.extend(both().filter(|(_, may_be)| !**may_be).map(|(visit, _)| *visit));
        both().filter(|(_, may_be)| **may_be).map(|(visit, _)| visit).for_each(popular);
    }

    /// The entries of a game. `rare` are its positions that are not popular.
    pub fn entries(&self, rare: &mut [Visit], entries: &mut GameEntries) {
        entries.clear();
        for stretch in rare.chunk_by_mut(|a, b| a.keys.pawns == b.keys.pawns) {
            let Some(keys) = stretch.first().map(|visit| visit.keys) else { continue };
            // A stretch with a single arrangement, or an arrangement with a single position, gets the more specific
            // entry: the number of entries stays the same, but the prototype had fewer false candidates at the 90th
            // percentile, 13 instead of 16.
            let is_one = stretch.iter().all(|visit| visit.keys.minors == keys.minors);
            let pawns = keys.hash(Level::Pawns);
            if !is_one && !self.pawns.may_have(pawns) {
                entries.push(pawns);
                continue;
            }
            // An arrangement may recur within a pawn structure.
            stretch.sort_unstable_by_key(|visit| visit.keys.minors);
            for same in stretch.chunk_by(|a, b| a.keys.minors == b.keys.minors) {
                arrangement(same, entries);
            }
        }
    }
}

/// The entries of a game for an arrangement.
fn arrangement(visits: &[Visit], entries: &mut GameEntries) {
    let whole = |visit: &Visit| visit.keys.hash(Level::Whole);
    match visits {
        [only] => entries.push(whole(only)),
        [first, ..] => entries.push_arrangement(first.keys.hash(Level::Minors), visits.iter().map(whole)),
        [] => {}
    }
}
