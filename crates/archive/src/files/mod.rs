//! Output files: a new file is renamed to its final name when it is complete. Archives, sources of the same command,
//! and anything that may not be replaced are never overwritten.

mod atomic_file;
mod destination;
mod error;
mod folders;
mod output;
mod protected;

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

pub use atomic_file::AtomicFile;
pub use destination::Destination;
pub use error::FileError;
pub use folders::{OutputFolder, TemporaryFolder};
pub use output::{Output, is_stdout};
pub use protected::{FileId, Protected, file_id};

/// Suffixes of the files that SQLite keeps next to a database. Next to another database, SQLite would take them for its
/// own.
pub const SATELLITES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Removes all temporary files and directories of this process before it exits, and the empty directories that it
/// created. None can be created or kept afterwards: such calls block until the process ends.
pub fn discard_unfinished() {
    atomic_file::discard_all();
    folders::remove_empty_folders();
}

/// A file name with a suffix.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// The directory of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the directory of a new file. Only some systems support it; the others do not need it.
pub fn save_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// The real path of a file, following links even if the target does not exist.
fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    /// As many links as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            found => return found,
        }
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    let name = path.file_name().ok_or(std::io::ErrorKind::NotFound)?;
    Ok(folder_of(&path).canonicalize()?.join(name))
}
