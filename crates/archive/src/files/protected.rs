//! The files of a run that are not to be written: known by what they are and not by their names, so that links
//! and other ways to them are found.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{FileError, FileId, Role, SATELLITES, beside, file_id, real_path};

/// The files of a run that must stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Protected(Vec<Kept>);

#[derive(Clone, Debug)]
struct Kept {
    real: PathBuf,
    /// Nothing where there is no regular file of this name yet, or its file system has no identities.
    identity: Option<FileId>,
    role: Role,
}

impl Protected {
    /// An archive, and what SQLite keeps beside it.
    pub fn archive(mut self, path: &Path) -> Protected {
        // SQLite follows links before it names the files beside.
        let real = real_path(path).unwrap_or_else(|_| path.to_owned());
        for end in SATELLITES {
            self.keep(beside(&real, end), Role::Archive);
        }
        self.keep(real, Role::Archive);
        self
    }

    /// Something that is read.
    pub fn source(mut self, path: &Path) -> Protected {
        self.keep(real_path(path).unwrap_or_else(|_| path.to_owned()), Role::Source);
        self
    }

    fn keep(&mut self, real: PathBuf, role: Role) {
        let identity = identity(&real);
        self.0.push(Kept { real, identity, role });
    }

    /// The role of a file, whatever name it is called by. A device or a pipe has none: nothing in it can be
    /// written over.
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

    /// Refuses to print where a shell has directed standard output into one of them.
    ///
    /// # Errors
    /// It has.
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
