//! The identity of a file, shared by all its names and links.

use std::{fs::Metadata, path::Path};

/// The device and inode number of a file. They can only be reused after the file was deleted and closed.
pub type FileId = (u64, u64);

/// The identity of the file at a path with this metadata.
#[cfg(unix)]
pub fn file_id(_: &Path, metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// The identity of the file at a path. Windows reports it only for an open file.
#[cfg(windows)]
pub fn file_id(path: &Path, _: &Metadata) -> Option<FileId> {
    use std::{fs::File, os::windows::fs::OpenOptionsExt};
    // Opened without access to its contents, so that it does not interfere with other programs.
    let file = File::options().access_mode(0).open(path).ok()?;
    let found = winapi_util::file::information(&file).ok()?;
    // File systems without file ids report 0.
    (found.file_index() != 0).then(|| (found.volume_serial_number(), found.file_index()))
}
