//! Merging archives: an import of archives into a new one, which is renamed to its final name when it is complete. A
//! merge that was stopped is resumed.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Catalogue, PartsError,
    lock::Lock,
    unfinished::{Left, of_sources, publish},
};
use crate::{
    archive::Archive,
    files::{Destination, FileError, Protected, beside, remove_database},
    import::{Options, Progress, Report, import_with_progress},
    recording::IndexParts,
};

/// Appended to the name of the archive until it is complete.
const UNFINISHED: &str = ".plybook-merge";

/// Resolves inputs to archives: files, or the parts of collections in directories.
///
/// # Errors
/// A directory has no catalogue, or parts are missing.
pub fn archives_of(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, PartsError> {
    let mut archives = Vec::new();
    for input in inputs {
        match input.is_dir() {
            true => archives.extend(Catalogue::open(input)?.paths()),
            false => archives.push(input.clone()),
        }
    }
    Ok(archives)
}

/// Merges archives and collections into a new archive: see [`import_with_progress`]. It is indexed if one of them is.
///
/// # Errors
/// An input is not an archive, the new archive exists or is an input, or it cannot be written.
pub fn merge(
    inputs: &[PathBuf],
    to: &Path,
    options: &Options,
    progress: impl FnMut(&Progress),
) -> Result<Report, PartsError> {
    let archives = archives_of(inputs)?;
    let mut options = options.clone();
    for path in &archives {
        options.index |= Archive::open(path)?.segments().parts(false)? != IndexParts::default();
    }
    let protected = archives.iter().fold(Protected::default(), |all, path| all.archive(path));
    let unfinished = match Destination::of(to, &protected)? {
        Destination::New(path) => beside(&path, UNFINISHED),
        _ => return Err(FileError::Exists(to.to_owned()).into()),
    };
    if let Some(role) = protected.role(&unfinished) {
        return Err(FileError::Taken { path: unfinished, role }.into());
    }
    let lock_path = beside(&unfinished, ".lock");
    let lock = Lock::try_file(&lock_path)?.ok_or_else(|| FileError::InUse(to.to_owned()))?;
    let names: HashSet<String> = archives.iter().map(|path| path.display().to_string()).collect();
    if !matches!(of_sources(&unfinished, &names), Left::Games(_)) {
        remove_database(&unfinished);
    }
    let report = import_with_progress(&unfinished, &archives, &options, progress)?;
    let is_broken_off = report.cancelled || report.index.as_ref().is_some_and(|index| index.stopped);
    if !is_broken_off && unfinished.exists() {
        publish(&unfinished, to)?;
    }
    if !unfinished.exists() {
        let _ = fs::remove_file(&lock_path);
    }
    drop(lock);
    Ok(report)
}
