//! What archives the names of files and folders stand for.

use std::path::PathBuf;

use super::{Catalogue, PartsError};
use crate::archive::ArchivePaths;

/// The archives that are read as one where these are named: files, and folders with a catalogue for the parts that it lists.
///
/// # Errors
/// A catalogue cannot be read, or not all of its parts are there.
pub fn archive_paths(named: &[PathBuf]) -> Result<ArchivePaths, PartsError> {
    if let [path] = named
        && !Catalogue::is_in(path)
    {
        return Ok(path.into());
    }
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for path in named {
        names.push(path.display().to_string());
        match Catalogue::is_in(path) {
            true => files.extend(Catalogue::open(path)?.paths()),
            false => files.push(path.clone()),
        }
    }
    Ok(ArchivePaths::several(names.join(" + "), files))
}
