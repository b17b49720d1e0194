//! Resuming a source where an earlier import of it stopped.
//!
//! A hash over all processed bytes makes this safe: the source is only resumed if it still begins with the same bytes.
//! (Reading and hashing them costs little compared with parsing.) A source that was read completely is skipped while
//! its [stamp] is the same. A copy has another stamp, so its bytes are compared once and never again.

use std::{
    fs::{self, File},
    hash::Hasher,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::UNIX_EPOCH,
};

use serde::Serialize;
use twox_hash::XxHash3_64;

use super::source::FoundSource;
use crate::{
    archive::{KnownSource, SourceState},
    sources::{Source, is_fresh, own_change},
};

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

/// Bytes at each end of a file that are part of its stamp.
// Both ends, because a program that changes a file mostly changes one of them.
const END: u64 = 64 << 10;

/// The stamp of a source, if it has one: it distinguishes versions of a source without reading all of it.
///
/// For a file: its size, its first and last bytes, and its times of change. Programs that copy files can set the
/// modification time back, but not the change time (ctime), where the system has one, so no change goes unnoticed. A
/// file that was changed just now has no stamp, because the next change could have the same time.
/// The same of the files that belong to it. For a member of a zip archive: its checksum and sizes. The file of an archive
/// also changes when a large one is read for a long time; then its rows are compared.
pub(super) fn stamp(found: &FoundSource) -> Option<u64> {
    let mut hasher = XxHash3_64::with_seed(0);
    match &found.source {
        Source::Stdin | Source::Unreadable { .. } => return None,
        Source::Member(member) => {
            member.content().iter().for_each(|number| hasher.write(&number.to_le_bytes()));
        }
        Source::File(path) => hash_file(path, &mut hasher).ok()?,
    }
    for sibling in &found.siblings {
        hash_file(sibling, &mut hasher).ok()?;
    }
    Some(hasher.finish())
}

/// Whether a source can be read a second time from its beginning.
pub(super) fn is_lasting(source: &Source) -> bool {
    match source {
        Source::Stdin | Source::Unreadable { .. } => false,
        Source::Member(_) => true,
        Source::File(path) => fs::metadata(path).is_ok_and(|file| file.is_file()),
    }
}

fn hash_file(path: &Path, hasher: &mut XxHash3_64) -> io::Result<()> {
    // Opening a pipe would take its bytes from the real reader.
    let file = fs::metadata(path)?;
    if !file.is_file() || is_fresh(&file) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    hasher.write(&file.len().to_le_bytes());
    for changed in [Some(file.modified()?), own_change(&file)].into_iter().flatten() {
        let changed = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        hasher.write(&changed.as_nanos().to_le_bytes());
    }
    let mut open = File::open(path)?;
    for from in [0, file.len().saturating_sub(END)] {
        let mut end = Vec::new();
        open.seek(SeekFrom::Start(from))?;
        (&mut open).take(END).read_to_end(&mut end)?;
        hasher.write(&end);
    }
    Ok(())
}
