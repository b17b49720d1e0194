//! The files of an archive that is queried for a long time: a directory of parts may list others meanwhile.

use std::sync::{Arc, PoisonError, RwLock};

use super::watch::{Stamp, stamp};
use crate::archive::{ArchiveError, ArchivePaths};

/// The files of an archive.
#[derive(Debug)]
pub(super) struct Followed(RwLock<ListedPaths>);

/// The files, and their list when it was read.
#[derive(Debug)]
struct ListedPaths {
    paths: Arc<ArchivePaths>,
    list: Option<Stamp>,
}

impl Followed {
    pub(super) fn new(paths: ArchivePaths) -> Followed {
        Followed(RwLock::new(ListedPaths { paths: Arc::new(paths), list: None }))
    }

    /// The files that are listed now.
    pub(super) fn now(&self) -> Result<Arc<ArchivePaths>, ArchiveError> {
        let paths = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let lists = known.paths.lists();
            if lists.is_empty() || known.list.is_some() && known.list == stamp(lists) {
                return Ok(Arc::clone(&known.paths));
            }
            Arc::clone(&known.paths)
        };
        // A list that is replaced while it is read has another stamp than this one.
        let list = stamp(paths.lists());
        let paths = Arc::new(paths.listed_now()?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) =
            ListedPaths { paths: Arc::clone(&paths), list };
        Ok(paths)
    }
}
