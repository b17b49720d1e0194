//! The ids of removed games: they are not used again.

use rusqlite::Connection;

use crate::archive::{checksum::has_changes, row_hash};
use plybook_record::GameId;

/// The last id that a game has or had; 0 if there was none.
pub(in crate::archive) fn last_id(db: &Connection) -> rusqlite::Result<GameId> {
    let last = |sql: &str| db.prepare_cached(sql)?.query_row([], |row| row.get::<_, GameId>(0));
    let game = last("SELECT coalesce(max(id), 0) FROM game")?;
    if !has_changes(db)? {
        return Ok(game);
    }
    Ok(game.max(last("SELECT coalesce(max(game), 0) FROM plybook_removed")?))
}

/// The ids of all removed games, in order.
pub(in crate::archive) fn all(db: &Connection) -> rusqlite::Result<Vec<GameId>> {
    if !has_changes(db)? {
        return Ok(Vec::new());
    }
    db.prepare_cached("SELECT game FROM plybook_removed ORDER BY game")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Whether the games with these ids have all been removed.
pub(in crate::archive) fn are_all_removed(
    db: &Connection,
    first: GameId,
    last: GameId,
) -> rusqlite::Result<bool> {
    if first > last || !has_changes(db)? {
        return Ok(first > last);
    }
    let sql = "SELECT count(*) FROM plybook_removed WHERE game BETWEEN ?1 AND ?2";
    let removed: i64 = db.prepare_cached(sql)?.query_row([first, last], |row| row.get(0))?;
    Ok(removed == last - first + 1)
}

/// The row of a removed game.
pub(super) fn row(game: GameId) -> Vec<u8> {
    row_hash::integer(game).to_vec()
}
