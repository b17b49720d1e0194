//! An import that fills one archive after another.

use std::{collections::HashMap, path::PathBuf};

use super::ImportError;
use crate::archive::KnownSource;

/// Where the games go of an import that fills one archive after another. Each is left when it has enough games, at the
/// next place from which its source could be read on.
pub trait PartSink {
    /// The archive that is to be filled next; it may have games already.
    ///
    /// # Errors
    /// It cannot be made.
    fn begin(&mut self) -> Result<PathBuf, ImportError>;

    /// How many games are enough for an archive.
    fn enough(&self) -> u64;

    /// How far sources have been read, as the archives say that were filled before.
    fn known_sources(&self) -> HashMap<String, KnownSource>;

    /// Whether another archive has a game of this fingerprint.
    ///
    /// # Errors
    /// That archive cannot be read.
    fn has(&mut self, fingerprint: u64) -> Result<bool, ImportError>;

    /// Takes over the archive that was filled. It is closed.
    ///
    /// # Errors
    /// It cannot be taken over.
    fn end(&mut self) -> Result<(), ImportError>;
}
