//! Parses and encodes a batch of games; this is the work that runs on all cores.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    Options,
    format::Format,
    memory_budget::Reservation,
    recording::{Places, Recording, RecordingOptions},
};
use crate::{
    archive::{Preparation, PreparedGames},
    codec::CodecId,
    pgn::{
        Encoding, GameBatch, GameText, Location, ReadOptions, Reader, Reject, RejectReason, Warning, Warnings,
    },
    record::TagLayoutCache,
};

/// Batches with a game at least this large drop their parser's buffers afterwards.
const LARGE: usize = 1 << 20;

/// Bytes of recorded positions per byte of PGN text: a ply takes at least eight.
const RECORDED: usize = 3;

/// Parsed bytes beyond the estimate after which the budget is updated.
// Not for every game, because the budget has a lock that all threads share.
const REPORT_EVERY: usize = 256 << 10;

/// A game of a batch: its location (without its number in the source) and its outcome.
#[derive(Debug)]
pub(super) struct Item {
    pub location: Location,
    /// Its index among the prepared games.
    pub game: Result<usize, Rejected>,
    /// The offsets of what was recorded for it.
    pub places: Places,
    pub warnings: Warnings,
    /// The locations of the first warnings.
    pub warning_locations: Vec<(Warning, Location)>,
}

impl Item {
    /// A game without warnings, of which nothing was recorded.
    pub(super) fn new(location: Location, game: Result<usize, Rejected>) -> Item {
        let (places, warnings) = (Places::default(), Warnings::default());
        Item { location, game, places, warnings, warning_locations: Vec::new() }
    }

    /// Estimates its memory, without the prepared game.
    fn bytes(&self) -> usize {
        let text = self.game.as_ref().map_or_else(|rejected| rejected.text.len(), |_| 0);
        size_of::<Item>() + text + self.places.bytes()
    }
}

/// A game that cannot be stored, with its bytes if they are needed.
#[derive(Debug)]
pub(super) struct Rejected {
    pub reason: RejectReason,
    /// Where in the source the problem is.
    pub problem_at: Location,
    pub text: Vec<u8>,
}

/// Parses the games of a batch.
#[derive(Debug)]
pub(super) struct Parser {
    pub reader: Reader,
    /// The encoding of text that is not UTF-8, if it was given.
    pub encoding: Option<Encoding>,
    pub codec: CodecId,
    pub layouts: TagLayoutCache,
    /// What is recorded for the index.
    pub recording: Recording,
}

/// Parser options and idle readers. A reader keeps its caches and buffers from batch to batch.
#[derive(Debug)]
pub(super) struct Parsers {
    pub options: ReadOptions,
    codec: CodecId,
    /// Whether the bytes of rejected games are needed.
    keep_rejected: bool,
    /// What is recorded for the index.
    wanted: RecordingOptions,
    idle: Mutex<Vec<Reader>>,
}

impl Parsers {
    pub(super) fn new(options: &Options, wanted: RecordingOptions) -> Parsers {
        let keep_rejected = options.rejects.is_some();
        Parsers {
            options: options.reading,
            codec: options.codec,
            keep_rejected,
            wanted,
            idle: Mutex::default(),
        }
    }

    /// Estimates the bytes recorded for a text of this length.
    pub(super) fn recorded(&self, text: usize) -> usize {
        if self.wanted.positions { RECORDED * text } else { 0 }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self) -> Reader {
        Reader::with_options(self.options)
    }

