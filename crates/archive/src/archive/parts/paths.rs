//! The files of an archive.

use std::{
    fmt::{self, Debug},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::archive::Result;

/// The file of an archive, or those of several that are read as one.
#[derive(Clone, Debug)]
pub struct ArchivePaths {
    name: PathBuf,
    files: Vec<PathBuf>,
    list: Option<List>,
}

/// Where the files are listed.
#[derive(Clone)]
struct List {
    files: Vec<PathBuf>,
    read: Arc<dyn Fn() -> Result<ArchivePaths> + Send + Sync>,
}

impl ArchivePaths {
    /// Several files, in the order of the ids of their games; `name` is the name of all together.
    pub fn several(name: impl Into<PathBuf>, files: Vec<PathBuf>) -> ArchivePaths {
        ArchivePaths { name: name.into(), files, list: None }
    }

    /// The same, for files that are listed in others: `read` reads these again.
    #[must_use]
    pub fn listed_in(
        self,
        files: Vec<PathBuf>,
        read: impl Fn() -> Result<ArchivePaths> + Send + Sync + 'static,
    ) -> ArchivePaths {
        ArchivePaths { list: Some(List { files, read: Arc::new(read) }), ..self }
    }

    /// The name of the archive: its file, if it is one.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The files that list them; none if their list cannot change.
    pub fn lists(&self) -> &[PathBuf] {
        self.list.as_ref().map_or(&[], |list| &list.files)
    }

    /// The same archive with the files that are listed now.
    ///
    /// # Errors
    /// A list cannot be read.
    pub fn listed_now(&self) -> Result<ArchivePaths> {
        let Some(list) = &self.list else { return Ok(self.clone()) };
        Ok(ArchivePaths { list: Some(list.clone()), ..(list.read)()? })
    }
}

impl<P: AsRef<Path>> From<P> for ArchivePaths {
    fn from(path: P) -> ArchivePaths {
        let path = path.as_ref();
        ArchivePaths { name: path.to_owned(), files: vec![path.to_owned()], list: None }
    }
}

impl Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.fmt(f)
    }
}
