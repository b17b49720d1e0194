//! The rows that a change replaces: many are read and written together, table by table and in the order of their ids,
//! and logged in the order in which they were given.

use std::mem;

use super::{
    Change, former,
    log::{self, ROW_BITS, Replaced},
    stale::{self, ChangedRow},
};
use crate::archive::{
    PreparedGames, WhyFormer,
    checksum::{Checked, Owner, TableRows, row_of},
    row_hash,
};
use plybook_record::GameId;

/// A row that a change replaces.
pub(super) struct NewRow {
    /// The game that it is replaced for.
    game: GameId,
    table: Checked,
    target: i64,
    /// `None` to remove it.
    row: Option<Vec<u8>>,
    /// What is logged if there is none before; without it, nothing is logged of a row that stays as it is.
    image: Option<Vec<u8>>,
}

impl NewRow {
    /// Whether the row is logged, given the one before.
    fn is_logged(&self, before: Option<&[u8]>) -> bool {
        self.image.is_some() || self.row.as_deref() != before
    }
}

impl Change<'_> {
    /// Adds the rows of a game to those that are to be written; without games, it is removed.
    pub(super) fn set(
        &mut self,
        id: GameId,
        before: Option<u64>,
        games: Option<&PreparedGames>,
        to: &mut Vec<NewRow>,
    ) -> rusqlite::Result<()> {
        let mut set = |table, target, row: Option<&[u8]>, image| {
            to.push(NewRow { game: id, table, target, row: row.map(<[u8]>::to_vec), image });
        };
        let rows = games.and_then(|games| games.rows().next());
        let after = games.map(|games| games.fingerprint(0));
        let game = rows.as_ref().map(|rows| &*rows.row);
        set(Checked::Game, id, game, None);
        let sides = rows.as_ref().map_or_else(Default::default, |rows| rows.sides);
        for (table, row) in Checked::BY_GAME.into_iter().zip(sides) {
            let is_of_moves = table.side().is_some_and(|side| side.owner == Owner::Moves);
            if game.is_none() || is_of_moves {
                set(table, id, Some(row).filter(|row| !row.is_empty()), None);
            }
        }
        if before != after {
            if let Some(before) = before {
                let why = if after.is_some() { self.replaced_as } else { self.removed_as };
                set(Checked::Former, before.cast_signed(), Some(&former::row(before, id, why)), None);
            }
            if let Some(after) = after {
                self.writer.keep_fingerprint(after)?;
                // If the change is undone, no game has it.
                let image = Some(former::row(after, id, WhyFormer::Undone));
                set(Checked::Former, after.cast_signed(), None, image);
            }
        }
        if game.is_none() {
            set(Checked::Removed, id, Some(&row_hash::integer(id)), None);
        }
        Ok(())
    }

    /// Writes and logs the rows of some games.
    pub(super) fn write_games(&mut self, rows: &[NewRow]) -> rusqlite::Result<()> {
        let before = self.write_rows(rows)?;
        let changed = rows.iter().zip(&before).filter(|(row, before)| row.is_logged(before.as_deref()));
        let mut last = None;
        let changed = changed.filter(|(row, _)| last.replace(row.game) != Some(row.game));
        self.games += changed.count() as u64;
        for (row, before) in rows.iter().zip(&before).filter(|(row, _)| row.table == Checked::Game) {
            self.add_player_keys(row.target, before.as_deref(), row.row.as_deref())?;
        }
        Ok(())
    }

    /// Replaces a row, and logs it.
    pub(in crate::archive) fn set_row(
        &mut self,
        table: Checked,
        target: i64,
        row: Option<&[u8]>,
    ) -> rusqlite::Result<()> {
        let row = row.map(<[u8]>::to_vec);
        self.write_rows(&[NewRow { game: 0, table, target, row, image: None }]).map(drop)
    }

    /// Writes and logs rows. Returns those before.
    fn write_rows(&mut self, rows: &[NewRow]) -> rusqlite::Result<Vec<Option<Vec<u8>>>> {
        let mut order = Vec::from_iter(0..rows.len());
        order.sort_by_key(|place| (rows[*place].table, rows[*place].target));
        let mut before = vec![None; rows.len()];
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        for places in order.chunk_by(|one, other| rows[*one].table == rows[*other].table) {
            let table = rows[places[0]].table;
            if table.side().is_some() && !table.exists(db)? {
                if places.iter().all(|place| rows[*place].row.is_none()) {
                    continue;
                }
                table.make(db)?;
            }
            let mut stored = TableRows::of(db, table)?;
            for &place in places {
                let NewRow { target, row, .. } = &rows[place];
                before[place] = stored.get(*target)?;
                stored.replace(checksums, *target, [before[place].as_deref(), row.as_deref()])?;
            }
        }
        let games = order.iter().filter(|place| rows[**place].table == Checked::Game);
        let change =
            |place: &usize| (rows[*place].target, [before[*place].as_deref(), rows[*place].row.as_deref()]);
        self.note_stale(games.map(change))?;
        let logged = rows.iter().zip(&before).filter(|(row, before)| row.is_logged(before.as_deref()));
        self.log(logged.map(|(NewRow { table, target, row, image, .. }, before)| {
            let replaces = row.as_ref().map(|row| log::hash(*table, row));
            let image = before.as_ref().or(image.as_ref()).cloned();
            Replaced { id: 0, table: *table, target: *target, image, replaces }
        }))?;
        Ok(before)
    }

    /// Records that the segments of the index were built from other rows of games.
    fn note_stale<'r>(&mut self, games: impl Iterator<Item = ChangedRow<'r>>) -> rusqlite::Result<()> {
        let changed: Vec<_> = games.filter(|(_, [before, after])| before != after).collect();
        if changed.is_empty() || self.segments.is_empty() {
            return Ok(());
        }
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        stale::note(db, checksums, &self.segments, &changed)
    }

    /// Swaps rows with their images in the log, in this order, up to the first that is not the row that the log expects.
    /// Returns its place.
    pub(super) fn swap_rows(&mut self, rows: &mut [Replaced]) -> rusqlite::Result<Option<usize>> {
        let mut order = Vec::from_iter(0..rows.len());
        order.sort_by_key(|place| (rows[*place].table, rows[*place].target));
        let key = |place: usize| (rows[place].table, rows[place].target);
        if order.windows(2).any(|pair| key(pair[0]) == key(pair[1])) {
            // What follows depends on what was swapped before.
            for place in 0..rows.len() {
                if self.swap_rows(&mut rows[place..=place])?.is_some() {
                    return Ok(Some(place));
                }
            }
            return Ok(None);
        }
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        let mut present = vec![None; rows.len()];
        for places in order.chunk_by(|one, other| rows[*one].table == rows[*other].table) {
            let mut stored = TableRows::of(db, rows[places[0]].table)?;
            for &place in places {
                present[place] = stored.get(rows[place].target)?;
            }
        }
        let is_other = |(row, present): (&Replaced, &Option<Vec<u8>>)| !row.is_in_effect(present.as_deref());
        let end = rows.iter().zip(&present).position(is_other);
        order.retain(|place| end.is_none_or(|end| *place < end));
        for places in order.chunk_by(|one, other| rows[*one].table == rows[*other].table) {
            let mut stored = TableRows::of(db, rows[places[0]].table)?;
            // First none is left, since a user's UNIQUE index may forbid some of both.
            for &place in places {
                stored.replace(checksums, rows[place].target, [present[place].as_deref(), None])?;
            }
            for &place in places {
                stored.replace(checksums, rows[place].target, [None, rows[place].image.as_deref()])?;
            }
        }
        let mut logged = TableRows::of(db, Checked::ChangeRow)?;
        for (row, present) in rows.iter_mut().zip(&mut present).take(end.unwrap_or(usize::MAX)) {
            let before = row.row();
            row.replaces = row.image.as_deref().map(|image| log::hash(row.table, image));
            mem::swap(&mut row.image, present);
            logged.replace(checksums, row.id, [Some(&before), Some(&row.row())])?;
        }
        drop(logged);
        let games = order.iter().filter(|place| rows[**place].table == Checked::Game);
        let change = |place: &usize| {
            (rows[*place].target, [rows[*place].image.as_deref(), present[*place].as_deref()])
        };
        self.note_stale(games.map(change))?;
        Ok(end)
    }

    /// Whether the present row is the one that a row of the log replaces.
    pub(super) fn is_in_effect(&self, row: &Replaced) -> bool {
        let present = row_of(&self.writer.archive.db, row.table, row.target);
        present.is_ok_and(|present| row.is_in_effect(present.as_deref()))
    }

    /// Adds rows to the log. They get the next numbers.
    pub(super) fn log(&mut self, rows: impl Iterator<Item = Replaced>) -> rusqlite::Result<()> {
        let (db, checksums) = (&self.writer.archive.db, &mut self.writer.registers.checksums);
        let mut logged = TableRows::of(db, Checked::ChangeRow)?;
        for row in rows {
            let id = self.id << ROW_BITS | i64::from(self.rows);
            let next = self.rows.checked_add(1);
            self.rows = next.ok_or(rusqlite::Error::IntegralValueOutOfRange(0, self.id))?;
            logged.replace(checksums, id, [None, Some(&Replaced { id, ..row }.row())])?;
        }
        Ok(())
    }

    /// Lists the game under players that it did not have before.
    fn add_player_keys(
        &mut self,
        id: GameId,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> rusqlite::Result<()> {
        let [known, players] = [before, after].map(|row| -> Vec<i64> {
            let values = row.map(row_hash::values).into_iter().flatten().skip(4).take(2);
            values.filter_map(|value| value.as_i64().ok()).collect()
        });
        let mut new = players.into_iter().filter(|player| !known.contains(player));
        new.try_for_each(|player| self.writer.add_player_key(player, id))
    }
}
