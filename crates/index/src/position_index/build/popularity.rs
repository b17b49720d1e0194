//! Finds popular positions, and builds their records; and the postings of all other positions.

use std::{io, ops::Range};

use rayon::prelude::*;

use super::{
    counts::{COMMON_MINORS, Common, FEWER, POPULAR, Parted},
    entries::{Entries, GameEntries},
    ranks::Ranks,
    reached::{FoundGames, ReachedPositions},
    recorded::stored_games,
    shares::{Shares, by_share, sorted},
    sketch::{Often, Sketch},
    spill::Spill,
    visits::{Visit, read_positions},
};
use crate::position_index::{
    NamedRow, PostingsShape,
    popular::{PopularPosition, rows},
};
use plybook_record::GameSums;

/// Approximate number of popular positions per game.
const POSITIONS_A_GAME: usize = 20;

/// The popular positions of all games.
#[derive(Debug)]
pub struct Popular {
    /// The number of positions.
    pub positions: u64,
    /// The rows of their records.
    pub rows: Vec<NamedRow>,
    /// The entries of the positions that are not popular, and approximately how many there are.
    pub entries: Entries,
    pub entry_count: u64,
    /// Arrangements that would find too many games.
    pub minors: Often,
}

/// Finds the popular positions. `sums` computes the totals of games; a row has about `bytes` bytes.
pub fn popular(
    records: &Spill,
    ranks: &Ranks,
    common: &Common,
    sums: impl Fn(&[u32]) -> GameSums + Sync,
    bytes: usize,
) -> io::Result<Popular> {
    let games = ranks.places.len();
    let shares = Shares::new(u64::MAX, games);
    let minors = Sketch::of_games(games / FEWER, COMMON_MINORS);
    let mut popular = Popular {
        positions: 0,
        rows: Vec::new(),
        entries: Entries::new(&records.folder),
        entry_count: 0,
        minors: Often::default(),
    };
    for part in shares.parts() {
        // The records are read once per part. The entries of positions that cannot be popular do not depend on the part.
        let on_the_way = Some((&minors, &popular.entries)).filter(|_| part.start == 0);
        let (found, entry_count) = reached(records, ranks, common, shares, &part, on_the_way)?;
        popular.entry_count += entry_count;
        let share = |found| Share::of(&ReachedPositions::of(found)?, &sums, &popular.entries, bytes);
        for share in by_share(found).into_par_iter().map(share).collect::<io::Result<Vec<_>>>()? {
            popular.positions += share.positions;
            popular.rows.extend(share.rows);
            popular.entry_count += share.entry_count;
        }
    }
    popular.minors = minors.often(games / FEWER);
    Ok(popular)
}

/// The results of a thread, and buffers for its current game.
#[derive(Default)]
struct Found {
    games: Vec<FoundGames>,
    entry_count: u64,
    entries: Vec<u8>,
    visits: Vec<Visit>,
    parted: Parted,
    of_game: GameEntries,
    hashes: Vec<u64>,
}

/// The games in positions that may be popular, by share. Also collects the entries of their other positions, and counts
/// how many games each arrangement would find.
fn reached(
    records: &Spill,
    ranks: &Ranks,
    common: &Common,
    shares: Shares,
    part: &Range<usize>,
    on_the_way: Option<(&Sketch, &Entries)>,
) -> io::Result<(Vec<Vec<FoundGames>>, u64)> {
    let all = POSITIONS_A_GAME * ranks.places.len();
    let new = || Found { games: shares.room(part, all, FoundGames::with_room), ..Found::default() };
    let add = |found: &mut Found, id, game: &[u8]| {
        let rank = ranks.of(id);
        let Found { games, entry_count, entries: batch, visits, parted, of_game, hashes } = found;
        read_positions(game, visits);
        common.part(visits, parted, |visit| {
            let share = shares.of(visit.keys.whole).wrapping_sub(part.start);
            if let Some(games) = games.get_mut(share) {
                games.push(visit.keys.whole, rank, visit.played);
            }
        });
        let Some((minors, entries)) = on_the_way else { return Ok(()) };
        common.entries(&mut parted.rare, of_game);
        *entry_count += of_game.count();
        hashes.clear();
        of_game.arrangements(hashes);
        minors.add(hashes);
        entries.add(batch, rank, of_game)
    };
    let mut found = records
        .fold(new, |found, bytes| stored_games(bytes).try_for_each(|(id, game)| add(found, id, game)))?;
    if let Some((_, entries)) = on_the_way {
        found.iter_mut().try_for_each(|found| entries.keep(std::mem::take(&mut found.entries)))?;
    }
    let entry_count = found.iter().map(|found| found.entry_count).sum();
    Ok((found.into_iter().map(|found| found.games).collect(), entry_count))
}

/// A share of the popular positions.
struct Share {
    positions: u64,
    rows: Vec<NamedRow>,
    /// The number of entries for positions that seemed popular and are not.
    entry_count: u64,
}

impl Share {
    /// From the games of its positions. Positions that are not popular get entries.
    fn of(
        reached: &ReachedPositions,
        sums: &(impl Fn(&[u32]) -> GameSums + Sync),
        entries: &Entries,
        bytes: usize,
    ) -> io::Result<Share> {
        let (mut positions, mut others) = (Vec::new(), Vec::new());
        reached.each(|key, games| {
            if games.len() >= usize::from(POPULAR) {
                positions.push((key, PopularPosition::of(games, sums)));
            } else {
                others.extend(games.iter().map(|(rank, _)| (key, *rank)));
            }
        });
        entries.add_positions(&others)?;
        Ok(Share {
            positions: positions.len() as u64,
            rows: rows(&positions, bytes),
            entry_count: others.len() as u64,
        })
    }
}

/// The rows of postings, of about this many bytes each, and their parameters.
pub fn postings(popular: &Popular, games: usize, bytes: usize) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let Popular { entries, entry_count, minors, .. } = popular;
    let shape = PostingsShape::new(games as u64, *entry_count);
    let shares = Shares::new((shape.buckets * shape.games).saturating_sub(1), games);
    let mut rows = Vec::new();
    for part in shares.parts() {
        let new = || shares.room(&part, *entry_count as usize, Vec::with_capacity);
        let found = entries.fold(minors, new, |found: &mut Vec<Vec<u64>>, rank, hash| {
            push(found, shares, &part, shape.posting(hash, rank));
        })?;
        let write = |mut postings: Vec<u64>| {
            postings.dedup();
            shape.rows(&postings, bytes)
        };
        rows.extend(sorted(found, write).into_iter().flatten());
    }
    Ok((shape, rows))
}

#[inline]
fn push(found: &mut [Vec<u64>], shares: Shares, part: &Range<usize>, posting: u64) {
    if let Some(postings) = found.get_mut(shares.of(posting).wrapping_sub(part.start)) {
        postings.push(posting);
    }
}
