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
    records::{Batch, Records, visits},
    sketch::Sketch,
    stretches::Common,
};
use super::{
    Column, ColumnOf, GameColumns, Level, NamedRow, Part, PositionKeys, PostingsShape, SegmentShape,
    keys::mix, totals::Totals,
};
use crate::record::StoredMoves;

/// Games that found by chance, not for what they have, come with a lookup at each level: about so many.
const A_BUCKET: u64 = 4;

/// Games whose entries are sorted at once.
const GAMES_AT_ONCE: usize = 1 << 18;

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
            counts: Sketch::new(games.saturating_mul(64)),
            games: Mutex::default(),
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
        let Popular { keys, rows } = popular(&records, &ranks, &counts, sums, bytes)?;
        drop(counts);
        let mut blocks = Blocks { bytes, blocks: Vec::new() };
        let mut shape = SegmentShape {
            games: ranks.places.len() as u32,
            popular_positions: keys.len() as u64,
            popular_rows: blocks.push_rows(Part::Popular, Part::PopularFirst, rows),
            row_bytes: bytes as u32,
            ..SegmentShape::default()
        };
        let (postings, rows) = postings(&records, &ranks, &keys, bytes)?;
        (shape.postings, shape.posting_rows) =
            (postings, blocks.push_rows(Part::Postings, Part::PostingsFirst, rows));
        drop(records);
        blocks.push_column(Part::Order, &ranks.places);
        for column in ColumnOf::ALL {
            let numbers: Vec<u32> = facts.iter().map(|game| game.get(column)).collect();
            blocks.push_column(Part::Column(column), &numbers);
        }
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

    fn push_column(&mut self, part: Part, numbers: &[u32]) {
        self.push_whole(part, &Column::of(numbers).to_bytes());
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
    bytes: usize,
) -> io::Result<(PostingsShape, Vec<NamedRow>)> {
    let games = ranks.places.len();
    let (common, count) = count_common(records, popular, games)?;
    let shape = PostingsShape::new(games as u64, count, A_BUCKET);
    let parts = games.div_ceil(GAMES_AT_ONCE).max(1) as u64;
    let (all, mut rows) = (shape.buckets * shape.games, Vec::new());
    for part in 0..parts {
        let end = if part + 1 == parts { u64::MAX } else { all / parts * (part + 1) };
        let range = all / parts * part..end;
        let found = records.fold(Vec::new, |postings: &mut Vec<u64>, place, visits| {
            let rank = ranks.of(place);
            for_each_entry(&common, popular, visits, |level, keys| {
                let posting = shape.posting(keys.hash(level), rank);
                if range.contains(&posting) {
                    postings.push(posting);
                }
            });
        })?;
        let mut postings = joined(found);
        postings.par_sort_unstable();
        postings.dedup();
        rows.extend(shape.rows(&postings, bytes));
    }
    Ok((shape, rows))
}

/// Counts what is common, and about how many entries there will be.
fn count_common(records: &Records, popular: &HashSet<u64>, games: usize) -> io::Result<(Common, u64)> {
    let mut common = Common::default();
    for level in [Level::Pawns, Level::Minors] {
        let sketch = Sketch::new(games.saturating_mul(32));
        records.fold(
            || (),
            |(), _, visits| {
                for_each_entry(&common, popular, visits, |at, keys| {
                    if at == level {
                        sketch.add(keys.hash(level));
                    }
                });
            },
        )?;
        match level {
            Level::Pawns => common.pawns = Some(sketch),
            _ => common.minors = Some(sketch),
        }
    }
    let counts = records
        .fold(|| 0u64, |count, _, visits| for_each_entry(&common, popular, visits, |_, _| *count += 1))?;
    Ok((common, counts.iter().sum()))
}

fn for_each_entry(
    common: &Common,
    popular: &HashSet<u64>,
    visits: &[records::Visit],
    mut entry: impl FnMut(Level, &PositionKeys),
) {
    let mut rare: Vec<_> =
        visits.iter().filter(|visit| !popular.contains(&visit.keys.whole)).copied().collect();
    common.entries(&mut rare, &mut entry);
}

/// Lists one after the other; each gives its memory back when it has been added.
fn joined<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists = lists.into_iter();
    let mut all = lists.next().unwrap_or_default();
    lists.for_each(|list| all.extend(list));
    all
}
