//! Making, undoing and redoing changes, each in one transaction.

use std::{ops::RangeInclusive, path::Path};

use super::{Change, LoggedChange, log, log::Replaced, make_tables};
use crate::archive::{
    Archive, ArchiveError, Result, SourceCounts, WritableArchive, Writer, bounded::Bounded,
    checksum::Checked, totals::RunningTotals,
};
use plybook_record::GameId;

/// Most rows that are swapped at a time.
const BATCH: usize = 4096;

/// Changes games of an archive. Every change is logged and can be undone.
#[derive(Debug)]
pub struct Editor {
    pub(super) writer: Writer,
}

/// A change that was made, undone or redone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSummary {
    /// Its number; `None` if nothing has changed.
    pub id: Option<i64>,
    /// The number of games that it concerns.
    pub games: u64,
    /// The command that made it.
    pub command: String,
}

impl Editor {
    /// Opens an archive to change games in it.
    ///
    /// # Errors
    /// See [`WritableArchive::open_for_changes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Editor> {
        Ok(Editor { writer: WritableArchive::open_for_changes(path)?.into_writer() })
    }

    /// The archive.
    pub fn archive(&self) -> &Archive {
        &self.writer.archive
    }

    /// Makes a change in one transaction: if `make` fails, nothing has changed. `command` is what the log says of it.
    /// With `is_trial`, nothing is changed either, and the result says what would be.
    ///
    /// # Errors
    /// Those of `make`, and errors of SQLite.
    pub fn change<T>(
        &mut self,
        command: &str,
        is_trial: bool,
        make: impl FnOnce(&mut Change<'_>) -> Result<T>,
    ) -> Result<(T, ChangeSummary)> {
        self.in_transaction(
            |editor| editor.log_change(command, make),
            |(_, summary)| summary.id.is_some() && !is_trial,
        )
    }

    /// Makes a change and logs it; part of a transaction.
    pub(super) fn log_change<T>(
        &mut self,
        command: &str,
        make: impl FnOnce(&mut Change<'_>) -> Result<T>,
    ) -> Result<(T, ChangeSummary)> {
        let id = self.writer.archive.db.attempt(|db| log::next_id(db))?;
        let mut change = Change::new(&mut self.writer, id)?;
        let made = make(&mut change)?;
        let Change { rows, games, .. } = change;
        if rows > 0 {
            let checksums = &mut self.writer.registers.checksums;
            self.writer.archive.db.attempt(|db| log::add(db, checksums, id, command))?;
        }
        let id = (rows > 0).then_some(id);
        Ok((made, ChangeSummary { id, games, command: command.to_owned() }))
    }

    /// Undoes a change, by default the last one that is in effect.
    ///
    /// # Errors
    /// There is no such change, it has been undone, or something else has changed the same games since; then nothing is
    /// undone.
    pub fn undo(&mut self, id: Option<i64>) -> Result<ChangeSummary> {
        self.in_transaction(|editor| editor.swap(id, true), |_| true)
    }

    /// Undoes what a change did with its games in some ranges of ids, by default the last change that is in effect. This
    /// is a change of its own: `command` is what the log says of it.
    ///
    /// # Errors
    /// There is no such change, it has been undone or changed none of the games, or something else has changed one of
    /// them since; then nothing is undone.
    pub fn undo_games(
        &mut self,
        id: Option<i64>,
        games: &[RangeInclusive<GameId>],
        command: &str,
    ) -> Result<ChangeSummary> {
        let undo = |editor: &mut Editor| {
            let found = editor.to_swap(id, true)?;
            let rows = editor.sound_rows(&found)?;
            editor.log_change(command, |change| change.restore(&found, rows, games))
        };
        Ok(self.in_transaction(undo, |_| true)?.1)
    }

    /// Redoes a change that was undone, by default the one that was undone last.
    ///
    /// # Errors
    /// There is no such change, it has not been undone, or something else has changed the same games since; then
    /// nothing is redone.
    pub fn redo(&mut self, id: Option<i64>) -> Result<ChangeSummary> {
        self.in_transaction(|editor| editor.swap(id, false), |_| true)
    }

    fn swap(&mut self, id: Option<i64>, is_undo: bool) -> Result<ChangeSummary> {
        let found = self.to_swap(id, is_undo)?;
        let mut rows = self.sound_rows(&found)?;
        if is_undo {
            rows.reverse();
        }
        let mut change = Change::new(&mut self.writer, found.id)?;
        let mut rows = rows.into_iter();
        loop {
            let mut batch: Vec<_> = rows.by_ref().take(BATCH).collect();
            let swapped = change.swap_rows(&mut batch).map_err(|error| change.error(error))?;
            if let Some((row, left)) = swapped.and_then(|place| batch.get(place..)?.split_first()) {
                // A fingerprint that changed may be that of a game that did, which says more.
                let changed = |row: &&Replaced| row.table == Checked::Game && !change.is_in_effect(row);
                let Replaced { table, target, .. } =
                    left.iter().chain(rows.as_slice()).find(changed).unwrap_or(row);
                return Err(conflict(&found, is_undo, *table, *target));
            }
            if batch.len() < BATCH {
                break;
            }
        }
        let games = if is_undo { self.remove_imported(&found)? } else { found.games };
        if let Some(import) = found.import.as_ref().filter(|_| is_undo) {
            // Others may have had the same games, and the same rejected ones.
            let may_lack =
                |counts: &SourceCounts| counts.duplicate > 0 || import.keeps_rejects && counts.rejected > 0;
            self.writer.forget_sources(found.id, may_lack)?;
        }
        let checksums = &mut self.writer.registers.checksums;
        self.writer.archive.db.attempt(|db| log::mark(db, checksums, found.id, is_undo))?;
        Ok(ChangeSummary { id: Some(found.id), games, command: found.command })
    }

    /// The rows of a change, if the log is not damaged.
    fn sound_rows(&self, change: &LoggedChange) -> Result<Vec<Replaced>> {
        let db = &self.writer.archive.db;
        let read = |db: &Bounded| Ok((log::rows(db, change.id)?, log::is_damaged(db, change.id)?));
        let (rows, is_damaged) = db.attempt(read)?;
        if is_damaged || !rows.iter().all(Replaced::is_of_its_target) {
            let what = format!("the log of change {} is damaged, so it cannot be used", change.id);
            return Err(ArchiveError::Changed(db.path.clone(), what));
        }
        Ok(rows)
    }

    /// The change to undo or redo.
    fn to_swap(&self, id: Option<i64>, is_undo: bool) -> Result<LoggedChange> {
        let changes = self.writer.archive.db.attempt(|db| log::read(db))?;
        let Some(id) = id else {
            // Of equal ones, which are those in effect, this is the last.
            let is_candidate = |change: &LoggedChange| change.undone != is_undo && change.has_effect();
            let candidates = changes.into_iter().filter(is_candidate);
            let found = candidates.max_by_key(|change| change.undone_at);
            let what = if is_undo { "there is no change to undo" } else { "there is no change to redo" };
            return found.ok_or_else(|| ArchiveError::Conflict(what.to_owned()));
        };
        let last = changes.iter().map(|change| change.id).max().unwrap_or(0);
        // Earlier releases gave some numbers to an import and to a change: they mean the change.
        let is_of_change = changes.iter().any(|change| change.id == id && change.import.is_none());
        let mut changes = changes.into_iter().filter(|change| !is_of_change || change.import.is_none());
        Err(ArchiveError::Conflict(match changes.find(|change| change.id == id) {
            None if last == 0 => format!("there is no change {id}; the log is empty"),
            None => format!("there is no change {id}; the last one is {last}"),
            Some(change) if !change.has_effect() => {
                format!("import {id} cannot be undone: it has no games, and nothing of it is in the log")
            }
            Some(change) if change.undone != is_undo => return Ok(change),
            Some(_) if is_undo => format!("change {id} has already been undone"),
            Some(_) => format!("change {id} is already in effect"),
        }))
    }

    /// Makes a change in a transaction, which is rolled back unless the change is kept; creates the tables of changes in
    /// it if they do not exist. After an error nothing of it is left, so that the next change can begin.
    pub(super) fn in_transaction<T>(
        &mut self,
        change: impl FnOnce(&mut Editor) -> Result<T>,
        is_kept: impl FnOnce(&T) -> bool,
    ) -> Result<T> {
        let make_tables = |db: &Bounded| make_tables(db).and_then(|()| RunningTotals::open(db));
        let begun = self.writer.begin().and_then(|()| self.writer.archive.db.attempt(make_tables));
        let changed = begun.and_then(|totals| {
            (self.writer.has_changes, self.writer.registers.totals) = (true, totals);
            change(self)
        });
        let ended = match changed.as_ref().is_ok_and(is_kept) {
            true => self.writer.commit_change().inspect_err(|_| drop(self.writer.discard())),
            false => self.writer.discard(),
        };
        // The first error is the one to report.
        changed.and_then(|changed| ended.map(|()| changed))
    }

    /// Deletes the log, so that no change can be undone any more, and perhaps the rejected games that the archive keeps, and
    /// shrinks the file. Returns the number of changes that were logged.
    pub fn delete_log(&mut self, with_rejects: bool) -> Result<u64> {
        let changes = self.archive().changes()?.iter().filter(|change| change.is_logged()).count() as u64;
        let is_logged = !self.archive().db.attempt(|db| log::is_empty(db))?;
        if is_logged || with_rejects {
            let delete = |editor: &mut Editor| {
                editor.archive().db.attempt(|db| log::delete(db))?;
                if with_rejects { editor.delete_rejects() } else { Ok(()) }
            };
            self.in_transaction(delete, |()| true)?;
        }
        self.archive().db.attempt(|_| self.writer.archive.give_pages_back())?;
        Ok(changes)
    }
}

/// An error of a change or an import that cannot be undone.
pub(super) fn cannot_be_undone(change: &LoggedChange, why: &str) -> ArchiveError {
    ArchiveError::Conflict(format!("change {} cannot be undone: {why}", change.id))
}

pub(super) fn conflict(change: &LoggedChange, is_undo: bool, table: Checked, target: i64) -> ArchiveError {
    let done = if is_undo { "undone" } else { "redone" };
    let later = "undo the later change first";
    let (why, advice) = match table {
        Checked::Former => {
            ("one of its games has been imported again since".to_owned(), "remove that game first")
        }
        Checked::Source => {
            ("one of its sources has been read further since".to_owned(), "remove its games instead")
        }
        table if table.side().is_some_and(|side| !side.is_by_game()) => {
            (format!("row {target} of {} has been changed since", table.name()), later)
        }
        _ => (format!("game {target} has been changed since"), later),
    };
    ArchiveError::Conflict(format!("change {} cannot be {done}: {why}; {advice}", change.id))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::ops::ControlFlow::Continue;

    use super::*;
    use crate::archive::{GameSet, checksum};

    /// An archive with two games, the first of which has been removed.
    fn removed(folder: &Path) -> Editor {
        let (pgn, path) = (folder.join("a.pgn"), folder.join("a.db"));
        std::fs::write(&pgn, "1. e4 *\n\n1. d4 *\n").unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let mut editor = Editor::open(path).unwrap();
        let first: GameSet = [1].into_iter().collect();
        editor.change("remove", false, |change| change.remove(&first, |_| Continue(()))).unwrap();
        editor
    }

    #[test]
    fn a_forged_image_of_another_row_is_refused_even_if_its_checksum_is_correct() {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = removed(folder.path());
        let second = checksum::row_of(&editor.archive().db, Checked::Game, 2).unwrap();
        editor.writer.begin().unwrap();
        let Writer { archive, registers, .. } = &mut editor.writer;
        let mut forged = log::rows(&archive.db, 2).unwrap();
        forged[0].image.clone_from(&second);
        forged[0].write(&archive.db, &mut registers.checksums).unwrap();
        editor.writer.commit_change().unwrap();
        assert!(matches!(editor.undo(None), Err(ArchiveError::Changed(..))));
        assert_eq!(checksum::row_of(&editor.archive().db, Checked::Game, 2).unwrap(), second);
    }

    #[test]
    fn a_change_that_fails_leaves_an_editor_that_can_make_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = removed(folder.path());
        // SQLite can end a transaction by itself.
        let ended = editor.change("fails", false, |change| {
            change.writer.archive.db.run("ROLLBACK").unwrap();
            Err::<(), _>(ArchiveError::Stopped)
        });
        assert!(matches!(ended, Err(ArchiveError::Stopped)));
        assert_eq!(editor.undo(None).unwrap().games, 1);
        assert_eq!(editor.archive().count().unwrap(), 2);
    }
}
