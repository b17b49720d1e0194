//! The end of a source: what is reported, and what is recorded of it.

use super::{Current, ImportError, ImportProblem, ImportWriter};
use crate::import::source_reader::End;

impl ImportWriter<'_> {
    /// Ends a source.
    pub(in crate::import) fn end_source(&mut self, end: End) -> Result<(), ImportError> {
        let source = self.source.name.clone();
        match end {
            End::Whole => {
                self.report.sources_read += 1;
                (self.source.state.ended, self.source.state.stamp) = (true, self.source.stamp);
            }
            End::Growing { byte, line } => {
                let reason = "the last game is incomplete because the file is still being written".to_owned();
                let game = self.source.counts.seen + 1;
                self.report.sources_read += 1;
                self.report.unfinished.push(ImportProblem {
                    source,
                    game,
                    line,
                    byte,
                    reason,
                    is_damaged_archive: false,
                });
            }
            End::Stopped { game, why: reason, is_damaged_archive } => {
                let problem =
                    ImportProblem { source, game, reason, is_damaged_archive, ..ImportProblem::default() };
                self.report.failures.push(problem);
            }
            End::Failed { byte, why: reason } => {
                self.report.failures.push(ImportProblem { source, byte, reason, ..ImportProblem::default() });
            }
        }
        self.save_source_state()
    }

    /// Saves how far the source has been processed.
    pub(in crate::import) fn save_source_state(&mut self) -> Result<(), ImportError> {
        let Current { name, id, counts, seen_before, state, .. } = &mut self.source;
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if id.is_none() && counts.seen > *seen_before {
            *id = Some(writer.add_source(name)?);
        }
        if let Some(id) = id {
            writer.note_source(*id, state)?;
        }
        Ok(())
    }
}
