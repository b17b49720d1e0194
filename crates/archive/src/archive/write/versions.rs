//! Later versions of stored games: a download that was analysed since, a broadcast that has grown.
//!
//! A new game that may be one by its identities is compared with the games that have them. What an import changes of
//! stored games is a change in the log, with the number of the import.

use std::{collections::HashSet, mem, str::FromStr};

use super::{prepared::PreparedGames, writer::Writer};
use crate::archive::{
    ArchiveError, Result,
    changes::{Change, former, log, make_tables},
    checksum::StoredRows,
    totals::RunningTotals,
};
use plybook_record::{
    GameId, Record, Sides, StoredGame, TagLayoutCache,
    same_game::{Comparison, Priority, compare, join},
};

/// Most games with one identity; games that more have in common are not compared.
// Some files give every game the same address.
const MOST_COMPARED: usize = 16;

/// What happens with a new version of a stored game, if each says something that the other does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUpdate {
    /// One game with what both say.
    #[default]
    Join,
    /// The new version replaces the stored game, unless that has been edited: then they are joined.
    Replace,
    /// Both are stored.
    Both,
    /// The stored game stays as it is.
    Skip,
}

impl FromStr for OnUpdate {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<OnUpdate, String> {
        match text {
            "join" => Ok(OnUpdate::Join),
            "replace" => Ok(OnUpdate::Replace),
            "both" => Ok(OnUpdate::Both),
            "skip" => Ok(OnUpdate::Skip),
            _ => Err("expected join, replace, both or skip".to_owned()),
        }
    }
}

/// What a new record of a stored game was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// It said more, and replaced the stored game.
    Later(GameId),
    /// Each said something that the other did not, and they were joined.
    Joined(GameId),
    /// It said nothing that the stored game does not.
    Earlier(GameId),
    /// The stored game stays, although the new record says something that it does not.
    Skipped(GameId),
}

/// What a stored game has in common with a new one that is stored beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The same address or id, although their moves differ from the start.
    SameAddress(GameId),
    /// They are versions of one game.
    Version(GameId),
    /// An identity that too many games have, so that they were not compared.
    CommonIdentity,
}

/// What the archive has of a new game.
pub(in crate::archive) enum Found {
    /// A record that stays as it is.
    Known(Version),
    /// A record that is to be replaced by another one.
    Update { stored: Box<StoredGame>, record: Box<Record>, version: Version },
}

/// What a writer needs that looks for versions.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// `None` if stored games are not changed.
    on_update: Option<OnUpdate>,
    /// The games that somebody has edited, once needed.
    edited: Option<HashSet<GameId>>,
    /// Games of the present batch that were written early, to compare others with them.
    pub(super) written: StoredRows,
    /// What the game has that is stored next.
    pub(super) beside: Option<Beside>,
    layouts: TagLayoutCache,
}

impl Writer {
    /// Looks for stored games of which new ones are versions, and updates them; without `on_update`, new ones are stored
    /// beside them. An archive of an earlier release first gets what that needs.
    #[must_use]
    pub fn finding_versions(self, on_update: Option<OnUpdate>) -> Writer {
        Writer { versions: Some(Versions { on_update, ..Versions::default() }), ..self }
    }

    /// The same for a change.
    pub(in crate::archive) fn find_versions(&mut self, on_update: OnUpdate) -> Result<()> {
        self.versions = Some(Versions { on_update: Some(on_update), ..Versions::default() });
        self.open_identities()
    }

    /// Whether a game of an import is a version of one that the archive has; then that one is updated.
    pub(super) fn known_version(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
    ) -> Result<Option<Version>> {
        if self.takes_rows || self.versions.is_none() {
            return Ok(None);
        }
        Ok(match self.find_version(games, number)? {
            None => None,
            Some(Found::Known(version)) => Some(version),
            Some(Found::Update { stored, record, version }) => {
                match self.update(&stored, &record)? {
                    true => Some(version),
                    // It would be equal to a third game.
                    false => None,
                }
            }
        })
    }

