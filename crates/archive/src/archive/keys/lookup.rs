//! Looking up fingerprints in an archive that does not change, such as a part of a collection.

use std::path::Path;

use super::{KeyKind, runs, runs::Run};
use crate::archive::{Archive, ArchiveError};

/// The fingerprints of an archive that does not change.
#[derive(Debug)]
pub struct FingerprintLookup {
    archive: Archive,
    runs: Vec<Run>,
}

impl FingerprintLookup {
    /// Opens an archive to look up fingerprints.
    ///
    /// # Errors
    /// It cannot be opened, or its keys are damaged.
    pub fn open(path: &Path) -> Result<FingerprintLookup, ArchiveError> {
        let archive = Archive::open(path)?;
        let runs = archive.db.attempt(|db| {
            let runs = runs::load(db)?.into_iter();
            runs.filter(|run| run.kind == KeyKind::Fingerprints).map(|run| run.with_firsts(db)).collect()
        })?;
        Ok(FingerprintLookup { archive, runs })
    }

    /// Whether the archive has a game with this fingerprint.
    ///
    /// # Errors
    /// The keys are damaged.
    pub fn has(&self, fingerprint: u64) -> Result<bool, ArchiveError> {
        for run in &self.runs {
            let found = run.between(&self.archive.db, fingerprint, fingerprint);
            if !found.map_err(|error| self.archive.db.error(error))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
