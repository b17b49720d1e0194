//! The record of a game in the `.cbh` file.

use crate::bytes::Bytes;

/// Bytes of a record, and of the header of the file.
pub(crate) const RECORD: usize = 46;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A game.
    Game,
    /// A text among the games.
    Text,
    /// A game or a text that was deleted, and is there until the database is compacted.
    Deleted,
    /// Nothing: the record is beyond the end.
    Empty,
}

/// A record of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameHeader {
    pub moves: u32,
    pub annotations: u32,
    pub white: u32,
    pub black: u32,
    pub tournament: u32,
    pub annotator: u32,
    pub source: u32,
    pub date: u32,
    pub result: u8,
    pub evaluation: u8,
    pub round: u8,
    pub subround: u8,
    pub white_elo: u16,
    pub black_elo: u16,
    pub eco: u16,
    pub medals: u16,
}

/// Whether bytes are the header of a `.cbh` file.
pub(crate) fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 0, 1..=46, 0, 46, ..])
}

pub(crate) fn kind(record: &[u8]) -> RecordKind {
    match record.first() {
        Some(flags) if flags & 1 == 0 => RecordKind::Empty,
        Some(flags) if flags & 0x80 != 0 => RecordKind::Deleted,
        Some(flags) if flags & 2 != 0 => RecordKind::Text,
        Some(_) => RecordKind::Game,
        None => RecordKind::Empty,
    }
}

impl GameHeader {
    /// Reads a record; `None` if it is incomplete.
    pub(crate) fn read(record: &[u8]) -> Option<GameHeader> {
        let mut bytes = Bytes::at(record, 1);
        Some(GameHeader {
            moves: bytes.u32()?,
            annotations: bytes.u32()?,
            white: bytes.u24()?,
            black: bytes.u24()?,
            tournament: bytes.u24()?,
            annotator: bytes.u24()?,
            source: bytes.u24()?,
            date: bytes.u24()?,
            result: bytes.u8()?,
            evaluation: bytes.u8()?,
            round: bytes.u8()?,
            subround: bytes.u8()?,
            white_elo: bytes.u16()?,
            black_elo: bytes.u16()?,
            eco: bytes.u16()?,
            medals: bytes.u16()?,
        })
    }
}
