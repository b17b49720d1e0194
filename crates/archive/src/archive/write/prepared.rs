//! Games prepared for storing, on any thread: everything that can be done without the archive has been done. Rows are
//! complete except for ids, which only the writer can assign; names and sections shared by several games occur once. A
//! batch consists of a few large allocations, however many games it has: memory allocated on one thread and freed on
//! another is expensive.

use std::{
    borrow::Cow,
    hash::{Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use arrayvec::ArrayVec;
use rusqlite::types::ValueRef;

use super::names::{NameId, Target};
use crate::archive::{
    checksum::Checked,
    row_hash::{self, INTEGER},
};
use plybook_index::position_index::GameColumns;
use plybook_record::TagLayout;

/// Offsets of the ids in the row of a game after its own id: those of its section, and of the players.
const SECTION: usize = 3 * INTEGER;
const PLAYERS: usize = 4 * INTEGER;

/// Bytes of a NULL.
const NULL: usize = 1;

/// Precedes the index of a name in a text with placeholders, where its id will be inserted. This byte never occurs in
/// UTF-8.
pub(super) const NAME: u8 = 0xff;

/// A table of names, by its index in [`NAME_TABLES`](super::names::NAME_TABLES); each has its own ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NameKind {
    Player,
    Event,
    Site,
    Value,
}

/// A name used by games of a batch.
#[derive(Debug)]
pub(super) struct PreparedName {
    pub kind: NameKind,
    pub(super) text: Range<usize>,
    /// Its id, once known.
    pub id: Option<NameId>,
}

/// The shared data of some games of a batch. Names are indexes into the names of the batch.
#[derive(Debug)]
pub(super) struct PreparedSection {
    pub layout: Arc<TagLayout>,
    pub event: Option<usize>,
    pub site: Option<usize>,
    pub date: Option<u32>,
    /// The values of `section.tags`.
    pub tags: Vec<usize>,
    /// Its id, once known, and the generation of the cache it came from.
    pub id: Option<(u64, i64)>,
}

impl PreparedSection {
    pub(super) fn is_same(&self, other: &PreparedSection) -> bool {
        Arc::ptr_eq(&self.layout, &other.layout)
            && (self.event, self.site, self.date) == (other.event, other.site, other.date)
            && self.tags == other.tags
    }
}

/// A game of a batch.
#[derive(Debug)]
pub(super) struct PreparedGame {
    pub fingerprint: u64,
    pub section: usize,
    /// The names of White and Black.
    pub players: [Option<usize>; 2],
    /// The columns from its row, without the players.
    pub facts: GameColumns,
    /// Its row, without `tags` if they contain placeholders.
    pub(super) row: Range<usize>,
    /// The text of `tags` with placeholders.
    pub(super) tags: Option<Range<usize>>,
    /// Its rows of each of the tables [`Checked::BY_GAME`]; empty if it has none.
    pub(super) sides: [Range<usize>; Checked::BY_GAME.len()],
    pub(super) size: GameSize,
    /// The hashes of its identities.
    pub(super) identities: ArrayVec<u32, 2>,
    /// Its id, once it is known to be stored.
    pub(super) id: Option<i64>,
}

/// The size of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSize {
    /// Plies.
    pub plies: u64,
    /// Bits of its moves.
    pub bits: u64,
    /// Bytes of its moves.
    pub move_bytes: u64,
    /// Bytes of its annotations.
    pub annotation_bytes: u64,
}

/// The rows of a game to be stored.
#[derive(Debug)]
pub(in crate::archive) struct GameRows<'a> {
    pub id: i64,
    pub row: Cow<'a, [u8]>,
    /// Its rows of each of the tables [`Checked::BY_GAME`]; empty if it has none.
    pub sides: [&'a [u8]; Checked::BY_GAME.len()],
}

/// Games prepared for storing.
#[derive(Debug, Default)]
// In version 0.1, records with a dozen small allocations per game were freed on the writer's thread. That took 18 % of
// the writer's time, which limits the speed of an import on many cores.
pub struct PreparedGames {
    /// Rows, and texts with placeholders.
    pub(super) bytes: Vec<u8>,
    /// Names, concatenated.
    pub(super) text: String,
    pub(super) games: Vec<PreparedGame>,
    pub(super) names: Vec<PreparedName>,
    pub(super) sections: Vec<PreparedSection>,
}

impl PreparedGames {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The fingerprint of a game; 0 if there is no such game.
    pub fn fingerprint(&self, number: usize) -> u64 {
        self.games.get(number).map_or(0, |game| game.fingerprint)
    }

