//! Undoing a change for some of its games.

use std::{collections::HashSet, ops::RangeInclusive};

use super::{Change, LoggedChange, editor::conflict, log::Replaced};
use crate::archive::{
    ArchiveError, Result,
    checksum::{Checked, row_of},
};
use plybook_record::GameId;

impl Change<'_> {
    /// Restores the rows that another change replaced, of its games in some ranges of ids.
    pub(super) fn restore(
        &mut self,
        change: &LoggedChange,
        rows: Vec<Replaced>,
        games: &[RangeInclusive<GameId>],
    ) -> Result<()> {
        let is_chosen = |game: GameId| games.iter().any(|range| range.contains(&game));
        let mut chosen = Vec::from_iter(with_games(rows).filter(|(game, _)| is_chosen(*game)));
        if chosen.is_empty() {
            let what = format!("change {} changed none of these games", change.id);
            return Err(ArchiveError::Conflict(what));
        }
        let back = self.games_back(&chosen).map_err(|error| self.error(error))?;
        chosen.retain(|(game, _)| !back.contains(game));
        // The rows of a game follow each other.
        self.games += chosen.chunk_by(|(one, _), (other, _)| one == other).count() as u64;
        for row in steps(chosen).into_iter().rev().flatten() {
            let (table, target) = (row.table, row.target);
            if !self.restore_row(row).map_err(|error| self.error(error))? {
                return Err(conflict(change, true, table, target));
            }
        }
        Ok(())
    }

    /// The games that are as they were before the change already.
    fn games_back(&self, chosen: &[(GameId, Replaced)]) -> rusqlite::Result<HashSet<GameId>> {
        let mut back = HashSet::new();
        for rows in chosen.chunk_by(|(one, _), (other, _)| one == other) {
            let mut is_back = true;
            for (_, row) in rows {
                is_back &= row_of(&self.writer.archive.db, row.table, row.target)? == row.image;
            }
            back.extend(rows.first().map(|(game, _)| *game).filter(|_| is_back));
        }
        Ok(back)
    }

    /// Restores a row; false if the present row is not the one that the log expects.
    fn restore_row(&mut self, row: Replaced) -> rusqlite::Result<bool> {
        let present = row_of(&self.writer.archive.db, row.table, row.target)?;
        if !row.is_in_effect(present.as_deref()) {
            return Ok(false);
        }
        self.set_row(row.table, row.target, row.image.as_deref())?;
        Ok(true)
    }
}

/// The rows of games divided into steps, each from one state of a game to the next. Steps are undone from last to first,
/// but their rows in order, so that this can be undone as well.
fn steps(rows: Vec<(GameId, Replaced)>) -> Vec<Vec<Replaced>> {
    let ends_a_step = |row: &Replaced| matches!(row.table, Checked::Former | Checked::Removed);
    let (mut steps, mut last): (Vec<Vec<Replaced>>, GameId) = (Vec::new(), 0);
    for (game, row) in rows {
        let is_over = |step: &&mut Vec<Replaced>| {
            game != last || step.last().is_some_and(ends_a_step) && !ends_a_step(&row)
        };
        match steps.last_mut().filter(|step| !is_over(step)) {
            Some(step) => step.push(row),
            None => steps.push(vec![row]),
        }
        last = game;
    }
    steps
}

/// The rows of a change, each with the game it belongs to.
// The rows of former fingerprints follow the rows of their game.
fn with_games(rows: Vec<Replaced>) -> impl Iterator<Item = (GameId, Replaced)> {
    let mut game = 0;
    rows.into_iter().map(move |row| {
        if row.table != Checked::Former {
            game = row.target;
        }
        (game, row)
    })
}
