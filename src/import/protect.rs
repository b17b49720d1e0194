//! Checks that an import does not overwrite its own files: the archive cannot be a source, and the file of rejected
//! games can be neither.

use std::path::{Path, PathBuf};

use super::ImportError;
use crate::{
    files::{FileError, Protected},
    sources::{Source, SourceError, find_sources},
};

/// Adds the files that [`read_games`](super::read_games) would read under some paths to the protected files.
///
/// # Errors
/// One of them does not exist.
pub fn with_sources(protected: Protected, paths: &[PathBuf]) -> Result<Protected, SourceError> {
    let sources = find_sources(paths, &[".pgn"])?;
    Ok(paths_of(&sources).into_iter().fold(protected, Protected::source))
}

/// The archive and the sources.
///
/// # Errors
/// A source is the archive, or one of the files that SQLite keeps next to it.
pub(super) fn protected(archive: &Path, sources: &[Source]) -> Result<Protected, ImportError> {
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
fn paths_of(sources: &[Source]) -> Vec<&Path> {
    let mut paths: Vec<&Path> = Vec::from_iter(sources.iter().map(|source| match source {
        Source::Stdin => Path::new("/dev/stdin"),
        Source::File(path) | Source::Archive(path) | Source::Unreadable { path, .. } => path,
        Source::Member(member) => member.archive(),
    }));
    paths.dedup();
    paths
}
