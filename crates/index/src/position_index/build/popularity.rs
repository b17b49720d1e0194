//! Finds popular positions, and builds their records; and the postings of all other positions.

use std::{io, ops::Range};

use super::{
    counts::{COMMON_MINORS, Common, FEWER, POPULAR, Parted},
    entries::{Entries, GameEntries},
    ranks::Ranks,
    recorded::stored_games,
    shares::{Shares, sorted},
    sketch::{Often, Sketch},
    spill::Spill,
    visits::{Visit, read_positions},
};
use crate::position_index::{
    MoveCode, NamedRow, PostingsShape,
    keys::whole_hash,
    popular::{PopularPosition, rows},
};
use plybook_record::GameSums;

/// Approximate number of popular positions per game.
const PAIRS_A_GAME: usize = 20;

/// A game in a position: from the top, whole key, sort position, and the move played. Sorting a single number needs no
/// unpredictable branch per comparison.
type Pair = u128;

fn pair(key: u64, rank: u32, MoveCode(played): MoveCode) -> Pair {
    u128::from(key) << 48 | u128::from(rank) << 16 | u128::from(played)
}

fn key_of(pair: Pair) -> u64 {
    (pair >> 48) as u64
}

fn rank_of(pair: Pair) -> u32 {
    (pair >> 16) as u32
}

fn played_of(pair: Pair) -> MoveCode {
    MoveCode(pair as u16)
}

/// The popular positions of all games.
#[derive(Debug)]
pub struct Popular {
    /// The number of positions.
    pub positions: u64,
    /// The rows of their records.
    pub rows: Vec<NamedRow>,
    /// Whole keys of positions that seemed popular and are not, each with the sort position of a game.
    pub others: Vec<(u64, u32)>,
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
        others: Vec::new(),
        entries: Entries::new(&records.folder),
        entry_count: 0,
        minors: Often::default(),
    };
    for part in shares.parts() {
        // The records are read once per part. Entries are collected in the first pass only: they do not depend on the
        // part.
        let on_the_way = Some((&minors, &popular.entries)).filter(|_| part.start == 0);
        let (found, entries) = pairs(records, ranks, common, shares, &part, on_the_way)?;
        popular.entry_count += entries;
        for share in sorted(found, |pairs| Share::of(&pairs, &sums, bytes)) {
            popular.positions += share.positions;
            popular.rows.extend(share.rows);
            popular.others.extend(share.others);
        }
    }
    popular.minors = minors.often(games / FEWER);
    Ok(popular)
}

/// The results of a thread, and buffers for its current game.
#[derive(Default)]
struct Found {
    pairs: Vec<Vec<Pair>>,
    entry_count: u64,
    entries: Vec<u8>,
    visits: Vec<Visit>,
    parted: Parted,
    of_game: GameEntries,
    hashes: Vec<u64>,
}

/// The games in positions that may be popular, by share. Also collects the entries of their other positions, and counts
/// how many games each arrangement would find.
fn pairs(
    records: &Spill,
    ranks: &Ranks,
    common: &Common,
    shares: Shares,
    part: &Range<usize>,
    on_the_way: Option<(&Sketch, &Entries)>,
) -> io::Result<(Vec<Vec<Vec<Pair>>>, u64)> {
    let all = PAIRS_A_GAME * ranks.places.len();
    let new = || Found { pairs: shares.room(part, all), ..Found::default() };
    let add = |found: &mut Found, id, game: &[u8]| {
        let rank = ranks.of(id);
        let Found { pairs, entry_count, entries: batch, visits, parted, of_game, hashes } = found;
        read_positions(game, visits);
        common.part(visits, parted, |visit| {
            let share = shares.of(visit.keys.whole).wrapping_sub(part.start);
            if let Some(pairs) = pairs.get_mut(share) {
                pairs.push(pair(visit.keys.whole, rank, visit.played));
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
    Ok((found.into_iter().map(|found| found.pairs).collect(), entry_count))
}

/// A share of the popular positions.
struct Share {
    positions: u64,
    rows: Vec<NamedRow>,
    others: Vec<(u64, u32)>,
}

impl Share {
    /// From sorted pairs.
    fn of(pairs: &[Pair], sums: &(impl Fn(&[u32]) -> GameSums + Sync), bytes: usize) -> Share {
        let (mut positions, mut others) = (Vec::new(), Vec::new());
        for games in pairs.chunk_by(|&a, &b| key_of(a) == key_of(b)) {
            match games.first() {
                Some(&first) if games.len() >= usize::from(POPULAR) => {
                    let games: Vec<_> = games.iter().map(|&game| (rank_of(game), played_of(game))).collect();
                    positions.push((key_of(first), PopularPosition::of(&games, sums)));
                }
                _ => others.extend(games.iter().map(|&game| (key_of(game), rank_of(game)))),
            }
        }
        Share { positions: positions.len() as u64, rows: rows(&positions, bytes), others }
    }
}

/// The rows of postings, of about this many bytes each, and their parameters.
pub fn postings(popular: &Popular, games: usize, bytes: usize) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let Popular { entries, others, minors, .. } = popular;
    let all = popular.entry_count + others.len() as u64;
    let shape = PostingsShape::new(games as u64, all);
    let shares = Shares::new((shape.buckets * shape.games).saturating_sub(1), games);
    let mut rows = Vec::new();
    for part in shares.parts() {
        let new = || shares.room(&part, all as usize);
        let mut found = entries.fold(minors, new, |found: &mut Vec<Vec<u64>>, rank, hash| {
            push(found, shares, &part, shape.posting(hash, rank));
        })?;
        if let Some(found) = found.first_mut() {
            for &(key, rank) in others {
                push(found, shares, &part, shape.posting(whole_hash(key), rank));
            }
        }
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
