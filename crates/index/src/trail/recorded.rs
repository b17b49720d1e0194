//! The encoded trails of games, one after the other: written while a game is read or replayed, and kept in this form
//! until the segment is built.

use std::ops::Range;

use super::{
    Facts, Material, Pawns, TrailReader,
    facts::FactsRecorder,
    phrases::NO_TRAIL,
    write::{Event, write},
};
use plybook_chess::chess::{Move, Position, QuickChess};

/// Most bytes of the pawns of a game: the length is one byte.
const LONGEST_PAWNS: usize = 255;

/// The trails of games. They share one buffer: allocating and freeing memory per game would take longer than recording
/// it.
#[derive(Clone, Debug, Default)]
pub struct RecordedTrails {
    bytes: Vec<u8>,
    /// Whether the current game begins with the pieces of standard chess, and its pawns on their usual squares.
    begins_as_usual: bool,
    events: Vec<Event>,
    recorder: FactsRecorder,
    /// Whether it has been recorded to its end.
    has_ended: bool,
    materials: Vec<u8>,
}

impl RecordedTrails {
    /// Starts recording a game of standard chess or Chess960.
    pub fn begin(&mut self, start: &QuickChess) {
        self.begins_as_usual =
            Material::of(start.board()) == Material::STANDARD && Pawns::of(start.board()) == Pawns::STANDARD;
        self.events.clear();
        self.recorder.begin(start);
        self.has_ended = false;
    }

    /// Records a move, and the position after it.
    #[inline]
    pub fn go_on(&mut self, m: Move, position: &QuickChess) {
        self.events.extend(Event::of(m, !position.turn()));
        self.recorder.go_on(m, position);
    }

    /// Records the last position.
    pub fn end(&mut self, last: &QuickChess) {
        self.recorder.end(last);
        self.has_ended = true;
    }

    /// Discards the current game.
    pub fn forget(&mut self) {
        self.has_ended = false;
    }

    /// Finishes the current game. Returns its range; `None` if no game was recorded to its end.
    pub fn add_shown(&mut self) -> Option<Range<usize>> {
        if !std::mem::take(&mut self.has_ended) {
            return None;
        }
        let from = self.bytes.len();
        self.materials.clear();
        let pawns = if self.begins_as_usual { write(&self.events, &mut self.materials) } else { Vec::new() };
        if !self.begins_as_usual || pawns.len() > LONGEST_PAWNS {
            write_game(self.recorder.facts, &[NO_TRAIL], &[], &mut self.bytes);
        } else {
            write_game(self.recorder.facts, &self.materials, &pawns, &mut self.bytes);
        }
        Some(from..self.bytes.len())
    }

    /// Records that a game has no trail. Returns its range.
    pub fn add_without(&mut self) -> Range<usize> {
        let from = self.bytes.len();
        self.add_read(Facts::UNKNOWN, None);
        from..self.bytes.len()
    }

    /// Appends a game as it was read from a segment.
    pub fn add_read(&mut self, facts: Facts, trail: Option<TrailReader<'_>>) {
        let TrailReader { materials, pawns } =
            trail.unwrap_or(TrailReader { materials: &[NO_TRAIL], pawns: &[] });
        write_game(facts, materials, pawns, &mut self.bytes);
    }

    /// Appends a game from another buffer.
    pub fn add_from(&mut self, others: &RecordedTrails, place: Range<usize>) {
        self.bytes.extend_from_slice(others.bytes.get(place).unwrap_or_default());
    }

    /// All games, in the order in which they were recorded.
    pub(super) fn games(&self) -> impl Iterator<Item = RecordedGame<'_>> {
        let mut bytes = &self.bytes[..];
        std::iter::from_fn(move || {
            let game;
            (game, bytes) = RecordedGame::split(bytes)?;
            Some(game)
        })
    }
}

/// What was recorded for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordedGame<'a> {
    pub facts: Facts,
    /// The phrases of its material.
    pub materials: &'a [u8],
    pub pawns: &'a [u8],
}

/// Bytes of a length field.
const LENGTH: usize = 2;

/// Bytes of the facts and of two lengths.
const HEAD: usize = 4 + 2 * LENGTH;

impl<'a> RecordedGame<'a> {
    /// Splits off the first game.
    fn split(bytes: &'a [u8]) -> Option<(RecordedGame<'a>, &'a [u8])> {
        let (&[a, b, c, d, e, f, g, h], rest) = bytes.split_first_chunk::<HEAD>()?;
        let facts = Facts::from_number(u32::from_le_bytes([a, b, c, d]))?;
        let (materials, rest) = rest.split_at_checked(u16::from_le_bytes([e, f]).into())?;
        let (pawns, rest) = rest.split_at_checked(u16::from_le_bytes([g, h]).into())?;
        Some((RecordedGame { facts, materials, pawns }, rest))
    }
}

/// Appends a game.
fn write_game(facts: Facts, materials: &[u8], pawns: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend(facts.number().to_le_bytes());
    for part in [materials, pawns] {
        bytes.extend((part.len() as u16).to_le_bytes());
    }
    bytes.extend_from_slice(materials);
    bytes.extend_from_slice(pawns);
}
