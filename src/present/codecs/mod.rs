//! The list of all encodings, and comparisons of their costs.

use serde::Serialize;

mod comparison;

pub use comparison::{Cost, GameCost, PositionCost, compare_game, compare_position};

use super::list::Row;
use crate::{
    codec::{
        game::{GAME_CODECS, GameCodec},
        position::{POSITION_CODECS, PositionCodec},
    },
    columns::{Cell, ColumnOf, number, text},
};

/// An encoding of games or positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodecEntry {
    /// Its name.
    pub codec: &'static str,
    /// What it encodes: "games" or "positions".
    pub of: &'static str,
    /// The year of its source.
    pub year: u16,
    /// The author and place of publication.
    pub source: &'static str,
    /// The fields that survive a round trip, one letter each. Games: M moves, R result. Positions: L piece layout, T
    /// side to move, C castling rights, E en passant square, K clocks.
    pub carries: String,
    /// The cost.
    #[serde(flatten)]
    pub bits: CodecBits,
    /// A description in one line.
    pub summary: &'static str,
}

/// The cost of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CodecBits {
    /// For games, in words and formulas.
    Game {
        /// The cost.
        cost: &'static str,
        /// The maximum cost of a game.
        worst: &'static str,
    },
    /// For positions, in bits.
    Position {
        /// The initial position.
        start: usize,
        /// The maximum cost of a legal position, if it is known.
        worst: Option<usize>,
    },
}

/// All encodings of games, then all encodings of positions.
pub fn all() -> Vec<CodecEntry> {
    let games = GAME_CODECS.iter().map(|codec| CodecEntry::of_games(codec));
    games.chain(POSITION_CODECS.iter().map(|codec| CodecEntry::of_positions(codec))).collect()
}

impl CodecEntry {
    fn of_games(about: &GameCodec) -> CodecEntry {
        CodecEntry {
            codec: about.name,
            of: "games",
            year: about.year,
            source: about.source,
            carries: if about.outcome { "MR" } else { "M" }.to_owned(),
            bits: CodecBits::Game { cost: about.cost, worst: about.worst },
            summary: about.summary,
        }
    }

    fn of_positions(about: &PositionCodec) -> CodecEntry {
        CodecEntry {
            codec: about.name,
            of: "positions",
            year: about.year,
            source: about.source,
            carries: about.fields.to_string(),
            bits: CodecBits::Position { start: about.start_bits, worst: about.worst_bits },
            summary: about.summary,
        }
    }
}

impl CodecBits {
    /// The first cost: of the initial position, or of a game.
    fn start(&self) -> Cell {
        match self {
            CodecBits::Game { cost, .. } => (*cost).into(),
            CodecBits::Position { start, .. } => (*start).into(),
        }
    }

    fn worst(&self) -> Cell {
        match self {
            CodecBits::Game { worst, .. } => (*worst).into(),
            CodecBits::Position { worst, .. } => worst.map_or("–".into(), Cell::from),
        }
    }
}

impl Row for CodecEntry {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.codec.into()),
        text("of", |row| row.of.into()),
        number("year", |row| row.year.into()),
        text("source", |row| row.source.into()),
        text("carries", |row| row.carries.as_str().into()),
        number("start", |row| row.bits.start()),
        number("worst", |row| row.bits.worst()),
    ];
}
