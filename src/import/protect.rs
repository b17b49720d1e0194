//! The files of an import that it must not write: its archive is no source of it, nor is the file of rejected
//! games one of both.

use std::path::{Path, PathBuf};

use super::ImportError;
use crate::{
    files::{FileError, Protected},
    sources::{Source, SourceError, find_sources},
};

/// What [`read_games`](super::read_games) would read of some paths, beside other files that must stay as they are.
///
/// # Errors
/// One of them is not there.
pub fn with_sources(protected: Protected, paths: &[PathBuf]) -> Result<Protected, SourceError> {
    let sources = find_sources(paths, &[".pgn"])?;
    let mut paths: Vec<&Path> = sources.iter().map(path_of).collect();
    paths.dedup();
    Ok(paths.into_iter().fold(protected, Protected::source))
}

/// The archive and the sources.
///
/// # Errors
/// A source is the archive, or one of the files that SQLite keeps beside it.
pub(super) fn protected(archive: &Path, sources: &[Source]) -> Result<Protected, ImportError> {
    let archive = Protected::default().archive(archive);
    let mut protected = archive.clone();
    let mut paths: Vec<&Path> = sources.iter().map(path_of).collect();
    paths.dedup();
    for path in paths {
        if let Some(role) = archive.role(path) {
            return Err(FileError::Taken { path: path.to_owned(), role }.into());
        }
        protected = protected.source(path);
    }
    Ok(protected)
}

fn path_of(source: &Source) -> &Path {
    match source {
        Source::Stdin => Path::new("/dev/stdin"),
        Source::File(path) | Source::Archive(path) | Source::Unreadable { path, .. } => path,
        Source::Member(member) => member.archive(),
    }
}
