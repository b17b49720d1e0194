//! Rejected games: those that the archive keeps, and what becomes of them when they are read again.

use super::{Current, ImportError, ImportProblem, ImportWriter, ParsedBatch};
use crate::{
    archive::{KeptReject, SourceState},
    import::{games::Rejected, report::MAX_REJECTS},
    pgn::{Location, RejectReason},
};

impl ImportWriter<'_> {
    /// Counts a rejected game, reports it, and writes it where it was requested.
    pub(super) fn reject(&mut self, location: Location, rejected: &Rejected) -> Result<(), ImportError> {
        self.report.rejected += 1;
        self.source.counts.rejected += 1;
        if rejected.reason == RejectReason::NotPgn {
            self.rejected_as_not_pgn += 1;
            self.not_pgn.get_or_insert_with(|| self.source.name.clone());
        }
        let at = Location { game: location.game, ..rejected.problem_at };
        if self.report.rejects.len() < MAX_REJECTS {
            let problem = ImportProblem::at(&self.source.name, at, rejected.reason.to_string());
            self.report.rejects.push(ImportProblem { rejected: Some(rejected.reason.clone()), ..problem });
        }
        if self.keep_rejects {
            self.keep_reject(at, rejected)?;
        }
        match &mut self.rejects {
            Some(file) => file.write(&self.source.name, location, rejected),
            None => Ok(()),
        }
    }

    /// Keeps a rejected game, if it has a text that may be one.
    fn keep_reject(&mut self, location: Location, rejected: &Rejected) -> Result<(), ImportError> {
        let text = rejected.text.trim_ascii();
        let kept = rejected.reason != RejectReason::NotPgn && !text.is_empty() && {
            self.writer(0)?;
            let Some(writer) = &mut self.writer else { return Ok(()) };
            let row = self.source.row(writer)?;
            let (source, reason, text) =
                (self.source.name.clone(), rejected.reason.to_string(), text.to_vec());
            writer.keep_reject(row, &KeptReject { id: 0, source, location, reason, text })?
        };
        self.report.rejects_kept += u64::from(kept);
        self.report.rejects_not_kept += u64::from(!kept);
        self.since_commit += u64::from(kept);
        Ok(())
    }

    /// A rejected game that the archive keeps.
    pub(in crate::import) fn kept_reject(&self, id: i64) -> Result<Option<KeptReject>, ImportError> {
        Ok(self.writer.as_ref().map(|writer| writer.archive().reject(id)).transpose()?.flatten())
    }

    /// Adds the games that a kept text has now. If all of them are in the archive, the text leaves the rejected games in
    /// the same transaction.
    pub(in crate::import) fn retry(
        &mut self,
        reject: &KeptReject,
        games: Vec<ParsedBatch>,
    ) -> Result<(), ImportError> {
        // Not the name of the source, whose next import resumes where its last one stopped.
        let name = format!("{} (retried)", reject.source);
        if self.source.name != name {
            self.save_source_state()?;
            self.source = Current { name, lasting: true, ..Current::default() };
        }
        let [seen, rejected] = [self.report.seen, self.report.rejected];
        let position = self.source.position + reject.text.len() as u64;
        for games in games {
            // Without a resume point, nothing is committed before the text has left.
            self.add_batch(games, position, None, u64::MAX)?;
        }
        if let Some(writer) = self.writer.as_mut().filter(|_| self.report.seen > seen)
            && self.report.rejected == rejected
        {
            writer.release_reject(reject.id)?;
            self.since_commit += 1;
        }
        let Current { id, counts, seen_before, state, .. } = &mut self.source;
        *state = SourceState { ended: true, counts: *counts, ..SourceState::default() };
        if id.is_none() {
            // Nothing of it is in the archive.
            *seen_before = counts.seen;
        }
        if self.since_commit >= self.commit_every { self.commit() } else { Ok(()) }
    }
}
