//! What a source passes on while it is read: how it begins, its games in batches, and how it ends.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::Sender,
    },
};

use super::{Games, ImportProblem, ResumeOutcome, games::ParsedBatch, readers::Readers};
use crate::{
    archive::{FormerFingerprint, KnownSource, SharedValues, StoredFingerprints},
    sources::Confirmed,
};

/// Takes what a source yields, in its order. [`Closed`] means that nothing more is needed.
pub(super) trait Sink {
    /// What reading needs, and its progress.
    fn input(&mut self) -> &mut Input;

    /// Begins the source, before its first batch: how it is resumed, if it was imported before.
    fn begin(&mut self, outcome: Option<ResumeOutcome>) -> Flow;

    /// Takes a batch of games.
    fn batch(&mut self, batch: Batch) -> Flow;

    /// Passes something else on to the writer of the archive.
    fn send(&mut self, event: Event) -> Flow;
}

/// Games that are read on any core.
pub(super) struct Batch {
    /// Bytes of memory that they take before they are read.
    pub bytes: usize,
    /// Number of games, if their items are still to be made.
    pub games: usize,
    /// Bytes of the largest one.
    pub largest: usize,
    /// Plies that may be recorded for the index.
    pub plies: usize,
    /// Bytes of text in the source up to their end, if it is text.
    pub position: u64,
    /// Where an import can resume after them; `None` if it cannot.
    pub resume_point: Option<ResumePoint>,
    /// Reads them.
    pub work: Box<dyn FnOnce(&mut Games<'_>) + Send>,
}

/// What all sources of an import share, and the progress of the present one.
pub(super) struct Input {
    /// Options and idle readers of text.
    pub readers: Arc<Readers>,
    /// See [`Options::settings`](super::Options::settings).
    pub settings: BTreeMap<String, String>,
    /// Threads that may decompress.
    pub threads: usize,
    /// Whether a later import resumes, so that the incomplete end of a growing file can be left to it.
    pub is_resumed_later: bool,
    /// Set to stop.
    pub cancel: Arc<AtomicBool>,
    /// Bytes of all sources that were read, before decompression.
    pub consumed: Arc<AtomicU64>,
    /// How far checksums have confirmed the source.
    pub confirmed: Confirmed,
    /// Bytes of its files.
    pub bytes: u64,
}

impl Input {
    /// For a single reading of text.
    pub(super) fn new(readers: Readers) -> Input {
        Input {
            readers: Arc::new(readers),
            settings: BTreeMap::new(),
            threads: 1,
            is_resumed_later: false,
            cancel: Arc::default(),
            consumed: Arc::default(),
            confirmed: Confirmed::all(),
            bytes: 0,
        }
    }

    /// Counts the progress of a source with this many records.
    pub(super) fn has_read(&self, records: u64, of: u64) {
        self.consumed.fetch_add(self.bytes.saturating_mul(records) / of.max(1), Ordering::Relaxed);
    }
}

/// A boundary between games at which an import can resume.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResumePoint {
    /// Bytes of text before it, or records.
    pub byte: u64,
    /// Lines before it, or records.
    pub lines: u64,
    /// The hash of what is before it.
    pub hash: u64,
}

/// Nothing more is needed: the writer has stopped.
pub(super) struct Closed;

/// Something, unless nothing more is needed.
pub(super) type Flow<T = ()> = Result<T, Closed>;

/// What the writer does next, in the order of the sources.
pub(super) enum Event {
    /// A source begins: how it is resumed, if it was imported before.
    Begin(Begin, Option<ResumeOutcome>),
    /// Games were read.
    Batch {
        games: Box<ParsedBatch>,
        position: u64,
        resume_point: Option<ResumePoint>,
        /// How far checksums have confirmed the source.
        confirmed: u64,
    },
    /// The source is an archive whose games have been changed.
    Former(Vec<FormerFingerprint>),
    /// Values of positions and players of an archive.
    Shared(SharedValues),
    /// All games of an archive follow as rows, if the target has none of their fingerprints: replies whether they do.
    BeginRows { fingerprints: StoredFingerprints, game_bytes: u64, reply: Sender<bool> },
    /// The rows have ended; without a resume point, the copy has failed.
    EndRows(Option<ResumePoint>),
    /// A source ended.
    End { end: End, confirmed: u64 },
}

/// A source that comes next.
#[derive(Debug)]
pub(super) struct Begin {
    pub name: String,
    pub stamp: Option<u64>,
    /// Whether it can be read a second time.
    pub lasting: bool,
    /// Set if an earlier import has read it.
    pub known: Option<KnownSource>,
}

/// How reading a source ended.
pub(super) enum End {
    /// The source was read completely.
    Whole,
    /// The last game is incomplete and the file is still being written: the game is left for the next import.
    Growing { byte: u64, line: u64 },
    /// Why the source could not be read any further, without its name.
    Failed(Box<ImportProblem>),
    /// The same if the compressed data is damaged.
    Damaged(Box<ImportProblem>),
}

impl End {
    /// Reading failed after some bytes.
    pub(super) fn failed(byte: u64, reason: String) -> End {
        End::Failed(Box::new(ImportProblem { byte, reason, ..ImportProblem::default() }))
    }

    /// Reading failed after a record.
    pub(super) fn stopped(game: u64, reason: String, is_damaged_archive: bool) -> End {
        End::Failed(Box::new(ImportProblem { game, reason, is_damaged_archive, ..ImportProblem::default() }))
    }
}
