//! Building a segment: all positions of its games are gone through once to count them and to put the games in order,
//! then several times in their recorded form.

mod popularity;
mod ranks;
mod records;
mod sketch;
mod stretches;

use std::{
    io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use foldhash::HashSet;
use rayon::prelude::*;

use self::{
    popularity::{Popular, popular},
    ranks::{Beginning, Ranks},
    records::{Batch, Records, Visit, visits},
    sketch::Sketch,
    stretches::Common,
};
use super::{
    Column, ColumnOf, GameColumns, Level, MOST_GAMES, NamedRow, Part, PositionKeys, PostingsShape,
    SegmentShape, keys::mix, totals::Totals,
};
use crate::record::StoredMoves;

/// Games that are found by chance, not for what they have, at each level of a look-up: about so many. Twice as many would
/// save 2.8 bytes a game; each is replayed in vain.
const A_BUCKET: u64 = 1;

/// Games whose entries are sorted at once.
const GAMES_AT_ONCE: usize = 5 << 16;

/// A segment that is being built.
#[derive(Debug)]
pub struct SegmentBuilder {
    records: Records,
    counts: Sketch,
    games: Mutex<Games>,
}

#[derive(Debug, Default)]
struct Games {
    beginnings: Vec<Beginning>,
    /// By place in the segment.
    facts: Vec<(u32, GameColumns)>,
}

/// A game to be indexed: its place in the segment, which is its id less that of the segment's first, its moves, and what
/// the columns say of it.
pub type IndexedGame = (u32, StoredMoves, GameColumns);

impl SegmentBuilder {
    /// Begins a segment of at most so many games. What does not fit in memory goes to a file without a name in a folder.
    pub fn new(games: usize, folder: &Path) -> SegmentBuilder {
        SegmentBuilder {
            records: Records::new(folder),
            counts: Sketch::new(games.saturating_mul(32)),
            games: Mutex::new(Games {
                beginnings: Vec::with_capacity(games.min(MOST_GAMES as usize)),
                facts: Vec::with_capacity(games.min(MOST_GAMES as usize)),
            }),
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds some games; from any thread, in any order. Games with other rules are left out.
    ///
    /// # Errors
    /// The disk is full.
    pub fn add(&self, games: Vec<IndexedGame>) -> io::Result<()> {
        let (mut batch, mut positions) = (Batch::default(), Vec::new());
        let mut added = Games::default();
        for (place, moves, facts) in games {
            if !visits(&moves, &mut positions) {
                continue;
            }
            for visit in &positions {
                self.counts.add(mix(visit.keys.whole));
            }
            batch.push(place, &positions);
            added.beginnings.push(Beginning::of(place, &positions));
            added.facts.push((place, facts));
        }
        self.records.add(batch)?;
        let mut all = self.games();
        all.beginnings.extend(added.beginnings);
        all.facts.extend(added.facts);
        Ok(())
    }

    /// Ends the segment; its blocks have about so many bytes each.
    ///
    /// # Errors
    /// Of the disk.
    pub fn finish(self, bytes: usize) -> io::Result<BuiltSegment> {
        let SegmentBuilder { records, counts, games } = self;
        let Games { beginnings, mut facts } = games.into_inner().unwrap_or_else(PoisonError::into_inner);
        let last = facts.iter().map(|fact| fact.0).max().unwrap_or(0);
        let ranks = Ranks::new(beginnings, last);
        facts.par_sort_unstable_by_key(|fact| ranks.of(fact.0));
        let facts: Vec<GameColumns> = facts.into_iter().map(|fact| fact.1).collect();
        let sums = |games: &[u32]| totals(games, &facts, &ranks.places);
        let Popular { keys, rows, pawns } = popular(&records, &ranks, &counts, sums, bytes)?;
        drop(counts);
        let mut blocks = Blocks { bytes, blocks: Vec::new() };
        let mut shape = SegmentShape {
            games: ranks.places.len() as u32,
            popular_positions: keys.len() as u64,
            popular_rows: blocks.push_rows(Part::Popular, Part::PopularFirst, rows),
            row_bytes: bytes as u32,
            ..SegmentShape::default()
        };
        let (postings, rows) = postings(&records, &ranks, &keys, pawns, bytes)?;
        (shape.postings, shape.posting_rows) =
            (postings, blocks.push_rows(Part::Postings, Part::PostingsFirst, rows));
        drop(records);
        blocks.push_whole(Part::Order, &Column::of(&ranks.places).to_bytes());
        let column = |&of: &ColumnOf| {
            let numbers: Vec<u32> = facts.iter().map(|game| game.get(of)).collect();
            (Part::Column(of), Column::of(&numbers).to_bytes())
        };
        let columns: Vec<_> = ColumnOf::ALL.par_iter().map(column).collect();
        columns.iter().for_each(|(part, bytes)| blocks.push_whole(*part, bytes));
        blocks.blocks.sort_unstable_by_key(|&(part, number, _)| (part.number(), number));
        Ok(BuiltSegment { shape, blocks: blocks.blocks })
    }
}

/// A segment that has been built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltSegment {
    /// What its blocks are written with.
    pub shape: SegmentShape,
    /// The blocks, in the order of parts and numbers.
    pub blocks: Vec<(Part, u32, Vec<u8>)>,
}

/// Blocks in the making.
struct Blocks {
    /// About how long one is.
    bytes: usize,
    blocks: Vec<(Part, u32, Vec<u8>)>,
}

impl Blocks {
    /// Adds rows, and what each begins with. Gives their number.
    fn push_rows(&mut self, part: Part, firsts: Part, rows: Vec<NamedRow>) -> u32 {
        let directory: Vec<u8> = rows.iter().flat_map(|(first, _)| first.to_le_bytes()).collect();
        self.push_whole(firsts, &directory);
        let count = rows.len() as u32;
        self.blocks.extend((0..).zip(rows).map(|(number, (_, row))| (part, number, row)));
        count
    }

    /// Adds bytes that are read as a whole.
    fn push_whole(&mut self, part: Part, bytes: &[u8]) {
        let pieces = (0..).zip(bytes.chunks(self.bytes.max(1)));
        self.blocks.extend(pieces.map(|(number, piece)| (part, number, piece.to_vec())));
    }
}

fn totals(ranks: &[u32], facts: &[GameColumns], places: &[u32]) -> Totals {
    let mut totals = Totals::default();
    for &rank in ranks {
        if let (Some(facts), Some(&place)) = (facts.get(rank as usize), places.get(rank as usize)) {
            totals.add(facts, place);
        }
    }
    totals
}

/// The rows of postings, and their shape.
fn postings(
    records: &Records,
    ranks: &Ranks,
    popular: &HashSet<u64>,
    pawns: Sketch,
    bytes: usize,
) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let games = ranks.places.len();
    let mut common = Common { pawns: Some(pawns), minors: None };
    let (minors, count) = count_minors(records, popular, games, &common)?;
    common.minors = Some(minors);
    let shape = PostingsShape::new(games as u64, count, A_BUCKET);
    let parts = games.div_ceil(GAMES_AT_ONCE).max(1) as u64;
    let (all, mut rows) = (shape.buckets * shape.games, Vec::new());
    let room = share_of_a_thread(usize::try_from(count / parts).unwrap_or(0));
    for part in 0..parts {
        let end = if part + 1 == parts { u64::MAX } else { all / parts * (part + 1) };
        let range = all / parts * part..end;
        let new = || (Vec::with_capacity(room), Vec::new());
        let found = records.fold(new, |(postings, rare): &mut (Vec<u64>, Vec<Visit>), place, visits| {
            let rank = ranks.of(place);
            for_each_entry(&common, popular, visits, rare, |level, keys| {
                let posting = shape.posting(keys.hash(level), rank);
                if range.contains(&posting) {
                    postings.push(posting);
                }
            });
        })?;
        let mut postings = joined(found.into_iter().map(|(postings, _)| postings).collect());
        postings.par_sort_unstable();
        postings.dedup();
        rows.extend(shape.rows(&postings, bytes));
    }
    Ok((shape, rows))
}

/// Counts the arrangements that would find a game, and about how many entries there will be in all.
fn count_minors(
    records: &Records,
    popular: &HashSet<u64>,
    games: usize,
    common: &Common,
) -> io::Result<(Sketch, u64)> {
    let sketch = Sketch::new(games.saturating_mul(32));
    let counts = records.fold(
        || (0, Vec::new()),
        |(count, rare), _, visits| {
            for_each_entry(common, popular, visits, rare, |level, keys| {
                *count += 1;
                if level == Level::Minors {
                    sketch.add(keys.hash(level));
                }
            });
        },
    )?;
    Ok((sketch, counts.iter().map(|(count, _)| *count).sum()))
}

/// Hands over the entries of a game. `rare` is memory for its positions that are not popular.
fn for_each_entry(
    common: &Common,
    popular: &HashSet<u64>,
    visits: &[Visit],
    rare: &mut Vec<Visit>,
    mut entry: impl FnMut(Level, &PositionKeys),
) {
    rare.clear();
    rare.extend(visits.iter().filter(|visit| !popular.contains(&visit.keys.whole)));
    common.entries(rare, &mut entry);
}

/// Room for what a thread finds of so much: what outgrows its room is copied, and room that is not used takes no memory.
fn share_of_a_thread(found: usize) -> usize {
    found / rayon::current_num_threads().max(1) * 9 / 8
}

/// Lists one after the other; each gives its memory back when it has been added.
fn joined<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let length: usize = lists.iter().map(Vec::len).sum();
    let mut lists = lists.into_iter();
    let mut all = lists.next().unwrap_or_default();
    all.reserve_exact(length - all.len());
    lists.for_each(|list| all.extend(list));
    all
}
