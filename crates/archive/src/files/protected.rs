//! Files of a command that must not be overwritten. They are identified by inode instead of name, so that links to them
//! are detected.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use super::{FileError, SATELLITES, beside, real_path};

/// The archive, or one of the files that SQLite keeps next to it.
const ARCHIVE: &str = "the archive used by this command";

/// The files of a command that must not be overwritten.
#[derive(Clone, Debug, Default)]
pub struct Protected(Vec<Kept>);

#[derive(Clone, Debug)]
struct Kept {
    real: PathBuf,
    /// `None` if there is no regular file with this name yet, or its file system has no file ids.
    identity: Option<FileId>,
    /// What it is, for errors.
    role: &'static str,
}

impl Protected {
    /// An archive, and the files that SQLite keeps next to it.
    pub fn archive(mut self, path: &Path) -> Protected {
        // SQLite follows links before it names the files next to it.
        let real = real_path(path).unwrap_or_else(|_| path.to_owned());
        for end in SATELLITES {
            self.keep(beside(&real, end), ARCHIVE);
        }
        self.keep(real, ARCHIVE);
        self
    }

    /// A file that is read.
    pub fn source(mut self, path: &Path) -> Protected {
        self.keep(real_path(path).unwrap_or_else(|_| path.to_owned()), "a source read by this command");
        self
    }

    fn keep(&mut self, real: PathBuf, role: &'static str) {
        let identity = identity(&real);
        self.0.push(Kept { real, identity, role });
    }

    /// What a file is in the command, whatever name is used for it. Devices and pipes have none, because they cannot be
    /// overwritten.
    pub fn role(&self, path: &Path) -> Option<&'static str> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        let (identity, real) = (identity(path), real_path(path).ok());
        let is_same = |kept: &Kept| {
            kept.identity.is_some() && kept.identity == identity || Some(&kept.real) == real.as_ref()
        };
        self.0.iter().find(|kept| is_same(kept)).map(|kept| kept.role)
    }

    /// Refuses to print if the shell has redirected standard output to one of them.
    ///
    /// # Errors
    /// It was.
    pub fn check_stdout(&self) -> Result<(), FileError> {
        let path = Path::new("/dev/stdout");
        match self.role(path) {
            Some(role) => Err(FileError::Taken { path: path.to_owned(), role }),
            None => Ok(()),
        }
    }
}

/// The identity of a regular file.
fn identity(path: &Path) -> Option<FileId> {
    let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
    file_id(path, &metadata)
}

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
