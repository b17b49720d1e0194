//! The list, written while games are compared: many at a time, on all cores, in their order.

use std::{
    collections::HashMap,
    io::Write,
    mem,
    ops::ControlFlow::{self, Continue},
};

use super::{AskedGame, KnownGame, NoveltyRow};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    present::{
        PresentError,
        list::{ListFormat, ListOptions, ListWriter, Row},
    },
    query::{Explorer, Novelties, Novelty, NoveltyOptions, NoveltyProgress},
    record::GameId,
};

/// Games that are compared at a time, and where other games have to be looked through for them.
const PORTION: usize = 1 << 10;
const LARGE_PORTION: usize = 1 << 13;

/// Plies of a game for which it counts once more: what is held of long ones is bounded too.
const PLIES: usize = 256;

/// Writes a list of where games leave the others.
pub struct NoveltyList<'a> {
    explorer: &'a Explorer,
    novelties: Novelties<'a>,
    waiting: Vec<AskedGame>,
    /// What they count in a portion, and how much one has.
    counted: usize,
    portion: usize,
    rows: Box<dyn ListWriter + 'a>,
    /// Games written.
    written: u64,
}

impl<'a> NoveltyList<'a> {
    /// Begins a list.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn new(
        explorer: &'a Explorer,
        options: NoveltyOptions,
        format: &dyn ListFormat,
        list: ListOptions,
        out: &'a mut dyn Write,
    ) -> Result<NoveltyList<'a>, PresentError> {
        let is_complete = explorer.ask(|_, index| Ok(index.has_positions() && index.is_complete()))?;
        Ok(NoveltyList {
            explorer,
            novelties: Novelties::new(explorer, options),
            waiting: Vec::new(),
            counted: 0,
            portion: if is_complete { PORTION } else { LARGE_PORTION },
            rows: format.begin(out, NoveltyRow::HEAD, list),
            written: 0,
        })
    }

    /// Adds a game, and writes those before it once there are enough of them.
    ///
    /// # Errors
    /// SQLite's, the index is damaged, or the list cannot be written.
    pub fn add(
        &mut self,
        game: AskedGame,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<ControlFlow<()>, PresentError> {
        self.counted += 1 + game.head.plies / PLIES;
        self.waiting.push(game);
        if self.counted < self.portion { Ok(Continue(())) } else { self.write(watch) }
    }

    /// Writes the games that wait. `watch` is told how many have been compared in all, and may break off.
    fn write(
        &mut self,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<ControlFlow<()>, PresentError> {
        let (heads, games): (Vec<_>, Vec<_>) =
            mem::take(&mut self.waiting).into_iter().map(|asked| (asked.head, asked.game)).unzip();
        let before = self.written;
        self.counted = 0;
        let found = self.novelties.find(&games, &mut |progress| match progress {
            NoveltyProgress::Compared(games) => watch(before + games),
            NoveltyProgress::LookedThrough(_) => watch(before),
        })?;
        let Some(found) = found else { return Ok(ControlFlow::Break(())) };
        let named = self.explorer.ask(|archive, _| named(archive, &found))?;
        for ((head, game), novelty) in heads.into_iter().zip(&games).zip(&found) {
            let known = novelty.best.iter().filter_map(|id| named.get(id).cloned()).collect();
            self.rows.row(&NoveltyRow::new(head, game, novelty, known))?;
            self.written += 1;
        }
        Ok(Continue(()))
    }

    /// Ends the list. Gives the number of its games; `None` if it was broken off.
    ///
    /// # Errors
    /// SQLite's, the index is damaged, or the list cannot be written.
    pub fn end(
        mut self,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<Option<u64>, PresentError> {
        let ended = self.write(watch)?;
        self.rows.end()?;
        Ok(ended.is_continue().then_some(self.written))
    }
}

/// The games that novelties name.
pub(in crate::present) fn named(
    archive: &Archive,
    novelties: &[Novelty],
) -> Result<HashMap<GameId, KnownGame>, ArchiveError> {
    let ids = novelties.iter().flat_map(|novelty| novelty.best.iter().copied()).collect();
    let games = archive.list::<Summary>(&Filter { among: Some(ids), ..Filter::default() });
    games.map(|game| game.map(|game| (game.id, KnownGame::of(&game)))).collect()
}
