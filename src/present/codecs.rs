//! The list of all encodings, and comparisons of their costs.

use serde::Serialize;

use super::list::Row;
use crate::{
    bits::Bits,
    chess::{Setup, VariantPosition},
    codec::{
        EncodeError,
        game::{GAME_CODECS, GameMoves},
        position::POSITION_CODECS,
    },
    columns::{Cell, ColumnOf, number, text},
    counts::bar,
    request::hex,
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
    let games = GAME_CODECS.iter().map(|about| CodecEntry {
        codec: about.name,
        of: "games",
        year: about.year,
        source: about.source,
        carries: if about.outcome { "MR" } else { "M" }.to_owned(),
        bits: CodecBits::Game { cost: about.cost, worst: about.worst },
        summary: about.summary,
    });
    let positions = POSITION_CODECS.iter().map(|about| CodecEntry {
        codec: about.name,
        of: "positions",
        year: about.year,
        source: about.source,
        carries: about.fields.to_string(),
        bits: CodecBits::Position { start: about.start_bits, worst: about.worst_bits },
        summary: about.summary,
    });
    games.chain(positions).collect()
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

/// The length of the longest bar.
const WIDTH: u64 = 50;

/// The cost of a game or position in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// The encoding.
    pub codec: &'static str,
    /// The bits; `None` if the encoding cannot represent it.
    pub bits: Option<u64>,
    /// The code in hexadecimal.
    pub hex: Option<String>,
    /// Why the encoding cannot represent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The plies of a game, if the encoding can represent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// The fields that an encoding of positions preserves, one letter each.
    #[serde(skip)]
    pub carries: String,
    /// For the table: a bar whose length is relative to the most expensive encoding.
    #[serde(skip)]
    bar: String,
}

/// The cost of a game in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct GameCost {
    /// The encoding and the bits.
    pub cost: Cost,
}

/// The cost of a position in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PositionCost {
    /// The encoding and the bits.
    pub cost: Cost,
}

/// The cost of a game in every encoding, cheapest first; encodings that cannot represent it come last.
pub fn compare_game(game: &GameMoves<VariantPosition>) -> Vec<GameCost> {
    let plies = game.moves.len() as u64;
    let costs = GAME_CODECS.iter().map(|codec| {
        let cost = Cost::new(codec.name, codec.encode(game).map(|code| code.bits));
        Cost { plies: cost.bits.map(|_| plies), ..cost }
    });
    ranked(costs.collect()).map(|cost| GameCost { cost }).collect()
}

/// The cost of a position in every encoding, cheapest first; encodings that cannot represent it come last.
///
/// ```
/// use plybook::{chess::Setup, present::codecs::compare_position};
/// let costs = compare_position(&Setup::initial());
/// assert_eq!((costs[0].cost.codec, costs[0].cost.bits), ("ranked", Some(15)));
/// ```
pub fn compare_position(setup: &Setup) -> Vec<PositionCost> {
    let costs = POSITION_CODECS.iter().map(|codec| {
        let carries = codec.fields.to_string();
        Cost { carries, ..Cost::new(codec.name, codec.encode(setup)) }
    });
    ranked(costs.collect()).map(|cost| PositionCost { cost }).collect()
}

/// Sorts by cost and draws the bars.
fn ranked(mut costs: Vec<Cost>) -> impl Iterator<Item = Cost> {
    let most = costs.iter().filter_map(|cost| cost.bits).max().unwrap_or(0);
    for cost in &mut costs {
        cost.bar = cost.bits.map_or(String::new(), |bits| bar(bits, most, WIDTH));
    }
    costs.sort_by_key(|cost| cost.bits.unwrap_or(u64::MAX));
    costs.into_iter()
}

impl Cost {
    fn new(codec: &'static str, code: Result<Bits, EncodeError>) -> Cost {
        let bits = code.as_ref().ok().map(|bits| bits.len() as u64);
        let (hex, reason) = (code.as_ref().ok().map(hex), code.err().map(|error| error.to_string()));
        Cost { codec, bits, hex, reason, plies: None, carries: String::new(), bar: String::new() }
    }

    fn shown_bits(&self) -> Cell {
        self.bits.map_or("–".into(), Cell::from)
    }

    /// The bar, or the reason why there is none.
    fn bar_or_reason(&self) -> Cell {
        self.reason.as_deref().unwrap_or(&self.bar).into()
    }
}

impl Row for GameCost {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        number("bits", |row| row.cost.bits.into()),
        text("hex", |row| row.cost.hex.clone().into()),
        number("plies", |row| row.cost.plies.into()),
        text("reason", |row| row.cost.reason.clone().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        number("bits", |row| row.cost.shown_bits()),
        number("per ply", |row| match row.cost.bits.zip(row.cost.plies) {
            Some((bits, plies)) => Cell::rounded(bits as f64 / plies.max(1) as f64, 2),
            None => "–".into(),
        }),
        text("", |row| row.cost.bar_or_reason()),
    ];
}

impl Row for PositionCost {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        text("carries", |row| row.cost.carries.as_str().into()),
        number("bits", |row| row.cost.bits.into()),
        text("hex", |row| row.cost.hex.clone().into()),
        text("reason", |row| row.cost.reason.clone().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        text("carries", |row| row.cost.carries.as_str().into()),
        number("bits", |row| row.cost.shown_bits()),
        text("", |row| row.cost.bar_or_reason()),
    ];
}
