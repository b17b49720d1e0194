//! The trails of the games in a range of ids, which are read as a unit.

use std::{collections::HashMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use super::{
    DamagedTrail, Facts, RecordedTrails, TrailReader,
    phrases::{NO_TRAIL, PHRASES},
    recorded::RecordedGame,
};
use crate::{
    BuiltSegment, Shape, blocks_of,
    position_index::{Column, MOST_GAMES},
};
use plybook_record::GameId;

/// Games in a row. Rows can be read independently, and so by several threads.
// Trails have variable lengths, so a thread needs to know where to start. With one offset pair per 1,024 games the
// part is small, and a row is still only a fraction of a millisecond of work.
const GAMES_A_ROW: usize = 1024;

/// The allowed target sizes of a block.
const BLOCK_BYTES: RangeInclusive<u32> = 64..=1 << 16;

/// The parameters of the blocks of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailShape {
    /// Number of games, with or without trails.
    pub games: u32,
    /// The target size of a block; a rebuild with the same value gives the same segment.
    pub block_bytes: u32,
}

impl Shape for TrailShape {
    const KIND: i64 = super::KIND;

    fn games(&self) -> u32 {
        self.games
    }

    fn is_sane(&self) -> bool {
        self.games <= MOST_GAMES && BLOCK_BYTES.contains(&self.block_bytes)
    }
}

/// A part of a segment. Each is read as a unit. Archives store its number, which is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Part {
    /// The phrases of the material of all games.
    Materials = 1,
    /// For each game a byte with the length of its pawns, and the pawns; 0 for games without a trail.
    Pawns = 2,
    /// Where rows begin in the materials and the pawns, 32 bits each.
    Rows = 3,
    /// The [`Facts`] of all games, as a [`Column`].
    Facts = 4,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 4] = [Part::Materials, Part::Pawns, Part::Rows, Part::Facts];

    /// The number that archives store.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// The trails of a segment.
#[derive(Clone, Debug)]
pub struct Trails {
    first: GameId,
    materials: Vec<u8>,
    pawns: Vec<u8>,
    /// Where rows begin, and where the last one ends.
    rows: Vec<[usize; 2]>,
    facts: Column,
}

/// A row of games.
#[derive(Clone, Copy, Debug)]
pub struct TrailRow<'a> {
    /// The id of its first game.
    pub first: GameId,
    /// The material of its games.
    pub materials: &'a [u8],
    pawns: &'a [u8],
}

impl Trails {
    /// The trails of the games from an id on, from its parameters and its [parts](Part::ALL).
    ///
    /// # Errors
    /// The parts are inconsistent.
    pub fn new(first: GameId, shape: TrailShape, parts: [Vec<u8>; 4]) -> Result<Trails, DamagedTrail> {
        let [materials, pawns, rows, facts] = parts;
        let games = shape.games as usize;
        let (starts, rest) = rows.as_chunks::<8>();
        if !rest.is_empty() || starts.len() != games.div_ceil(GAMES_A_ROW) {
            return Err(DamagedTrail);
        }
        let start = |[a, b, c, d, pawns @ ..]: &[u8; 8]| {
            [u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes(*pawns)].map(|start| start as usize)
        };
        let end = [materials.len(), pawns.len()];
        let rows: Vec<[usize; 2]> = starts.iter().map(start).chain([end]).collect();
        let ascend = |part: usize| rows.is_sorted_by_key(|row| row[part]);
        if !ascend(0) || !ascend(1) || rows[0] != [0, 0] {
            return Err(DamagedTrail);
        }
        let facts = Column::from_bytes(&facts, games).map_err(|_| DamagedTrail)?;
        Ok(Trails { first, materials, pawns, rows, facts })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len() - 1
    }

    /// A row, by its number.
    pub fn row(&self, number: usize) -> Option<TrailRow<'_>> {
        let [begin, end] = [self.rows.get(number)?, self.rows.get(number + 1)?];
        Some(TrailRow {
            first: self.first + (number * GAMES_A_ROW) as GameId,
            materials: self.materials.get(begin[0]..end[0])?,
            pawns: self.pawns.get(begin[1]..end[1])?,
        })
    }

    /// The id of the first game of a row.
    pub fn id_of_row(&self, number: usize) -> GameId {
        self.first + (number * GAMES_A_ROW).min(self.facts.places.len()) as GameId
    }

    /// The facts of a game.
    pub fn facts(&self, id: GameId) -> Facts {
        let place =
            u32::try_from(id - self.first).ok().filter(|place| (*place as usize) < self.facts.places.len());
        place.and_then(|place| Facts::from_number(self.facts.get(place))).unwrap_or(Facts::UNKNOWN)
    }
}

