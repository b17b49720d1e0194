//! An import that fills one archive after another.

use std::{collections::HashMap, path::PathBuf};

use super::ImportError;
use crate::archive::{KnownSource, SourceState};

/// Provides the archives for an import that fills one after another. An archive is closed when it has enough games, at
/// the next position from which its source can be resumed.
pub trait PartSink {
    /// The next archive to fill; it may already contain games.
    ///
    /// # Errors
    /// It cannot be created.
    fn begin(&mut self) -> Result<PathBuf, ImportError>;

    /// The number of games after which an archive is full.
    fn enough(&self) -> u64;

    /// How far sources have been read according to the earlier archives.
    fn known_sources(&self) -> HashMap<String, KnownSource>;

    /// Whether another archive has a game with this fingerprint.
    ///
    /// # Errors
    /// That archive cannot be read.
    fn has(&mut self, fingerprint: u64) -> Result<bool, ImportError>;

    /// Takes over the archive that was filled; it has been closed.
    ///
    /// # Errors
    /// It cannot be taken over.
    fn end(&mut self) -> Result<(), ImportError>;

    /// Takes games of a source out of the archives that have been taken over: those after the confirmed ones. Returns
    /// how many games were removed.
    ///
    /// # Errors
    /// An archive cannot be read or written.
    fn take_back(&mut self, source: &str, confirmed: &SourceState) -> Result<u64, ImportError>;

    /// Bytes and games of the archives that were filled and taken over.
    ///
    /// # Errors
    /// They cannot be determined.
    fn filled(&self) -> Result<(u64, u64), ImportError>;
}
