//! The checks before anything in an archive is trusted. Each check is in the file of its subject.

use super::Archive;

/// The checks of an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks<'a> {
    pub archive: &'a Archive,
}

impl Archive {
    /// Its checks.
    pub(super) fn checks(&self) -> Checks<'_> {
        Checks { archive: self }
    }
}
