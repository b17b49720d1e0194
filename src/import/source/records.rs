//! Reads databases whose games are records with numbers. A later import resumes if a hash of the earlier records, with
//! all that belongs to them, still matches.

use std::{hash::Hasher, sync::atomic::Ordering};

use twox_hash::XxHash3_64;

use crate::{
    archive::SourceState,
    import::{
        ResumeOutcome,
        games::Games,
        sink::{Batch, Closed, End, Flow, Input, ResumePoint, Sink},
    },
};

/// A database that is open.
pub(super) trait Records {
    type Batch;

    /// The number of records.
    fn count(&self) -> u64;

    /// Reads the next records, at most up to the one with a number.
    fn next_batch(&mut self, progress: &mut RecordProgress, last: u64) -> Result<Self::Batch, String>;

    /// How the games of a batch are read.
    fn work(&mut self, batch: Self::Batch) -> BatchWork;

    /// Why there should be more records.
    fn damage(&mut self) -> Option<String>;
}

/// The reading position.
pub(super) struct RecordProgress {
    /// The hash of all that has been read.
    pub hash: XxHash3_64,
    /// The number of the last record that has been read.
    pub done: u64,
}

/// See [`Batch`] for the fields.
pub(super) struct BatchWork {
    pub bytes: usize,
    pub games: usize,
    pub largest: usize,
    pub plies: usize,
    pub work: Box<dyn FnOnce(&mut Games<'_>) + Send>,
}

impl RecordProgress {
    fn new() -> RecordProgress {
        RecordProgress { hash: XxHash3_64::with_seed(0), done: 0 }
    }
}

/// Reads all records that have not been imported before.
pub(super) fn read(mut records: impl Records, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
    let mut progress = RecordProgress::new();
    let mut outcome = None;
    if let Some(state) = known {
        let is_same = skip_processed(&mut records, &mut progress, state, sink.input())?;
        outcome = Some(match state.ended {
            _ if !is_same => ResumeOutcome::Changed,
            true if progress.done == records.count() => ResumeOutcome::Unchanged,
            true => ResumeOutcome::Grown,
            false => ResumeOutcome::Resumed,
        });
        if !is_same {
            progress = RecordProgress::new();
        }
    }
    sink.begin(outcome)?;
    while progress.done < records.count() {
        let before = progress.done;
        let batch = match records.next_batch(&mut progress, records.count()) {
            Ok(batch) => batch,
            Err(problem) => return Ok(End::stopped(progress.done, problem, false)),
        };
        sink.input().has_read(progress.done - before, records.count());
        let BatchWork { bytes, games, largest, plies, work } = records.work(batch);
        let RecordProgress { hash, done } = &progress;
        let resume_point = Some(ResumePoint { byte: *done, lines: *done, hash: hash.finish() });
        sink.batch(Batch { bytes, games, largest, plies, position: 0, resume_point, work })?;
    }
    let damage = records.damage();
    Ok(damage.map_or(End::Whole, |damage| End::stopped(progress.done, damage, false)))
}

/// Reads the records that an earlier import has processed. Returns whether they are unchanged.
fn skip_processed(
    records: &mut impl Records,
    progress: &mut RecordProgress,
    state: &SourceState,
    input: &Input,
) -> Flow<bool> {
    if state.bytes > records.count() {
        return Ok(false);
    }
    while progress.done < state.bytes {
        if input.cancel.load(Ordering::Relaxed) {
            return Err(Closed);
        }
        if records.next_batch(progress, state.bytes).is_err() {
            return Ok(false);
        }
    }
    Ok(Some(progress.hash.finish()) == state.hash)
}
