//! Reading all games in the order of their ids, in batches, skipping damage.
//!
//! No read transaction lasts longer than a batch, so a reader never prevents a checkpoint of a writer's log. Ids must
//! ascend, so that a file whose pages form a cycle ends the scan.

use rusqlite::params;

use crate::archive::{
    ArchiveError, Maintenance, Result,
    read::filter_sql::SOURCE,
    read::game::{COLUMNS, TABLES, read_or_damaged},
};
use plybook_chess::limits::READ_MEMORY;
use plybook_record::{GameId, StoredGame};

/// Most games in a batch.
const BATCH: usize = 4096;

/// Number of games that are tried one by one after damage, and the initial search distance beyond it.
const NEAR: i64 = 256;
const FAR: i64 = 1 << 40;

/// Consecutive games.
struct RecoveredBatch {
    games: Vec<Result<StoredGame>>,
    /// Whether there may be more, and the batch was merely full.
    more: bool,
    /// Why reading stopped.
    failure: Option<ArchiveError>,
}

/// The batches of [`Maintenance::scan_after`].
struct RecoveryScan<'a> {
    maintenance: Maintenance<'a>,
    after: GameId,
    is_over: bool,
}

impl Iterator for RecoveryScan<'_> {
    type Item = Vec<Result<StoredGame>>;

    fn next(&mut self) -> Option<Vec<Result<StoredGame>>> {
        if self.is_over {
            return None;
        }
        let RecoveredBatch { mut games, more, failure } = self.maintenance.batch_after(self.after, BATCH);
        for number in 0..games.len() {
            let id = match &games[number] {
                Ok(game) => game.id,
                Err(ArchiveError::Damaged { id, .. }) => *id,
                Err(_) => self.after,
            };
            if id <= self.after {
                games[number] = Err(ArchiveError::damaged(id, "it occurs twice or is out of order"));
                games.truncate(number + 1);
                self.is_over = true;
                return Some(games);
            }
            self.after = id;
        }
        match failure {
            Some(error) => games.push(Err(self.behind(error))),
            None => self.is_over = !more,
        }
        Some(games)
    }
}

impl RecoveryScan<'_> {
    /// Continues behind what cannot be read. Returns the range.
    fn behind(&mut self, error: ArchiveError) -> ArchiveError {
        let first = self.after.max(0) + 1;
        // A query that takes too many steps would do so again and again.
        let is_endless = matches!(error, ArchiveError::Foreign(..));
        let last = if is_endless { None } else { self.maintenance.behind_damage(self.after) };
        match last {
            Some(last) => self.after = last,
            None => self.is_over = true,
        }
        ArchiveError::Unreadable { first, last, what: what_is_said(error) }
    }
}

impl<'a> Maintenance<'a> {
    /// The readable games after an id in order, in batches. A damaged game is its error, and so is every range of ids
    /// that cannot be read.
    pub fn scan_after(self, after: GameId) -> impl Iterator<Item = Vec<Result<StoredGame>>> + use<'a> {
        RecoveryScan { maintenance: self, after, is_over: false }
    }

    /// The games after an id, at most `most` of them.
    fn batch_after(self, after: GameId, most: usize) -> RecoveredBatch {
        let (mut games, mut bytes, mut more) = (Vec::new(), 0, false);
        let mut read = || -> rusqlite::Result<()> {
            let sql = format!("SELECT {COLUMNS} FROM {SOURCE} {TABLES} WHERE game.id > ?1 ORDER BY game.id");
            let mut statement = self.archive.db.prepare_cached(&sql)?;
            let mut rows = statement.query(params![after])?;
            while let Some(row) = rows.next()? {
                let game = read_or_damaged(self.archive, row)?;
                bytes += game.as_ref().map_or(0, StoredGame::memory);
                games.push(game);
                more = games.len() >= most || bytes >= READ_MEMORY;
                if more {
                    break;
                }
            }
            Ok(())
        };
        let failure = read().err().map(|error| self.archive.db.error(error));
        RecoveredBatch { games, more, failure }
    }

    /// The id after which reading can continue; `None` if nothing more can be read. Tries single games one by one; for
    /// a longer gap it searches ahead exponentially and then bisects to the end of the damage.
    fn behind_damage(self, after: GameId) -> Option<GameId> {
        let reads = |id: GameId| !self.batch_after(id, 1).games.is_empty();
        let start = after.max(0);
        let step = |leap: i64| start.saturating_add(leap);
        if let Some(near) = (1..=NEAR).map(step).find(|&id| reads(id)) {
            return Some(near);
        }
        let mut leap = NEAR;
        while !reads(step(2 * leap)) {
            leap *= 2;
            if leap > FAR {
                return None;
            }
        }
        let (mut bad, mut good) = (step(leap), step(2 * leap));
        while good - bad > 1 {
            let middle = bad + (good - bad) / 2;
            if reads(middle) { good = middle } else { bad = middle }
        }
        Some(good)
    }
}

/// The message for a malformed page, without the file name.
fn what_is_said(error: ArchiveError) -> String {
    match error {
        ArchiveError::Malformed(_, what) => what,
        error => error.to_string(),
    }
}
