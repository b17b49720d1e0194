//! The cost of a game or a position in every encoding.

use serde::Serialize;

use super::super::list::Row;
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
    /// For the table: a bar whose length is relative to the most expensive encoding.
    #[serde(skip)]
    bar: String,
}

/// The cost of a game in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameCost {
    /// The encoding and the bits.
    #[serde(flatten)]
    pub cost: Cost,
    /// The plies of the game, if the encoding can represent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
}

/// The cost of a position in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionCost {
    /// The encoding and the bits.
    #[serde(flatten)]
    pub cost: Cost,
    /// The fields that the encoding preserves, one letter each.
    #[serde(skip)]
    pub carries: String,
}

/// The cost of a game in every encoding, cheapest first; encodings that cannot represent it come last.
pub fn compare_game(game: &GameMoves<VariantPosition>) -> Vec<GameCost> {
    let plies = game.moves.len() as u64;
    let codes = GAME_CODECS.iter().map(|codec| ((), codec.name, codec.encode(game).map(|code| code.bits)));
    let of_game = |((), cost): ((), Cost)| GameCost { plies: cost.bits.map(|_| plies), cost };
    ranked(codes).into_iter().map(of_game).collect()
}

/// The cost of a position in every encoding, cheapest first; encodings that cannot represent it come last.
///
/// ```
/// use plybook::{chess::Setup, present::codecs::compare_position};
/// let costs = compare_position(&Setup::initial());
/// assert_eq!((costs[0].cost.codec, costs[0].cost.bits), ("ranked", Some(15)));
/// ```
pub fn compare_position(setup: &Setup) -> Vec<PositionCost> {
    let codes =
        POSITION_CODECS.iter().map(|codec| (codec.fields.to_string(), codec.name, codec.encode(setup)));
    ranked(codes).into_iter().map(|(carries, cost)| PositionCost { cost, carries }).collect()
}

fn cost(codec: &'static str, bits: Result<Bits, EncodeError>) -> Cost {
    let (bits, reason) = match bits {
        Ok(bits) => (Some(bits), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let hex = bits.as_ref().map(hex);
    Cost { codec, bits: bits.map(|bits| bits.len() as u64), hex, reason, bar: String::new() }
}

/// Sorts by cost and draws the bars.
fn ranked<E>(coded: impl Iterator<Item = (E, &'static str, Result<Bits, EncodeError>)>) -> Vec<(E, Cost)> {
    let mut costs: Vec<(E, Cost)> = coded.map(|(extra, codec, bits)| (extra, cost(codec, bits))).collect();
    let most = costs.iter().filter_map(|(_, cost)| cost.bits).max().unwrap_or(0);
    for (_, cost) in &mut costs {
        cost.bar = cost.bits.map_or(String::new(), |bits| bar(bits, most, WIDTH));
    }
    costs.sort_by_key(|(_, cost)| cost.bits.unwrap_or(u64::MAX));
    costs
}

impl Cost {
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
        number("plies", |row| row.plies.into()),
        text("reason", |row| row.cost.reason.clone().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        number("bits", |row| row.cost.shown_bits()),
        number("per ply", |row| match row.cost.bits.zip(row.plies) {
            Some((bits, plies)) => Cell::rounded(bits as f64 / plies.max(1) as f64, 2),
            None => "–".into(),
        }),
        text("", |row| row.cost.bar_or_reason()),
    ];
}

impl Row for PositionCost {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        text("carries", |row| row.carries.as_str().into()),
        number("bits", |row| row.cost.bits.into()),
        text("hex", |row| row.cost.hex.clone().into()),
        text("reason", |row| row.cost.reason.clone().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("codec", |row| row.cost.codec.into()),
        text("carries", |row| row.carries.as_str().into()),
        number("bits", |row| row.cost.shown_bits()),
        text("", |row| row.cost.bar_or_reason()),
    ];
}
