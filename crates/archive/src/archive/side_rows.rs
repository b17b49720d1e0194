//! Rows of side tables, and how a copy of some games takes its part of them: values of games are copied with their
//! games, those of positions and players here.

use rusqlite::{CachedStatement, Connection, OptionalExtension};

use super::{
    ArchiveError, Maintenance, Result, Writer,
    checksum::{self, Checked, Owner, SideTable},
    row_hash,
};

#[cfg(test)]
pub(super) use tests::{TABLES, letters};

/// Most bytes of values that are read at a time.
const BATCH_BYTES: usize = 1 << 20;

/// Values of positions and players.
#[derive(Debug, Default)]
pub struct SharedValues(Vec<SharedValue>);

#[derive(Debug)]
struct SharedValue {
    table: Checked,
    owner: ValueOwner,
    /// The columns after the id, encoded.
    columns: Vec<u8>,
}

/// What a value belongs to, in any archive.
#[derive(Debug)]
enum ValueOwner {
    Player(String),
    /// Something that has the same id in every archive.
    Other(i64),
}

impl SharedValues {
    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        self.0.iter().map(|shared| size_of::<SharedValue>() + shared.columns.len()).sum()
    }
}

/// The value with an id in a side table that exists.
pub(super) fn value(db: &Connection, table: Checked, id: i64) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = format!("SELECT * FROM {} WHERE rowid = ?1", table.name());
    db.prepare_cached(&sql)?.query_row([id], |row| row.get(1)).optional()
}

/// The statement that inserts into a side table, which is created if it does not exist; part of a transaction.
pub(super) fn insert(db: &Connection, table: Checked) -> rusqlite::Result<CachedStatement<'_>> {
    table.make(db)?;
    db.prepare_cached(&format!("INSERT INTO {} VALUES (?1, ?2)", table.name()))
}

impl Maintenance<'_> {
    /// Reads the values of positions and players, in batches; also those of the archive itself, unless the copy is one of
    /// some games.
    ///
    /// # Errors
    /// Rows are damaged; errors of `each` and of SQLite.
    pub fn shared_values(
        self,
        with_own: bool,
        mut each: impl FnMut(SharedValues) -> Result<()>,
    ) -> Result<()> {
        let db = &self.archive.db;
        let sides = db.attempt(|db| Checked::sides(db))?.into_iter();
        let is_shared = |side: &SideTable| !side.is_by_game() && (with_own || side.owner != Owner::Archive);
        for (table, side) in sides.filter(|(_, side)| is_shared(side)) {
            let all = (i64::MIN..=i64::MAX).into();
            if let Some(changed) = db.attempt(|db| checksum::first_change(db, table, all))? {
                let what = format!("the table {:?} is damaged: {}", table.name(), changed.what);
                return Err(ArchiveError::Changed(db.path.clone(), what));
            }
            let mut from = Some(i64::MIN);
            while let Some(first) = from {
                let (values, next) = db.attempt(|db| values_from(db, table, side.owner, first))?;
                each(SharedValues(values))?;
                from = next;
            }
        }
        Ok(())
    }
}

/// The values of a table from an id on, and the id of the first one that is left.
fn values_from(
    db: &Connection,
    table: Checked,
    owner: Owner,
    first: i64,
) -> rusqlite::Result<(Vec<SharedValue>, Option<i64>)> {
    let sql = format!("SELECT * FROM {} WHERE rowid >= ?1 ORDER BY rowid", table.name());
    let mut statement = db.prepare_cached(&sql)?;
    let count = statement.column_count();
    let (mut rows, mut values, mut bytes) = (statement.query([first])?, Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if bytes > BATCH_BYTES {
            return Ok((values, Some(id)));
        }
        let mut columns = Vec::new();
        for column in 1..count {
            row_hash::push(&mut columns, row.get_ref(column)?);
        }
        bytes += size_of::<SharedValue>() + columns.len();
        let owner = match owner {
            Owner::Player => {
                let mut name = db.prepare_cached("SELECT name FROM player WHERE id = ?1")?;
                ValueOwner::Player(name.query_row([id], |row| row.get(0))?)
            }
            _ => ValueOwner::Other(id),
        };
        values.push(SharedValue { table, owner, columns });
    }
    Ok((values, None))
}

impl Writer {
    /// Adds values of another archive, unless this one has values there or lacks the player. Those of the archive itself
    /// belong to a source from now on; 0 for none.
    ///
    /// # Errors
    /// Errors of SQLite; the batch should then be discarded.
    pub fn add_shared(&mut self, SharedValues(values): &SharedValues, source: i64) -> Result<()> {
        self.begin()?;
        let mut add = || values.iter().try_for_each(|value| self.add_shared_value(value, source));
        add().map_err(|error| self.archive.db.error(error))
    }

    fn add_shared_value(
        &mut self,
        SharedValue { table, owner, columns }: &SharedValue,
        source: i64,
    ) -> rusqlite::Result<()> {
        let Writer { archive, registers, .. } = self;
        let id = match owner {
            ValueOwner::Other(id) => Some(*id),
            ValueOwner::Player(name) => {
                self.names[0].find(&archive.db, &registers.keys, name)?.map(|id| id.get().into())
            }
        };
        let Some(id) = id else { return Ok(()) };
        table.make(&archive.db)?;
        if value(&archive.db, *table, id)?.is_some() {
            return Ok(());
        }
        let mut row = [&row_hash::integer(id), &**columns].concat();
        if table.side().is_some_and(|side| side.owner == Owner::Archive) {
            // The source is the last column.
            row.truncate(row.len().saturating_sub(row_hash::INTEGER));
            row.extend(row_hash::integer(source));
        }
        registers.checksums.replace_row(&archive.db, *table, id, Some(&row)).map(drop)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
