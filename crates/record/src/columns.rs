//! The columns for tags, and how their values are restored exactly.
//!
//! A value is stored only in its column if the column restores the same text. Otherwise the text is in `game.tags`, as
//! described in [`tag_layout`](super::tag_layout), and the column has the date, rating or code that it means.

use std::borrow::Cow;

use super::GameKind;
use plybook_chess::{
    chess::{Tags, rating, rating_of_tag},
    openings::{eco, eco_of_tag},
    rules::{BLACK_WINS, DRAW, KnownOutcome, Outcome, WHITE_WINS},
};

/// The columns for tags. Names are given as the index of their tag in the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The index of White's name.
    pub white: Option<usize>,
    /// The index of Black's name.
    pub black: Option<usize>,
    /// The index of the event.
    pub event: Option<usize>,
    /// The index of the site, and the number of bytes of it that are the name.
    pub site: Option<(usize, usize)>,
    /// The round.
    pub round: Round,
    /// The date: see [`Date::packed`](plybook_chess::chess::Date::packed).
    pub date: Option<u32>,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The ECO code: (letter, A = 0) * 100 + number.
    pub eco: Option<u16>,
}

/// A round: a number if it can be encoded as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Round {
    /// The tag is missing, or empty.
    #[default]
    None,
    /// A positive round as it is, "?" as 0, game b of round a as -(a * 1000 + b) - 1.
    Number(i64),
    /// Any other text.
    Text(String),
}

impl Round {
    /// The text of the tag; `None` if it is missing.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Round::None => None,
            Round::Number(number) => Some(round_text(*number).into()),
            Round::Text(text) => Some(text.into()),
        }
    }
}

/// The tag pairs of a game, and the values that others can be derived from.
#[derive(Clone, Copy, Debug)]
pub(super) struct TagContext<'a> {
    pub kind: GameKind,
    pub tags: &'a Tags,
    pub result: Outcome,
    /// The text that the column of the date restores.
    pub date: Option<&'a str>,
}

impl<'a> TagContext<'a> {
    /// The value of a column: that of the tag which counts.
    pub fn value(&self, wanted: &str) -> Option<&'a str> {
        self.kind.family().value(self.tags, wanted)
    }
}

impl Columns {
    /// Stores what the value of a tag means in its column. Returns false if there is no column or it does not restore the
    /// value exactly. The date is already there.
    pub(super) fn take(&mut self, place: usize, name: &str, value: &str, head: &TagContext<'_>) -> bool {
        match head.kind.family().column(name) {
            "White" => self.white = Some(place),
            "Black" => self.black = Some(place),
            "Event" => self.event = Some(place),
            "Site" => self.site = Some((place, value.len())),
            "Variant" => return value == head.kind.name(),
            "Result" => return value == head.result.as_str(),
            "Round" => self.round = round(value),
            "Date" => return head.date == Some(value) || self.date.is_none() && value.is_empty(),
            "WhiteElo" => return set(&mut self.white_elo, value, rating, rating_of_tag),
            "BlackElo" => return set(&mut self.black_elo, value, rating, rating_of_tag),
            "ECO" => return set(&mut self.eco, value, eco, eco_of_tag),
            _ => return false,
        }
        true
    }
}

/// Sets a column to the number in a value: the exact one or, if there is none, the one that is meant. Returns whether the
/// column restores the value.
fn set(
    column: &mut Option<u16>,
    value: &str,
    exact: fn(&str) -> Option<u16>,
    meant: fn(&str) -> Option<u16>,
) -> bool {
    let number = exact(value);
    *column = number.or_else(|| meant(value));
    number.is_some() || value.is_empty()
}

/// Encodes a round: a positive number as it is, "?" as 0, a game of a round as a negative number.
fn round(value: &str) -> Round {
    let number = match value.split_once('.') {
        _ if value == "?" => Some(0),
        Some((round, game)) => round
            .parse()
            .ok()
            .zip(game.parse().ok())
            .filter(|&(round, game): &(i64, i64)| (0..1000).contains(&round) && (0..1000).contains(&game))
            .map(|(round, game)| -(round * 1000 + game) - 1),
        None => value.parse().ok(),
    };
    match number.filter(|&number| round_text(number) == value) {
        Some(number) => Round::Number(number),
        None => Round::Text(value.to_owned()),
    }
}

/// The text of a stored round.
fn round_text(number: i64) -> String {
    match number.checked_add(1) {
        _ if number > 0 => number.to_string(),
        Some(coded) if number < 0 => format!("{}.{}", coded / -1000, -(coded % 1000)),
        _ => "?".to_owned(),
    }
}

/// The number of a result.
pub fn result_number(result: Outcome) -> i64 {
    match result {
        Outcome::Known(KnownOutcome::Decisive { winner }) => winner.fold_wb(0, 2),
        Outcome::Known(KnownOutcome::Draw) => 1,
        Outcome::Unknown => 3,
    }
}

/// The result of a number.
pub fn result_of(id: i64) -> Outcome {
    match id {
        0 => WHITE_WINS,
        1 => DRAW,
        2 => BLACK_WINS,
        _ => Outcome::Unknown,
    }
}
