//! Files that are written: a new one appears under its name only when it is whole, and none takes the place of
//! an archive, of a source of the same run, or of anything that nobody said may be replaced.

mod destination;
mod error;
mod file_id;
mod output;
mod output_folder;
mod protected;
mod role;
mod temporary;
mod unfinished;

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

pub use destination::Destination;
pub use error::FileError;
pub use file_id::{FileId, file_id};
pub use output::{Output, is_stdout};
pub use output_folder::OutputFolder;
pub use protected::Protected;
pub use role::Role;
pub use temporary::TemporaryFolder;
pub use unfinished::UnfinishedFile;

/// What the files that SQLite keeps beside a database add to its name. Put beside another database, they would
/// be taken for its own.
pub const SATELLITES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Removes every unfinished file and temporary folder of a process that is about to end, and the folders that it has made
/// and put nothing in. None can be begun or kept any more: whoever tries waits for the end.
pub fn discard_unfinished() {
    unfinished::discard_all();
    output_folder::remove_empty_folders();
}

/// A file's name with something added to it.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a new name durable. Only some systems can; the others need not.
pub fn save_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// Where a file is, or would be: links are followed, also those that lead to nothing yet.
fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    /// As many links behind each other as Linux follows.
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
