//! The identity of a file, which all its names and all links to it share.

use std::{fs::Metadata, path::Path};

/// The device of a file, and its number there. Another file can have the same only after this one was deleted and closed.
pub type FileId = (u64, u64);

/// The identity of the file at a path, which has this metadata.
#[cfg(unix)]
pub fn file_id(_: &Path, metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// The identity of the file at a path, which has this metadata. Windows reports it only for an open file.
#[cfg(windows)]
pub fn file_id(path: &Path, _: &Metadata) -> Option<FileId> {
    use std::{fs::File, os::windows::fs::OpenOptionsExt};
    // Opened without access to its content, the file is in nobody's way, and what others do with it does not matter.
    let file = File::options().access_mode(0).open(path).ok()?;
    let found = winapi_util::file::information(&file).ok()?;
    // A file system without such numbers reports 0.
    (found.file_index() != 0).then(|| (found.volume_serial_number(), found.file_index()))
}
