//! Merging an archive as a unit: its games are added without looking for duplicates, since there are none, and their
//! fingerprints in one go.

use std::sync::mpsc::Sender;

use super::{Current, ImportError, ImportWriter, Report, configured, existing};
use crate::{archive::StoredFingerprints, import::sink::ResumePoint};

/// Number of games after which the data kept in memory is written.
const GAMES_A_FLUSH: u64 = 50_000;

/// The state before an archive is merged, restored if the merge fails.
pub(super) struct Before {
    fingerprints: StoredFingerprints,
    report: Report,
    source: Current,
    /// Number of games at the last flush.
    flushed: u64,
}

impl ImportWriter<'_> {
    /// Begins to copy all games of an archive with these fingerprints in order. Replies whether none of them exists
    /// yet.
    pub(super) fn begin_rows(
        &mut self,
        fingerprints: StoredFingerprints,
        game_bytes: u64,
        reply: &Sender<bool>,
    ) -> Result<(), ImportError> {
        // The games of another archive may be versions of those that are stored, which only decoded games reveal.
        let is_new = self.sink.is_none() && self.condition_key == 0 && {
            self.commit()?;
            self.writer(game_bytes)?.begin_rows(fingerprints.are_short())?
        };
        if is_new {
            let (report, source, flushed) = (self.report.clone(), self.source.clone(), self.report.stored);
            self.rows = Some(Before { fingerprints, report, source, flushed });
        }
        // If sending fails, the receiver has stopped.
        let _ = reply.send(is_new);
        Ok(())
    }

    /// Writes what is kept in memory for copied games, from time to time.
    pub(super) fn flush_rows(&mut self) -> Result<(), ImportError> {
        if let (Some(before), Some(writer)) = (&mut self.rows, &mut self.writer)
            && self.report.stored >= before.flushed + GAMES_A_FLUSH
        {
            before.flushed = self.report.stored;
            writer.flush()?;
        }
        Ok(())
    }

    /// All games of the archive have been copied. Without a resume point the copy failed, and all of it is rolled back.
    pub(super) fn end_rows(&mut self, end: Option<ResumePoint>) -> Result<(), ImportError> {
        let Some(before) = self.rows.take() else { return Ok(()) };
        if end.is_none() {
            self.writer = None;
            let (again, on_update) = (self.again, self.on_update);
            self.writer = existing(&self.path)?.map(|writer| configured(writer, again, on_update, true));
            let cancelled = self.report.cancelled;
            (self.report, self.source) = (before.report, before.source);
            self.report.cancelled = cancelled;
            return Ok(());
        }
        if let Some(writer) = &mut self.writer {
            writer.end_rows(before.fingerprints.keys())?;
        }
        self.source.advance(end);
        self.commit()
    }
}
