//! Records positions and trails of games while they are stored, so that the index can be built without replaying them.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

use rayon::ThreadPool;

use crate::{
    archive::{Archive, NewGame, Recorded, RecordedRanges, Result, SectionReader, StoredRows},
    files::folder_of,
    position_index::{self, IndexedGame, RecordedPositions, SegmentBuilder},
    query::RecordedParts,
    record::{GameRange, push_ids},
    recording::{IndexParts, Places, Recording},
};

/// Recording starts at this many source bytes; for less, allocating its buffers costs more than it saves.
// Replaying for the index costs a second pass over every game. Recording saves it, but its counters are sized for a
// full segment, because the number of games is not known in advance.
const WORTH_IT: u64 = 1 << 20;

/// A segment of the index is built while at least this many more games would fit: the next place where an import can
/// resume may be that far away.
const MARGIN: u32 = 1 << 15;

/// Records the games of one import that one segment can hold. Games that were not recorded are replayed later.
#[derive(Default)]
pub(crate) struct Recorder {
    settings: Option<RecorderSettings>,
    /// Stored games.
    games: u64,
    positions: Option<PositionRecorder>,
    trails: Option<RecordedRanges>,
    /// The rows of all stored games.
    rows: StoredRows,
}

/// What to record, and where.
#[derive(Clone)]
pub(super) struct RecorderSettings {
    pub wanted: IndexParts,
    /// The archive in which the games are stored.
    pub archive: PathBuf,
    /// The work runs on it.
    pub pool: Arc<ThreadPool>,
    /// The number of games to index together; 0 for as many as a segment can hold.
    pub index_every: u64,
}

impl Recorder {
    /// Whether an import of this size, if known, is large enough to record.
    pub(super) fn is_worth_it(bytes: Option<u64>) -> bool {
        bytes.is_none_or(|bytes| bytes >= WORTH_IT)
    }

    /// Prepares to record.
    pub(super) fn new(settings: RecorderSettings) -> Recorder {
        let RecorderSettings { wanted, archive, pool, .. } = &settings;
        Recorder {
            positions: wanted.positions.then(|| PositionRecorder::new(archive, Arc::clone(pool))),
            trails: wanted.trails.then(RecordedRanges::default),
            settings: Some(settings),
            ..Recorder::default()
        }
    }

    /// How it was prepared, if it records anything.
    pub(super) fn settings(&self) -> Option<&RecorderSettings> {
        self.settings.as_ref().filter(|RecorderSettings { wanted, .. }| wanted.positions || wanted.trails)
    }

    /// Whether the games should be indexed before more are stored.
    pub(super) fn is_full(&self) -> bool {
        self.settings().is_some_and(|settings| match settings.index_every {
            0 => self.games + u64::from(MARGIN) > u64::from(position_index::MOST_GAMES),
            games => self.games >= games,
        })
    }

    /// Records a stored game. A game without recorded data is replayed if it is one of those to be indexed; it may come
    /// from another archive.
    pub(super) fn add(
        &mut self,
        archive: &Archive,
        game: NewGame,
        places: Places,
        batch: &Recording,
    ) -> Result<()> {
        self.games += 1;
        if let (Some(trails), Some(place), Some(recorded)) = (&mut self.trails, places.trail, &batch.trails) {
            trails.up_to(game.id).add_from(recorded, place);
        }
        match (&mut self.positions, places.positions) {
            (Some(positions), Some(place)) => positions.add(archive, game, place),
            _ => Ok(()),
        }
    }

    /// Passes on what was recorded for a batch, which was stored in some rows.
    pub(super) fn go_on(&mut self, batch: Recording, rows: &StoredRows) {
        self.rows.extend(rows);
        let positions = batch.positions.unwrap_or_default();
        let is_too_much = self.games > position_index::MOST_GAMES.into();
        self.positions.take_if(|recorder| is_too_much || !recorder.go_on(positions));
        self.trails.take_if(|_| is_too_much);
    }

    /// Everything that was recorded.
    pub(super) fn finish(self) -> RecordedParts {
        let Recorder { positions, trails, rows, .. } = self;
        let positions = positions.and_then(|positions| positions.finish(rows.clone()));
        RecordedParts { positions, trails: RecordedRanges { rows, ..trails.unwrap_or_default() } }
    }
}

/// Records positions.
struct PositionRecorder {
    builder: Arc<SegmentBuilder>,
    pool: Arc<ThreadPool>,
    sections: SectionReader,
    /// The ids of all recorded games, as ranges.
    ids: Vec<GameRange>,
    /// Stored games that have not been passed on yet.
    waiting: Vec<IndexedGame>,
    done: (Sender<io::Result<()>>, Receiver<io::Result<()>>),
    /// Batches that were passed on and are not finished.
    under_way: usize,
}

impl PositionRecorder {
    fn new(archive: &Path, pool: Arc<ThreadPool>) -> PositionRecorder {
        let games = position_index::MOST_GAMES as usize;
        PositionRecorder {
            builder: Arc::new(SegmentBuilder::new(games, folder_of(archive))),
            pool,
            sections: SectionReader::default(),
            ids: Vec::new(),
            waiting: Vec::new(),
            done: channel(),
            under_way: 0,
        }
    }

    /// Records a game, by the range of its positions.
    fn add(&mut self, archive: &Archive, game: NewGame, positions: Range<usize>) -> Result<()> {
        let NewGame { id, section, facts, .. } = game;
        push_ids(&mut self.ids, id..=id);
        // Other programs write between two batches.
        if self.waiting.is_empty() {
            self.sections.renew(archive)?;
        }
        let facts = archive.segments().facts_of(&mut self.sections, facts, section)?;
        self.waiting.push(IndexedGame { id, facts, positions });
        Ok(())
    }

    /// Passes on the games of a batch with their positions. Returns whether more can be recorded: the disk may be full.
    fn go_on(&mut self, positions: RecordedPositions) -> bool {
        let games = std::mem::take(&mut self.waiting);
        let done = self.done.1.try_iter().inspect(|_| self.under_way -= 1);
        if !done.fold(true, |all, done| all & done.is_ok()) {
            return false;
        }
        if self.under_way >= 2 * self.pool.current_num_threads() {
            return self.builder.add(games, positions).is_ok();
        }
        let (builder, done) = (Arc::clone(&self.builder), self.done.0.clone());
        self.under_way += 1;
        self.pool.spawn(move || {
            let added = builder.add(games, positions);
            drop(builder);
            let _ = done.send(added);
        });
        true
    }

    fn finish(self, rows: StoredRows) -> Option<Recorded> {
        let PositionRecorder { builder, ids, done: (sender, done), .. } = self;
        drop(sender);
        let is_whole = done.iter().fold(true, |all, done| all & done.is_ok());
        Arc::into_inner(builder).filter(|_| is_whole).map(|builder| Recorded { builder, ids, rows })
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    #[test]
    fn a_segment_is_indexed_before_it_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let of = |trails, index_every, games| {
            let settings = RecorderSettings {
                wanted: IndexParts { positions: false, trails },
                archive: folder.path().join("games.db"),
                pool: Arc::new(ThreadPoolBuilder::new().num_threads(1).build().unwrap()),
                index_every,
            };
            Recorder { games, ..Recorder::new(settings) }.is_full()
        };
        let last = u64::from(position_index::MOST_GAMES - MARGIN);
        assert!(!of(true, 0, last) && of(true, 0, last + 1));
        assert!(!of(true, 10, 9) && of(true, 10, 10));
        assert!(!of(false, 10, 10) && !Recorder::default().is_full());
    }
}
