//! A game to be stored: everything that can be computed without the archive.

use std::sync::Arc;

use super::{
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
    /// The annotations, encoded; empty if there are none.
    pub marks: Vec<u8>,
    /// The original bytes, compressed, if they are kept.
    pub original: Option<Vec<u8>>,
    /// The fingerprint.
    pub fingerprint: u64,
}

impl Record {
    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let original = self.original.as_ref().map_or(0, Vec::len);
        let values = self.values.iter().map(TagValue::memory).sum::<usize>();
        size_of::<Record>() + self.moves.len() + self.marks.len() + original + self.tags.memory() + values
    }

    /// The bits of its moves.
    pub fn bits(&self) -> u64 {
        self.layout.codec.bits(&self.moves)
    }
}
