//! The players whose names match a pattern. A command looks for them several times (to say whose games they are, to find
//! the games, for each page of a list), and all names are compared each time, which takes longer than finding the games.

use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Error, Result, types::ValueRef};

use plybook_chess::{limits::MAX_NAME_BYTES, player_name::PlayerPattern};

/// Patterns that are remembered: those of player, opponent, White and Black.
const PATTERNS: usize = 4;

/// The latest patterns that a connection was asked for, and the ids of the players that match them.
#[derive(Debug, Default)]
pub(super) struct NamedPlayers(Mutex<Vec<Named>>);

#[derive(Debug)]
struct Named {
    pattern: String,
    state: State,
    ids: Vec<i64>,
}

/// Changes when other connections have written, and with each row that this one has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    by_others: i64,
    own: u64,
}

impl NamedPlayers {
    /// The ids of the players whose names match a pattern.
    pub(super) fn ids(&self, db: &Connection, pattern: &str) -> Result<Vec<i64>> {
        let by_others = db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let state = State { by_others, own: db.total_changes() };
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.retain(|named| named.state == state);
        if let Some(named) = latest.iter().find(|named| named.pattern == pattern) {
            return Ok(named.ids.clone());
        }
        let ids = matching(db, &PlayerPattern::new(pattern))?;
        latest.truncate(PATTERNS - 1);
        latest.insert(0, Named { pattern: pattern.to_owned(), state, ids: ids.clone() });
        Ok(ids)
    }
}

/// Compares all names. As a function in SQL, this takes twice as long.
fn matching(db: &Connection, pattern: &PlayerPattern) -> Result<Vec<i64>> {
    let mut players = db.prepare_cached("SELECT id, name FROM player")?;
    let (mut rows, mut ids) = (players.query([])?, Vec::new());
    while let Some(row) = rows.next()? {
        if pattern.fits(bounded_name(row.get_ref(1)?)?) {
            ids.push(row.get(0)?);
        }
    }
    Ok(ids)
}

/// A name from a row, which may be damaged: comparing an endless one takes endless time.
pub(super) fn bounded_name(value: ValueRef<'_>) -> Result<&str> {
    let name = value.as_str()?;
    if name.len() > MAX_NAME_BYTES {
        return Err(Error::UserFunctionError("a name is longer than a tag value may be".into()));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_that_any_connection_adds_or_deletes_later_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let [own, other] = [(); 2].map(|()| Connection::open(folder.path().join("games.db")).unwrap());
        own.execute_batch("CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT)").unwrap();
        let (named, add) = (NamedPlayers::default(), "INSERT INTO player (name) VALUES (?1)");
        let found = || named.ids(&own, "Adams, M").unwrap();
        assert!(found().is_empty());
        other.execute(add, ["Adams, Michael"]).unwrap();
        assert_eq!(found(), [1]);
        own.execute(add, ["Adams,Mi"]).unwrap();
        own.execute(add, ["Carlsen, Magnus"]).unwrap();
        assert_eq!(found(), [1, 2]);
        for pattern in ["Carlsen", "Tal", "Anand", "Kramnik", "Carlsen, M"] {
            assert_eq!(named.ids(&own, pattern).unwrap().len(), usize::from(pattern.starts_with('C')));
        }
        assert_eq!(found(), [1, 2]);
        own.execute("DELETE FROM player WHERE id = 1", []).unwrap();
        assert_eq!(found(), [2]);
    }
}
