//! A change being made: games are removed, edited or added.

use std::{mem, ops::ControlFlow};

use rayon::prelude::*;

use super::{
    former,
    log::{self, Replaced},
    stale,
};
use crate::archive::{
    Added, ArchiveError, Filter, GameSet, OnUpdate, PreparedGames, Result, SourceCounts, SourceState,
    Version, WhyFormer, Writer,
    checksum::{Checked, row_of},
    error::stop_if,
    read::fingerprint,
    row_hash,
    schema::{self, UPDATED_VERSION},
    write::Found,
};
use plybook_pgn::Location;
use plybook_record::{GameId, GameRange, Record, StoredGame};

/// Most games that are read and prepared at a time.
const BATCH: usize = 1024;

/// A change being made.
#[derive(Debug)]
pub struct Change<'a> {
    pub(in crate::archive) writer: &'a mut Writer,
    pub(super) id: i64,
    /// The rows logged so far.
    pub(in crate::archive) rows: u32,
    /// The games changed so far.
    pub(in crate::archive) games: u64,
    pub(super) segments: Vec<(i64, GameRange)>,
    /// Why the fingerprints of removed games are former ones.
    pub(super) removed_as: WhyFormer,
    /// Why those of games that have another state now are.
    pub(super) replaced_as: WhyFormer,
}

/// The new state of a game.
pub(super) struct NewState {
    id: GameId,
    /// The fingerprint before the change.
    before: u64,
    games: PreparedGames,
}

