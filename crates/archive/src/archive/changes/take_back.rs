//! Taking games out again that were imported from damaged data.

use std::ops::ControlFlow;

use super::{Change, Editor, WhyFormer};
use crate::archive::{KnownSource, Result, SourceCounts, SourceState, Writer, integers::integers, source};

/// Most games that are removed at a time.
const BATCH: i64 = 1024;

/// The first games of a range of ids.
const FIRST_GAMES: &str = "SELECT id FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3";

impl Writer {
    /// Removes the games of a source after a number in it, as a change that can be undone; a later import of the same
    /// games stores them. Records how far the source has been read, given how many games were removed, and ends the
    /// batch. `command` is what the log says of it.
    ///
    /// # Errors
    /// A game is damaged; errors of SQLite. Then the batch is discarded.
    pub fn take_back(
        self,
        source: i64,
        after: u64,
        command: &str,
        state: impl FnOnce(u64) -> SourceState,
    ) -> Result<(Writer, u64)> {
        let mut editor = Editor { writer: self };
        let removed = editor.in_transaction(
            |editor| {
                let make = |change: &mut Change<'_>| change.take_back(source, after);
                let removed = editor.log_change(command, make)?.1.games;
                editor.writer.note_source(source, &state(removed))?;
                if removed > 0 {
                    editor.writer.forget_duplicates(source)?;
                }
                Ok(removed)
            },
            |_| true,
        )?;
        Ok((editor.writer, removed))
    }

    /// Lets the next import read the sources again that were begun after this one and have duplicates: some of these
    /// may be duplicates of games that were removed.
    pub fn forget_duplicates(&mut self, source: i64) -> Result<()> {
        self.forget_sources(source, |counts| counts.duplicate > 0)
    }

    /// The same for all sources whose games may lack others that were removed.
    pub(super) fn forget_sources(
        &mut self,
        after: i64,
        may_lack: impl Fn(&SourceCounts) -> bool,
    ) -> Result<()> {
        for (_, _, KnownSource { id, state }) in self.archive.all_sources()? {
            if id > after && may_lack(&state.counts) {
                let state = SourceState { ended: false, stamp: None, hash: None, ..state };
                self.note_source(id, &state)?;
            }
        }
        Ok(())
    }
}

impl Change<'_> {
    /// Removes the games of a source after a number in it, and the rejected ones that an import kept.
    pub(super) fn take_back(&mut self, source: i64, after: u64) -> Result<()> {
        self.removed_as = WhyFormer::Undone;
        let ranges = self.writer.archive.db.attempt(|db| source::ranges_after(db, source, after))?;
        for mut range in ranges {
            loop {
                let first = (range.start, range.last, BATCH);
                let games = self.writer.archive.db.attempt(|db| integers(db, FIRST_GAMES, first))?;
                let Some(end) = games.last() else { break };
                range.start = end + 1;
                self.remove(&games.into_iter().collect(), |_| ControlFlow::Continue(()))?;
            }
        }
        self.take_back_rejects(source, after)
    }
}
