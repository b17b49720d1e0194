//! The index of positions, asked. What it finds is only where to look: games are replayed before they are named. Games
//! that are not indexed yet are looked through.

mod confirm;
mod count;
mod damage;
mod explore;
mod find;
mod games_passing;
mod novelty;
mod openings;
mod passing;
mod range;
mod targets;

use std::sync::Arc;

pub(super) use self::damage::DamageHandler;
pub use self::openings::KnownOpenings;
use self::{
    damage::Damage,
    range::{Asked, IndexedRange},
};
use super::TrailIndex;
use crate::{
    archive::{Archive, ArchiveError},
    record::GameId,
};

/// The index of positions of an archive, and its trails. It may be asked from several threads, each with a connection of its own; what
/// has been read is kept.
#[derive(Debug, Default)]
pub struct PositionIndex {
    ranges: Vec<Arc<IndexedRange>>,
    /// The ids of games that are not indexed.
    others: Vec<(GameId, GameId)>,
    trails: TrailIndex,
    /// Shared by all that are renewed from one.
    damage: Arc<Damage>,
}

impl PositionIndex {
    /// The index of an archive; `None` if it has none. It holds for the [snapshot](Archive::snapshot) in which it is opened:
    /// a program that imports or indexes meanwhile puts other segments in the place of those it names.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn open(archive: &Archive) -> Result<Option<PositionIndex>, ArchiveError> {
        let index = PositionIndex::default().renewed(archive)?;
        Ok(Some(index).filter(|index| index.if_any().is_some()))
    }

    /// The same, where a corrupt index is a fact and no error: `None` then too. Also gives whether it is corrupt, as far as its
    /// first blocks show.
    ///
    /// # Errors
    /// SQLite's.
    pub fn open_if_sound(archive: &Archive) -> Result<(Option<PositionIndex>, bool), ArchiveError> {
        let index = match PositionIndex::open(archive) {
            Err(ArchiveError::DamagedIndex(_)) => return Ok((None, true)),
            index => index?,
        };
        let is_damaged = archive.segments().have_damage()?;
        Ok((index.filter(|_| !is_damaged), is_damaged))
    }

    /// Whether positions are indexed, of some games at least.
    pub fn has_positions(&self) -> bool {
        !self.ranges.is_empty() && !self.is_ignored()
    }

    /// The trails of its games.
    pub fn trails(&self) -> &TrailIndex {
        &self.trails
    }

    /// The number of games that are indexed.
    pub fn games(&self) -> u64 {
        self.ranges.iter().map(|range| u64::from(range.stored.shape.games)).sum()
    }

    /// Whether every game is indexed that can be.
    pub fn is_complete(&self) -> bool {
        self.others.is_empty()
    }

    /// Whether all games have trails.
    pub fn has_all_trails(&self) -> bool {
        self.trails.others().is_empty() && !self.is_ignored()
    }

    /// The index, unless it has nothing.
    pub fn if_any(&self) -> Option<&PositionIndex> {
        Some(self).filter(|index| !index.ranges.is_empty() || !index.trails.is_empty())
    }

    /// Asks every segment, those of different files on all cores. The answers are in the order of ids, file by file.
    fn ask<'a, T: Send>(
        &'a self,
        archive: &'a Archive,
        ask: impl Fn(Asked<'a>) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<Vec<T>>, ArchiveError> {
        archive.files().ask(|file| {
            let own = self.ranges.iter().filter(|range| range.stored.part == file.number());
            own.map(|range| ask(range.asked_in(file))).collect()
        })
    }

    /// The index as it is now: an archive may have got more games since.
    pub(super) fn renewed(&self, archive: &Archive) -> Result<PositionIndex, ArchiveError> {
        match self.unless_damaged(self.read(archive))? {
            Some(index) => Ok(index),
            None => self.ignored(archive),
        }
    }

    fn read(&self, archive: &Archive) -> Result<PositionIndex, ArchiveError> {
        let trails = self.trails.renewed(archive)?;
        let mut index =
            PositionIndex { trails, damage: Arc::clone(&self.damage), ..PositionIndex::default() };
        let mut next = 1;
        for segment in archive.segments().positions()? {
            if next < segment.first {
                index.others.push((next, segment.first - 1));
            }
            next = segment.last + 1;
            let known = self.ranges.iter().find(|range| range.stored == segment);
            index.ranges.push(known.map_or_else(|| Arc::new(IndexedRange::new(segment)), Arc::clone));
        }
        let last = archive.last_id()?;
        if next <= last {
            index.others.push((next, last));
        }
        Ok(index)
    }
}
