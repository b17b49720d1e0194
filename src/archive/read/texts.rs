//! Where texts can be: the games that have comments, the tags that any game has.

use super::{GameSet, looked_up::ids};
use crate::archive::{Archive, ArchiveError};

impl Archive {
    /// Whether a game may have a tag of this name, in whatever case.
    ///
    /// # Errors
    /// SQLite's.
    pub fn has_tag(&self, name: &str) -> Result<bool, ArchiveError> {
        let sql = "SELECT EXISTS (
            SELECT 1 FROM tag_layout, json_each(names) AS tag WHERE tag.value = ?1 COLLATE NOCASE
        )";
        let found = || self.db.prepare_cached(sql)?.query_row([name], |row| row.get(0));
        found().map_err(|error| self.error(error))
    }

    /// The games that have comments, glyphs or variations.
    ///
    /// # Errors
    /// SQLite's.
    pub fn annotated(&self) -> Result<GameSet, ArchiveError> {
        let games = ids(&self.db, "SELECT game FROM annotation", ()).map_err(|error| self.error(error))?;
        Ok(games.into_iter().collect())
    }
}
