//! The expected contents of the archive's own indexes, computed from the tables: for `verify`, and for archives without
//! indexes.

use rusqlite::Connection;

use crate::archive::{
    checksum::has_changes,
    keys::{KeyKind, stored_keys},
    snapshot::snapshot,
    write::{
        names::{self, NAME_TABLES},
        player_key,
    },
};

/// Every index that is derived from the tables, with a name for messages.
pub(in crate::archive) const INDEXES: [(KeyKind, &str); 5] = [
    (KeyKind::Players, "games by player"),
    (KeyKind::PlayerNames, "player names"),
    (KeyKind::EventNames, "event names"),
    (KeyKind::SiteNames, "site names"),
    (KeyKind::Values, "tag values"),
];

/// The keys that an index must contain, in order.
pub(in crate::archive) fn expected(db: &Connection, kind: KeyKind) -> rusqlite::Result<Vec<u64>> {
    let mut keys = match NAME_TABLES.into_iter().find(|table| table.kind == kind) {
        Some(table) => names::keys(db, table)?,
        None if kind == KeyKind::Players => player_keys(db)?,
        // Fingerprints are derived from the games, which `verify` decodes.
        None => Vec::new(),
    };
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

fn player_keys(db: &Connection) -> rusqlite::Result<Vec<u64>> {
    let mut keys = Vec::new();
    let mut statement = db.prepare("SELECT id, white, black FROM game")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let players: [Option<i64>; 2] = [row.get(1)?, row.get(2)?];
        let game = row.get(0)?;
        keys.extend(players.into_iter().flatten().map(|player| player_key(player, game)));
    }
    Ok(keys)
}

/// What is wrong with an index; `None` if it is correct. Tables and index are read in one transaction.
pub(in crate::archive) fn flaw(db: &Connection, kind: KeyKind) -> rusqlite::Result<Option<String>> {
    let _snapshot = snapshot(db)?;
    let (stored, expected) = (stored_keys(db, kind)?, expected(db, kind)?);
    let lacks =
        |keys: &[u64], others: &[u64]| keys.iter().filter(|key| others.binary_search(key).is_err()).count();
    // Keys of players who no longer have a game there after a change lead to games that are then read and left out.
    let may_have_more = kind == KeyKind::Players && has_changes(db)?;
    let (missing, foreign) =
        (lacks(&expected, &stored), if may_have_more { 0 } else { lacks(&stored, &expected) });
    Ok((missing + foreign > 0).then(|| format!("{missing} missing and {foreign} wrong keys")))
}
