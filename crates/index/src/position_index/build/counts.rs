//! Which positions, pawn structures and arrangements of a segment are common, and so which entries each game gets.

use super::{
    entries::GameEntries,
    sketch::{Often, Sketch},
    visits::Visit,
};
use crate::position_index::{Level, PositionKeys};
use plybook_chess::bits::mix;

/// Positions reached by at least this many games are popular.
// Measured in a prototype on 297,156 master games: with 16, 35,872 of 18.5 million positions are popular and take
// 5.55 bytes per game (with 64 it would be 8,687 positions and 2.0 bytes). It pays for itself, because popular
// positions need no postings, and it bounds lookups: a popular position needs a single replay.
pub const POPULAR: u8 = 16;

/// Most games found by one entry of each level. Those for pawns include games in popular positions, which need no entry.
// A candidate costs 10 to 15 µs, for fetching and replaying its game, so these limits bound a lookup.
const COMMON_WHITE_PAWNS: u8 = 16;
const COMMON_PAWNS: u8 = 48;
pub const COMMON_MINORS: u8 = 32;

/// A game has a few pawns and arrangements that are counted, but dozens of positions: counters for a part of the games are
/// enough.
// With as many as for positions, an index takes 0.06 bytes a game less, but its build a fortieth more time and 28 MB.
pub const FEWER: usize = 4;

/// Approximate numbers of games.
#[derive(Debug)]
pub struct Counts {
    /// That reach a position.
    whole: Sketch,
    /// That would have an entry for White's pawns.
    white_pawns: Sketch,
    /// That would have an entry for a pawn structure.
    pawns: Sketch,
}

/// What many games have in common.
#[derive(Debug)]
pub struct Common {
    /// Positions that may be popular.
    popular: Often,
    /// White's pawns that find too many games.
    white_pawns: Often,
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
        Counts {
            whole: Sketch::of_games(games, POPULAR - 1),
            white_pawns: Sketch::of_games(games / FEWER, COMMON_WHITE_PAWNS),
            pawns: Sketch::of_games(games / FEWER, COMMON_PAWNS),
        }
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
        self.white_pawns.clear();
        self.pawns.clear();
    }

    fn each(&self, visits: &[Visit], hashes: &mut Vec<u64>, change: impl Fn(&Sketch, &[u64])) {
        hashes.clear();
        hashes.extend(visits.iter().map(|visit| mix(visit.keys.whole)));
        change(&self.whole, hashes);
        hashes.clear();
        let stretches = visits.chunk_by(|a, b| a.keys.white_pawns == b.keys.white_pawns);
        let several = stretches.filter(|stretch| are_several(stretch, |keys| keys.pawns));
        hashes.extend(several.filter_map(<[_]>::first).map(|visit| visit.keys.hash(Level::WhitePawns)));
        change(&self.white_pawns, hashes);
        hashes.clear();
        let structures = visits.chunk_by(|a, b| a.keys.pawns == b.keys.pawns);
        let several = structures.filter(|structure| are_several(structure, |keys| keys.minors));
        hashes.extend(several.filter_map(<[_]>::first).map(|visit| visit.keys.hash(Level::Pawns)));
        change(&self.pawns, hashes);
    }

    /// What is common, after all games of a segment with this many games have been counted.
    pub fn common(self, games: usize) -> Common {
        let Counts { whole, white_pawns, pawns } = self;
        Common {
            popular: whole.often(games),
            white_pawns: white_pawns.often(games / FEWER),
            pawns: pawns.often(games / FEWER),
        }
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
        for stretch in rare.chunk_by_mut(|a, b| a.keys.white_pawns == b.keys.white_pawns) {
            let Some(keys) = stretch.first().map(|visit| visit.keys) else { continue };
            if are_several(stretch, |keys| keys.pawns)
                && enter(keys.hash(Level::WhitePawns), &self.white_pawns, entries)
            {
                continue;
            }
            for structure in stretch.chunk_by_mut(|a, b| a.keys.pawns == b.keys.pawns) {
                let Some(keys) = structure.first().map(|visit| visit.keys) else { continue };
                if !are_several(structure, |keys| keys.minors)
                    || !enter(keys.hash(Level::Pawns), &self.pawns, entries)
                {
                    arrangements(structure, entries);
                }
            }
        }
    }
}

/// Whether positions with the same pawns have different keys at the next level. What is the same there gets the more
/// specific entry.
// The number of entries stays the same, but a prototype had fewer false candidates at the 90th percentile, 13 instead of 16.
fn are_several(visits: &[Visit], key: impl Fn(&PositionKeys) -> u32) -> bool {
    visits.first().is_some_and(|first| visits.iter().any(|visit| key(&visit.keys) != key(&first.keys)))
}

/// Adds an entry, unless it is common. Returns whether it was added.
fn enter(hash: u64, common: &Often, entries: &mut GameEntries) -> bool {
    let is_rare = !common.may_have(hash);
    if is_rare {
        entries.push(hash);
    }
    is_rare
}

/// Adds the entries of a pawn structure for each arrangement, which may recur within it.
fn arrangements(visits: &mut [Visit], entries: &mut GameEntries) {
    visits.sort_unstable_by_key(|visit| visit.keys.minors);
    visits.chunk_by(|a, b| a.keys.minors == b.keys.minors).for_each(|same| arrangement(same, entries));
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
