//! Resolving file and directory names to archives.

use std::path::PathBuf;

use super::{Catalogue, PartsError};
use crate::archive::{ArchiveError, ArchivePaths};

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
    let named: Vec<(PathBuf, bool)> =
        named.iter().map(|path| (path.clone(), Catalogue::is_in(path))).collect();
    let paths = resolved(&named, |dir| Catalogue::open(dir))?;
    let dirs = named.iter().filter(|(_, is_dir)| *is_dir);
    let lists: Vec<PathBuf> = dirs.map(|(dir, _)| Catalogue::path_in(dir)).collect();
    if lists.is_empty() {
        return Ok(paths);
    }
    // Sizes are checked at the start only: a part may have been changed since, and be listed again later.
    let read = move || {
        let listed =
            |dir: &PathBuf| Catalogue::read(dir)?.ok_or_else(|| PartsError::NoCatalogue(dir.clone()));
        resolved(&named, listed).map_err(|error| match error {
            PartsError::Archive(error) => error,
            other => ArchiveError::List(Box::new(other)),
        })
    };
    Ok(paths.listed_in(lists, read))
}

/// The files, and the parts in the catalogues of directories.
fn resolved(
    named: &[(PathBuf, bool)],
    catalogue: impl Fn(&PathBuf) -> Result<Catalogue, PartsError>,
) -> Result<ArchivePaths, PartsError> {
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for (path, is_dir) in named {
        names.push(path.display().to_string());
        match is_dir {
            true => files.extend(catalogue(path)?.paths()),
            false => files.push(path.clone()),
        }
    }
    Ok(ArchivePaths::several(names.join(" + "), files))
}
