//! Reads the games of a batch from their records, on any core.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

use super::{BATCH, BATCH_BYTES};
use crate::{
    import::{Games, Note, games::GamePlace, source::kind::DELETED_GAMES},
    pgn::{Location, ReadOptions, Reject, RejectReason},
    scid::{Format, GameReader, GameRecord, Irregularity, Names, ScidGame},
};

const UNCOUNTED: Note =
    Note { key: "uncounted_games", text: "games after the last one that the header of the index counts" };
const MARKED_CHESS960: Note = Note {
    key: "marked_chess960",
    text: "games that Scid marks as Chess960 because of impossible castling rights, read as standard chess",
};
const UNKNOWN_TAGS: Note =
    Note { key: "unknown_tags", text: "games with a tag that has no known name, which is not stored" };
const COMMENTS_WITHOUT_PLACE: Note = Note {
    key: "comments_without_place",
    text: "games with more comments than places for them; the others are kept at the end",
};

/// What all games of a database share.
pub(super) struct Base {
    pub format: Format,
    pub names: Names,
    pub options: ReadOptions,
    pub keeps_deleted: bool,
    /// The games that the database has according to its header.
    pub counted: u64,
    pub games_name: String,
    /// Bytes of the file of games.
    pub games_bytes: u64,
    /// Readers keep what they have learned from batch to batch.
    pub idle: Mutex<Vec<GameReader>>,
}

/// Records of consecutive games, with their data.
#[derive(Default)]
pub(super) struct GameBatch {
    records: Vec<Entry>,
    data: Vec<u8>,
    largest: usize,
}

struct Entry {
    game: u64,
    record: GameRecord,
    /// Where its data is; `None` if the file does not have it.
    data: Option<Range<usize>>,
}

impl GameBatch {
    pub(super) fn push(&mut self, game: u64, record: GameRecord, data: Option<&[u8]>) {
        let start = self.data.len();
        self.data.extend(data.unwrap_or_default());
        self.largest = self.largest.max(record.length);
        self.records.push(Entry { game, record, data: data.map(|data| start..start + data.len()) });
    }

    pub(super) fn is_full(&self) -> bool {
        self.records.len() >= BATCH || self.data.len() >= BATCH_BYTES
    }

    pub(super) fn games(&self) -> usize {
        self.records.len()
    }

    pub(super) fn largest(&self) -> usize {
        self.largest
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.data.len() + self.records.len() * size_of::<Entry>()
    }
}

impl Base {
    /// Reads the games of a batch in order. A panic rejects the game in which it happened.
    pub(super) fn read(&self, batch: &GameBatch, games: &mut Games<'_>) {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reader = idle().pop().unwrap_or_else(|| GameReader::new(self.options));
        for Entry { game, record, data } in &batch.records {
            let at = Location { game: *game, ..Location::default() };
            if *game > self.counted {
                games.omit(UNCOUNTED, at);
                continue;
            }
            if record.flags.is_deleted() && !self.keeps_deleted {
                games.omit(DELETED_GAMES, at);
                continue;
            }
            let before = games.len();
            let data = data.clone().and_then(|range| batch.data.get(range));
            let read =
                catch_unwind(AssertUnwindSafe(|| self.read_game(at, record, data, &mut reader, games)));
            if read.is_err() {
                reader = GameReader::new(self.options);
                games.truncate(before);
                games.reject(GamePlace { location: at, text: &[] }, at, RejectReason::Panic);
            }
        }
        idle().push(reader);
    }

    fn read_game(
        &self,
        at: Location,
        record: &GameRecord,
        data: Option<&[u8]>,
        reader: &mut GameReader,
        games: &mut Games<'_>,
    ) {
        // The bytes of a rejected game are no text that could be kept with it.
        let place = |location| GamePlace { location, text: &[] };
        let (names, data) = match self.parts(record, data) {
            Ok(parts) => parts,
            Err(problem) => {
                let in_index = Location { byte: self.format.record_offset(at.game), ..at };
                return games.reject(place(in_index), in_index, RejectReason::BadData(problem));
            }
        };
        let [_, _, file] = self.format.extensions();
        let byte_at = |byte| Location { byte: record.offset + byte as u64, file, ..at };
        let place = place(byte_at(0));
        match reader.read(record, names, data, &mut &mut *games) {
            Ok(ScidGame { game, irregularities }) => {
                games.chess(place, game, byte_at);
                irregularities.into_iter().for_each(|irregularity| games.note(note_of(irregularity)));
            }
            Err(Reject { reason, at }) => games.reject(place, byte_at(at), reason),
        }
    }

    /// The names and the data that a record refers to, or what is wrong with it.
    fn parts<'a>(
        &'a self,
        record: &GameRecord,
        data: Option<&'a [u8]>,
    ) -> Result<([&'a str; 5], &'a [u8]), String> {
        let names = self
            .names
            .of(record)
            .map_err(|(kind, id)| format!("the database has no {} with number {id}", kind.noun()))?;
        let missing = || {
            let GameRecord { offset, length, .. } = record;
            let (file, bytes) = (&self.games_name, self.games_bytes);
            format!("the game has {length} bytes from byte {offset} of {file}, which has {bytes} bytes")
        };
        Ok((names, data.ok_or_else(missing)?))
    }
}

fn note_of(irregularity: Irregularity) -> Note {
    match irregularity {
        Irregularity::MarkedChess960 => MARKED_CHESS960,
        Irregularity::UnknownTags => UNKNOWN_TAGS,
        Irregularity::CommentsWithoutPlace => COMMENTS_WITHOUT_PLACE,
    }
}
