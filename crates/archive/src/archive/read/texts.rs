//! Where text can be: the games with comments, and the tags that occur.

use super::{GameSet, Selection, resolved_filter::ids};
use crate::archive::{Archive, ArchiveError};

impl Selection<'_> {
    /// Whether any game may have a tag with this name, ignoring case.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn has_tag(self, name: &str) -> Result<bool, ArchiveError> {
        let sql = "SELECT EXISTS (
            SELECT 1 FROM tag_layout, json_each(names) AS tag WHERE tag.value = ?1 COLLATE NOCASE
        )";
        for archive in self.archive.files().each() {
            if archive.db.attempt(|db| db.prepare_cached(sql)?.query_row([name], |row| row.get(0)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The games with comments, glyphs or variations.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn annotated(self) -> Result<GameSet, ArchiveError> {
        let annotated = |archive: &Archive| {
            ids(&archive.db, "SELECT game FROM annotation", ()).map_err(|error| archive.db.error(error))
        };
        if self.archive.is_one() {
            return Ok(annotated(self.archive)?.into_iter().collect());
        }
        let mut games = Vec::new();
        for part in self.archive.files().parts() {
            let own = annotated(&part.lock())?.into_iter().filter(|id| *id <= part.last);
            games.extend(own.map(|id| id + part.before));
        }
        Ok(games.into_iter().collect())
    }
}
