//! Prepares games for storing: see [`prepared`](super::prepared).

use std::{collections::HashMap, hash::BuildHasher, io::Write, ops::Range, sync::Arc};

use foldhash::fast::RandomState;
use rusqlite::types::ValueRef;

use super::prepared::{GameSize, NAME, NameKind, PreparedGame, PreparedGames, PreparedName, PreparedSection};
use crate::archive::{
    checksum::Checked,
    row_hash::{self, INTEGER},
};
use plybook_index::position_index::GameColumns;
use plybook_record::{Record, Round, Sides, TagValue, result_number, same_game::Identities};

/// Number of most recent sections of a batch in which that of the next game is searched.
// A linear search, because games of one event are mostly adjacent in a source: a hash of all fields would cost more
// than comparing with the last few sections.
const NEAR: usize = 16;

/// Row size above which no extra capacity is allocated.
const LARGE: usize = 64 << 10;

/// Prepares the games of a batch.
#[derive(Debug, Default)]
pub struct Preparation {
    games: PreparedGames,
    /// The index of each name, by hash.
    known: HashMap<u64, usize, RandomState>,
    /// Buffer for the tags of a game.
    tags: Vec<u8>,
}

impl Preparation {
    /// Prepares a game. Returns its index in the batch.
    pub fn add(&mut self, record: &Record) -> usize {
        let columns = &record.columns;
        let mut name = |kind, place: Option<usize>, bytes: usize| {
            let text = record.tags.value_at(place?)?;
            Some(self.name(kind, text.get(..bytes).unwrap_or(text)))
        };
        let event = name(NameKind::Event, columns.event, usize::MAX);
        let site = columns.site.and_then(|(place, bytes)| name(NameKind::Site, Some(place), bytes));
        let players = [columns.white, columns.black].map(|place| name(NameKind::Player, place, usize::MAX));
        let common = record.values.iter().filter_map(|value| match value {
            TagValue::Common(text) => Some(self.name(NameKind::Value, text)),
            _ => None,
        });
        let tags = common.collect();
        let layout = Arc::clone(&record.layout);
        let section = PreparedSection { layout, event, site, date: columns.date, tags, id: None };
        let section = self.section(section);
        let (row, tags) = self.row(record, players);
        let sides = Checked::BY_GAME.map(|table| self.side(record.sides.get(table as u8)));
        self.games.games.push(PreparedGame {
            fingerprint: record.fingerprint,
            section,
            players,
            facts: facts(record),
            row,
            tags,
            sides,
            size: GameSize {
                plies: record.plies as u64,
                bits: record.bits(),
                move_bytes: record.moves.len() as u64,
                annotation_bytes: record.sides.get(Sides::ANNOTATION).len() as u64,
            },
            identities: Identities::of(&record.tags).short().collect(),
            id: None,
        });
        self.games.games.len() - 1
    }

