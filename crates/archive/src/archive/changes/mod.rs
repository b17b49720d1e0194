//! Changes of games, which can be undone.
//!
//! A change is one transaction. For every row that it replaces, the table `plybook_change_row` keeps the row before the
//! change and the hash of the row after it. Undoing swaps the two, so redoing is the same operation; if the present row
//! does not have the expected hash, something else has changed it since, and nothing is undone. Only rows of games are
//! changed, with their annotations and original texts. Names, layouts, sections and sources are added and stay.
//!
//! - `removed`: ids of removed games, which are not used again.
//! - `former`: fingerprints that no game has any more, so that the next import of a source does not bring back what was
//!   removed or edited. They stay in the set of fingerprints.
//! - `stale`: games whose rows differ from those that the index was built from. Queries leave these games out of the
//!   index and read them one by one.
//!
//! - `imports`: imports, whose games are logged only when they are undone.
//! - `join`: one game of several.
//!
//! The first change creates the tables and raises the version of the file to 5, the first update of a game by an import
//! and the first undoing of an import to 6.

use rusqlite::{Connection, Params, Row};

use super::{
    checksum::{Checked, has_changes},
    totals,
};

mod change;
mod editor;
pub(super) mod former;
mod imports;
mod join;
pub(super) mod log;
pub(super) mod removed;
mod restore;
mod rows;
pub(super) mod stale;
mod take_back;

pub use change::Change;
pub use editor::{ChangeSummary, Editor};
pub use former::{FormerFingerprint, WhyFormer};
pub use imports::ImportedSources;
pub use join::WhyApart;
pub use log::{ChangedGame, LoggedChange};

/// What a query on the tables of changes returns; nothing if the archive does not have them.
fn read<T>(
    db: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    if !has_changes(db)? {
        return Ok(Vec::new());
    }
    db.prepare_cached(sql)?.query_map(parameters, read)?.collect()
}

/// Creates the tables of changes if they do not exist; part of a transaction.
pub(super) fn make_tables(db: &Connection) -> rusqlite::Result<()> {
    if Checked::Change.make(db)? {
        // The row of totals counts sections without games and could not be continued after an id is missing.
        totals::drop_row(db)?;
    }
    Ok(())
}
