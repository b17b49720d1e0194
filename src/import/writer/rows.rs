//! Taking an archive over as a whole: its games are added without being looked for, and their fingerprints together.

use std::sync::mpsc::Sender;

use super::{Current, ImportError, ImportWriter, Report, existing};
use crate::import::source_reader::ResumePoint;

/// Games after which what is kept of them in memory is written down.
const GAMES_A_FLUSH: u64 = 50_000;

/// What there was before an archive is taken over, which comes back if that fails.
pub(super) struct Before {
    fingerprints: Vec<u64>,
    report: Report,
    source: Current,
    /// Games when the last of them were flushed.
    flushed: u64,
}

impl ImportWriter<'_> {
    /// Begins to take over all games of an archive, which has these fingerprints, in order; replies whether none of them
    /// is there.
    pub(in crate::import) fn begin_rows(
        &mut self,
        fingerprints: Vec<u64>,
        game_bytes: u64,
        reply: &Sender<bool>,
    ) -> Result<(), ImportError> {
        let is_new = self.sink.is_none() && {
            self.commit()?;
            let archive = self.writer(game_bytes)?.archive();
            are_disjoint(&archive.copy_source().fingerprints()?, &fingerprints)
        };
        if is_new {
            self.writer(game_bytes)?.begin_rows()?;
            let (report, source, flushed) = (self.report.clone(), self.source.clone(), self.report.stored);
            self.rows = Some(Before { fingerprints, report, source, flushed });
        }
        // Whoever waits for the reply has gone if that fails.
        let _ = reply.send(is_new);
        Ok(())
    }

    /// Writes down what is kept in memory of games that are taken over, now and then.
    pub(super) fn flush_rows(&mut self) -> Result<(), ImportError> {
        if let (Some(before), Some(writer)) = (&mut self.rows, &mut self.writer)
            && self.report.stored >= before.flushed + GAMES_A_FLUSH
        {
            before.flushed = self.report.stored;
            writer.flush()?;
        }
        Ok(())
    }

    /// All games of the archive have been taken over; without a place behind them they have not, and none is.
    pub(in crate::import) fn end_rows(&mut self, end: Option<ResumePoint>) -> Result<(), ImportError> {
        let Some(before) = self.rows.take() else { return Ok(()) };
        if end.is_none() {
            self.writer = None;
            self.writer = existing(&self.path)?;
            let cancelled = self.report.cancelled;
            (self.report, self.source) = (before.report, before.source);
            self.report.cancelled = cancelled;
            return Ok(());
        }
        if let Some(writer) = &mut self.writer {
            writer.end_rows(&before.fingerprints)?;
        }
        self.source.advance(end);
        self.commit()
    }
}

/// Whether two ascending lists have nothing in common.
fn are_disjoint(some: &[u64], others: &[u64]) -> bool {
    let mut others = others.iter().copied().peekable();
    !some.iter().any(|&key| {
        while others.next_if(|other| *other < key).is_some() {}
        others.peek() == Some(&key)
    })
}
