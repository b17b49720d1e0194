//! Resuming a source where an earlier import of it stopped.
//!
//! A hash over all processed bytes makes this safe: the source is only resumed if it still begins with the same bytes.
//! (Reading and hashing them costs little compared with parsing.) A source that was read completely is skipped while
//! its stamp is the same. A copy has another stamp, so its bytes are compared once and never again.

use std::{
    hash::Hasher,
    io::{self, Read},
    sync::atomic::{AtomicBool, Ordering},
};

use serde::Serialize;
use twox_hash::XxHash3_64;

use crate::archive::{KnownSource, SourceState};

/// Bytes at the end of the processed text, used to check whether its last game is complete.
const TAIL: usize = 1024;

/// Most blank bytes skipped while looking for text that was added to a source.
const MOST_BLANK: usize = 1 << 20;

/// How a previously imported source was resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResumeOutcome {
    /// It had been read completely and has not changed.
    #[serde(rename = "done")]
    Unchanged,
    /// It was resumed where the earlier import stopped.
    #[serde(rename = "continued")]
    Resumed,
    /// New text was appended and has been read.
    Grown,
    /// It has changed, so all of it was read again.
    Changed,
}

/// A source that an earlier import had read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownSourceReport {
    /// The source.
    pub source: String,
    /// How it was resumed. `how` in JSON.
    #[serde(rename = "how")]
    pub outcome: ResumeOutcome,
    /// Games of it that had been processed before.
    pub games: u64,
    /// Number of those games that could not be stored.
    pub rejected: u64,
}

/// Whether a source can be skipped.
pub(super) fn is_unchanged(known: &KnownSource, stamp: Option<u64>) -> bool {
    known.state.ended && stamp.is_some() && known.state.stamp == stamp
}

/// Reads the text that has been processed. Returns its hash and what has been read after it; `None` if the source has
/// changed, so that it must be read from its first byte, or if the import was cancelled. `is_another` is whether text
/// after the end of the processed text belongs to another game.
pub(super) fn skip_processed(
    reader: &mut dyn Read,
    is_another: impl Fn(&[u8], &[u8]) -> bool,
    state: &SourceState,
    cancel: &AtomicBool,
) -> io::Result<Option<(XxHash3_64, Vec<u8>)>> {
    let Some(expected) = state.hash else { return Ok(None) };
    let (mut hash, mut left) = (XxHash3_64::with_seed(0), state.bytes);
    let (mut chunk, mut tail) = (Vec::new(), Vec::new());
    while left > 0 {
        if cancel.load(Ordering::Relaxed) {
            return Ok(None);
        }
        chunk.clear();
        let read = Read::take(&mut *reader, left.min(256 << 10)).read_to_end(&mut chunk)?;
        if read == 0 {
            return Ok(None);
        }
        left -= read as u64;
        hash.write(&chunk);
        tail.extend_from_slice(chunk.get(chunk.len().saturating_sub(TAIL)..).unwrap_or_default());
        tail.drain(..tail.len().saturating_sub(TAIL));
    }
    if hash.finish() != expected {
        return Ok(None);
    }
    let mut peeked = Vec::new();
    if state.ended {
        peeked = peek(reader)?;
        // The added text must not belong to the last game.
        if !peeked.trim_ascii().is_empty() && !is_another(&tail, &peeked) {
            return Ok(None);
        }
    }
    Ok(Some((hash, peeked)))
}

/// The hash of a source of which nothing has been processed.
pub(super) fn hash_of_nothing() -> u64 {
    XxHash3_64::with_seed(0).finish()
}

/// Reads until a non-blank byte or the end.
fn peek(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut peeked = Vec::new();
    while peeked.trim_ascii().is_empty() && peeked.len() < MOST_BLANK {
        if Read::take(&mut *reader, 4096).read_to_end(&mut peeked)? == 0 {
            break;
        }
    }
    Ok(peeked)
}
