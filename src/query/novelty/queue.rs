//! Compares games in batches while they arrive, on all cores, and returns them in order.

use std::{mem, ops::ControlFlow};

use super::{ComparedGame, Novelties, Novelty, NoveltyOptions};
use crate::{
    archive::{ArchiveError, Result, Summary},
    query::{Explorer, PositionIndex, games_page::summaries_of},
};

/// The size of a batch, and the larger size if other games must be scanned for each batch.
const PORTION: usize = 1 << 10;
const LARGE_PORTION: usize = 1 << 13;

/// Games that are collected until a batch is complete. Each carries a value that is returned with it.
#[derive(Debug)]
pub struct NoveltyQueue<'a, T> {
    explorer: &'a Explorer,
    novelties: Novelties<'a>,
    waiting: Vec<(ComparedGame, T)>,
    /// The size of the current batch, and its target size.
    counted: usize,
    portion: usize,
    /// The number of games returned.
    done: u64,
}

/// A game that has been compared.
#[derive(Debug)]
pub struct Compared<'a, T> {
    /// The game.
    pub game: &'a ComparedGame,
    /// The value that came with it.
    pub with: T,
    /// Its novelty.
    pub novelty: &'a Novelty,
    /// The games of [`Novelty::best`].
    pub known: Vec<&'a Summary>,
}

impl<'a, T> NoveltyQueue<'a, T> {
    /// An empty queue.
    pub fn new(explorer: &'a Explorer, options: NoveltyOptions) -> NoveltyQueue<'a, T> {
        let novelties = Novelties::new(explorer, options);
        NoveltyQueue { explorer, novelties, waiting: Vec::new(), counted: 0, portion: PORTION, done: 0 }
    }

    /// Uses larger batches if some games of the archive are not indexed, since these are scanned for each batch.
    pub fn in_few_portions(self) -> Result<NoveltyQueue<'a, T>> {
        let is_complete = |index: &PositionIndex| index.has_positions() && index.is_complete();
        let is_complete = self.explorer.ask(|context| Ok(context.index.is_some_and(is_complete)))?;
        Ok(NoveltyQueue { portion: if is_complete { PORTION } else { LARGE_PORTION }, ..self })
    }

    /// Adds a game that counts as `more` + 1. Returns whether the batch is complete.
    pub fn add(&mut self, game: ComparedGame, with: T, more: usize) -> bool {
        self.counted += 1 + more;
        self.waiting.push((game, with));
        self.counted >= self.portion
    }

    /// The number of games returned.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Compares the collected games and returns them. `watch` receives the total number of games compared, and may stop.
    ///
    /// # Errors
    /// An SQLite error, the index is corrupt, or `each` fails.
    pub fn compare<E: From<ArchiveError>>(
        &mut self,
        watch: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
        mut each: impl FnMut(Compared<'_, T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (games, with): (Vec<ComparedGame>, Vec<T>) = mem::take(&mut self.waiting).into_iter().unzip();
        let before = self.done;
        self.counted = 0;
        let found = self.novelties.find(&games, &|games| watch(before + games))?;
        let best = || found.iter().flat_map(|novelty| novelty.best.iter().copied()).collect();
        let named = self.explorer.ask(|context| summaries_of(context.archive, best()))?;
        for ((game, with), novelty) in games.iter().zip(with).zip(&found) {
            let known = novelty.best.iter().filter_map(|id| named.get(id)).collect();
            each(Compared { game, with, novelty, known })?;
            self.done += 1;
        }
        Ok(())
    }
}
