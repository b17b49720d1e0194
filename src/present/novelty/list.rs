//! The list of novelties, written while games are compared.

use std::{
    io::Write,
    ops::ControlFlow::{self, Continue},
};

use super::{GameHead, NoveltyRow, RequestedGame};
use crate::{
    present::{
        PresentError,
        list::{Head, ListFormat, ListOptions, ListWriter},
    },
    query::{Explorer, NoveltyOptions, NoveltyQueue},
};

/// A game counts once more for each of these plies, which bounds the memory of long games too.
const PLIES: usize = 256;

/// Writes a list of the novelties in games.
pub struct NoveltyList<'a> {
    games: NoveltyQueue<'a, GameHead>,
    rows: Box<dyn ListWriter + 'a>,
}

impl<'a> NoveltyList<'a> {
    /// Begins a list.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn new(
        explorer: &'a Explorer,
        options: NoveltyOptions,
        format: &'a dyn ListFormat,
        list: ListOptions,
        out: &'a mut dyn Write,
    ) -> Result<NoveltyList<'a>, PresentError> {
        let games = NoveltyQueue::new(explorer, options).in_few_portions()?;
        Ok(NoveltyList { games, rows: format.begin(out, Head::of::<NoveltyRow>(), list) })
    }

    /// Adds a game, and writes the collected games once there are enough of them.
    ///
    /// # Errors
    /// An SQLite error, the index is corrupt, or the list cannot be written.
    pub fn add(
        &mut self,
        RequestedGame { head, game }: RequestedGame,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<ControlFlow<()>, PresentError> {
        let more = head.plies / PLIES;
        if self.games.add(game, head, more) { self.write(watch) } else { Ok(Continue(())) }
    }

    /// Writes the collected games. `watch` receives the number of games compared so far, and may cancel.
    fn write(
        &mut self,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<ControlFlow<()>, PresentError> {
        let rows = &mut self.rows;
        self.games.compare(watch, |compared| Ok(rows.row(&NoveltyRow::new(compared))?))
    }

    /// Ends the list. Returns the number of its games; `None` if it was cancelled.
    ///
    /// # Errors
    /// An SQLite error, the index is corrupt, or the list cannot be written.
    pub fn end(
        mut self,
        watch: &mut (dyn FnMut(u64) -> ControlFlow<()> + Send),
    ) -> Result<Option<u64>, PresentError> {
        let ended = self.write(watch)?;
        self.rows.end()?;
        Ok(ended.is_continue().then_some(self.games.done()))
    }
}