    /// Hashes all data that defines the games, including the ids of games copied as rows.
    pub fn hash_into(&self, hasher: &mut impl Hasher) {
        hasher.write(&self.bytes);
        hasher.write(self.text.as_bytes());
        for section in &self.sections {
            let PreparedSection { layout, event, site, date, tags, .. } = section;
            (&layout.names, &layout.slots, layout.codec.number(), layout.kind.id()).hash(hasher);
            (event, site, date, tags).hash(hasher);
        }
    }

    /// The hashes of the identities of a game.
    pub(in crate::archive) fn identities(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        self.games.get(number).map(|game| game.identities.clone()).unwrap_or_default().into_iter()
    }

    /// The size of a game.
    pub fn size(&self, number: usize) -> GameSize {
        self.games.get(number).map_or_else(GameSize::default, |game| game.size)
    }

    /// The mean bytes of a game without its tags; `None` if there are no games.
    pub fn mean_bytes(&self) -> Option<u64> {
        let bytes = |game: &PreparedGame| game.size.move_bytes + game.size.annotation_bytes;
        self.games.iter().map(bytes).sum::<u64>().checked_div(self.games.len() as u64)
    }

    /// The id of a name, which is stored if it is new.
    pub(super) fn name_id(&mut self, number: usize, to: &mut Target<'_>) -> rusqlite::Result<Option<NameId>> {
        let Some(name) = self.names.get_mut(number) else { return Ok(None) };
        let Some(text) = self.text.get(name.text.clone()) else { return Ok(None) };
        if name.id.is_none() {
            name.id = Some(to.names[name.kind as usize].id(to.db, to.registers, text)?);
        }
        Ok(name.id)
    }

    /// The names whose ids are inserted into the tags of a game.
    pub(super) fn names_in_tags(&self, number: usize) -> Vec<usize> {
        let tags = self.games.get(number).and_then(|game| self.bytes.get(game.tags.clone()?));
        parts(tags.unwrap_or_default()).filter_map(|(_, name)| name).collect()
    }

    /// Inserts the ids of a game that is to be stored.
    pub(super) fn accept(&mut self, number: usize, id: i64, section: i64, players: [Option<NameId>; 2]) {
        let PreparedGames { bytes, games, .. } = self;
        let Some(game) = games.get_mut(number) else { return };
        game.id = Some(id);
        put(bytes, game.row.start, id);
        put(bytes, game.row.start + SECTION, section);
        let mut at = game.row.start + PLAYERS;
        for player in players {
            if let Some(player) = player {
                put(bytes, at, player.get().into());
            }
            at += if player.is_some() { INTEGER } else { NULL };
        }
        for side in game.sides.iter().filter(|side| !side.is_empty()) {
            put(bytes, side.start, id);
        }
    }

    /// The rows of the games to be stored, in order.
    pub(in crate::archive) fn rows(&self) -> impl Iterator<Item = GameRows<'_>> {
        self.games.iter().filter_map(|game| {
            let bytes = |range: &Range<usize>| self.bytes.get(range.clone());
            let (id, row) = (game.id?, bytes(&game.row)?);
            let row = match &game.tags {
                None => Cow::Borrowed(row),
                Some(tags) => {
                    let mut row = row.to_vec();
                    row_hash::push(&mut row, ValueRef::Text(self.with_ids(bytes(tags)?).as_bytes()));
                    Cow::Owned(row)
                }
            };
            Some(GameRows {
                id,
                row,
                sides: game.sides.each_ref().map(|side| bytes(side).unwrap_or_default()),
            })
        })
    }

    /// Replaces the placeholders of a text by ids.
    fn with_ids(&self, text: &[u8]) -> String {
        let mut finished = String::with_capacity(text.len());
        for (part, name) in parts(text) {
            finished.push_str(&String::from_utf8_lossy(part));
            if let Some(id) = name.and_then(|name| self.names.get(name)?.id) {
                finished.push_str(&id.to_string());
            }
        }
        finished
    }
}

/// The segments of a text with placeholders, each with the index of the name after it, except for the last.
fn parts(mut text: &[u8]) -> impl Iterator<Item = (&[u8], Option<usize>)> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let (part, rest) = text.split_at(memchr::memchr(NAME, text).unwrap_or(text.len()));
        let number = rest.get(1..).and_then(<[u8]>::first_chunk);
        text = rest.get(1 + size_of::<usize>()..).unwrap_or_default();
        Some((part, number.map(|number| usize::from_le_bytes(*number))))
    })
}

/// Overwrites an integer.
fn put(bytes: &mut [u8], at: usize, number: i64) {
    if let Some(place) = bytes.get_mut(at..at + INTEGER) {
        place.copy_from_slice(&row_hash::integer(number));
    }
}
