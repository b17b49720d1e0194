//! Several statements that read the same state.

use rusqlite::{Connection, Transaction};

/// A consistent state to read from, unless a transaction provides it already.
pub(super) fn snapshot(db: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    db.is_autocommit().then(|| db.unchecked_transaction()).transpose()
}
