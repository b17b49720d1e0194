//! Positions of games that are being stored: kept for the index, so that they need not be replayed for it.

use std::{
    io,
    ops::Range,
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

use rayon::ThreadPool;

use crate::{
    archive::{Archive, ArchiveError, NewGame, Recorded, SectionReader},
    chess::{Chess, Move},
    files::folder_of,
    pgn::Observer,
    position_index::{IndexedGame, MOST_GAMES, Played, RecordedPositions, SegmentBuilder},
    record::GameId,
};

/// Bytes of sources from which on it is worth the memory that is set aside at once.
const WORTH_IT: u64 = 1 << 20;

/// Records the games of one import; when it has been dropped, they are replayed.
pub(super) struct Recorder {
    builder: Arc<SegmentBuilder>,
    pool: Arc<ThreadPool>,
    sections: SectionReader,
    /// The ids of all games that are recorded, as ranges.
    ids: Vec<(GameId, GameId)>,
    games: u32,
    /// Games that have been stored and not handed over.
    waiting: Vec<IndexedGame>,
    done: (Sender<io::Result<()>>, Receiver<io::Result<()>>),
    /// Batches that have been handed over and are not done.
    under_way: usize,
}

impl Recorder {
    /// Whether an import of so many bytes, if that is known, is large enough.
    pub(super) fn is_worth_it(bytes: Option<u64>) -> bool {
        bytes.is_none_or(|bytes| bytes >= WORTH_IT)
    }

    /// Prepares for games that are stored in an archive; the work is done on a pool.
    pub(super) fn new(archive: &Path, pool: Arc<ThreadPool>) -> Recorder {
        Recorder {
            builder: Arc::new(SegmentBuilder::new(MOST_GAMES as usize, folder_of(archive))),
            pool,
            sections: SectionReader::default(),
            ids: Vec::new(),
            games: 0,
            waiting: Vec::new(),
            done: channel(),
            under_way: 0,
        }
    }

    /// Records a game that has been stored, by the place of its positions. Any other is replayed, if it is one of those that
    /// are indexed: it may come from another archive.
    pub(super) fn add(
        &mut self,
        archive: &Archive,
        game: NewGame,
        positions: Option<Range<usize>>,
    ) -> Result<(), ArchiveError> {
        let Some(positions) = positions else { return Ok(()) };
        let NewGame { id, section, facts } = game;
        match self.ids.last_mut() {
            Some((_, last)) if *last + 1 == id => *last = id,
            _ => self.ids.push((id, id)),
        }
        self.games += 1;
        let facts = archive.facts_of(&mut self.sections, facts, section)?;
        self.waiting.push(IndexedGame { id, facts, played: Played::Recorded(positions) });
        Ok(())
    }

    /// Hands over the games of a batch, with their positions. Whether more can be recorded: a segment has only so many, and
    /// a disk.
    pub(super) fn go_on(&mut self, positions: RecordedPositions) -> bool {
        let games = std::mem::take(&mut self.waiting);
        let done = self.done.1.try_iter().inspect(|_| self.under_way -= 1);
        if !done.fold(true, |all, done| all & done.is_ok()) || self.games > MOST_GAMES {
            return false;
        }
        if self.under_way >= 2 * self.pool.current_num_threads() {
            return self.builder.add_recorded(games, positions).is_ok();
        }
        let (builder, done) = (Arc::clone(&self.builder), self.done.0.clone());
        self.under_way += 1;
        self.pool.spawn(move || {
            let added = builder.add_recorded(games, positions);
            drop(builder);
            let _ = done.send(added);
        });
        true
    }

    /// What has been recorded, when all is done.
    pub(super) fn finish(self) -> Option<Recorded> {
        let Recorder { builder, ids, done: (sender, done), .. } = self;
        drop(sender);
        let is_whole = done.iter().fold(true, |all, done| all & done.is_ok());
        Arc::into_inner(builder).filter(|_| is_whole).map(|builder| Recorded { builder, ids })
    }
}

/// Records the positions of a game while it is read.
impl Observer<Chess> for Option<RecordedPositions> {
    fn begin(&mut self, start: &Chess) {
        if let Some(positions) = self {
            positions.begin(start);
        }
    }

    #[inline]
    fn moved(&mut self, m: Move, position: &Chess) {
        if let Some(positions) = self {
            positions.go_on(m, position);
        }
    }

    fn forget(&mut self) {
        if let Some(positions) = self {
            positions.forget();
        }
    }
}
