//! Names, each stored once. A name is found by its hash in the archive's own [keys](super::keys).

use std::num::NonZeroU32;

use rusqlite::Connection;
use twox_hash::XxHash3_64;

use crate::archive::{
    bounded::Bounded,
    checksum::{Checked, Checksums},
    keys::{KeyKind, Keys},
    totals::RunningTotals,
    two_generation_cache::TwoGenerationCache,
};

/// Number of cached names per table.
const REMEMBERED: usize = 30_000;

/// Maximum length of a cached name.
const LONGEST: usize = 128;

/// The row id of a name. There are fewer than 2^32, because each takes more than a byte.
pub(in crate::archive) type NameId = NonZeroU32;

/// A table of names.
#[derive(Clone, Copy, Debug)]
pub(in crate::archive) struct NameTable {
    pub name: &'static str,
    pub column: &'static str,
    pub kind: KeyKind,
    pub rows: Checked,
}

/// The tables of names: players, events, sites and tag values.
pub(in crate::archive) const NAME_TABLES: [NameTable; 4] = [
    NameTable { name: "player", column: "name", kind: KeyKind::PlayerNames, rows: Checked::Player },
    NameTable { name: "event", column: "name", kind: KeyKind::EventNames, rows: Checked::Event },
    NameTable { name: "site", column: "name", kind: KeyKind::SiteNames, rows: Checked::Site },
    NameTable { name: "tag_value", column: "text", kind: KeyKind::Values, rows: Checked::TagValue },
];

/// What is updated along with the rows.
#[derive(Debug, Default)]
pub(in crate::archive) struct Registers {
    pub keys: Keys,
    pub checksums: Checksums,
    pub totals: RunningTotals,
}

/// Where names and sections are stored.
pub(super) struct Target<'a> {
    pub db: &'a Bounded,
    /// One per kind of name.
    pub names: &'a mut [Names; 4],
    pub registers: &'a mut Registers,
}

/// Cache of the names of one table.
#[derive(Debug)]
pub(in crate::archive) struct Names {
    table: NameTable,
    known: TwoGenerationCache<Box<str>, NameId>,
}

impl Names {
    pub(in crate::archive) fn new(table: NameTable) -> Names {
        Names { table, known: TwoGenerationCache::new(REMEMBERED) }
    }

    /// The id of a name, which is stored if it is new.
    pub(in crate::archive) fn id(
        &mut self,
        db: &Connection,
        registers: &mut Registers,
        name: &str,
    ) -> rusqlite::Result<NameId> {
        if let Some(id) = self.known.get(name) {
            return Ok(id);
        }
        let id = match self.find(db, &registers.keys, name)? {
            Some(id) => id,
            None => self.add(db, registers, name)?,
        };
        if name.len() <= LONGEST {
            self.known.insert(name.into(), id);
        }
        Ok(id)
    }

    pub(in crate::archive) fn find(
        &self,
        db: &Connection,
        keys: &Keys,
        name: &str,
    ) -> rusqlite::Result<Option<NameId>> {
        let NameTable { name: table, column, kind, .. } = self.table;
        let found = keys.find_id(db, kind, hash(name), |id| {
            let sql = format!("SELECT 1 FROM {table} WHERE id = ?1 AND {column} = ?2");
            db.prepare_cached(&sql)?.exists((id, name))
        });
        Ok(found?.and_then(NameId::new))
    }

    fn add(&self, db: &Connection, registers: &mut Registers, name: &str) -> rusqlite::Result<NameId> {
        let NameTable { name: table, column, kind, rows } = self.table;
        db.prepare_cached(&format!("INSERT INTO {table} ({column}) VALUES (?1)"))?.execute([name])?;
        let id = db.last_insert_rowid();
        registers.checksums.add(rows, id, &[&name])?;
        registers.keys.insert(db, kind, key(name, id))?;
        let small = u32::try_from(id).ok().and_then(NameId::new);
        small.ok_or(rusqlite::Error::IntegralValueOutOfRange(0, id))
    }
}

/// 24 bits: nearly always unique among a million names, and a byte shorter to store than 32.
// Names have no UNIQUE index in SQLite: it would store every name twice. Hashes in sorted runs take 0.7 bytes per
// game.
fn hash(name: &str) -> u32 {
    (XxHash3_64::oneshot(name.as_bytes()) >> 40) as u32
}

/// The key under which a name is found.
fn key(name: &str, id: i64) -> u64 {
    u64::from(hash(name)) << 32 | id.cast_unsigned() & u64::from(u32::MAX)
}

/// The keys of all names of a table.
pub(in crate::archive) fn keys(db: &Connection, table: NameTable) -> rusqlite::Result<Vec<u64>> {
    let NameTable { name, column, .. } = table;
    let mut statement = db.prepare(&format!("SELECT id, {column} FROM {name}"))?;
    let rows = statement.query_map([], |row| Ok(key(row.get_ref(1)?.as_str()?, row.get(0)?)))?;
    rows.collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::archive::WritableArchive;

    /// Names recur after most have been evicted from the cache, some before their keys were written; and some are too
    /// long for it.
    #[test]
    fn names_are_stored_once_even_after_eviction() {
        let folder = tempfile::tempdir().unwrap();
        let archive = WritableArchive::create_or_open(folder.path().join("names.db")).unwrap();
        let mut registers = Registers { keys: Keys::open(&archive.db).unwrap(), ..Registers::default() };
        let mut names = Names { table: NAME_TABLES[0], known: TwoGenerationCache::new(10) };
        let text = |number: usize| format!("Player{}, No. {number}", " ".repeat(number % 3 * 200));
        let mut ids = Vec::new();
        for _ in 0..3 {
            for number in (0..100).flat_map(|number| [number, number, number.max(20) - 20]) {
                let id = names.id(&archive.db, &mut registers, &text(number)).unwrap();
                if ids.len() == number {
                    ids.push(id);
                }
                assert_eq!(id, ids[number]);
                if number % 7 == 0 {
                    registers.keys.flush(&archive.db).unwrap();
                }
            }
        }
        let stored: i64 = archive.db.query_row("SELECT count(*) FROM player", [], |row| row.get(0)).unwrap();
        assert_eq!(stored, 100);
    }
}