impl<'a> TrailRow<'a> {
    /// The games of the row, with their trails if they have one.
    pub fn games(mut self) -> impl Iterator<Item = Result<(GameId, Option<TrailReader<'a>>), DamagedTrail>> {
        let mut id = self.first;
        std::iter::from_fn(move || {
            (!self.materials.is_empty() || !self.pawns.is_empty()).then(|| {
                let trail = self.next_game()?;
                id += 1;
                Ok((id - 1, trail))
            })
        })
    }

    fn next_game(&mut self) -> Result<Option<TrailReader<'a>>, DamagedTrail> {
        let is_last = |byte: &u8| *byte == NO_TRAIL || PHRASES[usize::from(*byte)].is_last;
        let Some(length) = self.materials.iter().position(is_last) else { return Err(self.damaged()) };
        let materials;
        (materials, self.materials) = self.materials.split_at(length + 1);
        let Some((pawns, rest)) =
            self.pawns.split_first().and_then(|(bytes, rest)| rest.split_at_checked((*bytes).into()))
        else {
            return Err(self.damaged());
        };
        self.pawns = rest;
        match materials {
            [NO_TRAIL] => Ok(None),
            _ => Ok(Some(TrailReader { materials, pawns })),
        }
    }

    /// Ends the iteration after invalid data.
    fn damaged(&mut self) -> DamagedTrail {
        (self.materials, self.pawns) = (&[], &[]);
        DamagedTrail
    }
}

/// Collects the trails of games with consecutive ids.
#[derive(Debug, Default)]
pub struct TrailBuilder {
    first: GameId,
    materials: Vec<u8>,
    pawns: Vec<u8>,
    rows: Vec<u8>,
    facts: Vec<u32>,
}

impl TrailBuilder {
    /// Begins with the game with an id.
    pub fn new(first: GameId) -> TrailBuilder {
        TrailBuilder { first, ..TrailBuilder::default() }
    }

    /// Adds the trails of some ids, which must be in ascending order, also across calls. Skipped ids belong to games
    /// without a trail.
    pub fn push(&mut self, ids: impl IntoIterator<Item = GameId>, trails: &RecordedTrails) {
        self.push_but(ids, trails, &HashMap::new());
    }

    /// The same, but some games have other trails, each alone.
    pub fn push_but(
        &mut self,
        ids: impl IntoIterator<Item = GameId>,
        trails: &RecordedTrails,
        others: &HashMap<GameId, RecordedTrails>,
    ) {
        for (id, game) in ids.into_iter().zip(trails.games()) {
            self.leave_out_until(id);
            self.add(others.get(&id).and_then(|other| other.games().next()).unwrap_or(game));
        }
    }

    /// The number of games so far, including skipped ones.
    pub fn games(&self) -> u64 {
        self.facts.len() as u64
    }

    fn leave_out_until(&mut self, id: GameId) {
        while self.first + (self.facts.len() as GameId) < id {
            self.add(RecordedGame { facts: Facts::UNKNOWN, materials: &[NO_TRAIL], pawns: &[] });
        }
    }

    fn add(&mut self, RecordedGame { facts, materials, pawns }: RecordedGame<'_>) {
        if self.facts.len().is_multiple_of(GAMES_A_ROW) {
            for part in [&self.materials, &self.pawns] {
                self.rows.extend((part.len() as u32).to_le_bytes());
            }
        }
        self.facts.push(facts.number());
        self.materials.extend(materials);
        self.pawns.push(pawns.len() as u8);
        self.pawns.extend(pawns);
    }

    /// Ends with the game with an id; blocks have about this many bytes.
    pub fn finish(mut self, last: GameId, bytes: usize) -> BuiltSegment<TrailShape> {
        self.leave_out_until(last + 1);
        let shape = TrailShape { games: self.facts.len() as u32, block_bytes: bytes as u32 };
        let facts = Column::of(&self.facts).to_bytes();
        let parts = [
            (Part::Materials, &self.materials),
            (Part::Pawns, &self.pawns),
            (Part::Rows, &self.rows),
            (Part::Facts, &facts),
        ];
        let blocks = parts.into_iter().flat_map(|(part, whole)| blocks_of(part.number(), whole, bytes));
        BuiltSegment { shape, blocks: blocks.collect() }
    }
}