    /// Parses every game of a batch in order, and reserves the memory they take. A panic rejects the game in which it
    /// happened.
    pub(super) fn parse(
        &self,
        batch: GameBatch,
        format: Format,
        reservation: &mut Reservation,
    ) -> ParsedBatch {
        let idle = self.idle().pop();
        let mut parser = Parser {
            reader: idle.unwrap_or_else(|| self.reader()),
            encoding: self.options.encoding,
            codec: self.codec,
            layouts: TagLayoutCache::default(),
            recording: Recording::new(self.wanted),
        };
        let mut items = Items::new(batch.games.len(), self.keep_rejected, reservation);
        for game in &batch.games {
            let text = batch.text.get(game.range.clone()).unwrap_or_default();
            if game.cut_short {
                items.push(rejected(game, text, Reject { reason: RejectReason::TooLarge, at: 0 }));
                continue;
            }
            let before = items.items.len();
            // A bug in a parser must not cost the other games of a source.
            let parsed = catch_unwind(AssertUnwindSafe(|| format.parse(&mut parser, game, text, &mut items)));
            if parsed.is_err() {
                parser.reader = self.reader();
                items.items.truncate(before);
                items.push(rejected(game, text, Reject { reason: RejectReason::Panic, at: 0 }));
            }
        }
        // Buffers that grew for a large game are dropped.
        if batch.text.len() < LARGE {
            self.idle().push(parser.reader);
        }
        drop(batch);
        let (items, games) = items.done();
        ParsedBatch { items, games, recording: parser.recording }
    }
}

/// A parsed batch.
#[derive(Default)]
pub(super) struct ParsedBatch {
    pub items: Vec<Item>,
    /// The games that can be stored.
    pub games: PreparedGames,
    /// What was recorded for the index.
    pub recording: Recording,
}

/// The parsed games of a batch and their memory.
pub(super) struct Items<'a> {
    items: Vec<Item>,
    pub games: Preparation,
    /// Bytes of the items alone.
    bytes: usize,
    keep_rejected: bool,
    reservation: &'a mut Reservation,
    /// The estimated bytes of the batch.
    estimate: usize,
    reported: usize,
}

impl<'a> Items<'a> {
    fn new(games: usize, keep_rejected: bool, reservation: &'a mut Reservation) -> Items<'a> {
        let estimate = reservation.bytes;
        Items {
            items: Vec::with_capacity(games),
            games: Preparation::default(),
            bytes: 0,
            keep_rejected,
            reservation,
            estimate,
            reported: estimate,
        }
    }

    pub(super) fn push(&mut self, mut item: Item) {
        if let Err(rejected) = &mut item.game
            && !self.keep_rejected
        {
            rejected.text = Vec::new();
        }
        self.bytes += item.bytes();
        self.items.push(item);
        // The text is still in memory as well.
        let bytes = self.memory();
        if bytes >= self.reported + REPORT_EVERY {
            self.reported = bytes;
            self.reservation.reserve(self.estimate + bytes);
        }
    }

    fn memory(&self) -> usize {
        self.bytes + self.games.memory()
    }

    /// Drops everything except the games.
    fn done(self) -> (Vec<Item>, PreparedGames) {
        self.reservation.reserve(self.memory());
        (self.items, self.games.done())
    }
}

/// Converts byte offsets of a game to lines; fastest in ascending order.
pub(super) struct Locator<'a> {
    game: &'a GameText,
    text: &'a [u8],
    line_end: u8,
    /// The previous offset, and the lines before it.
    byte: usize,
    lines: u64,
}

impl<'a> Locator<'a> {
    pub(super) fn new(game: &'a GameText, text: &'a [u8]) -> Locator<'a> {
        let line_end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
        Locator { game, text, line_end, byte: 0, lines: 0 }
    }

    pub(super) fn at(&mut self, byte: usize) -> Location {
        if byte < self.byte {
            (self.byte, self.lines) = (0, 0);
        }
        let end = byte.min(self.text.len());
        let between = self.text.get(self.byte..end).unwrap_or_default();
        self.lines += memchr::memchr_iter(self.line_end, between).count() as u64;
        self.byte = end;
        Location { game: 0, line: self.game.line + self.lines, byte: self.game.byte + byte as u64 }
    }
}

/// A game that cannot be stored.
pub(super) fn rejected(game: &GameText, text: &[u8], reject: Reject) -> Item {
    let mut locator = Locator::new(game, text);
    let location = locator.at(0);
    rejected_at(location, locator.at(reject.at), Some(text), reject.reason)
}

pub(super) fn rejected_at(
    location: Location,
    problem_at: Location,
    text: Option<&[u8]>,
    reason: RejectReason,
) -> Item {
    let text = text.unwrap_or_default().to_vec();
    Item::new(location, Err(Rejected { reason, problem_at, text }))
}
