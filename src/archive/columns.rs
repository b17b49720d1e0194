//! A game as a row: which tag goes to which column, and how it comes back word for word.
//!
//! A value is in its column only if the column gives back the same text; otherwise it stands in
//! `game.tags`. So every tag pair of the PGN comes back as it was, in its order.

use std::sync::Arc;

use serde_json::Value;

use super::{CodecId, fingerprint::fingerprint};
use crate::{
    bits::mixed::{Digit, Mixed},
    chess::Variant,
    codec::game::index,
    pgn::{Date, Game, Last, Tags},
    rules::{KnownOutcome, Outcome},
};

/// A game ready to be stored: everything that can be computed without the archive.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) form: Arc<Form>,
    pub(super) moves: Vec<u8>,
    pub(super) plies: usize,
    pub(super) result: Outcome,
    pub(super) tags: Tags,
    pub(super) columns: Columns,
    pub(super) hash: u64,
}

/// What many games share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub codec: CodecId,
    pub variant: Variant,
    /// JSON array of tag names.
    pub layout: String,
    /// JSON array of places in the layout.
    pub texts: String,
}

/// The columns that are made of tags. Names are places in the game's own tags.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Columns {
    pub white: Option<usize>,
    pub black: Option<usize>,
    pub event: Option<usize>,
    pub site: Option<usize>,
    pub setup: Option<usize>,
    pub round: Round,
    pub date: Option<u32>,
    pub white_elo: Option<u16>,
    pub black_elo: Option<u16>,
    pub eco: Option<u16>,
    /// JSON array of the values without a column.
    pub texts: Option<String>,
}

/// A round: a number where it is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Round {
    #[default]
    None,
    Number(i64),
    Text(String),
}

/// Remembers the form of the game before: most games of a source have the same.
#[derive(Debug, Default)]
pub struct Forms {
    last: Option<(Vec<String>, Vec<usize>, Arc<Form>)>,
}

impl Forms {
    fn form(&mut self, variant: Variant, layout: &[&str], places: &[usize]) -> Arc<Form> {
        if let Some((names, texts, form)) = &self.last
            && form.variant == variant
            && texts == places
            && names == layout
        {
            return Arc::clone(form);
        }
        let form =
            Arc::new(Form { codec: CodecId::INDEX, variant, layout: json(layout), texts: json(places) });
        let names = layout.iter().map(|name| (*name).to_owned()).collect();
        self.last = Some((names, places.to_vec(), Arc::clone(&form)));
        form
    }
}

impl Record {
    /// Prepares a game.
    pub fn new(game: Game, forms: &mut Forms) -> Record {
        let mut layout: Vec<&str> = Vec::with_capacity(game.tags.len());
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        let mut columns = Columns::default();
        for (place, (name, value)) in game.tags.iter().enumerate() {
            if layout.contains(&name) || !columns.take(place, name, value, &game) {
                places.push(place);
                texts.push(value);
            }
            layout.push(name);
        }
        columns.texts = (!texts.is_empty()).then(|| json(&texts));
        Record {
            form: forms.form(game.variant, &layout, &places),
            plies: game.moves.len(),
            result: game.outcome,
            hash: fingerprint(game.variant, &game.tags, &game.moves, game.outcome),
            columns,
            moves: blob(game.digits, game.outcome, game.last),
            tags: game.tags,
        }
    }

    /// The number of plies.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// The bits of the game's integer: the position of its highest bit.
    pub fn bits(&self) -> u64 {
        bits(&self.moves)
    }
}

/// The bits of a number in little-endian bytes without trailing zeros.
pub(crate) fn bits(blob: &[u8]) -> u64 {
    blob.last().map_or(0, |top| blob.len() as u64 * 8 - u64::from(top.leading_zeros()))
}

/// The integer of a game whose indices are known already.
fn blob(mut digits: Vec<Digit>, outcome: Outcome, last: Last) -> Vec<u8> {
    let ends = if last.count > 0 { index::ends(outcome, last.turn) } else { 0 };
    let end = Digit { value: last.count, radix: last.count + 1 };
    digits.extend(std::iter::repeat_n(end, ends));
    Mixed::compose(&digits).to_bytes_le()
}

/// JSON of strings and numbers cannot fail.
fn json<T: serde::Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

