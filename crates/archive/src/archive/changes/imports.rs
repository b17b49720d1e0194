//! Imports as changes. The number of an import is the id of its first source. Its games are in no log until it is
//! undone: then their rows are, and what it had updated is as it was before.

use std::{collections::BTreeMap, slice};

use rusqlite::{Connection, params};
use serde::Serialize;

use super::{Change, Editor, LoggedChange, WhyFormer, editor::cannot_be_undone, log, read};
use crate::archive::{
    KnownSource, Result, SourceCounts, SourceState, Writer,
    checksum::Checked,
    rejects,
    schema::{self, UPDATED_VERSION},
    source::{self, Import},
};
use plybook_record::GameRange;

/// The sources of an import, and what happened to their games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportedSources {
    /// Their names: paths as given, or `-` for standard input.
    pub names: Vec<String>,
    /// The number of their games.
    #[serde(flatten)]
    pub counts: SourceCounts,
    /// The number of stored games that later versions updated; 0 once the import has been undone.
    pub updated: u64,
    /// Whether the archive keeps rejected games of them.
    #[serde(skip)]
    pub(super) keeps_rejects: bool,
}

/// The imports of an archive. Those that the log has are in it already, with their numbers.
pub(super) fn add_to(changes: &mut Vec<LoggedChange>, db: &Connection) -> rusqlite::Result<()> {
    let mut imports: BTreeMap<String, (i64, ImportedSources)> = BTreeMap::new();
    let known = |changes: &[LoggedChange], imported: &str| {
        changes.iter().position(|change| change.command == log::IMPORT && change.made == imported)
    };
    let with_rejects = rejects::sources(db)?;
    for (name, imported, KnownSource { id, state }) in source::all(db)? {
        // Games that were added one by one are changes of their own.
        if state.bytes == 0 && known(changes, &imported).is_none() {
            continue;
        }
        let (_, sources) = imports.entry(imported).or_insert((id, ImportedSources::default()));
        sources.names.push(name);
        sources.counts = sources.counts.plus(&state.counts);
        sources.keeps_rejects |= with_rejects.contains(&id);
    }
    for (made, (id, mut sources)) in imports {
        let Some(known) = known(changes, &made).and_then(|place| changes.get_mut(place)) else {
            let (command, games) = (log::IMPORT.to_owned(), sources.counts.stored);
            let import = Some(sources);
            changes.push(LoggedChange { id, made, command, games, import, ..LoggedChange::default() });
            continue;
        };
        if !is_whole(db, known.id)? {
            sources.updated = known.games;
            known.games += sources.counts.stored;
        }
        known.import = Some(sources);
    }
    // Times in archives of earlier releases have no milliseconds.
    changes.sort_by(|one, other| (one.made.get(..19), one.id).cmp(&(other.made.get(..19), other.id)));
    Ok(())
}

/// Whether the log has the games of an import.
fn is_whole(db: &Connection, import: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM plybook_change_row
               WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 AND subject = ?2 LIMIT 1";
    Ok(!read(db, sql, params![import, Checked::Source as i64], |_| Ok(()))?.is_empty())
}

impl Editor {
    /// Removes the games of an import, and logs that, unless the log has them. The updates of the import have been
    /// undone.
    pub(super) fn remove_imported(&mut self, import: &LoggedChange) -> Result<u64> {
        let Editor { writer } = self;
        let db = &writer.archive.db;
        let is_twice = "SELECT 1 FROM plybook_change WHERE id = ?1 AND command <> ?2";
        if import.import.is_some()
            && db.attempt(|db| db.prepare_cached(is_twice)?.exists((import.id, log::IMPORT)))?
        {
            let why = "an earlier version of plybook gave its number to a change as well";
            return Err(cannot_be_undone(import, why));
        }
        if import.import.is_none() || db.attempt(|db| is_whole(db, import.id))? {
            return Ok(import.games);
        }
        let checksums = &mut writer.registers.checksums;
        db.attempt(|db| {
            schema::raise_version(db, UPDATED_VERSION)?;
            log::begin_import(db, checksums, import.id, &import.made)
        })?;
        let all = self.archive().all_sources()?.into_iter();
        let own: Vec<_> = all.filter(|(_, imported, _)| *imported == import.made).collect();
        for (.., known) in &own {
            let ranges = self.archive().ranges_after(known.id, 0)?;
            self.check_unchanged(import, &ranges)?;
        }
        let mut change = Change::new(&mut self.writer, import.id)?;
        change.removed_as = WhyFormer::Undone;
        for (.., known) in own {
            change.take_back(known.id, 0)?;
            change.set_source(known.id, &SourceState::default())?;
        }
        Ok(import.games.max(change.games))
    }

    /// Checks that no game of an import has been edited or updated since.
    fn check_unchanged(&self, import: &LoggedChange, ranges: &[GameRange]) -> Result<()> {
        let sql = "SELECT min(game) FROM plybook_former WHERE why IN (?1, ?2) AND game BETWEEN ?3 AND ?4
                   AND game IN (SELECT id FROM game)";
        for range in ranges {
            let values =
                params![WhyFormer::Edited as i64, WhyFormer::Updated as i64, range.start, range.last];
            let changed: Option<i64> =
                self.archive().db.attempt(|db| db.query_row(sql, values, |row| row.get(0)))?;
            if let Some(game) = changed {
                return Err(cannot_be_undone(import, &format!("game {game} has been changed since")));
            }
        }
        Ok(())
    }
}

impl Writer {
    /// Whether the import of a source has been undone and redone: then the log has its games, and it gets no more.
    pub fn is_import_logged(&self, source: i64) -> Result<bool> {
        let number =
            "SELECT min(id) FROM source WHERE imported = (SELECT imported FROM source WHERE id = ?1)";
        self.archive.db.attempt(|db| is_whole(db, db.query_row(number, [source], |row| row.get(0))?))
    }

    /// Takes back what the present import has updated after a place in its log: what it read is damaged.
    pub fn take_back_updates(&mut self, after: u32) -> Result<()> {
        let Some(import) = self.import.clone().filter(|import| import.next_update > after) else {
            return Ok(());
        };
        self.begin()?;
        let first = import.number << log::ROW_BITS | i64::from(after);
        let mut rows = self.archive.db.attempt(|db| log::rows(db, import.number))?;
        rows.retain(|row| row.id >= first);
        let mut change = Change::new(self, import.number)?;
        while let Some(mut row) = rows.pop() {
            let swapped = change.swap_rows(slice::from_mut(&mut row));
            swapped.and_then(|_| change.forget_row(row.id)).map_err(|error| change.error(error))?;
        }
        self.import = Some(Import { next_update: after, ..import });
        Ok(())
    }
}

impl Change<'_> {
    /// Deletes a row of the log.
    fn forget_row(&mut self, id: i64) -> rusqlite::Result<()> {
        let Writer { archive, registers, .. } = &mut *self.writer;
        registers.checksums.replace_row(&archive.db, Checked::ChangeRow, id, None).map(drop)
    }

    /// Sets how far a source has been read, and logs it.
    fn set_source(&mut self, source: i64, state: &SourceState) -> Result<()> {
        let row = self.writer.archive.db.attempt(|db| source::row(db, source, state))?;
        let set = self.set_row(Checked::Source, source, Some(&row));
        set.map_err(|error| self.error(error))
    }
}
