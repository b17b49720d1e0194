//! Building trails.

use super::{
    Facts, Part, RecordedTrails, TrailShape, phrases::NO_TRAIL, recorded::RecordedGame, segment::GAMES_A_ROW,
};
use crate::{BuiltSegment, blocks_of, position_index::Column};
use plybook_record::GameId;

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
        for (id, game) in ids.into_iter().zip(trails.games()) {
            self.leave_out_until(id);
            self.add(game);
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
