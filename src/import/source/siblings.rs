//! Finds the files of a database that has several. They have one name, and extensions in any letter case.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::files::folder_of;

/// The file next to another one with the same name and an extension, given in lower case; of a link also the one next to
/// its target.
pub(super) fn sibling(path: &Path, extension: &str) -> Option<PathBuf> {
    next_to(path, extension).or_else(|| {
        let target = path.is_symlink().then(|| fs::canonicalize(path))?.ok()?;
        next_to(&target, extension)
    })
}

fn next_to(path: &Path, extension: &str) -> Option<PathBuf> {
    let own = path.extension().unwrap_or_default().to_string_lossy();
    let is_upper = own.chars().any(char::is_uppercase);
    let likely = path.with_extension(if is_upper { extension.to_uppercase() } else { extension.to_owned() });
    if likely.is_file() {
        return Some(likely);
    }
    let lower = |path: &Path| Some(path.file_name()?.to_string_lossy().to_lowercase());
    let wanted = lower(&path.with_extension(extension))?;
    let entries = fs::read_dir(folder_of(path)).ok()?.filter_map(Result::ok);
    let found = entries.map(|entry| path.with_file_name(entry.file_name()));
    found.filter(|path| lower(path).as_ref() == Some(&wanted) && path.is_file()).min()
}

/// The extension of a file in lower case.
pub(super) fn extension_of(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
