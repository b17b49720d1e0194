//! The sources of an archive, in the order of their first import.

use serde::Serialize;

use crate::archive::{Archive, ArchiveError, SourceCounts};

/// A source that games were imported from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedSource {
    /// Its path as given, or `-` for standard input.
    pub name: String,
    /// When its import started: UTC, ISO 8601.
    pub imported: String,
    /// Whether it has been read completely.
    pub ended: bool,
    /// The number of its games.
    #[serde(flatten)]
    pub counts: SourceCounts,
}

/// The sources of the games of an archive.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    pub(in crate::archive) archive: &'a Archive,
}

impl Archive {
    /// The sources of its games.
    pub fn sources(&self) -> Sources<'_> {
        Sources { archive: self }
    }
}

impl Sources<'_> {
    /// The sources of the games.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn imported(self) -> Result<Vec<ImportedSource>, ArchiveError> {
        let sources = self
            .archive
            .files()
            .each()
            .map(|archive| archive.sources().of_file())
            .collect::<Result<Vec<_>, _>>()?;
        Ok(sources.into_iter().flatten().collect())
    }

    fn of_file(self) -> Result<Vec<ImportedSource>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<ImportedSource>> {
            let sql =
                "SELECT name, imported, ended, seen, stored, duplicate, rejected FROM source ORDER BY id";
            let mut statement = self.archive.db.prepare(sql)?;
            let count = |row: &rusqlite::Row<'_>, column| row.get(column).map(i64::cast_unsigned);
            let source = |row: &rusqlite::Row<'_>| {
                Ok(ImportedSource {
                    name: row.get(0)?,
                    imported: row.get(1)?,
                    ended: row.get(2)?,
                    counts: SourceCounts {
                        seen: count(row, 3)?,
                        stored: count(row, 4)?,
                        duplicate: count(row, 5)?,
                        rejected: count(row, 6)?,
                    },
                })
            };
            statement.query_map([], source)?.collect()
        };
        read().map_err(|error| self.archive.db.error(error))
    }
}