    /// What the archive has of a game.
    pub(in crate::archive) fn find_version(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
    ) -> Result<Option<Found>> {
        self.set_beside(None);
        let keys = &self.registers.keys;
        let likely: Vec<u32> = games.identities(number).filter(|id| keys.may_have_identity(*id)).collect();
        if likely.is_empty() || self.is_known(games.fingerprint(number))? {
            return Ok(None);
        }
        let mut candidates = Vec::new();
        for identity in likely {
            let keys = &self.registers.keys;
            let games = self.archive.db.attempt(|db| keys.games_with(db, identity, MOST_COMPARED + 1))?;
            if games.len() > MOST_COMPARED {
                self.set_beside(Some(Beside::CommonIdentity));
            } else {
                candidates.extend(games);
            }
        }
        if candidates.is_empty() {
            return Ok(None);
        }
        // The other game may be in this batch.
        let written = self.write_rows(games).map_err(|error| self.archive.db.error(error))?;
        games.games.iter_mut().for_each(|game| game.id = None);
        if let Some(versions) = &mut self.versions {
            versions.written = written;
        }
        let Some(Ok(new)) = games.game(number) else { return Ok(None) };
        for candidate in candidates {
            if let Some(found) = self.version_of(candidate.into(), &new)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Sets what the next game has in common with a stored one.
    fn set_beside(&mut self, beside: Option<Beside>) {
        self.versions.iter_mut().for_each(|versions| versions.beside = beside);
    }

    /// Whether a game with a fingerprint is not stored again: the archive has it, or had it.
    fn is_known(&mut self, fingerprint: u64) -> Result<bool> {
        let (keys, db) = (&mut self.registers.keys, &self.archive.db);
        let why = db.attempt(|db| match keys.has_fingerprint(db, fingerprint)? {
            true => Ok(Some(former::why(db, fingerprint)?)),
            false => Ok(None),
        })?;
        Ok(why.is_some_and(|why| why.is_none_or(|why| !why.lets_in(self.again))))
    }

    /// Compares a new game with a stored one.
    fn version_of(&mut self, id: GameId, new: &StoredGame) -> Result<Option<Found>> {
        let stored = match self.archive.game(id) {
            Ok(stored) => stored,
            // It was removed, or it cannot be read and is left as it is.
            Err(
                ArchiveError::Damaged { .. } | ArchiveError::NoSuchGame { .. } | ArchiveError::Removed(_),
            ) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let Ok(found) = compare(&stored, new) else { return Ok(None) };
        let is_edited = self.is_edited(id)?;
        let Some(versions) = &mut self.versions else { return Ok(None) };
        let on_update = versions.on_update;
        let known = |version| Ok(Some(Found::Known(version)));
        match found {
            Comparison::Others => return Ok(None),
            Comparison::SameAddress => {
                versions.beside.get_or_insert(Beside::SameAddress(id));
                return Ok(None);
            }
            Comparison::Both if on_update == Some(OnUpdate::Skip) => return known(Version::Skipped(id)),
            Comparison::NothingNew if on_update.is_some() => return known(Version::Earlier(id)),
            _ => versions.beside = Some(Beside::Version(id)),
        }
        if on_update.is_none() || found == Comparison::Both && on_update == Some(OnUpdate::Both) {
            return Ok(None);
        }
        let is_replaced =
            !is_edited && (found == Comparison::OnlyNew || on_update == Some(OnUpdate::Replace));
        let joined = match is_replaced {
            true => Ok(StoredGame { id, ..new.clone() }),
            false => join(&stored, new, if is_edited { Priority::Stored } else { Priority::New }),
        };
        // What cannot be joined is stored beside it.
        let record = joined.and_then(|game| Record::of_stored(game, Sides::default(), &mut versions.layouts));
        let Ok(record) = record.map(Box::new) else { return Ok(None) };
        let version = if found == Comparison::OnlyNew { Version::Later(id) } else { Version::Joined(id) };
        Ok(Some(Found::Update { stored: Box::new(stored), record, version }))
    }

    fn is_edited(&mut self, id: GameId) -> Result<bool> {
        let Some(versions) = &mut self.versions else { return Ok(false) };
        let edited = match &mut versions.edited {
            Some(edited) => edited,
            none => none.insert(self.archive.db.attempt(|db| former::edited(db))?),
        };
        Ok(edited.contains(&id))
    }

    /// Replaces a stored game, as a part of the import. False if that would make it equal to another game.
    fn update(&mut self, stored: &StoredGame, record: &Record) -> Result<bool> {
        self.in_import(|change| change.update(stored, record))
    }

    /// Changes something as a part of the present import, which is logged with its number.
    pub(in crate::archive) fn in_import<T>(
        &mut self,
        make: impl FnOnce(&mut Change<'_>) -> Result<T>,
    ) -> Result<T> {
        let begin = |writer: &mut Writer| {
            let db = &writer.archive.db;
            make_tables(db)?;
            if !mem::replace(&mut writer.has_changes, true) {
                writer.registers.totals = RunningTotals::open(db)?;
            }
            let Some(import) = &writer.import else { return Err(rusqlite::Error::QueryReturnedNoRows) };
            log::begin_import(db, &mut writer.registers.checksums, import.number, &import.imported)?;
            // Searching the log for every game would take quadratic time.
            let next = Some(import.next_update).filter(|next| *next > 0);
            Ok((import.number, next.map_or_else(|| log::next_update(db, import.number), Ok)?))
        };
        let (number, rows) = begin(self).map_err(|error| self.archive.db.error(error))?;
        let mut change = Change::new(self, number)?;
        change.rows = rows;
        let made = make(&mut change);
        let next_update = change.rows;
        self.import.iter_mut().for_each(|import| import.next_update = next_update);
        made
    }

    /// The place in the log of the present import after what it has updated so far.
    pub fn place_of_updates(&self) -> u32 {
        self.import.as_ref().map_or(0, |import| import.next_update)
    }
}
