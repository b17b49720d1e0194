//! How to import, and what is reported meanwhile.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use crate::{
    archive::{PATIENCE, Patience},
    codec::CodecId,
    pgn::ReadOptions,
};

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads that parse and encode; 0 for as many as there are cores. Never more than
    /// [`MAX_THREADS`](crate::limits::MAX_THREADS).
    pub threads: usize,
    /// Where games that cannot be stored are added, with place and reason; `-` for standard output.
    pub rejects: Option<PathBuf>,
    /// How games are read: piece letters, strictness, whether annotations are kept.
    pub reading: ReadOptions,
    /// How moves are encoded in the archive.
    pub codec: CodecId,
    /// Games stored between two commits; 0 for 10,000. What is not committed is read again after a crash.
    pub commit_every: u64,
    /// Read sources again that have been read before.
    pub again: bool,
    /// Index the games that are not indexed yet when they are stored. An archive that has an index gets it extended
    /// without being asked.
    pub index: bool,
    /// Set to true by another thread to stop at once; what has been done is kept.
    pub cancel: Arc<AtomicBool>,
    /// How long another program that has the archive is waited for; none for two minutes.
    pub patience: Option<Duration>,
    /// Called once, when another program has been waited for a second.
    pub waiting: Option<fn()>,
}

impl Options {
    /// How another program is waited for.
    pub(super) fn patience(&self) -> Patience {
        let (longest, cancel) = (self.patience.unwrap_or(PATIENCE), Arc::clone(&self.cancel));
        Patience { longest, cancel, tell: self.waiting }
    }
}

/// How far an import has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The source that is being read.
    pub source: String,
    /// Bytes read of all sources, as they are on disk.
    pub bytes: u64,
    /// Bytes of all sources on disk, where that is known.
    pub total_bytes: Option<u64>,
    /// Unpacked bytes of PGN.
    pub unpacked: u64,
    /// Games seen.
    pub games: u64,
    /// How far the index is, once the games are stored.
    pub index: Option<IndexProgress>,
}

/// How far a segment of the index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexProgress {
    /// Games that have been gone through.
    pub games: u64,
    /// The games of the segment.
    pub of: u64,
}
