//! Changing the served archive: in threads that may block, one change at a time.

use std::{fs, io, ops::ControlFlow, sync::Arc, time::Duration};

use tokio::{sync::OwnedSemaphorePermit, task::spawn_blocking, time::timeout};

use super::Editing;
use crate::{
    archive::{ArchiveError, BusyTimeout, Editor},
    files::{FileId, file_id},
    limits::REQUEST_TIME,
    query::renew_index,
    web::Failure,
};

impl Editing {
    /// Makes a change, once it is its turn. `make` returns the result, and the number of games that have changed.
    pub(super) async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        make: impl FnOnce(&mut Editor) -> Result<(T, u64), Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (editing, turn) = (Arc::clone(self), self.turn().await?);
        let changed = spawn_blocking(move || {
            // Held until the change has really ended.
            let _turn = turn;
            editing.made(make)
        });
        let outcome = changed.await;
        let outcome =
            outcome.unwrap_or_else(|_| Err(Failure::Internal("an editing thread panicked".to_owned())));
        outcome.inspect_err(|failure| self.app.log_failure(failure))
    }

    /// The permit to change the archive.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let permit = timeout(REQUEST_TIME, Arc::clone(&self.changes).acquire_owned()).await;
        permit.ok().and_then(Result::ok).ok_or(Failure::Busy)
    }

    fn made<T>(&self, make: impl FnOnce(&mut Editor) -> Result<(T, u64), Failure>) -> Result<T, Failure> {
        let _patience = BusyTimeout { longest: WAIT, ..BusyTimeout::default() }.in_force();
        let file = self.checked_file()?;
        let mut editor = Editor::open(&self.path)?;
        let (result, games) = make(&mut editor)?;
        if self.file()? != file {
            let why = "the archive has been replaced by another one during the change";
            return Err(Failure::Conflict(why.to_owned()));
        }
        if games > 1 {
            renew_index(editor.archive(), |_, _| ControlFlow::Continue(()))?;
        }
        Ok(result)
    }

    /// The archive's file, if it can be changed: an older archive that has replaced it would be upgraded by that.
    pub(super) fn checked_file(&self) -> Result<Option<FileId>, Failure> {
        let file = self.file()?;
        let older = self.app.explorer.ask(|archive, _| Ok(archive.older_version()))?;
        match older {
            None => Ok(file),
            Some(version) => Err(Failure::Conflict(format!(
                "the archive has been replaced by one of the older version {version}; upgrade it with plybook migrate"
            ))),
        }
    }

    fn file(&self) -> Result<Option<FileId>, Failure> {
        let metadata = fs::metadata(&self.path)
            .map_err(|error: io::Error| Failure::from(ArchiveError::Io { path: self.path.clone(), error }))?;
        Ok(file_id(&self.path, &metadata))
    }
}

/// How long a change waits for other programs that use the archive.
const WAIT: Duration = REQUEST_TIME;