impl Change<'_> {
    /// The change with a number.
    pub(in crate::archive) fn new(writer: &mut Writer, id: i64) -> Result<Change<'_>> {
        let segments = writer.archive.db.attempt(|db| stale::segments(db))?;
        let (removed_as, replaced_as) = (WhyFormer::Removed, WhyFormer::Edited);
        Ok(Change { writer, id, rows: 0, games: 0, segments, removed_as, replaced_as })
    }

    /// Removes games. `watch` receives the number of games processed, and may stop the change; then it fails with
    /// [`ArchiveError::Stopped`].
    ///
    /// # Errors
    /// One of the games does not exist, or is damaged; errors of SQLite.
    pub fn remove(&mut self, ids: &GameSet, mut watch: impl FnMut(u64) -> ControlFlow<()>) -> Result<()> {
        let before = |game: &StoredGame| Ok((game.id, fingerprint(game)));
        self.for_each_batch(ids, before, |change, _, games| {
            let mut rows = Vec::new();
            for (id, before) in games {
                let before = before.map_err(|what| ArchiveError::damaged(id, what))?;
                change.set(id, Some(before), None, &mut rows).map_err(|error| change.error(error))?;
            }
            change.write_games(&rows).map_err(|error| change.error(error))?;
            stop_if(watch(change.games))
        })
    }

    /// Edits games with a function, on all cores. A game for which it returns `None` is not changed.
    ///
    /// # Errors
    /// One of the games does not exist, is damaged, or would be equal to another one; errors of `edit` and of SQLite.
    pub fn edit(
        &mut self,
        ids: &GameSet,
        edit: impl Fn(&StoredGame) -> Result<Option<Record>> + Sync,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<()> {
        let prepare = |game: &StoredGame| prepared(game, edit(game)?.as_ref());
        self.for_each_batch(ids, prepare, |change, seen, states| {
            change.put(states.into_iter().flatten())?;
            stop_if(watch(seen))
        })
    }

    /// Reads games, prepares them on all cores, and passes on each batch with the number of games up to its end. While a
    /// batch is written, the next one is prepared.
    fn for_each_batch<T: Send>(
        &mut self,
        ids: &GameSet,
        prepare: impl Fn(&StoredGame) -> Result<T> + Sync,
        mut write: impl FnMut(&mut Self, u64, Vec<T>) -> Result<()>,
    ) -> Result<()> {
        let (mut seen, mut ready) = (0, Vec::new());
        for batch in ids.ids().chunks(BATCH).chain([&[][..]]) {
            let games = if batch.is_empty() { Vec::new() } else { self.read(batch)? };
            let mut next = Ok(Vec::new());
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| next = games.par_iter().map(&prepare).collect());
                if seen > 0 { write(self, seen, mem::take(&mut ready)) } else { Ok(()) }
            })?;
            (seen, ready) = (seen + games.len() as u64, next?);
        }
        Ok(())
    }

    /// Replaces a game by a later version of it; part of an import. False if that would make it equal to another game.
    pub(in crate::archive) fn update(&mut self, stored: &StoredGame, record: &Record) -> Result<bool> {
        self.replaced_as = WhyFormer::Updated;
        self.writer.archive.db.attempt(|db| schema::raise_version(db, UPDATED_VERSION))?;
        let Some(state) = prepared(stored, Some(record))? else { return Ok(true) };
        if state.games.fingerprint(0) != state.before && self.writer.has_game(state.games.fingerprint(0))? {
            return Ok(false);
        }
        self.put([state]).map(|()| true)
    }

    /// Replaces a game, if it is still as expected. An equal game changes nothing.
    ///
    /// # Errors
    /// The game has changed in the meantime, or would be equal to another one; errors of SQLite.
    pub fn replace(&mut self, expected: &StoredGame, record: &Record) -> Result<()> {
        let id = expected.id;
        if self.writer.archive.game(id)? != *expected {
            return Err(ArchiveError::Conflict(format!(
                "game {id} has been changed in the meantime, so the edited text was not stored"
            )));
        }
        prepared(expected, Some(record))?.map_or(Ok(()), |state| self.put([state]))
    }

    /// Adds a game from a source of its own, or updates the game of which it is a later version.
    ///
    /// # Errors
    /// The archive has the game, or knows as much of it; errors of SQLite.
    pub fn add(&mut self, source: &str, record: &Record) -> Result<GameId> {
        self.check_is_new(None, record.fingerprint)?;
        let mut games = PreparedGames::of(record);
        self.writer.find_versions(OnUpdate::Join)?;
        match self.writer.find_version(&mut games, 0)? {
            Some(Found::Update { stored, record, .. }) if self.update(&stored, &record)? => {
                return Ok(stored.id);
            }
            Some(Found::Known(Version::Earlier(other) | Version::Skipped(other))) => {
                return Err(ArchiveError::Equal { id: None, other });
            }
            _ => {}
        }
        let source_id = self.writer.add_source(source)?;
        let again = mem::replace(&mut self.writer.again, true);
        let former = row_of(&self.writer.archive.db, Checked::Former, record.fingerprint.cast_signed());
        let added = self.writer.accept(&mut games, 0, source_id, Location { game: 1, ..Location::default() });
        self.writer.again = again;
        let Added::Stored(new) = added? else {
            // It was new a moment ago, and no other program can have written since.
            return Err(ArchiveError::Edit("the game is already in the archive".into()));
        };
        self.writer.write(&games)?;
        let logged = former.and_then(|former| self.log_new(new.id, record.fingerprint, former));
        logged.map_err(|error| self.error(error))?;
        let counts = SourceCounts { seen: 1, stored: 1, ..SourceCounts::default() };
        self.writer.note_source(source_id, &SourceState { ended: true, counts, ..SourceState::default() })?;
        Ok(new.id)
    }

    /// Logs the rows of an added game, which are written.
    fn log_new(&mut self, id: GameId, fingerprint: u64, former: Option<Vec<u8>>) -> rusqlite::Result<()> {
        let sides = Checked::of_games(&self.writer.archive.db)?;
        let mut rows = Vec::new();
        let mut log = |table, target, image, present: Option<&[u8]>| {
            let replaces = present.map(|row| log::hash(table, row));
            rows.push(Replaced { id: 0, table, target, image, replaces });
        };
        for table in [Checked::Game].into_iter().chain(sides) {
            if let Some(row) = row_of(&self.writer.archive.db, table, id)? {
                log(table, id, None, Some(&row));
            }
        }
        let image = former.unwrap_or_else(|| former::row(fingerprint, id, WhyFormer::Undone));
        log(Checked::Former, fingerprint.cast_signed(), Some(image), None);
        log(Checked::Removed, id, Some(row_hash::integer(id).to_vec()), None);
        self.log(rows.into_iter())?;
        self.games += 1;
        Ok(())
    }

    /// The games with some ids, all of which must exist.
    pub(super) fn read(&self, ids: &[GameId]) -> Result<Vec<StoredGame>> {
        let among = Filter { among: Some(ids.iter().copied().collect()), ..Filter::default() };
        let games: Vec<StoredGame> = self.writer.archive.games(&among).collect::<Result<_, _>>()?;
        if games.len() < ids.len() {
            // The error says which games there are.
            ids.iter().try_for_each(|id| self.writer.archive.game(*id).map(drop))?;
        }
        Ok(games)
    }

    /// Stores the new states of games.
    pub(super) fn put(&mut self, states: impl IntoIterator<Item = NewState>) -> Result<()> {
        let mut rows = Vec::new();
        for NewState { id, before, mut games } in states {
            let after = games.fingerprint(0);
            if after != before && self.writer.has_fingerprint(after)? {
                // A game before it may have had this fingerprint.
                self.write_games(&mem::take(&mut rows)).map_err(|error| self.error(error))?;
                self.check_is_new(Some(id), after)?;
            }
            let named = self.writer.name_ids(&mut games, 0, id);
            let known = games.identities(0).try_for_each(|identity| self.writer.add_identity(identity, id));
            let set = named.and(known).and_then(|()| self.set(id, Some(before), Some(&games), &mut rows));
            set.map_err(|error| self.error(error))?;
        }
        self.write_games(&rows).map_err(|error| self.error(error))
    }

    /// Checks that no other game has a fingerprint.
    fn check_is_new(&mut self, id: Option<GameId>, fingerprint: u64) -> Result<()> {
        if !self.writer.has_game(fingerprint)? {
            return Ok(());
        }
        match self.find_equal(fingerprint)? {
            Some(other) => Err(ArchiveError::Equal { id, other }),
            None => Err(ArchiveError::StrayFingerprint(self.writer.archive.path().to_owned())),
        }
    }

    /// Finds a game by its fingerprint, by reading all games: fingerprints do not lead to games.
    fn find_equal(&self, wanted: u64) -> Result<Option<GameId>> {
        let is_equal = |game: &Result<_>| game.as_ref().map_or(true, |game| fingerprint(game) == Ok(wanted));
        let found = self.writer.archive.games(&Filter::default()).find(is_equal).transpose()?;
        Ok(found.map(|game| game.id))
    }

    pub(in crate::archive) fn error(&self, error: rusqlite::Error) -> ArchiveError {
        self.writer.archive.db.error(error)
    }
}

/// Prepares the new state of a game; `None` if it stays as it was.
pub(super) fn prepared(game: &StoredGame, edited: Option<&Record>) -> Result<Option<NewState>> {
    let Some(record) = edited else { return Ok(None) };
    let before = fingerprint(game).map_err(|what| ArchiveError::damaged(game.id, what))?;
    // Rows of equal games may differ, and fingerprints do not depend on the order of tag pairs.
    let is_equal = record.fingerprint == before && record.tags == game.tags;
    Ok((!is_equal).then(|| NewState { id: game.id, before, games: PreparedGames::of(record) }))
}
