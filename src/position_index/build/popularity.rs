//! Which positions are popular, and their records.

use std::io;

use foldhash::{HashSet, HashSetExt};
use rayon::prelude::*;

use super::{
    joined,
    ranks::Ranks,
    records::{Records, Visit},
    share_of_a_thread,
    sketch::Sketch,
    stretches::Common,
};
use crate::position_index::{Level, MoveCode, NamedRow, keys::mix, popular::PopularPosition, totals::Totals};

/// From how many games on a position is popular.
pub const POPULAR: usize = 16;

/// Games whose positions are sorted at once.
const GAMES_AT_ONCE: usize = 5 << 16;

/// About how many of its positions are popular.
const PAIRS_A_GAME: usize = 20;

/// A game in a position.
type Pair = (u64, u32, MoveCode);

/// The keys of the popular positions, and the rows of their records.
#[derive(Debug)]
pub struct Popular {
    pub keys: HashSet<u64>,
    pub rows: Vec<NamedRow>,
    /// Rough counts of the games that a pawn structure would find, but for its popular positions.
    pub pawns: Sketch,
}

/// Finds the popular positions. `counts` are rough counts of all; `sums` makes the totals of the games with some ranks;
/// a row has about so many `bytes`.
pub fn popular(
    records: &Records,
    ranks: &Ranks,
    counts: &Sketch,
    sums: impl Fn(&[u32]) -> Totals + Sync,
    bytes: usize,
) -> io::Result<Popular> {
    let games = ranks.places.len();
    let parts = games.div_ceil(GAMES_AT_ONCE).next_power_of_two().max(1) as u64;
    let pawns = Sketch::new(games.saturating_mul(32));
    let mut popular = Popular { keys: HashSet::new(), rows: Vec::new(), pawns };
    for part in 0..parts {
        let is_mine = |key: u64| parts == 1 || key >> (64 - parts.ilog2()) == part;
        // What is counted on the way is counted once.
        let pawns = Some(&popular.pawns).filter(|_| part == 0);
        let pairs = pairs(records, ranks, counts, is_mine, pawns)?;
        let positions = positions(&pairs, &sums);
        popular.keys.extend(positions.iter().map(|(key, _)| *key));
        popular.rows.extend(crate::position_index::popular::rows(&positions, bytes));
    }
    Ok(popular)
}

/// What a thread has found, and memory for the game that it is at.
#[derive(Default)]
struct Found {
    pairs: Vec<Pair>,
    rare: Vec<Visit>,
    may_be: Vec<bool>,
}

/// Which games are in positions that may be popular, sorted. The pawn structures that would find a game's other
/// positions are counted on the way: those that may be popular and are not are too few to matter.
fn pairs(
    records: &Records,
    ranks: &Ranks,
    counts: &Sketch,
    is_mine: impl Fn(u64) -> bool + Sync,
    pawns: Option<&Sketch>,
) -> io::Result<Vec<Pair>> {
    let none = Common::default();
    let room = share_of_a_thread(PAIRS_A_GAME * ranks.places.len().min(GAMES_AT_ONCE));
    let new = || Found { pairs: Vec::with_capacity(room), ..Found::default() };
    let found = records.fold(new, |Found { pairs, rare, may_be }, place, visits| {
        let rank = ranks.of(place);
        rare.clear();
        // All at once: the counts are far apart in memory, and are fetched together.
        may_be.clear();
        may_be.extend(visits.iter().map(|visit| counts.may_exceed(mix(visit.keys.whole), POPULAR as u8 - 1)));
        for (visit, may_be) in visits.iter().zip(may_be.iter()) {
            let key = visit.keys.whole;
            if !may_be {
                rare.push(*visit);
            } else if is_mine(key) {
                pairs.push((key, rank, visit.played));
            }
        }
        if let Some(pawns) = pawns {
            none.entries(rare, &mut |level, keys| {
                if level == Level::Pawns {
                    pawns.add(keys.hash(level));
                }
            });
        }
    })?;
    let mut pairs = joined(found.into_iter().map(|found| found.pairs).collect());
    pairs.par_sort_unstable();
    Ok(pairs)
}

/// The popular ones of sorted pairs.
fn positions(pairs: &[Pair], sums: &(impl Fn(&[u32]) -> Totals + Sync)) -> Vec<(u64, PopularPosition)> {
    let groups: Vec<&[Pair]> =
        pairs.chunk_by(|a, b| a.0 == b.0).filter(|games| games.len() >= POPULAR).collect();
    let position = |games: &&[Pair]| {
        let key = games.first().map_or(0, |pair| pair.0);
        let games: Vec<_> = games.iter().map(|pair| (pair.1, pair.2)).collect();
        (key, PopularPosition::of(&games, sums))
    };
    groups.par_iter().map(position).collect()
}
