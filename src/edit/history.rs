//! What happened to an archive: its changes and imports.

use super::ADDED;
use crate::archive::{Archive, ArchiveError, ImportedSource, LoggedChange};

/// A change or an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryEntry {
    /// A change.
    Change(LoggedChange),
    /// The import of a source.
    Import(ImportedSource),
}

impl HistoryEntry {
    /// When it happened: UTC, ISO 8601. Of an import, when it started.
    pub fn made(&self) -> &str {
        match self {
            HistoryEntry::Change(change) => &change.made,
            HistoryEntry::Import(source) => &source.imported,
        }
    }
}

/// The changes and imports of an archive, in the order in which they were made.
pub fn history(archive: &Archive) -> Result<Vec<HistoryEntry>, ArchiveError> {
    let imports = archive.imported_sources()?.into_iter().filter(|source| source.name != ADDED);
    let changes = archive.changes()?.into_iter().map(HistoryEntry::Change);
    let mut entries = Vec::from_iter(imports.map(HistoryEntry::Import).chain(changes));
    entries.sort_by(|one, other| one.made().cmp(other.made()));
    Ok(entries)
}
