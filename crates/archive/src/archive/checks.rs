//! What an archive is checked for before anything in it is believed. Each check stands in the file of what it is about.

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
