//! Import options and progress reports.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use serde::Serialize;

use super::ImportCondition;
use crate::{
    archive::{BusyTimeout, OnUpdate, PATIENCE},
    codec::CodecId,
    pgn::ReadOptions,
};

/// Import options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Number of threads that parse and encode; 0 for one per core. At most
    /// [`MAX_THREADS`](crate::limits::MAX_THREADS).
    pub threads: usize,
    /// The file to which rejected games are appended, with position and reason; `-` for standard output.
    pub rejects: Option<PathBuf>,
    /// Whether the archive keeps the texts of rejected games, to [retry](super::retry) them. A collection in parts does
    /// not.
    pub keep_rejects: bool,
    /// How games are read: piece letters, strictness, whether annotations are kept.
    pub reading: ReadOptions,
    /// Settings that only some kinds of sources have, by name.
    pub settings: BTreeMap<String, String>,
    /// The codec for the moves.
    pub codec: CodecId,
    /// Games stored between two commits; 0 for 10,000. After a crash, uncommitted games are imported again.
    pub commit_every: u64,
    /// Import sources again even if they are unchanged, and games that were removed or edited in the archive.
    pub again: bool,
    /// What happens with a version of a stored game, if each says something that the other does not.
    pub on_update: OnUpdate,
    /// What games must meet to be stored; nothing if not set.
    pub condition: Option<Arc<dyn ImportCondition>>,
    /// Index all games that are not indexed yet. An existing index is always extended.
    pub index: bool,
    /// Games to index together while more are stored; 0 for as many as a segment of the index can hold.
    pub index_every: u64,
    /// The names of sources in this directory are relative to it.
    pub base: Option<PathBuf>,
    /// Set to true by another thread to stop the import; what has been done is kept.
    pub cancel: Arc<AtomicBool>,
    /// How long to wait for another program that has locked the archive; `None` for two minutes.
    pub busy_timeout: Option<Duration>,
    /// Called once after waiting for another program for one second.
    pub waiting: Option<fn()>,
}

impl Options {
    /// The key of the condition; 0 if there is none.
    pub(super) fn condition_key(&self) -> u64 {
        self.condition.as_ref().map_or(0, |condition| condition.key())
    }

    /// How to wait for another program.
    pub(super) fn busy_timeout(&self) -> BusyTimeout {
        let (longest, cancel) = (self.busy_timeout.unwrap_or(PATIENCE), Arc::clone(&self.cancel));
        BusyTimeout { longest, cancel, tell: self.waiting }
    }
}

/// The progress of an import.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Progress {
    /// The source being read.
    pub source: String,
    /// Bytes read of all sources, before decompression.
    pub bytes: u64,
    /// Bytes of all sources on disk, if known.
    pub total_bytes: Option<u64>,
    /// Decompressed bytes of PGN.
    #[serde(skip)]
    pub unpacked: u64,
    /// Games seen.
    pub games: u64,
    /// Seconds in which games were indexed while more were to be stored.
    #[serde(skip)]
    pub index_seconds: f64,
    /// The progress of the index, while games are indexed.
    pub index: Option<IndexProgress>,
}

/// The progress of a segment of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IndexProgress {
    /// Games processed.
    pub games: u64,
    /// Games in the segment.
    pub of: u64,
}
