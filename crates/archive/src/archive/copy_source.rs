//! An archive as a source of games for another archive.

use super::Archive;

/// The games of an archive, to be copied into another one.
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
