//! Selecting games without reading them.

use crate::archive::Archive;

/// Selects games of an archive without reading them; returns ids.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    pub(super) archive: &'a Archive,
}

impl Archive {
    /// Selects games by their ids alone.
    pub fn selection(&self) -> Selection<'_> {
        Selection { archive: self }
    }
}
