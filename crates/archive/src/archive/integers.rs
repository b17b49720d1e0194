//! Statements that return integers.

use rusqlite::{Connection, Params};

/// The integers that a statement returns.
pub(super) fn integers(db: &Connection, sql: &str, parameters: impl Params) -> rusqlite::Result<Vec<i64>> {
    db.prepare_cached(sql)?.query_map(parameters, |row| row.get(0))?.collect()
}
