//! Checks that an import does not overwrite its own files: the archive cannot be a source, and the file of rejected
//! games can be neither.

use std::path::{Path, PathBuf};

use super::{
    ImportError,
    source::{FoundSource, find},
};
use crate::{
    files::{FileError, Protected},
    sources::SourceError,
};

/// Adds the files that [`read_games`](super::read_games) would read under some paths to the protected files.
///
/// # Errors
/// One of them does not exist.
pub fn with_sources(protected: Protected, paths: &[PathBuf]) -> Result<Protected, SourceError> {
    let sources = find(paths, false)?;
    Ok(paths_of(&sources).into_iter().fold(protected, Protected::source))
}

/// The archive and the sources.
///
/// # Errors
/// A source is the archive, or one of the files that SQLite keeps next to it.
pub(super) fn protected(archive: &Path, sources: &[FoundSource]) -> Result<Protected, ImportError> {
    let archive = Protected::default().archive(archive);
    let mut protected = archive.clone();
    for path in paths_of(sources) {
        if let Some(role) = archive.role(path) {
            return Err(FileError::Taken { path: path.to_owned(), role }.into());
        }
        protected = protected.source(path);
    }
    Ok(protected)
}

/// The files of the sources; those of one ZIP file are one.
fn paths_of(sources: &[FoundSource]) -> Vec<&Path> {
    let files = sources
        .iter()
        .flat_map(|found| [found.path()].into_iter().chain(found.siblings.iter().map(PathBuf::as_path)));
    let mut paths = Vec::from_iter(files);
    paths.dedup();
    paths
}
