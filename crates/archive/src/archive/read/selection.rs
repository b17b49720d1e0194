//! Choosing games without reading them.

use crate::archive::Archive;

/// What chooses games of an archive without reading them: it answers with ids.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    pub(super) archive: &'a Archive,
}

impl Archive {
    /// What chooses games by their ids alone.
    pub fn selection(&self) -> Selection<'_> {
        Selection { archive: self }
    }
}
