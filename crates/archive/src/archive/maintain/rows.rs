//! Checks that all rows are unchanged: checksums prove the rows, and the archive's own indexes are derived from them.

use std::range::RangeInclusive;

use crate::archive::{
    Archive, Result,
    checksum::{self, Changed, Checked},
    keys::check,
};
use plybook_record::GameId;

/// Receives each problem, with its game if it concerns one.
type Tell<'a> = dyn FnMut(Option<GameId>, String) + 'a;

impl Archive {
    /// Checks the rows and the archive's own indexes. An archive created before version 3 may have no checksums.
    pub(in crate::archive) fn check_rows(&self, tell: &mut Tell<'_>) {
        self.check_own_indexes(tell);
        tell_of_identities(self.identity_flaw(), tell);
        match checksum::has_checksums(&self.db) {
            Ok(true) => self.check_checksums(tell),
            Ok(false) => {}
            Err(error) => tell(None, format!("cannot read the checksums: {error}")),
        }
    }

    /// Checks the archive's own indexes, except for that of identities: if a key is missing, a search misses games.
    pub(super) fn check_own_indexes(&self, tell: &mut Tell<'_>) {
        for (set, what) in check::INDEXES {
            match check::flaw(&self.db, set) {
                Ok(None) => {}
                Ok(Some(flaw)) => tell(None, format!("the index of {what} is damaged: {flaw}")),
                Err(error) => tell(None, format!("cannot read the index of {what}: {error}")),
            }
        }
    }

    /// Checks that every row is unchanged.
    pub(super) fn check_checksums(&self, tell: &mut Tell<'_>) {
        let tables = match Checked::all(&self.db) {
            Ok(tables) => tables,
            Err(error) => return tell(None, format!("cannot read the version: {error}")),
        };
        for table in tables {
            let unread = |error| format!("cannot read rows of {}: {error}", table.name());
            let checked = checksum::for_each_change(&self.db, table, |change| match change {
                Ok(changed) => tell_change(changed, tell),
                Err(error) => tell(None, unread(error)),
            });
            if let Err(error) = checked {
                tell(None, unread(error));
            }
        }
    }
}

/// Reports what is wrong with the index of identities.
pub(super) fn tell_of_identities(flaw: Result<Option<String>>, tell: &mut Tell<'_>) {
    match flaw {
        Ok(None) => {}
        Ok(Some(flaw)) => tell(None, format!("the index of identities is damaged: {flaw}")),
        Err(error) => tell(None, format!("cannot read the index of identities: {error}")),
    }
}

fn tell_change(Changed { table, ids, what }: Changed, tell: &mut Tell<'_>) {
    let RangeInclusive { start: first, last } = ids;
    match (table, table.side()) {
        (_, Some(side)) if first == last && side.is_by_game() => {
            tell(Some(first), format!("the {}: {what}", side.noun))
        }
        (Checked::Source, _) => tell(None, format!("source {first}: {what}")),
        _ => tell(None, format!("rows {first} to {last} of {}: {what}", table.name())),
    }
}
