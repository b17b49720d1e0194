//! Building a segment: all positions of its games are read once to count them and to sort the games, and then again in
//! recorded form to find what is popular and the entries of each game.

mod counts;
mod entries;
mod game_list;
mod popularity;
mod ranks;
mod reached;
mod recorded;
mod shares;
mod sketch;
mod spill;
mod visits;

use std::{io, ops::Range, path::Path};

use rayon::prelude::*;

pub use self::recorded::RecordedPositions;
use self::{
    counts::Counts,
    game_list::{GameList, ListedGames},
    popularity::{popular, postings},
    ranks::{Beginning, Ranks},
    recorded::{forget_games, stored_games},
    sketch::MOST_TAKEN_BACK,
    spill::{IN_MEMORY, Spill},
    visits::{Visit, read_positions},
};
use super::{Column, ColumnOf, GameColumns, NamedRow, Part, SegmentShape};
use crate::{Block, BuiltSegment, blocks_of};
use plybook_chess::openings::{OpeningId, Openings};
use plybook_record::{GameId, GameRange, GameSums};

/// A segment that is being built.
#[derive(Debug)]
pub struct SegmentBuilder {
    /// The [recorded] positions of the games.
    records: Spill,
    counts: Counts,
    games: GameList,
    openings: &'static Openings,
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
            games: GameList::new(folder),
            openings: Openings::standard(),
        }
    }

    /// Adds games with their positions; from any thread, in any order.
    ///
    /// # Errors
    /// The disk is full.
    pub fn add(&self, games: Vec<IndexedGame>, mut recorded: RecordedPositions) -> io::Result<()> {
        let mut added = ListedGames::default();
        let (mut visits, mut hashes) = (Vec::new(), Vec::new());
        for IndexedGame { id, positions, facts } in games {
            read_positions(recorded.store(positions, id), &mut visits);
            self.counts.add(&visits, &mut hashes);
            let columns = GameColumns { opening: opening(self.openings, &visits), ..facts };
            added.push(&Beginning::of(id, &visits), &columns);
        }
        self.records.add(recorded.bytes)?;
        self.games.add(added)
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
        let SegmentBuilder { records, counts, games, .. } = &mut self;
        games.forget(is_left_out)?;
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
        Ok(self)
    }

    /// Finishes the segment for a range of ids; its blocks have about this many bytes.
    ///
    /// # Errors
    /// The disk is full.
    pub fn finish(self, ids: GameRange, bytes: usize) -> io::Result<BuiltSegment<SegmentShape>> {
        let SegmentBuilder { records, counts, games, openings } = self;
        let common = counts.common(usize::try_from(ids.last - ids.start).unwrap_or(0) + 1);
        let ranks = Ranks::new(games.beginnings()?, ids);
        let facts = games.columns(&ranks)?;
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
        // Freed on another thread, because releasing large files takes a while.
        rayon::spawn(|| drop((records, games, common)));
        for (part, column) in columns(&facts, &ranks.places) {
            blocks.extend(blocks_of(part.number(), &column, bytes));
        }
        // Before the postings, when there is the most in memory.
        drop(facts);
        let (postings, rows) = postings(&popular, ranks.places.len(), bytes)?;
        shape.postings = postings;
        shape.posting_rows = push_rows(&mut blocks, [Part::Postings, Part::PostingsFirst], rows, bytes);
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
