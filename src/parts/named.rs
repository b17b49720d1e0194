//! Resolving file and directory names to archives.

use std::path::PathBuf;

use super::{Catalogue, PartsError};
use crate::archive::ArchivePaths;

/// The archives to read as one: files, and for directories with a catalogue the parts that it lists.
///
/// # Errors
/// A catalogue cannot be read, or parts are missing.
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
