//! Games that are compared while they come: many at a time, on all cores, in their order.

use std::{collections::HashMap, mem, ops::ControlFlow};

use super::{ComparedGame, Novelties, Novelty, NoveltyOptions, NoveltyProgress};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    query::Explorer,
    record::GameId,
};

/// What games that are compared at a time count together, and where other games have to be looked through for them.
const PORTION: usize = 1 << 10;
const LARGE_PORTION: usize = 1 << 13;

/// Games that wait until there are enough of them to be compared. Each has something with it, which is handed back.
#[derive(Debug)]
pub struct NoveltyQueue<'a, T> {
    explorer: &'a Explorer,
    novelties: Novelties<'a>,
    waiting: Vec<(ComparedGame, T)>,
    /// What they count in a portion, and how much one has.
    counted: usize,
    portion: usize,
    /// Games handed back.
    done: u64,
}

/// A game that has been compared.
#[derive(Debug)]
pub struct Compared<'a, T> {
    /// The game.
    pub game: &'a ComparedGame,
    /// What came with it.
    pub with: T,
    /// Where it leaves the others.
    pub novelty: &'a Novelty,
    /// The games of [`Novelty::best`].
    pub known: Vec<&'a Summary>,
}

impl<'a, T> NoveltyQueue<'a, T> {
    /// An empty one.
    pub fn new(explorer: &'a Explorer, options: NoveltyOptions) -> NoveltyQueue<'a, T> {
        let novelties = Novelties::new(explorer, options);
        NoveltyQueue { explorer, novelties, waiting: Vec::new(), counted: 0, portion: PORTION, done: 0 }
    }

    /// With more games at a time where games of the archive are not indexed: these are looked through for each portion.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn in_few_portions(self) -> Result<NoveltyQueue<'a, T>, ArchiveError> {
        let is_complete = self.explorer.ask(|_, index| Ok(index.has_positions() && index.is_complete()))?;
        Ok(NoveltyQueue { portion: if is_complete { PORTION } else { LARGE_PORTION }, ..self })
    }

    /// Adds a game, which counts as one and `more`. Gives whether there are enough to be compared.
    pub fn add(&mut self, game: ComparedGame, with: T, more: usize) -> bool {
        self.counted += 1 + more;
        self.waiting.push((game, with));
        self.counted >= self.portion
    }

    /// How many games have been handed back.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Compares the games that wait, and hands them back. `watch` gets how many have been compared in all, and may break
    /// off.
    ///
    /// # Errors
    /// SQLite's, the index is damaged, or `each` fails.
    pub fn compare<E: From<ArchiveError>>(
        &mut self,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
        mut each: impl FnMut(Compared<'_, T>) -> Result<(), E>,
    ) -> Result<ControlFlow<()>, E> {
        let (games, with): (Vec<ComparedGame>, Vec<T>) = mem::take(&mut self.waiting).into_iter().unzip();
        let before = self.done;
        self.counted = 0;
        let found = self.novelties.find(&games, &mut |progress| match progress {
            NoveltyProgress::Compared(games) => watch(before + games),
            NoveltyProgress::LookedThrough(_) => watch(before),
        })?;
        let Some(found) = found else { return Ok(ControlFlow::Break(())) };
        let named = self.explorer.ask(|archive, _| named(archive, &found))?;
        for ((game, with), novelty) in games.iter().zip(with).zip(&found) {
            let known = novelty.best.iter().filter_map(|id| named.get(id)).collect();
            each(Compared { game, with, novelty, known })?;
            self.done += 1;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The games that novelties name.
fn named(archive: &Archive, novelties: &[Novelty]) -> Result<HashMap<GameId, Summary>, ArchiveError> {
    let ids = novelties.iter().flat_map(|novelty| novelty.best.iter().copied()).collect();
    let games = archive.list::<Summary>(&Filter { among: Some(ids), ..Filter::default() });
    games.map(|game| game.map(|game| (game.id, game))).collect()
}
