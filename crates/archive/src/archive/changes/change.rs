//! A change being made: games are removed, edited or added.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    former,
    log::{self, ROW_BITS, Replaced},
    stale,
};
use crate::archive::{
    Added, ArchiveError, Filter, GameSet, OnUpdate, PreparedGames, Result, SourceCounts, SourceState,
    Version, WhyFormer, Writer,
    checksum::{Checked, Owner, row_of},
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
    replaced_as: WhyFormer,
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
        for batch in ids.ids().chunks(BATCH) {
            let games = self.read(batch)?;
            let before: Vec<_> = games.par_iter().map(fingerprint).collect();
            for (game, before) in games.iter().zip(before) {
                let before = before.map_err(|what| ArchiveError::damaged(game.id, what))?;
                self.set(game.id, Some(before), None).map_err(|error| self.error(error))?;
            }
            stop_if(watch(self.games))?;
        }
        Ok(())
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
        let mut seen = 0;
        for batch in ids.ids().chunks(BATCH) {
            let games = self.read(batch)?;
            seen += games.len() as u64;
            let prepare = |game: &StoredGame| prepared(game, edit(game)?.as_ref());
            let states: Vec<_> = games.par_iter().map(prepare).collect::<Result<_>>()?;
            for state in states.into_iter().flatten() {
                self.put(state)?;
            }
            stop_if(watch(seen))?;
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
        self.put(state).map(|()| true)
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
        prepared(expected, Some(record))?.map_or(Ok(()), |state| self.put(state))
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
        let again = std::mem::replace(&mut self.writer.again, true);
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
        for table in [Checked::Game].into_iter().chain(sides) {
            if let Some(row) = row_of(&self.writer.archive.db, table, id)? {
                self.log(table, id, None, Some(&row))?;
            }
        }
        let image = former.unwrap_or_else(|| former::row(fingerprint, id, WhyFormer::Undone));
        self.log(Checked::Former, fingerprint.cast_signed(), Some(image), None)?;
        self.log(Checked::Removed, id, Some(row_hash::integer(id).to_vec()), None)?;
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

    /// Stores the new state of a game.
    pub(super) fn put(&mut self, state: NewState) -> Result<()> {
        let NewState { id, before, mut games } = state;
        let after = games.fingerprint(0);
        if after != before {
            self.check_is_new(Some(id), after)?;
        }
        let named = self.writer.name_ids(&mut games, 0, id);
        let known = games.identities(0).try_for_each(|identity| self.writer.add_identity(identity, id));
        known.map_err(|error| self.error(error))?;
        let put = named.and_then(|_| self.set(id, Some(before), Some(&games)));
        put.map_err(|error| self.error(error))
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

    /// Writes and logs the rows of a game; without games, it is removed.
    fn set(
        &mut self,
        id: GameId,
        before: Option<u64>,
        games: Option<&PreparedGames>,
    ) -> rusqlite::Result<()> {
        let rows = games.and_then(|games| games.rows().next());
        let after = games.map(|games| games.fingerprint(0));
        let game = rows.as_ref().map(|rows| &*rows.row);
        let logged = self.rows;
        let seen = self.set_row(Checked::Game, id, game)?;
        let sides = rows.as_ref().map_or_else(Default::default, |rows| rows.sides);
        for (table, row) in Checked::BY_GAME.into_iter().zip(sides) {
            let is_of_moves = table.side().is_some_and(|side| side.owner == Owner::Moves);
            if game.is_none() || is_of_moves {
                self.set_row(table, id, Some(row).filter(|row| !row.is_empty()))?;
            }
        }
        if before != after {
            if let Some(before) = before {
                let why = if after.is_some() { self.replaced_as } else { self.removed_as };
                let row = former::row(before, id, why);
                self.set_row(Checked::Former, before.cast_signed(), Some(&row))?;
            }
            if let Some(after) = after {
                self.writer.keep_fingerprint(after)?;
                self.set_former_none(id, after)?;
            }
        }
        if game.is_none() {
            self.set_row(Checked::Removed, id, Some(&row_hash::integer(id)))?;
        }
        if self.rows > logged {
            self.games += 1;
        }
        self.add_player_keys(id, seen.as_deref(), game)
    }

    /// A fingerprint that a game gets. If the change is undone, no game has it.
    fn set_former_none(&mut self, game: GameId, fingerprint: u64) -> rusqlite::Result<()> {
        let (id, writer) = (fingerprint.cast_signed(), &mut *self.writer);
        let before = writer.registers.checksums.replace_row(&writer.archive.db, Checked::Former, id, None)?;
        let image = before.unwrap_or_else(|| former::row(fingerprint, game, WhyFormer::Undone));
        self.log(Checked::Former, id, Some(image), None)
    }

    /// Replaces a row, without logging it. Returns the row before.
    fn replace_row(
        &mut self,
        table: Checked,
        target: i64,
        row: Option<&[u8]>,
    ) -> rusqlite::Result<Option<Vec<u8>>> {
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        let before = checksums.replace_row(db, table, target, row)?;
        if table == Checked::Game && before.as_deref() != row {
            stale::note(db, checksums, &self.segments, target, [before.as_deref(), row])?;
        }
        Ok(before)
    }

    /// Swaps a row with its image in the log; false if it is not the row that the log expects.
    pub(super) fn swap_row(&mut self, mut row: Replaced) -> rusqlite::Result<bool> {
        let present = row_of(&self.writer.archive.db, row.table, row.target)?;
        if !row.is_in_effect(present.as_deref()) {
            return Ok(false);
        }
        row.replaces = row.image.as_deref().map(|image| log::hash(row.table, image));
        let image = row.image.take();
        row.image = self.replace_row(row.table, row.target, image.as_deref())?;
        row.write(&self.writer.archive.db, &mut self.writer.registers.checksums).map(|()| true)
    }

    /// Whether the present row is the one that a row of the log replaces.
    pub(super) fn is_in_effect(&self, row: &Replaced) -> bool {
        let present = row_of(&self.writer.archive.db, row.table, row.target);
        present.is_ok_and(|present| row.is_in_effect(present.as_deref()))
    }

    /// Replaces a row, and logs it. Returns the row before.
    pub(in crate::archive) fn set_row(
        &mut self,
        table: Checked,
        target: i64,
        row: Option<&[u8]>,
    ) -> rusqlite::Result<Option<Vec<u8>>> {
        let db = &self.writer.archive.db;
        if table.side().is_some() && !table.exists(db)? {
            if row.is_none() {
                return Ok(None);
            }
            table.make(db)?;
        }
        let before = self.replace_row(table, target, row)?;
        if before.as_deref() != row {
            self.log(table, target, before.clone(), row)?;
        }
        Ok(before)
    }

    fn log(
        &mut self,
        table: Checked,
        target: i64,
        image: Option<Vec<u8>>,
        present: Option<&[u8]>,
    ) -> rusqlite::Result<()> {
        let id = self.id << ROW_BITS | i64::from(self.rows);
        let replaces = present.map(|row| log::hash(table, row));
        let row = Replaced { id, table, target, image, replaces };
        self.rows = self.rows.checked_add(1).ok_or(rusqlite::Error::IntegralValueOutOfRange(0, self.id))?;
        row.write(&self.writer.archive.db, &mut self.writer.registers.checksums)
    }

    /// Lists the game under players that it did not have before.
    fn add_player_keys(
        &mut self,
        id: GameId,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> rusqlite::Result<()> {
        let [known, players] = [before, after].map(|row| -> Vec<i64> {
            let values = row.map(row_hash::values).into_iter().flatten().skip(4).take(2);
            values.filter_map(|value| value.as_i64().ok()).collect()
        });
        let mut new = players.into_iter().filter(|player| !known.contains(player));
        new.try_for_each(|player| self.writer.add_player_key(player, id))
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
