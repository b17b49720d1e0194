//! The players whose names match a pattern, and those beside them. A command looks for them several times (to say whose
//! games they are, to find the games, for each page of a list), and comparing all names takes longer than finding the games.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Error, Result, types::ValueRef};

use plybook_chess::{limits::MAX_NAME_BYTES, player_name::PlayerPattern};

/// Patterns that are remembered: those of player, opponent, White and Black.
const PATTERNS: usize = 4;

/// The latest patterns that a connection was asked for, and what was found.
#[derive(Debug, Default)]
pub(super) struct NamedPlayers(Mutex<Vec<Found>>);

#[derive(Debug)]
struct Found {
    pattern: String,
    state: State,
    named: Arc<Named>,
}

/// The players of a pattern.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The ids of those whose names match.
    pub ids: Vec<i64>,
    /// The others whose names may be misspellings of a matching name.
    pub similar: Vec<(i64, String)>,
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
        Ok(self.of(db, pattern)?.ids.clone())
    }

    /// The players of a pattern.
    pub(super) fn of(&self, db: &Connection, pattern: &str) -> Result<Arc<Named>> {
        let by_others = db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let state = State { by_others, own: db.total_changes() };
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.retain(|found| found.state == state);
        if let Some(found) = latest.iter().find(|found| found.pattern == pattern) {
            return Ok(Arc::clone(&found.named));
        }
        let named = Arc::new(named(db, &PlayerPattern::new(pattern))?);
        latest.truncate(PATTERNS - 1);
        latest.insert(0, Found { pattern: pattern.to_owned(), state, named: Arc::clone(&named) });
        Ok(named)
    }
}

/// Compares all names. As a function in SQL, this takes twice as long.
fn named(db: &Connection, pattern: &PlayerPattern) -> Result<Named> {
    let mut players = db.prepare_cached("SELECT id, name FROM player")?;
    let (mut rows, mut found) = (players.query([])?, Named::default());
    while let Some(row) = rows.next()? {
        let name = bounded_name(row.get_ref(1)?)?;
        if pattern.fits(name) {
            found.ids.push(row.get(0)?);
        } else if pattern.resembles(name) {
            found.similar.push((row.get(0)?, name.to_owned()));
        }
    }
    Ok(found)
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
