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

impl Maintenance<'_> {
    /// Calls `each` for every readable game in order, until it returns false. A damaged game is passed as its error,
    /// and so is every range of ids that cannot be read.
    pub fn walk(self, each: impl FnMut(Result<StoredGame>) -> bool) {
        self.walk_after(GameId::MIN, each);
    }

    /// The same, starting after an id.
    pub(in crate::archive) fn walk_after(
        self,
        mut after: GameId,
        mut each: impl FnMut(Result<StoredGame>) -> bool,
    ) {
        loop {
            let RecoveredBatch { games, more, failure } = self.batch_after(after, BATCH);
            for game in games {
                let id = match &game {
                    Ok(game) => game.id,
                    Err(ArchiveError::Damaged { id, .. }) => *id,
                    Err(_) => after,
                };
                let in_order = id > after;
                after = after.max(id);
                let game = match in_order {
                    true => game,
                    false => Err(ArchiveError::damaged(id, "it occurs twice or is out of order")),
                };
                if !each(game) || !in_order {
                    return;
                }
            }
            let Some(error) = failure else {
                if more {
                    continue;
                }
                return;
            };
            let first = after.max(0) + 1;
            // A query that takes too many steps would do so again and again.
            let is_endless = matches!(error, ArchiveError::Foreign(..));
            let last = if is_endless { None } else { self.behind_damage(after) };
            let answer = each(Err(ArchiveError::Unreadable { first, last, what: what_is_said(error) }));
            let Some(next) = last.filter(|_| answer) else { return };
            after = next;
        }
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
