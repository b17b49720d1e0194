//! Queries on the index of positions. The index only finds candidates: they are replayed before they are reported.
//! Games that are not indexed yet are scanned. If the index turns out to be corrupt, the damage is reported once, and
//! queries replay the games instead.

mod explore;
mod filter_mask;
mod find;
mod novelty;
mod openings;
mod range;
mod sorted;

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

pub(super) use self::novelty::Walk;
pub use self::openings::KnownOpenings;
use self::range::{IndexedRange, SegmentReader};
use super::TrailIndex;
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, Result, gaps},
    record::GameRange,
};

/// The index of positions of an archive, and its trails. It can be used from several threads, each with its own
/// connection; blocks that have been read are cached.
#[derive(Debug, Default)]
pub struct PositionIndex {
    ranges: Vec<Arc<IndexedRange>>,
    /// The ids of games that are not indexed.
    others: Vec<GameRange>,
    /// The indexed games that have changed since.
    stale: GameSet,
    trails: TrailIndex,
    /// Shared by all instances renewed from the same one.
    damage: Arc<Damage>,
}

impl PositionIndex {
    /// The index of an archive; `None` if it has none. It is valid for the [snapshot](Archive::snapshot) in which it is
    /// opened: a program that imports or indexes later replaces segments.
    pub fn open(archive: &Archive) -> Result<Option<PositionIndex>> {
        let index = PositionIndex::default().renewed(archive)?;
        Ok(Some(index).filter(|index| index.if_any().is_some()))
    }

    /// The same, but a corrupt index is not an error: the result is `None` then too. Also returns whether it is
    /// corrupt, as far as its first blocks show.
    pub fn open_if_sound(archive: &Archive) -> Result<(Option<PositionIndex>, bool)> {
        let index = match PositionIndex::open(archive) {
            Err(ArchiveError::DamagedIndex(_)) => return Ok((None, true)),
            index => index?,
        };
        let is_damaged = archive.segments().have_damage()?;
        Ok((index.filter(|_| !is_damaged), is_damaged))
    }

    /// Whether positions of at least some games are indexed.
    pub fn has_positions(&self) -> bool {
        !self.ranges.is_empty() && !self.is_ignored()
    }

    /// The trails of its games.
    pub fn trails(&self) -> &TrailIndex {
        &self.trails
    }

    /// The number of games that are indexed.
    pub fn games(&self) -> u64 {
        let games = self.ranges.iter().map(|range| u64::from(range.stored.shape.games)).sum::<u64>();
        games.saturating_sub(self.stale.len() as u64)
    }

    /// Whether the index covers all games. Some may have changed since; these are read one by one.
    pub fn covers_all_games(&self) -> bool {
        self.others.is_empty()
    }

    /// Whether every game that can be indexed is indexed, as it is now.
    pub fn is_complete(&self) -> bool {
        self.others.is_empty() && self.stale.is_empty()
    }

    /// The maximum number of games that are not indexed, or have been changed since.
    pub(super) fn most_not_indexed(&self) -> usize {
        let covered = |ids: &GameRange| usize::try_from(ids.last - ids.start + 1).unwrap_or(usize::MAX);
        self.others.iter().map(covered).fold(self.stale.len(), usize::saturating_add)
    }

    /// Whether all games have trails. Some may have changed since; these are read one by one.
    pub fn has_all_trails(&self) -> bool {
        self.trails.others().is_empty() && !self.is_ignored()
    }

    /// The index, unless it is empty.
    pub fn if_any(&self) -> Option<&PositionIndex> {
        Some(self).filter(|index| !index.ranges.is_empty() || !index.trails.is_empty())
    }

    /// Filters for the games that match a filter and must be read, because the index does not have them as they are.
    pub(in crate::query) fn not_indexed(&self, filter: &Filter) -> Vec<Filter> {
        let mut filters: Vec<_> = self.others.iter().filter_map(|range| filter.within(*range)).collect();
        filters.extend(filter.among(&self.stale));
        filters
    }

    /// Queries every segment, those of different files on all cores. The results are in the order of ids, file by file.
    fn ask<'a, T: Send>(
        &'a self,
        archive: &'a Archive,
        ask: impl Fn(SegmentReader<'a>) -> Result<T> + Sync,
    ) -> Result<Vec<Vec<T>>> {
        archive.files().ask(|file| {
            let own = self.ranges.iter().filter(|range| range.stored.part == file.number());
            own.map(|range| ask(range.asked_in(file))).collect()
        })
    }

