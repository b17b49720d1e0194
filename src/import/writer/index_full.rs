//! Indexing during an import, whenever as many games have been stored as one segment of the index can hold: what was
//! recorded of more would take too much memory or disk, and replaying them later too much time.

use std::ops::ControlFlow;

use super::{ImportError, ImportWriter, Recorder};
use crate::import::index::build_in;

impl ImportWriter<'_> {
    /// Commits and indexes the stored games if there are enough of them. A failure costs only time: the index is built
    /// after the import, which reports it. `watch` receives the number of games of a segment processed so far and its
    /// total, and may stop.
    pub(in crate::import) fn index_if_full(
        &mut self,
        watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), ImportError> {
        if !self.recorder.is_full() || !self.source.at_resume_point {
            return Ok(());
        }
        self.commit()?;
        let Some(settings) = self.recorder.settings().cloned() else { return Ok(()) };
        let recorder = std::mem::take(&mut self.recorder);
        if let Some(writer) = &self.writer
            && let Ok(index) = build_in(writer.archive(), settings.wanted, recorder, watch)
            && !index.stopped
        {
            self.report.add_index(index);
        }
        self.recorder = Recorder::new(settings);
        Ok(())
    }
}
