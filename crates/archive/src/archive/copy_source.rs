//! An archive as one whose games are copied into another one.

use super::Archive;

/// The games of an archive as they are copied into another one.
#[derive(Clone, Copy, Debug)]
pub struct CopySource<'a> {
    pub(super) archive: &'a Archive,
}

impl Archive {
    /// Its games, to be copied into another archive.
    pub fn copy_source(&self) -> CopySource<'_> {
        CopySource { archive: self }
    }
}
