//! Games of a compressed source that no checksum has confirmed. They are stored, so that the memory of an import is
//! bounded; if the source turns out to be damaged, they are removed again, also those of an earlier import that was
//! stopped.
//!
//! While a compressed source has not been read completely, the stamp in its row is the number of games that checksums
//! have confirmed.

use super::{Current, ImportError, ImportWriter, Recorder, sealed};
use crate::{
    archive::{KnownSource, SourceCounts, SourceState},
    import::{Unconfirmed, report::Tally},
};

/// A resume point, and the counts of the report there.
#[derive(Clone, Default)]
pub(super) struct Mark {
    pub state: SourceState,
    pub tally: Tally,
    /// The place in the log after what the import had updated.
    pub updates: u32,
}

impl Current {
    /// Records how far checksums have confirmed the text: `u64::MAX` if it is not compressed.
    pub(super) fn confirm(&mut self, bytes: u64) {
        self.is_compressed = bytes != u64::MAX;
        if self.is_compressed && self.state.bytes > 0 && bytes >= self.state.bytes {
            self.confirmed = Mark { state: self.state, tally: self.tally.clone(), updates: self.updates };
        }
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
        let (Mark { state, tally, updates }, stored) =
            (self.source.confirmed.clone(), self.source.counts.stored);
        if let Some(writer) = &mut self.writer {
            writer.take_back_updates(updates)?;
        }
        (self.source.state, self.source.counts, self.source.at_resume_point) = (state, state.counts, true);
        self.report.return_to(tally);
        let removed = match self.source.id {
            Some(id) if stored > state.counts.stored => {
                let sealed = sealed(state, self.condition_key);
                self.take_back(id, state.counts.seen, |_| sealed)?
            }
            _ => 0,
        };
        Ok(removed + self.take_back_from_parts(&state)?)
    }

    /// Removes games after the confirmed ones from the parts that have been filled. Before that, it is saved that the
    /// source has been read only up to there: wherever this is stopped, the next import reads the others again.
    fn take_back_from_parts(&mut self, confirmed: &SourceState) -> Result<u64, ImportError> {
        if self.sink.is_some() {
            self.commit()?;
        }
        let Some(sink) = &mut self.sink else { return Ok(0) };
        let removed = sink.take_back(&self.source.name, &sealed(*confirmed, self.condition_key))?;
        self.report.taken_back += removed;
        if let (1.., Some(writer)) = (removed, &mut self.writer) {
            writer.forget_duplicates(0)?;
        }
        Ok(removed)
    }

    /// An earlier import that returned to the confirmed games may have been killed before it had removed the others
    /// from all parts.
    pub(super) fn end_taking_back(&mut self, known: KnownSource) -> Result<(), ImportError> {
        let KnownSource { id, state } = known;
        if id > 0 && !state.ended && state.stamp == Some(state.counts.seen) {
            self.take_back_from_parts(&state)?;
        }
        Ok(())
    }

    /// Removes what an import that was stopped has stored from earlier contents of a source, as far as it was not
    /// confirmed.
    pub(super) fn take_back_changed(&mut self, known: KnownSource) -> Result<(), ImportError> {
        let KnownSource { id, state } = known;
        let Some(confirmed) = state.stamp.filter(|confirmed| !state.ended && *confirmed < state.counts.seen)
        else {
            return Ok(());
        };
        let counts = SourceCounts { seen: confirmed, ..state.counts };
        let confirmed = SourceState { stamp: None, hash: None, counts, ..state };
        // Last of all from the archive that says that there is something to remove.
        self.take_back_from_parts(&confirmed)?;
        if id > 0 {
            self.take_back(id, counts.seen, |removed| state.without(removed, &confirmed))?;
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
        let Current { name, id, counts, confirmed: Mark { state, tally, .. }, is_compressed, .. } =
            &self.source;
        let games = match self.sink {
            Some(_) => self.report.stored_since(tally),
            None => counts.stored.saturating_sub(state.counts.stored),
        };
        let ids = match (id, &self.writer) {
            (Some(id), Some(writer)) if self.sink.is_none() => {
                writer.archive().ranges_after(*id, state.counts.seen)?
            }
            _ => Vec::new(),
        };
        if *is_compressed && games > 0 {
            let (first, last) = (ids.first().map(|ids| ids.start), ids.last().map(|ids| ids.last));
            self.report.unconfirmed.push(Unconfirmed { source: name.clone(), games, first, last });
        }
        Ok(())
    }
}
