//! Files of a command that must not be overwritten. They are identified by inode instead of name, so that links to them
//! are detected.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{FileError, FileId, Role, SATELLITES, beside, file_id, real_path};

/// The files of a command that must not be overwritten.
#[derive(Clone, Debug, Default)]
pub struct Protected(Vec<Kept>);

#[derive(Clone, Debug)]
struct Kept {
    real: PathBuf,
    /// `None` if there is no regular file with this name yet, or its file system has no file ids.
    identity: Option<FileId>,
    role: Role,
}

impl Protected {
    /// An archive, and the files that SQLite keeps next to it.
    pub fn archive(mut self, path: &Path) -> Protected {
        // SQLite follows links before it names the files next to it.
        let real = real_path(path).unwrap_or_else(|_| path.to_owned());
        for end in SATELLITES {
            self.keep(beside(&real, end), Role::Archive);
        }
        self.keep(real, Role::Archive);
        self
    }

    /// A file that is read.
    pub fn source(mut self, path: &Path) -> Protected {
        self.keep(real_path(path).unwrap_or_else(|_| path.to_owned()), Role::Source);
        self
    }

    fn keep(&mut self, real: PathBuf, role: Role) {
        let identity = identity(&real);
        self.0.push(Kept { real, identity, role });
    }

    /// The role of a file, whatever name is used for it. Devices and pipes have none, because they cannot be
    /// overwritten.
    pub fn role(&self, path: &Path) -> Option<Role> {
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
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    file_id(path, &metadata)
}
