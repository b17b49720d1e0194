//! The ids of removed games: they are not used again.

use rusqlite::{Connection, Result};

use super::read;
use crate::archive::checksum::has_changes;
use plybook_record::GameId;

/// The last id that a game has or had; 0 if there was none.
pub(in crate::archive) fn last_id(db: &Connection) -> Result<GameId> {
    let removed = read(db, "SELECT coalesce(max(game), 0) FROM plybook_removed", [], |row| row.get(0))?;
    Ok(removed.into_iter().fold(last_stored_id(db)?, GameId::max))
}

/// The last id that a game has; 0 if there is none. SQLite gives the next one to a game without an id.
pub(in crate::archive) fn last_stored_id(db: &Connection) -> Result<GameId> {
    let last = "SELECT coalesce(max(id), 0) FROM game";
    db.prepare_cached(last)?.query_row([], |row| row.get(0))
}

/// The ids of all removed games, in order.
pub(in crate::archive) fn all(db: &Connection) -> Result<Vec<GameId>> {
    read(db, "SELECT game FROM plybook_removed ORDER BY game", [], |row| row.get(0))
}

/// Whether the games with these ids have all been removed.
pub(in crate::archive) fn are_all_removed(db: &Connection, first: GameId, last: GameId) -> Result<bool> {
    if first > last || !has_changes(db)? {
        return Ok(first > last);
    }
    let sql = "SELECT count(*) FROM plybook_removed WHERE game BETWEEN ?1 AND ?2";
    let removed: i64 = db.prepare_cached(sql)?.query_row([first, last], |row| row.get(0))?;
    Ok(removed == last - first + 1)
}
