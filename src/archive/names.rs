//! Names, each stored once. A name is found by its hash in the archive's own [keys](super::keys).

use rusqlite::Connection;
use twox_hash::XxHash3_64;

use super::{
    keys::{Keys, Set},
    recent::Recent,
};

/// Names of a table that are remembered from batch to batch.
const REMEMBERED: usize = 30_000;

/// A table of names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub name: &'static str,
    pub column: &'static str,
    pub set: Set,
}

/// The tables of names.
pub(super) const PLAYER: Table = Table { name: "player", column: "name", set: Set::PlayerNames };
pub(super) const EVENT: Table = Table { name: "event", column: "name", set: Set::EventNames };
pub(super) const SITE: Table = Table { name: "site", column: "name", set: Set::SiteNames };
pub(super) const VALUE: Table = Table { name: "value", column: "text", set: Set::Values };

/// Names of one table that have been met.
#[derive(Debug)]
pub(super) struct Names {
    table: Table,
    known: Recent<String, i64>,
}

impl Names {
    pub(super) fn new(table: Table) -> Names {
        Names { table, known: Recent::new(REMEMBERED) }
    }

    /// The id of a name, which is stored if it is new.
    pub(super) fn id(&mut self, db: &Connection, keys: &mut Keys, name: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.known.get(name) {
            return Ok(id);
        }
        let id = match self.find(db, keys, name)? {
            Some(id) => id,
            None => self.add(db, keys, name)?,
        };
        self.known.insert(name.to_owned(), id);
        Ok(id)
    }

    fn find(&self, db: &Connection, keys: &Keys, name: &str) -> rusqlite::Result<Option<i64>> {
        let Table { name: table, column, set } = self.table;
        for id in keys.ids_of_hash(db, set, hash(name))? {
            let mut same =
                db.prepare_cached(&format!("SELECT 1 FROM {table} WHERE id = ?1 AND {column} = ?2"))?;
            if same.exists((id, name))? {
                return Ok(Some(id.into()));
            }
        }
        Ok(None)
    }

    fn add(&self, db: &Connection, keys: &mut Keys, name: &str) -> rusqlite::Result<i64> {
        let Table { name: table, column, set } = self.table;
        db.prepare_cached(&format!("INSERT INTO {table} ({column}) VALUES (?1)"))?.execute([name])?;
        let id = db.last_insert_rowid();
        keys.insert(db, set, key(name, id))?;
        Ok(id)
    }

    /// Forgets names if there are many. Only what is stored and flushed can be found again.
    pub(super) fn forget_many(&mut self) {
        self.known.forget_many();
    }
}

/// 24 bits: enough to tell a million names apart nearly always, and a byte less to store than 32.
fn hash(name: &str) -> u32 {
    (XxHash3_64::oneshot(name.as_bytes()) >> 40) as u32
}

/// The key by which a name is found. Ids are below 2^32: a name takes more than a byte.
fn key(name: &str, id: i64) -> u64 {
    u64::from(hash(name)) << 32 | id.cast_unsigned() & u64::from(u32::MAX)
}

/// The keys of all names of a table.
pub(super) fn keys(db: &Connection, table: Table) -> rusqlite::Result<Vec<u64>> {
    let Table { name, column, .. } = table;
    let mut statement = db.prepare(&format!("SELECT id, {column} FROM {name}"))?;
    let rows = statement.query_map([], |row| Ok(key(row.get_ref(1)?.as_str()?, row.get(0)?)))?;
    rows.collect()
}