    /// The current index: games may have been added to the archive since.
    pub(super) fn renewed(&self, archive: &Archive) -> Result<PositionIndex> {
        match self.unless_damaged(self.read(archive))? {
            Some(index) => Ok(index),
            None => self.ignored(archive),
        }
    }

    fn read(&self, archive: &Archive) -> Result<PositionIndex> {
        let trails = self.trails.renewed(archive)?;
        let mut index =
            PositionIndex { trails, damage: Arc::clone(&self.damage), ..PositionIndex::default() };
        let (mut covered, mut stale) = (Vec::new(), Vec::new());
        for segment in archive.segments().positions()? {
            covered.push((segment.first..=segment.last).into());
            let changed = archive.segments().stale_games(&segment)?;
            stale.extend(changed.ids());
            let known = self.ranges.iter().find(|range| range.stored == segment && range.stale == changed);
            let new = || Arc::new(IndexedRange::new(segment, changed));
            index.ranges.push(known.map(Arc::clone).unwrap_or_else(new));
        }
        if let Some(path) = archive.segments().file_with_former()? {
            self.damage.report_former(path);
        }
        index.stale = stale.into_iter().collect();
        index.others = gaps(&covered, (1..=archive.last_id()?).into());
        Ok(index)
    }
}

/// Called when an index is corrupt, or of an earlier release.
#[derive(Clone)]
pub(in crate::query) struct DamageHandler(Arc<dyn Fn(&ArchiveError) + Send + Sync>);

impl fmt::Debug for DamageHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DamageHandler")
    }
}

impl DamageHandler {
    pub(in crate::query) fn new(report: impl Fn(&ArchiveError) + Send + Sync + 'static) -> DamageHandler {
        DamageHandler(Arc::new(report))
    }
}

/// Whether an index is corrupt, and the handler to be notified. Without a handler, damage is an error.
#[derive(Debug, Default)]
struct Damage {
    handler: Option<DamageHandler>,
    is_found: AtomicBool,
    /// Whether an index of an earlier release has been reported.
    is_former_reported: AtomicBool,
}

impl Damage {
    fn report_former(&self, path: PathBuf) {
        if let Some(DamageHandler(report)) = &self.handler
            && !self.is_former_reported.swap(true, Relaxed)
        {
            report(&ArchiveError::FormerIndex(path));
        }
    }
}

impl PositionIndex {
    /// Like [`open`](PositionIndex::open), for a caller that wants a result even if the index is corrupt: `report` is
    /// called once, and queries then run without the index. It is also called for an index of an earlier release.
    pub fn open_reporting(
        archive: &Archive,
        report: impl Fn(&ArchiveError) + Send + Sync + 'static,
    ) -> Result<Option<PositionIndex>> {
        let index = PositionIndex::reporting_to(Some(DamageHandler::new(report))).renewed(archive)?;
        Ok(Some(index).filter(|index| index.if_any().is_some()))
    }

    /// An empty index, to be [renewed](PositionIndex::renewed).
    pub(in crate::query) fn reporting_to(handler: Option<DamageHandler>) -> PositionIndex {
        let damage = Damage { handler, ..Damage::default() };
        PositionIndex { damage: Arc::new(damage), ..PositionIndex::default() }
    }

    /// Whether it is corrupt and queries run without it.
    pub fn is_ignored(&self) -> bool {
        self.damage.is_found.load(Relaxed)
    }

    /// Whether an index of an earlier release has been reported.
    pub fn is_former_reported(&self) -> bool {
        self.damage.is_former_reported.load(Relaxed)
    }

    /// Whether an error means that the index is corrupt and the query should run again without it. The first such error is
    /// reported.
    pub(in crate::query) fn ignore_for(&self, error: &ArchiveError) -> bool {
        let (ArchiveError::DamagedIndex(_), Some(DamageHandler(report))) = (error, &self.damage.handler)
        else {
            return false;
        };
        if !self.damage.is_found.swap(true, Relaxed) {
            report(error);
        }
        true
    }

    /// The result; `None` if the index is corrupt and the query should run again without it.
    pub(in crate::query) fn unless_damaged<T>(&self, answer: Result<T>) -> Result<Option<T>> {
        match answer {
            Err(error) if self.ignore_for(&error) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// What replaces a corrupt index: one in which no game is indexed.
    pub(in crate::query) fn ignored(&self, archive: &Archive) -> Result<PositionIndex> {
        let mut nothing = PositionIndex { damage: Arc::clone(&self.damage), ..PositionIndex::default() };
        let last = archive.last_id()?;
        nothing.others = gaps(&[], (1..=last).into());
        Ok(nothing)
    }
}
