//! A game as a row: which tag goes to which column, and how it comes back word for word.
//!
//! A value is in its column only if the column gives back the same text; otherwise it stands in
//! `game.tags`, as [`layout`](super::layout) says. So every tag pair of the PGN comes back as it was.

use std::sync::Arc;

use super::{
    CodecId, GameKind,
    fingerprint::fingerprint,
    headers::column,
    layout::{Cell, Head, Kind, lay_out},
    original,
};
use crate::{
    chess::{Date, Tags},
    codec::{EncodeError, annotation, game::index},
    pgn::Game,
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
    /// The values of `game.tags`, and those that the section holds.
    pub(super) cells: Vec<Cell>,
    /// The annotations, encoded; empty if there are none.
    pub(super) marks: Vec<u8>,
    /// The bytes in the source, packed, where they are kept.
    pub(super) original: Option<Vec<u8>>,
    pub(super) hash: u64,
}

/// What many games share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub codec: CodecId,
    pub kind: GameKind,
    /// JSON array of tag names.
    pub layout: String,
    /// JSON array of where their values stand.
    pub kinds: String,
}

/// The columns that are made of tags. Names are places in the game's own tags.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Columns {
    pub white: Option<usize>,
    pub black: Option<usize>,
    pub event: Option<usize>,
    /// The tag's place, and how many bytes of it are the name.
    pub site: Option<(usize, usize)>,
    pub round: Round,
    pub date: Option<u32>,
    pub white_elo: Option<u16>,
    pub black_elo: Option<u16>,
    pub eco: Option<u16>,
}

/// A round: a number where it is one or can be told by one.
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
    last: Option<(Vec<String>, Vec<Kind>, Arc<Form>)>,
}

impl Forms {
    pub(super) fn form(&mut self, kind: GameKind, tags: &Tags, kinds: Vec<Kind>) -> Arc<Form> {
        if let Some((names, last, form)) = &self.last
            && form.kind == kind
            && *last == kinds
            && names.iter().eq(tags.iter().map(|(name, _)| name))
        {
            return Arc::clone(form);
        }
        let names: Vec<String> = tags.iter().map(|(name, _)| name.to_owned()).collect();
        let (layout, words) = (json(&names), json(&kinds));
        let form = Arc::new(Form { codec: CodecId::INDEX, kind, layout, kinds: words });
        self.last = Some((names, kinds, Arc::clone(&form)));
        form
    }
}

impl Record {
    /// Prepares a game of chess.
    ///
    /// # Errors
    /// Its annotations cannot be encoded.
    pub fn new(game: Game, forms: &mut Forms) -> Result<Record, EncodeError> {
        let (mut columns, mut cells) = (Columns::default(), Vec::new());
        let kind = GameKind::Chess(game.variant);
        let head = Head { kind, tags: &game.tags, result: game.outcome };
        let kinds = lay_out(&head, &mut columns, &mut cells);
        let marks = if game.annotations.is_empty() {
            Vec::new()
        } else {
            annotation::encode(&game.annotations, &game.start(), &game.moves)?
        };
        Ok(Record {
            form: forms.form(kind, &game.tags, kinds),
            plies: game.moves.len(),
            result: game.outcome,
            hash: fingerprint(game.variant, &game.tags, &game.moves, game.outcome, &game.annotations),
            columns,
            cells,
            marks,
            original: game.raw.as_deref().map(original::packed),
            moves: index::compose(game.steps, game.outcome, game.last).to_bytes_le(),
            tags: game.tags,
        })
    }

    /// The bytes of its annotations.
    pub fn annotation_bytes(&self) -> u64 {
        self.marks.len() as u64
    }

    /// About how many bytes it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let original = self.original.as_ref().map_or(0, Vec::len);
        let cells = self.cells.iter().map(Cell::bytes).sum::<usize>();
        size_of::<Record>() + self.moves.len() + self.marks.len() + original + self.tags.memory() + cells
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

/// JSON of strings and numbers cannot fail.
fn json<T: serde::Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

impl Columns {
    /// Puts a tag's value into its column. False if it has none or would not come back as it is.
    pub(super) fn take(&mut self, place: usize, name: &str, value: &str, head: &Head<'_>) -> bool {
        match column(head.kind, name) {
            "White" => self.white = Some(place),
            "Black" => self.black = Some(place),
            "Event" => self.event = Some(place),
            "Site" => self.site = Some((place, value.len())),
            "Variant" => return value == head.kind.name(),
            "Result" => return value == head.result.as_str(),
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

/// A round as stored: a positive number as it is, "?" as 0, a game of a round as a negative number.
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

/// A stored number as the text of a round.
pub(super) fn round_text(number: i64) -> String {
    match number.checked_add(1) {
        _ if number > 0 => number.to_string(),
        Some(coded) if number < 0 => format!("{}.{}", coded / -1000, -(coded % 1000)),
        _ => "?".to_owned(),
    }
}

/// A rating, unless it is written with more than its digits: `+2700`, `0999`.
fn elo(value: &str) -> Option<u16> {
    let plain = value == "0" || value.as_bytes().first().is_some_and(|first| (b'1'..=b'9').contains(first));
    value.parse().ok().filter(|_| plain)
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
#[derive(Debug)]
pub(super) struct ReadColumns {
    pub kind: GameKind,
    pub result: Outcome,
    pub white: Option<String>,
    pub black: Option<String>,
    pub event: Option<String>,
    pub site: Option<String>,
    pub round: Option<String>,
    pub date: Option<u32>,
    pub white_elo: Option<i64>,
    pub black_elo: Option<i64>,
    pub eco: Option<i64>,
}

impl ReadColumns {
    /// The value of a tag that has a column.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let number = |number: Option<i64>| Some(number.map_or(String::new(), |number| number.to_string()));
        match column(self.kind, name) {
            "White" => self.white.clone(),
            "Black" => self.black.clone(),
            "Event" => self.event.clone(),
            "Site" => self.site.clone(),
            "Round" => self.round.clone(),
            "Variant" => Some(self.kind.name().to_owned()),
            "Result" => Some(self.result.as_str().to_owned()),
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
