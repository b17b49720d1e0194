//! A game to be stored: everything that can be computed without the archive.

use std::sync::Arc;

use super::{
    Sides,
    columns::Columns,
    tag_layout::{TagLayout, TagValue},
};
use plybook_chess::{chess::Tags, rules::Outcome};

/// A game to be stored.
#[derive(Clone, Debug)]
pub struct Record {
    /// What it shares with many games.
    pub layout: Arc<TagLayout>,
    /// The moves as written by the layout's codec.
    pub moves: Vec<u8>,
    /// The number of plies.
    pub plies: usize,
    /// The result in the PGN or the record.
    pub result: Outcome,
    /// All tag pairs, unchanged.
    pub tags: Tags,
    /// The values of tags that have columns.
    pub columns: Columns,
    /// The values in `game.tags`, and those in the section.
    pub values: Vec<TagValue>,
    /// Its annotations, its original bytes and what else is stored next to it, encoded.
    pub sides: Sides,
    /// The fingerprint.
    pub fingerprint: u64,
}

impl Record {
    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let values = self.values.iter().map(TagValue::memory).sum::<usize>();
        size_of::<Record>() + self.moves.len() + self.sides.memory() + self.tags.memory() + values
    }

    /// The bits of its moves.
    pub fn bits(&self) -> u64 {
        self.layout.codec.bits(&self.moves)
    }
}
