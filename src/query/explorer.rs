//! A handle over an archive that is opened once and asked often, from several threads.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::PositionIndex;
use crate::archive::{Archive, ArchiveError};

/// An archive and what is known of its index. Each question takes a connection of its own, which is kept for later
/// ones; games that another program adds are seen by the next question.
#[derive(Debug)]
pub struct Explorer {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    index: Mutex<Arc<PositionIndex>>,
}

/// A connection, and the index as it was when it was last used.
#[derive(Debug)]
struct Connection {
    archive: Archive,
    /// SQLite's number that changes when another connection has written.
    version: i64,
    index: Arc<PositionIndex>,
}

impl Explorer {
    /// Opens an archive.
    ///
    /// # Errors
    /// As [`Archive::open`], or its index is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Explorer, ArchiveError> {
        let explorer =
            Explorer { path: path.as_ref().to_owned(), idle: Mutex::default(), index: Mutex::default() };
        explorer.ask(|_, _| Ok(()))?;
        Ok(explorer)
    }

    /// Asks with a connection and the index, as they are at one moment: whatever is written meanwhile is not seen.
    ///
    /// # Errors
    /// SQLite's, or those of `ask`.
    pub fn ask<T>(
        &self,
        ask: impl FnOnce(&Archive, &PositionIndex) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let known = lock(&self.idle).pop();
        let mut connection = match known {
            Some(connection) => connection,
            None => Connection { archive: Archive::open(&self.path)?, version: -1, index: Arc::default() },
        };
        connection.archive.begin_reading()?;
        let answer = self.renew(&mut connection).and_then(|()| ask(&connection.archive, &connection.index));
        connection.archive.end_reading()?;
        lock(&self.idle).push(connection);
        answer
    }

    /// Brings what is known of the index up to date.
    fn renew(&self, connection: &mut Connection) -> Result<(), ArchiveError> {
        let version = connection.archive.data_version()?;
        if std::mem::replace(&mut connection.version, version) != version {
            let known = Arc::clone(&lock(&self.index));
            connection.index = Arc::new(known.renewed(&connection.archive)?);
            *lock(&self.index) = Arc::clone(&connection.index);
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
