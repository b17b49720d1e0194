//! Games of a compressed source that no checksum has confirmed. They are stored, so that the memory of an import is
//! bounded; if the source turns out to be damaged, they are removed again, also those of an earlier import that was
//! stopped.
//!
//! While a compressed source has not been read completely, the stamp in its row is the number of games that checksums
//! have confirmed.

use super::{Current, ImportError, ImportWriter, Recorder};
use crate::{
    archive::{KnownSource, SourceCounts, SourceState},
    import::{Unconfirmed, report::Tally},
};

/// A resume point, and the counts of the report there.
#[derive(Clone, Default)]
pub(super) struct Mark {
    pub state: SourceState,
    pub tally: Tally,
}

impl Current {
    /// Records how far checksums have confirmed the text: `u64::MAX` if it is not compressed.
    pub(super) fn confirm(&mut self, bytes: u64) {
        self.is_compressed = bytes != u64::MAX;
        if self.is_compressed && self.state.bytes > 0 && bytes >= self.state.bytes {
            self.confirmed = Mark { state: self.state, tally: self.tally.clone() };
        }
    }

    /// Whether checksums have confirmed everything up to the last resume point.
    pub(super) fn is_confirmed(&self) -> bool {
        !self.is_compressed || self.confirmed.state.bytes == self.state.bytes
    }

    /// What is saved of the state.
    pub(super) fn state_to_save(&self) -> SourceState {
        match self.is_compressed && !self.state.ended {
            true => SourceState { stamp: Some(self.confirmed.state.counts.seen), ..self.state },
            false => self.state,
        }
    }
}

impl ImportWriter<'_> {
    /// The source is damaged: returns to the last confirmed point. Returns the number of games removed.
    pub(super) fn return_to_confirmed(&mut self) -> Result<u64, ImportError> {
        let (Mark { state, tally }, stored) = (self.source.confirmed.clone(), self.source.counts.stored);
        (self.source.state, self.source.counts, self.source.at_resume_point) = (state, state.counts, true);
        self.report.return_to(tally);
        match self.source.id {
            Some(id) if stored > state.counts.stored => self.take_back(id, state.counts.seen, |_| state),
            _ => Ok(0),
        }
    }

    /// Removes what an import that was stopped has stored from earlier contents of a source, as far as it was not
    /// confirmed.
    pub(super) fn take_back_changed(&mut self, known: KnownSource) -> Result<(), ImportError> {
        let KnownSource { id, state } = known;
        let Some(confirmed) = state.stamp.filter(|confirmed| !state.ended && *confirmed < state.counts.seen)
        else {
            return Ok(());
        };
        if id > 0 {
            self.take_back(id, confirmed, |removed| {
                let stored = state.counts.stored.saturating_sub(removed);
                let rejected = state.counts.rejected.min(confirmed.saturating_sub(stored));
                let seen = confirmed.max(stored);
                let counts = SourceCounts { seen, stored, duplicate: seen - stored - rejected, rejected };
                SourceState { stamp: None, hash: None, counts, ..state }
            })?;
        }
        Ok(())
    }

    fn take_back(
        &mut self,
        id: i64,
        after: u64,
        state: impl FnOnce(u64) -> SourceState,
    ) -> Result<u64, ImportError> {
        let Some(writer) = self.writer.take() else { return Ok(0) };
        let command = format!("import {}: what no checksum has confirmed was removed", self.source.name);
        let (writer, removed) = writer.take_back(id, after, &command, state)?;
        self.writer = Some(writer);
        // What was recorded for the index includes removed games; the others are replayed.
        self.recorder = Recorder::default();
        self.report.taken_back += removed;
        self.in_part = self.in_part.saturating_sub(removed);
        self.since_commit = 0;
        Ok(removed)
    }

    /// Reports how many games of a source that could not be read completely are not confirmed.
    pub(super) fn report_unconfirmed(&mut self) -> Result<(), ImportError> {
        let Current { name, id, counts, confirmed, is_compressed, .. } = &self.source;
        let games = counts.stored.saturating_sub(confirmed.state.counts.stored);
        let (true, Some(id), Some(writer)) = (*is_compressed && games > 0, id, &self.writer) else {
            return Ok(());
        };
        if let Some((first, last)) = writer.archive().ids_after(*id, confirmed.state.counts.seen)? {
            self.report.unconfirmed.push(Unconfirmed { source: name.clone(), games, first, last });
        }
        Ok(())
    }
}