impl Columns {
    /// Puts a tag's value into its column. False if it has none or would not come back as it is.
    fn take(&mut self, place: usize, name: &str, value: &str, game: &Game) -> bool {
        match name {
            "White" => self.white = Some(place),
            "Black" => self.black = Some(place),
            "Event" => self.event = Some(place),
            "Site" => self.site = Some(place),
            "FEN" if game.set_up => self.setup = Some(place),
            "Variant" => return value == game.variant.name(),
            "Result" => return value == game.outcome.as_str(),
            "Round" => self.round = round(value),
            "Date" => {
                let date = Date::parse(value);
                self.date = date.or_else(|| Date::year_of(value)).map(Date::packed);
                return date.is_some() || value.is_empty();
            }
            "WhiteElo" => {
                self.white_elo = elo(value);
                return self.white_elo.is_some() || value.is_empty();
            }
            "BlackElo" => {
                self.black_elo = elo(value);
                return self.black_elo.is_some() || value.is_empty();
            }
            "ECO" => {
                self.eco = eco(value);
                return self.eco.is_some() || value.is_empty();
            }
            _ => return false,
        }
        true
    }
}

fn round(value: &str) -> Round {
    match value.parse::<i64>() {
        Ok(number) if number.to_string() == value => Round::Number(number),
        _ => Round::Text(value.to_owned()),
    }
}

fn elo(value: &str) -> Option<u16> {
    value.parse().ok().filter(|elo: &u16| elo.to_string() == value)
}

/// A00 to E99 as 0 to 499.
pub(super) fn eco(value: &str) -> Option<u16> {
    let [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *value.as_bytes() else {
        return None;
    };
    Some(u16::from(letter - b'A') * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0'))
}

/// 0 to 499 as A00 to E99.
pub(super) fn eco_text(eco: i64) -> String {
    let letter = u8::try_from(eco / 100).map_or('?', |letter| char::from(b'A'.saturating_add(letter)));
    format!("{letter}{:02}", eco % 100)
}

/// The number that stands for a result.
pub(super) fn result_id(result: Outcome) -> i64 {
    match result {
        Outcome::Known(KnownOutcome::Decisive { winner }) => winner.fold_wb(0, 2),
        Outcome::Known(KnownOutcome::Draw) => 1,
        Outcome::Unknown => 3,
    }
}

/// The result a number stands for.
pub(super) fn result_of(id: i64) -> Outcome {
    match id {
        0 => Outcome::Known(KnownOutcome::from_winner(Some(shakmaty::Color::White))),
        1 => Outcome::Known(KnownOutcome::Draw),
        2 => Outcome::Known(KnownOutcome::from_winner(Some(shakmaty::Color::Black))),
        _ => Outcome::Unknown,
    }
}

/// A row's columns as they were read, with names resolved; gives the tags back.
#[derive(Debug, Default)]
pub(super) struct ReadColumns {
    pub white: Option<String>,
    pub black: Option<String>,
    pub event: Option<String>,
    pub site: Option<String>,
    pub fen: Option<String>,
    pub round: Option<String>,
    pub date: Option<u32>,
    pub white_elo: Option<i64>,
    pub black_elo: Option<i64>,
    pub eco: Option<i64>,
}

impl ReadColumns {
    /// The tag pairs of a game. `None` if the layout does not fit: the archive is damaged.
    pub(super) fn tags(
        &self,
        variant: Variant,
        result: Outcome,
        layout: &str,
        places: &str,
        texts: Option<&str>,
    ) -> Option<Tags> {
        let layout: Vec<String> = serde_json::from_str(layout).ok()?;
        let places: Vec<usize> = serde_json::from_str(places).ok()?;
        let texts: Vec<Value> = texts.map_or(Some(Vec::new()), |texts| serde_json::from_str(texts).ok())?;
        if texts.len() != places.len() {
            return None;
        }
        let mut tags = Tags::default();
        for (place, name) in layout.iter().enumerate() {
            match places.iter().position(|&other| other == place) {
                Some(text) => tags.push(name, texts.get(text)?.as_str()?),
                None => tags.push(name, &self.value(name, variant, result)?),
            }
        }
        Some(tags)
    }

    fn value(&self, name: &str, variant: Variant, result: Outcome) -> Option<String> {
        let number = |number: Option<i64>| Some(number.map_or(String::new(), |number| number.to_string()));
        match name {
            "White" => self.white.clone(),
            "Black" => self.black.clone(),
            "Event" => self.event.clone(),
            "Site" => self.site.clone(),
            "FEN" => self.fen.clone(),
            "Round" => self.round.clone(),
            "Variant" => Some(variant.name().to_owned()),
            "Result" => Some(result.as_str().to_owned()),
            "Date" => match self.date {
                Some(packed) => Date::from_packed(packed).map(|date| date.to_string()),
                None => Some(String::new()),
            },
            "WhiteElo" => number(self.white_elo),
            "BlackElo" => number(self.black_elo),
            "ECO" => Some(self.eco.map_or(String::new(), eco_text)),
            _ => None,
        }
    }
}
