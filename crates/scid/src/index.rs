//! The index: a record of fixed size per game.

use plybook_chess::rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS};

use crate::{
    bytes::{big_endian, bits},
    values::Flags,
};

/// The version of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Big-endian, with a header.
    Scid4,
    /// Little-endian, without a header.
    Scid5,
}

/// The record of a game in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Where its data begins.
    pub offset: u64,
    /// Bytes of its data.
    pub length: usize,
    /// The ids of its names: White, Black, event, site, round.
    pub names: [u32; 5],
    /// Its flags.
    pub flags: Flags,
    /// Whether it is marked as Chess960.
    pub is_chess960: bool,
    /// Its date; see [`date_text`](crate::date_text).
    pub date: u32,
    /// The date of its event; 0 if there is none.
    pub event_date: u32,
    /// Its opening; see [`eco_text`](crate::eco_text).
    pub eco: u32,
    /// The players' ratings; 0 if there is none.
    pub ratings: [u32; 2],
    /// The types of the ratings: indices of [`RATING_TAGS`](crate::RATING_TAGS).
    pub rating_types: [usize; 2],
    /// Its result.
    pub outcome: Outcome,
}

impl Format {
    /// The extensions of index, names and games.
    pub const fn extensions(self) -> [&'static str; 3] {
        match self {
            Format::Scid4 => ["si4", "sn4", "sg4"],
            Format::Scid5 => ["si5", "sn5", "sg5"],
        }
    }

    /// Bytes of a record.
    pub const fn record_size(self) -> usize {
        match self {
            Format::Scid4 => 47,
            Format::Scid5 => 56,
        }
    }

    /// Bytes before the first record.
    pub const fn header_size(self) -> usize {
        match self {
            Format::Scid4 => 182,
            Format::Scid5 => 0,
        }
    }

    /// Where the record of a game begins; the first game has number 1.
    pub fn record_offset(self, game: u64) -> u64 {
        self.header_size() as u64 + self.record_size() as u64 * game.saturating_sub(1)
    }

    /// Reads a record. Bytes that are missing count as 0.
    pub fn record(self, bytes: &[u8]) -> GameRecord {
        match self {
            Format::Scid4 => scid4(bytes),
            Format::Scid5 => scid5(bytes),
        }
    }
}

fn scid4(bytes: &[u8]) -> GameRecord {
    let number = |at: usize, size: usize| bytes.get(at..at + size).map_or(0, big_endian);
    let more = number(6, 1);
    let high = |at: usize, from, count| bits(number(at, 1), from, count) << 16;
    let low = |at: usize| bits(number(at, 2), 0, 16);
    let rating = |at: usize| (bits(number(at, 2), 0, 12), bits(number(at, 2), 12, 4) as usize);
    let [(white, white_type), (black, black_type)] = [29, 31].map(rating);
    let date = bits(number(25, 4), 0, 20);
    GameRecord {
        offset: number(0, 4),
        length: (bits(more, 7, 1) << 16 | low(4)) as usize,
        names: [
            high(9, 4, 4) | low(10),
            high(9, 0, 4) | low(12),
            high(14, 5, 3) | low(15),
            high(14, 2, 3) | low(17),
            high(14, 0, 2) | low(19),
        ],
        flags: Flags(bits(more, 0, 6) << 16 | low(7)),
        is_chess960: false,
        date,
        event_date: event_date(date, bits(number(25, 4), 20, 12)),
        eco: low(23),
        ratings: [white, black],
        rating_types: [white_type, black_type],
        outcome: outcome(bits(number(21, 2), 12, 2)),
    }
}

/// The date of an event, whose year is stored relative to that of the game.
fn event_date(date: u32, stored: u32) -> u32 {
    match stored >> 9 {
        0 => 0,
        code => ((date >> 9) + code).saturating_sub(4) << 9 | stored & 0x1ff,
    }
}

fn scid5(bytes: &[u8]) -> GameRecord {
    let mut words = [0; 12];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u64::from(u32::from_le_bytes(*bytes));
    }
    let [white, black, event, site, round, date, event_date, flags, length, offset, _, last] = words;
    GameRecord {
        offset: u64::from(bits(length, 0, 15)) << 32 | offset,
        length: bits(length, 15, 17) as usize,
        names: [
            bits(white, 0, 28),
            bits(black, 0, 28),
            bits(event, 0, 28),
            bits(site, 0, 32),
            bits(round, 0, 31),
        ],
        flags: Flags(bits(flags, 0, 22)),
        is_chess960: bits(round, 31, 1) == 1,
        date: bits(date, 0, 20),
        event_date: bits(event_date, 0, 20),
        eco: bits(last, 0, 16),
        ratings: [bits(date, 20, 12), bits(event_date, 20, 12)],
        rating_types: [bits(last, 21, 3) as usize, bits(last, 18, 3) as usize],
        outcome: outcome(bits(last, 16, 2)),
    }
}

fn outcome(stored: u32) -> Outcome {
    match stored {
        1 => WHITE_WINS,
        2 => BLACK_WINS,
        3 => DRAW,
        _ => Outcome::Unknown,
    }
}
