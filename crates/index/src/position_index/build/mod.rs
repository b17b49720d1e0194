//! Building a segment: all positions of its games are read once to count them and to sort the games, and then again in
//! recorded form to find what is popular and the entries of each game.

mod counts;
mod entries;
mod popularity;
mod ranks;
mod recorded;
mod shares;
mod sketch;
mod spill;
mod visits;

use std::{
    io,
    ops::Range,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

pub use self::recorded::RecordedPositions;
use self::{
    counts::Counts,
    popularity::{popular, postings},
    ranks::{Beginning, Ranks},
    recorded::{forget_games, stored_games},
    sketch::MOST_TAKEN_BACK,
    spill::Spill,
    visits::{Visit, read_positions},
};
use super::{Column, ColumnOf, GameColumns, MOST_GAMES, NamedRow, Part, SegmentShape};
use crate::{Block, BuiltSegment, blocks_of};
use plybook_chess::openings::{OpeningId, Openings};
use plybook_record::{GameId, GameRange, GameSums};

/// Bytes of positions that are kept in memory.
const IN_MEMORY: usize = 4 << 20;

/// A segment that is being built.
#[derive(Debug)]
pub struct SegmentBuilder {
    /// The [recorded] positions of the games.
    records: Spill,
    counts: Counts,
    games: Mutex<Games>,
    openings: &'static Openings,
}

#[derive(Debug, Default)]
struct Games {
    beginnings: Vec<Beginning>,
    facts: Vec<(GameId, GameColumns)>,
}

/// A game to be indexed.
#[derive(Clone, Debug)]
pub struct IndexedGame {
    /// Its id.
    pub id: GameId,
    /// The range of its positions among those that were recorded.
    pub positions: Range<usize>,
    /// Its columns.
    pub facts: GameColumns,
}

impl SegmentBuilder {
    /// Begins a segment of a range of at most this many ids. Data that does not fit in memory is written to an unnamed
    /// file in a directory.
    pub fn new(games: usize, folder: &Path) -> SegmentBuilder {
        SegmentBuilder {
            records: Spill::new(folder, IN_MEMORY),
            counts: Counts::new(games),
            games: Mutex::new(Games {
                beginnings: Vec::with_capacity(games.min(MOST_GAMES as usize)),
                facts: Vec::with_capacity(games.min(MOST_GAMES as usize)),
            }),
            openings: Openings::standard(),
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds games with their positions; from any thread, in any order.
    ///
    /// # Errors
    /// The disk is full.
    pub fn add(&self, games: Vec<IndexedGame>, mut recorded: RecordedPositions) -> io::Result<()> {
        let mut added = Games::default();
        let (mut visits, mut hashes) = (Vec::new(), Vec::new());
        for IndexedGame { id, positions, facts } in games {
            read_positions(recorded.store(positions, id), &mut visits);
            self.counts.add(&visits, &mut hashes);
            added.beginnings.push(Beginning::of(id, &visits));
            added.facts.push((id, GameColumns { opening: opening(self.openings, &visits), ..facts }));
        }
        self.records.add(recorded.bytes)?;
        let mut all = self.games();
        all.beginnings.extend(added.beginnings);
        all.facts.extend(added.facts);
        Ok(())
    }

    /// The same without some games, by their ids in ascending order.
    ///
    /// # Errors
    /// The disk is full.
    pub fn without(mut self, left_out: &[GameId]) -> io::Result<SegmentBuilder> {
        if left_out.is_empty() {
            return Ok(self);
        }
        let is_left_out = |id: GameId| left_out.binary_search(&id).is_ok();
        let SegmentBuilder { records, counts, .. } = &mut self;
        records.change(|bytes| {
            forget_games(bytes, is_left_out, |game| {
                let (mut visits, mut hashes) = (Vec::new(), Vec::new());
                read_positions(game, &mut visits);
                counts.take_back(&visits, &mut hashes);
            })
        })?;
        if left_out.len() > MOST_TAKEN_BACK {
            counts.clear();
            records.fold(Default::default, |(visits, hashes): &mut (Vec<_>, Vec<_>), bytes| {
                for (_, game) in stored_games(bytes) {
                    read_positions(game, visits);
                    counts.add(visits, hashes);
                }
                Ok(())
            })?;
        }
        let games = self.games.get_mut().unwrap_or_else(PoisonError::into_inner);
        games.beginnings.retain(|game| !is_left_out(game.id));
        games.facts.retain(|(id, _)| !is_left_out(*id));
        Ok(self)
    }

    /// Finishes the segment for a range of ids; its blocks have about this many bytes.
    ///
    /// # Errors
    /// The disk is full.
    pub fn finish(self, ids: GameRange, bytes: usize) -> io::Result<BuiltSegment<SegmentShape>> {
        let SegmentBuilder { records, counts, games, openings } = self;
        let common = counts.common(usize::try_from(ids.last - ids.start).unwrap_or(0) + 1);
        let Games { beginnings, facts } = games.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ranks = Ranks::new(beginnings, ids);
        let facts = ranks.in_order(facts);
        let sums = |games: &[u32]| sums(games, &facts, &ranks.places);
        let mut popular = popular(&records, &ranks, &common, sums, bytes)?;
        let mut blocks = Vec::new();
        let mut shape = SegmentShape {
            games: ranks.places.len() as u32,
            popular_positions: popular.positions,
            popular_rows: push_rows(
                &mut blocks,
                [Part::Popular, Part::PopularFirst],
                std::mem::take(&mut popular.rows),
                bytes,
            ),
            row_bytes: bytes as u32,
            openings: openings.version(),
            ..SegmentShape::default()
        };
        // Freed on another thread, because releasing this much memory and a file takes a while.
        rayon::spawn(|| drop((records, common)));
        let (postings, columns) =
            rayon::join(|| postings(&popular, ranks.places.len(), bytes), || columns(&facts, &ranks.places));
        let (postings, rows) = postings?;
        shape.postings = postings;
        shape.posting_rows = push_rows(&mut blocks, [Part::Postings, Part::PostingsFirst], rows, bytes);
        blocks.extend(columns.iter().flat_map(|(part, column)| blocks_of(part.number(), column, bytes)));
        blocks.sort_unstable_by_key(|&(part, number, _)| (part, number));
        Ok(BuiltSegment { shape, blocks })
    }
}

/// The number of a game's opening: that of its last named position. Positions are identified by their keys alone, as in
/// a replay; the whole key of a position equals its Polyglot key unless a rook that may castle is not on its usual
/// square, and no named position has such a rook.
fn opening(openings: &Openings, visits: &[Visit]) -> u32 {
    let last = visits.iter().rev().find_map(|visit| openings.at(visit.keys.whole));
    last.map_or(0, |OpeningId(place)| u32::from(place) + 1)
}

/// The encoded columns and order of the games.
fn columns(facts: &[GameColumns], places: &[u32]) -> Vec<(Part, Vec<u8>)> {
    let column = |&of: &ColumnOf| {
        let numbers: Vec<u32> = facts.iter().map(|game| game.get(of)).collect();
        (Part::Column(of), Column::of(&numbers).to_bytes())
    };
    let mut columns: Vec<_> = ColumnOf::ALL.par_iter().map(column).collect();
    columns.push((Part::Order, Column::of(places).to_bytes()));
    columns
}

/// Adds rows as blocks, and the first value of each as another part. Returns their number.
fn push_rows(blocks: &mut Vec<Block>, [part, firsts]: [Part; 2], rows: Vec<NamedRow>, bytes: usize) -> u32 {
    let directory: Vec<u8> = rows.iter().flat_map(|(first, _)| first.to_le_bytes()).collect();
    blocks.extend(blocks_of(firsts.number(), &directory, bytes));
    let count = rows.len() as u32;
    blocks.extend((0..).zip(rows).map(|(number, (_, row))| (part.number(), number, row)));
    count
}

fn sums(ranks: &[u32], facts: &[GameColumns], places: &[u32]) -> GameSums {
    let mut sums = GameSums::default();
    for &rank in ranks {
        if let (Some(facts), Some(&place)) = (facts.get(rank as usize), places.get(rank as usize)) {
            sums.add(&facts.metadata(place.into()));
        }
    }
    sums
}
