//! The files of an archive.

use std::path::{Path, PathBuf};

/// The file of an archive, or those of several that are read as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivePaths {
    name: PathBuf,
    files: Vec<PathBuf>,
}

impl ArchivePaths {
    /// Several files, in the order of the ids of their games; `name` is the name of all together.
    pub fn several(name: impl Into<PathBuf>, files: Vec<PathBuf>) -> ArchivePaths {
        ArchivePaths { name: name.into(), files }
    }

    /// The name of the archive: its file, if it is one.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

impl<P: AsRef<Path>> From<P> for ArchivePaths {
    fn from(path: P) -> ArchivePaths {
        let path = path.as_ref();
        ArchivePaths { name: path.to_owned(), files: vec![path.to_owned()] }
    }
}
