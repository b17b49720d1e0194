//! The trails of an archive, cached once they have been read.

use std::sync::{Arc, OnceLock};

use crate::{
    archive::{Archive, ArchiveFile, GameSet, Result, StoredSegment, gaps},
    limits::TRAILS_MEMORY,
    record::GameRange,
    trail::{TrailShape, Trails},
};

/// The approximate memory of the trail of a game.
const GAME_MEMORY: u64 = 32;

/// The trails of an archive. They can be used from several threads, each with its own connection; what has been read is
/// cached, unless it is too large.
#[derive(Debug, Default)]
pub struct TrailIndex {
    segments: Vec<Arc<TrailSegment>>,
    /// The ids of games without trails.
    others: Vec<GameRange>,
    /// The games whose trails are those of a former state.
    stale: GameSet,
}

/// The trails of the games with ids in one range.
#[derive(Debug)]
struct TrailSegment {
    stored: StoredSegment<TrailShape>,
    trails: OnceLock<Arc<Trails>>,
}

impl TrailSegment {
    fn read(&self, file: ArchiveFile<'_>) -> Result<Arc<Trails>> {
        Ok(Arc::new(file.lock().segments().read_trails(&self.stored)?))
    }
}

impl TrailIndex {
    /// Whether no game has a trail.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The number of games that have trails, or are known to have none.
    pub fn games(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.stored.shape.games)).sum()
    }

    /// The ids of games without trails, as ranges.
    pub(in crate::query) fn others(&self) -> &[GameRange] {
        &self.others
    }

    /// The games whose trails must not be used, because they have changed since.
    pub(in crate::query) fn stale(&self) -> &GameSet {
        &self.stale
    }

    /// The trails, segment by segment.
    pub(in crate::query) fn each<'a>(
        &'a self,
        archive: &'a Archive,
    ) -> Result<impl Iterator<Item = Result<Arc<Trails>>> + 'a> {
        if self.games() * GAME_MEMORY <= TRAILS_MEMORY {
            self.keep(archive)?;
        }
        Ok(self.segments.iter().map(|segment| match segment.trails.get() {
            Some(trails) => Ok(Arc::clone(trails)),
            None => segment.read(archive.segments().file_with(&segment.stored)),
        }))
    }

    /// Reads what is not cached yet, the trails of different files on all cores.
    fn keep(&self, archive: &Archive) -> Result<()> {
        let read = |file: ArchiveFile<'_>| {
            let own = self.segments.iter().filter(|segment| segment.stored.part == file.number());
            for segment in own.filter(|segment| segment.trails.get().is_none()) {
                let trails = segment.read(file)?;
                segment.trails.get_or_init(|| trails);
            }
            Ok(())
        };
        archive.files().ask(read).map(|_| ())
    }

    /// The current trails: games may have been added to the archive since.
    pub(crate) fn renewed(&self, archive: &Archive) -> Result<TrailIndex> {
        let (mut index, mut covered, mut stale) = (TrailIndex::default(), Vec::new(), Vec::new());
        for stored in archive.segments().trails()? {
            covered.push((stored.first..=stored.last).into());
            stale.extend(archive.segments().stale_games(&stored)?.ids());
            let known = self.segments.iter().find(|segment| segment.stored == stored);
            let new = || Arc::new(TrailSegment { stored, trails: OnceLock::new() });
            index.segments.push(known.map_or_else(new, Arc::clone));
        }
        index.stale = stale.into_iter().collect();
        index.others = gaps(&covered, (1..=archive.last_id()?).into());
        Ok(index)
    }
}