    /// The prepared games.
    pub fn done(self) -> PreparedGames {
        self.games
    }

    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let PreparedGames { bytes, text, games, names, sections } = &self.games;
        bytes.len()
            + text.len()
            + size_of_val(games.as_slice())
            + size_of_val(names.as_slice())
            + size_of_val(sections.as_slice())
    }

    /// The index of a name.
    fn name(&mut self, kind: NameKind, name: &str) -> usize {
        let Preparation { games: PreparedGames { text, names, .. }, known, .. } = self;
        let hash = known.hasher().hash_one((kind, name));
        let found = known.get(&hash).copied();
        let is_it = |known: &PreparedName| known.kind == kind && text.get(known.text.clone()) == Some(name);
        if let Some(found) = found.filter(|&found| names.get(found).is_some_and(is_it)) {
            return found;
        }
        // If two names have the same hash, the later one is stored repeatedly.
        known.insert(hash, names.len());
        let start = text.len();
        text.push_str(name);
        names.push(PreparedName { kind, text: start..text.len(), id: None });
        names.len() - 1
    }

    /// The index of a section.
    fn section(&mut self, section: PreparedSection) -> usize {
        let sections = &mut self.games.sections;
        let near = sections.iter().enumerate().rev().take(NEAR);
        let same = near.filter(|(_, other)| other.is_same(&section)).map(|(number, _)| number).next();
        same.unwrap_or_else(|| {
            sections.push(section);
            sections.len() - 1
        })
    }

    /// The row of a game without its ids, and the text of `tags` if it contains placeholders.
    fn row(&mut self, record: &Record, players: [Option<usize>; 2]) -> (Range<usize>, Option<Range<usize>>) {
        self.make_room(record.moves.len() + record.values.iter().map(TagValue::memory).sum::<usize>());
        let bytes = &mut self.games.bytes;
        let start = bytes.len();
        let columns = &record.columns;
        bytes.extend(row_hash::integer(0));
        bytes.extend(row_hash::integer(i64::try_from(record.plies).unwrap_or(i64::MAX)));
        bytes.extend(row_hash::integer(result_number(record.result)));
        bytes.extend(row_hash::integer(0));
        let number = |bytes: &mut Vec<u8>, number: Option<u16>| {
            row_hash::push(bytes, number.map_or(ValueRef::Null, |number| ValueRef::Integer(number.into())));
        };
        players.into_iter().for_each(|player| number(bytes, player.map(|_| 0)));
        row_hash::push(bytes, round(&columns.round));
        row_hash::push(bytes, ValueRef::Blob(&record.moves));
        [columns.white_elo, columns.black_elo, columns.eco].into_iter().for_each(|n| number(bytes, n));
        let is_shared = |value: &TagValue| matches!(value, TagValue::Shared(_));
        self.write_tags(&record.values);
        let Preparation { games: PreparedGames { bytes, .. }, tags, .. } = self;
        if tags.is_empty() {
            row_hash::push(bytes, ValueRef::Null);
        } else if record.values.iter().any(is_shared) {
            let end = bytes.len();
            bytes.extend_from_slice(tags);
            return (start..end, Some(end..bytes.len()));
        } else {
            row_hash::push(bytes, ValueRef::Text(tags));
        }
        (start..bytes.len(), None)
    }

    /// Writes the values of `game.tags`, with indexes of names where ids belong.
    fn write_tags(&mut self, values: &[TagValue]) {
        row_hash::clear(&mut self.tags);
        for value in values.iter().filter(|value| !is_common(value)) {
            self.tags.push(if self.tags.is_empty() { b'[' } else { b',' });
            // Neither writing to memory nor serializing a string as JSON can fail.
            let _ = match value {
                TagValue::Number(number) => write!(self.tags, "{number}"),
                TagValue::Text(text) => serde_json::to_writer(&mut self.tags, text).map_err(Into::into),
                TagValue::Common(text) | TagValue::Shared(text) => {
                    let name = self.name(NameKind::Value, text);
                    self.tags.push(NAME);
                    self.tags.write_all(&name.to_le_bytes())
                }
            };
        }
        if !self.tags.is_empty() {
            self.tags.push(b']');
        }
    }

    /// The row of a value in a side table, unless it is empty.
    fn side(&mut self, value: &[u8]) -> Range<usize> {
        let start = self.games.bytes.len();
        if !value.is_empty() {
            self.make_room(value.len());
            self.games.bytes.extend(row_hash::integer(0));
            row_hash::push(&mut self.games.bytes, ValueRef::Blob(value));
        }
        start..self.games.bytes.len()
    }

    /// Allocates no more memory than needed for a large row.
    fn make_room(&mut self, bytes: usize) {
        if bytes >= LARGE {
            self.games.bytes.reserve_exact(bytes + 16 * INTEGER);
        }
    }
}

impl PreparedGames {
    /// A single game.
    pub fn of(record: &Record) -> PreparedGames {
        let mut one = Preparation::default();
        one.add(record);
        one.done()
    }
}

/// The columns of a game from its row, without the players.
fn facts(record: &Record) -> GameColumns {
    let columns = &record.columns;
    GameColumns {
        result: u32::try_from(result_number(record.result)).unwrap_or(0),
        white_elo: columns.white_elo.map_or(0, u32::from),
        black_elo: columns.black_elo.map_or(0, u32::from),
        date: columns.date.unwrap_or(0),
        plies: u32::try_from(record.plies).unwrap_or(0),
        ..GameColumns::default()
    }
}

fn is_common(value: &TagValue) -> bool {
    matches!(value, TagValue::Common(_))
}

/// A round as it is stored.
fn round(round: &Round) -> ValueRef<'_> {
    match round {
        Round::None => ValueRef::Null,
        Round::Number(number) => ValueRef::Integer(*number),
        Round::Text(text) => ValueRef::Text(text.as_bytes()),
    }
}
