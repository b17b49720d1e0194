//! What is recorded of a source: how it begins and ends, and that its games have been changed if it is an archive.

use super::{Current, ImportError, ImportProblem, ImportWriter, Mark, sealed};
use crate::{
    archive::{FormerFingerprint, KnownSource, SourceCounts, SourceState, WhyFormer, Writer},
    counts::GAMES,
    import::{
        KnownSourceReport, ResumeOutcome,
        resume::hash_of_nothing,
        sink::{Begin, End},
    },
    pgn::Location,
};

impl ImportWriter<'_> {
    /// Starts the next source.
    pub(super) fn begin_source(
        &mut self,
        begin: Begin,
        outcome: Option<ResumeOutcome>,
    ) -> Result<(), ImportError> {
        let Begin { name, stamp, lasting, known } = begin;
        let tally = self.report.tally();
        // Nothing of it is confirmed, but it can be resumed.
        let state = SourceState { hash: lasting.then(hash_of_nothing), ..SourceState::default() };
        let updates = self.place_of_updates();
        let confirmed = Mark { state, tally: tally.clone(), updates };
        let at_resume_point = true;
        self.source = Current {
            name,
            stamp,
            lasting,
            tally,
            updates,
            confirmed,
            at_resume_point,
            ..Current::default()
        };
        let Some((known, outcome)) = known.zip(outcome) else { return Ok(()) };
        if outcome == ResumeOutcome::Changed {
            self.take_back_changed(known)?;
        } else {
            self.resume(known, outcome)?;
            self.end_taking_back(known)?;
        }
        let SourceCounts { seen: games, rejected, .. } = known.state.counts;
        self.report.known_sources.push(KnownSourceReport {
            source: self.source.name.clone(),
            outcome,
            games,
            rejected,
        });
        Ok(())
    }

    /// Continues a source where an earlier import stopped.
    fn resume(&mut self, known: KnownSource, outcome: ResumeOutcome) -> Result<(), ImportError> {
        if known.state.ended {
            self.source.confirmed.state = known.state;
        }
        let mut state = known.state;
        // A source that is only known from an earlier archive has no row in this one. What was appended to a source
        // belongs to another import than what it had before; so does what follows an import whose games the log has.
        let is_logged = |writer: &Writer| writer.is_import_logged(known.id);
        let has_row = known.id > 0
            && outcome != ResumeOutcome::Grown
            && (outcome != ResumeOutcome::Resumed || !self.writer.as_ref().map_or(Ok(false), is_logged)?);
        if known.id > 0 && !has_row {
            state.counts.duplicate += std::mem::take(&mut state.counts.stored);
        }
        if outcome == ResumeOutcome::Resumed
            && has_row
            && let Some(writer) = &mut self.writer
        {
            writer.continue_import(known.id)?;
            let updates = writer.place_of_updates();
            (self.source.updates, self.source.confirmed.updates) = (updates, updates);
        }
        self.source = Current {
            id: has_row.then_some(known.id),
            position: state.bytes,
            counts: state.counts,
            seen_before: if has_row { 0 } else { state.counts.seen },
            state,
            ..std::mem::take(&mut self.source)
        };
        Ok(())
    }

    /// Ends a source.
    pub(super) fn end_source(&mut self, end: End, confirmed: u64) -> Result<(), ImportError> {
        self.source.confirm(confirmed);
        let source = self.source.name.clone();
        match end {
            End::Whole => {
                self.report.sources_read += 1;
                (self.source.state.ended, self.source.state.stamp) = (true, self.source.stamp);
            }
            End::Growing { byte, line } => {
                let reason = "the last game is incomplete because the file is still being written".to_owned();
                let at = Location { game: self.source.counts.seen + 1, line, byte, file: "" };
                self.report.sources_read += 1;
                self.report.unfinished.push(ImportProblem::at(&source, at, reason));
            }
            End::Failed(problem) => {
                self.report_unconfirmed()?;
                self.report.failures.push(ImportProblem { source, ..*problem });
            }
            End::Damaged(problem) => {
                let reason = match self.return_to_confirmed()? {
                    0 => problem.reason,
                    games => {
                        let games = GAMES.count(games);
                        format!("{}; removed {games} that no checksum had confirmed", problem.reason)
                    }
                };
                self.report.failures.push(ImportProblem { source, reason, ..*problem });
            }
        }
        self.save_source_state()
    }

    /// Saves how far the source has been processed.
    pub(super) fn save_source_state(&mut self) -> Result<(), ImportError> {
        let state = sealed(self.source.state_to_save(), self.condition_key);
        let Current { name, id, counts, seen_before, .. } = &mut self.source;
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if id.is_none() && counts.seen > *seen_before {
            *id = Some(writer.add_source(name)?);
        }
        if let Some(id) = id {
            writer.note_source(*id, &state)?;
        }
        Ok(())
    }

    /// The source is an archive whose games have been changed. What was removed or edited there is not imported from
    /// elsewhere either.
    pub(super) fn keep_former(&mut self, former: &[FormerFingerprint]) -> Result<(), ImportError> {
        let by_game = self.source.former.get_or_insert_default();
        for former in former.iter().filter(|former| former.why == WhyFormer::Edited) {
            by_game.entry(former.game).or_default().push(former.fingerprint);
        }
        Ok(self.writer(0)?.keep_former(former)?)
    }

    /// Whether the archive has a game of the source, as it was before it was edited there.
    pub(super) fn has_former(&mut self, id: u64) -> Result<bool, ImportError> {
        let former = self.source.former.as_ref().and_then(|by_game| by_game.get(&id.cast_signed()));
        let (Some(former), Some(writer)) = (former, &mut self.writer) else { return Ok(false) };
        for fingerprint in former {
            if writer.has_game(*fingerprint)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Current {
    /// Its row in the archive, which is added if it has none.
    pub(super) fn row(&mut self, writer: &mut Writer) -> Result<i64, ImportError> {
        Ok(match self.id {
            Some(id) => id,
            None => *self.id.insert(writer.add_source(&self.name)?),
        })
    }
}
