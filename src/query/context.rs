//! What a query needs: an archive, its index, and what watches it.

use std::{fmt, ops::ControlFlow};

use super::PositionIndex;
use crate::archive::{Archive, ArchiveError, Result};

/// What a query reads, and what watches it.
///
/// ```
/// use std::ops::ControlFlow;
/// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, query::{Context, PositionIndex, opening_counts}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options { index: true, ..Options::default() })?;
/// let archive = Archive::open(&path)?;
/// let index = PositionIndex::open(&archive)?;
/// let watch = |progress: plybook::query::FindProgress| {
///     println!("{} games", progress.games);
///     ControlFlow::Continue(())
/// };
/// let context = Context::new(&archive).with_index(index.as_ref()).watched_by(&watch);
/// println!("{} openings", opening_counts(context, &Filter::default())?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The archive, or several that are read as one.
    pub archive: &'a Archive,
    pub(super) index: Option<&'a PositionIndex>,
    watch: &'a Watch<'a>,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindProgress {
    /// Games scanned.
    pub games: u64,
    /// Games that reach the position, on any page of the result.
    pub hits: u64,
    /// Games that could not be replayed, and were skipped.
    pub damaged: u64,
}

/// Receives the progress of a query, which may start again at 0 for each of its parts, and may stop it.
pub type Watch<'a> = dyn Fn(FindProgress) -> ControlFlow<()> + 'a;

impl<'a> Context<'a> {
    /// An archive without its index: all games are replayed. Nothing watches.
    pub fn new(archive: &'a Archive) -> Context<'a> {
        Context { archive, index: None, watch: &|_| ControlFlow::Continue(()) }
    }

    /// The same with the index of the archive, if there is one. Games that it lacks are replayed.
    pub fn with_index(self, index: Option<&'a PositionIndex>) -> Context<'a> {
        Context { index, ..self }
    }

    /// The index of the archive, if there is one.
    pub fn index(self) -> Option<&'a PositionIndex> {
        self.index
    }

    /// Whether positions of at least some games are indexed.
    pub fn has_positions(self) -> bool {
        self.index.is_some_and(PositionIndex::has_positions)
    }

    /// The same with a watch. If it stops a query, this ends with [`ArchiveError::Stopped`].
    pub fn watched_by(self, watch: &'a Watch<'a>) -> Context<'a> {
        Context { watch, ..self }
    }

    /// Reports progress.
    pub(crate) fn progress(&self, progress: FindProgress) -> Result<()> {
        if (self.watch)(progress).is_break() { Err(ArchiveError::Stopped) } else { Ok(()) }
    }

    /// Reports the number of games that were read or replayed.
    pub(crate) fn seen(&self, games: u64) -> Result<()> {
        self.progress(FindProgress { games, ..FindProgress::default() })
    }

    /// Runs a query, and again without the index if it turns out to be corrupt and this is only reported. `ask` must
    /// start from scratch each time.
    pub(crate) fn or_without_index<T>(self, mut ask: impl FnMut(Context<'a>) -> Result<T>) -> Result<T> {
        let Some(index) = self.index.filter(|index| !index.is_ignored()) else {
            return ask(self.with_index(None));
        };
        match index.unless_damaged(ask(self))? {
            Some(answer) => Ok(answer),
            None => ask(self.with_index(None)),
        }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("index", &self.index).finish_non_exhaustive()
    }
}
