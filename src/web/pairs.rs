//! The near duplicates of the archive, which a page shows: searching all games takes long, so it is done in the background
//! and once, until games are added.

use std::{
    mem,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{Failure, RequestContext, Result};
use crate::{
    archive::{Archive, ArchiveError, ArchivePaths, Filter},
    present::duplicates::{DuplicateRow, rows},
    query::{Context, FindProgress, Marked, NearDuplicate, near_duplicates},
    record::GameId,
};

/// Most pairs that are kept.
const MOST: u64 = 1000;

/// How long, and how often, a request waits for the search that it has begun: that of few games ends soon.
const WAIT: Duration = Duration::from_millis(20);
const WAITS: u32 = 25;

/// The search for near duplicates.
#[derive(Debug, Default)]
pub(super) struct PairSearch {
    state: Mutex<State>,
    /// The games read by a search in progress.
    read: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    None,
    Running(JoinHandle<Result<FoundPairs, ArchiveError>>),
    Found(Arc<FoundPairs>),
}

/// The first pairs among the games up to a last one.
#[derive(Debug)]
struct FoundPairs {
    last: GameId,
    pairs: Vec<NearDuplicate>,
    /// The games as they were.
    rows: Vec<DuplicateRow>,
}

/// What is known of the pairs.
pub(super) enum Pairs {
    /// Those that are left.
    Found(Vec<DuplicateRow>),
    /// They are being searched for; this many games have been read.
    Searching(u64),
}

impl PairSearch {
    /// Whether a search is in progress.
    pub(super) fn is_running(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Running(_))
    }

    /// The pairs that are left: neither of their games has been changed or removed, and they are not marked as
    /// different. Begins a search if games were added since the last one, or if none of its pairs is left.
    ///
    /// # Errors
    /// The search has failed, or the archive cannot be read.
    pub(super) fn pairs(&self, context: &RequestContext<'_>) -> Result<Pairs> {
        let last = context.archive.last_id()?;
        if let Some(found) = self.ended()?.filter(|found| found.last == last) {
            let left = found.left(context.archive)?;
            if !left.is_empty() || found.pairs.is_empty() {
                return Ok(Pairs::Found(left));
            }
        }
        self.begin(context.app.explorer.paths()?);
        let found = (0..WAITS).find_map(|_| {
            thread::sleep(WAIT);
            self.ended().transpose()
        });
        Ok(match found.transpose()? {
            Some(found) => Pairs::Found(found.left(context.archive)?),
            None => Pairs::Searching(self.read.load(Relaxed)),
        })
    }

    /// What the last search has found, if it has ended.
    fn ended(&self) -> Result<Option<Arc<FoundPairs>>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(&*state, State::Running(search) if search.is_finished())
            && let State::Running(search) = mem::take(&mut *state)
        {
            let found =
                search.join().map_err(|_| Failure::internal("the search for near duplicates panicked"))?;
            *state = State::Found(Arc::new(found?));
        }
        Ok(if let State::Found(found) = &*state { Some(Arc::clone(found)) } else { None })
    }

    /// Begins a search, unless one is in progress.
    fn begin(&self, paths: Arc<ArchivePaths>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*state, State::Running(_)) {
            let read = Arc::clone(&self.read);
            read.store(0, Relaxed);
            *state = State::Running(thread::spawn(move || FoundPairs::of(&paths, &read)));
        }
    }
}

impl FoundPairs {
    fn of(paths: &ArchivePaths, read: &AtomicU64) -> Result<FoundPairs, ArchiveError> {
        // Without a snapshot: changes need not wait for the end of the search.
        let archive = Archive::open_several(paths)?;
        let last = archive.last_id()?;
        let watch = |progress: FindProgress| {
            read.store(progress.games, Relaxed);
            ControlFlow::Continue(())
        };
        let filter = Filter { limit: Some(MOST), ..Filter::default() };
        let context = Context::new(&archive).watched_by(&watch);
        let pairs = near_duplicates(context, &filter, Marked::Left)?.pairs;
        Ok(FoundPairs { last, rows: rows(&archive, &pairs)?, pairs })
    }

    fn left(&self, archive: &Archive) -> Result<Vec<DuplicateRow>> {
        let (different, mut left) = (archive.different_games()?, rows(archive, &self.pairs)?);
        // Both are in the same order.
        let mut before = self.rows.iter();
        left.retain(|row| {
            before.find(|before| before.ids() == row.ids()) == Some(row) && !different.has(row.ids())
        });
        Ok(left)
    }
}
