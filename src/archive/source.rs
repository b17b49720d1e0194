//! Where the games of an archive came from.

use rusqlite::{OptionalExtension, params};

use super::{Archive, ArchiveError, GameId, Writer};

/// What an import did with the games of one source. Always seen = stored + duplicate + rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Unpacked bytes read.
    pub bytes: u64,
    /// Games found.
    pub seen: u64,
    /// Games added.
    pub stored: u64,
    /// Games the archive had already.
    pub duplicate: u64,
    /// Games that could not be stored.
    pub rejected: u64,
}

/// The place that a game came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The source's name: a path, or `-`.
    pub source: String,
    /// 1-based number of the game in the source.
    pub number: u64,
}

impl Writer {
    /// Notes a source; gives its id.
    ///
    /// # Errors
    /// SQLite's.
    pub fn add_source(&self, name: &str) -> Result<i64, ArchiveError> {
        let sql = "INSERT INTO source (name, imported, bytes, seen, stored, duplicate, rejected)
                   VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0, 0, 0, 0, 0)";
        let archive = self.archive();
        archive.db.execute(sql, [name]).map_err(|error| archive.error(error))?;
        Ok(archive.db.last_insert_rowid())
    }

    /// Notes what has been done with a source so far; part of the batch.
    ///
    /// # Errors
    /// SQLite's.
    pub fn count_source(&self, source: i64, counts: &SourceCounts) -> Result<(), ArchiveError> {
        let sql = "UPDATE source SET bytes = ?2, seen = ?3, stored = ?4, duplicate = ?5, rejected = ?6 WHERE id = ?1";
        let SourceCounts { bytes, seen, stored, duplicate, rejected } = *counts;
        let [bytes, seen, stored, duplicate, rejected] =
            [bytes, seen, stored, duplicate, rejected].map(u64::cast_signed);
        let archive = self.archive();
        let changed = archive.db.execute(sql, params![source, bytes, seen, stored, duplicate, rejected]);
        changed.map(|_| ()).map_err(|error| archive.error(error))
    }
}

impl Archive {
    /// Where a game came from; `None` if the archive does not say.
    ///
    /// # Errors
    /// SQLite's.
    pub fn origin(&self, id: GameId) -> Result<Option<Origin>, ArchiveError> {
        let sql = "SELECT source.name, span.number + ?1 - span.first_game
                   FROM span JOIN source ON source.id = span.source
                   WHERE span.first_game <= ?1 ORDER BY span.first_game DESC LIMIT 1";
        let origin = self.db.query_row(sql, [id], |row| {
            Ok(Origin { source: row.get(0)?, number: row.get::<_, i64>(1)?.cast_unsigned() })
        });
        origin.optional().map_err(|error| self.error(error))
    }
}
