//! The files of an archive: itself, or several that are read as one. Each of several is locked while it is queried, so
//! that different threads can query different files.

use std::{
    ops::Deref,
    sync::{MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::Part;
use crate::archive::{Archive, ArchiveError, BusyTimeout};
use plybook_record::{GameId, StoredMoves};

/// One of the files of an archive.
#[derive(Clone, Copy, Debug)]
pub enum ArchiveFile<'a> {
    /// It is the archive.
    Alone(&'a Archive),
    /// It is one of several that are read as one.
    Part(&'a Part),
}

/// A file locked for a query. Keep it only briefly: other threads may be waiting for it, and a thread that locks it
/// twice deadlocks.
pub enum RequestedFile<'a> {
    Alone(&'a Archive),
    Part(MutexGuard<'a, Archive>),
}

impl Deref for RequestedFile<'_> {
    type Target = Archive;

    fn deref(&self) -> &Archive {
        match self {
            RequestedFile::Alone(archive) => archive,
            RequestedFile::Part(archive) => archive,
        }
    }
}

impl<'a> ArchiveFile<'a> {
    /// Locks the file for a query.
    pub fn lock(self) -> RequestedFile<'a> {
        match self {
            ArchiveFile::Alone(archive) => RequestedFile::Alone(archive),
            ArchiveFile::Part(part) => {
                RequestedFile::Part(part.archive.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// Its index among the files.
    pub fn number(self) -> u32 {
        match self {
            ArchiveFile::Alone(_) => 0,
            ArchiveFile::Part(part) => part.number,
        }
    }

    /// The number of ids of the files before it.
    pub fn before(self) -> GameId {
        match self {
            ArchiveFile::Alone(_) => 0,
            ArchiveFile::Part(part) => part.before,
        }
    }

    /// The moves of a game of chess by its id across all files; `None` if there is no such game.
    pub fn moves_of(self, id: GameId) -> Result<Option<StoredMoves>, ArchiveError> {
        match self {
            ArchiveFile::Alone(archive) => archive.moves_of(id),
            ArchiveFile::Part(part) => {
                let moves = part.lock().moves_of(id - part.before).map_err(|error| error.of_part(part))?;
                Ok(moves.map(|moves| StoredMoves { id, ..moves }))
            }
        }
    }
}

impl Part {
    /// Locks the archive for a query.
    pub fn lock(&self) -> RequestedFile<'_> {
        ArchiveFile::Part(self).lock()
    }
}

/// The files of an archive.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    pub(super) archive: &'a Archive,
}

impl Archive {
    /// The files that are read as this archive; itself if it is one.
    pub fn files(&self) -> Files<'_> {
        Files { archive: self }
    }
}

impl<'a> Files<'a> {
    /// The files that are read as this archive; itself if it is one.
    pub fn all(self) -> impl Iterator<Item = ArchiveFile<'a>> {
        let own = if self.archive.is_one() { Some(ArchiveFile::Alone(self.archive)) } else { None };
        own.into_iter().chain(self.parts().iter().map(ArchiveFile::Part))
    }

    /// The same, each locked for a query.
    pub(in crate::archive) fn each(self) -> impl Iterator<Item = RequestedFile<'a>> {
        self.all().map(ArchiveFile::lock)
    }

    /// Queries each of the files, on all cores if there are several. The answers are in the order of the files.
    pub fn ask<T: Send>(
        self,
        ask: impl Fn(ArchiveFile<'a>) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.ask_about(vec![(); self.all().count()], |file, ()| ask(file))
    }

    /// The same, with an argument for each file.
    pub fn ask_about<A: Send, T: Send>(
        self,
        about: Vec<A>,
        ask: impl Fn(ArchiveFile<'a>, A) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        if self.archive.is_one() {
            return about.into_iter().map(|about| ask(ArchiveFile::Alone(self.archive), about)).collect();
        }
        let parts = self.parts().iter().zip(about).collect();
        on_all_cores(parts, |(part, about)| ask(ArchiveFile::Part(part), about))
    }
}

/// Runs a function for each of some files. Other programs are waited for with the timeout of the calling thread.
pub(super) fn on_all_cores<F: Send, T: Send>(
    files: Vec<F>,
    ask: impl Fn(F) -> Result<T, ArchiveError> + Sync,
) -> Result<Vec<T>, ArchiveError> {
    let busy_timeout = BusyTimeout::of_thread();
    let asked = files.into_par_iter().map(|file| {
        let _the_same = busy_timeout.clone().in_force();
        ask(file)
    });
    // The error of the first file, whichever thread was faster.
    asked.collect::<Vec<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn all_files_use_the_timeout_of_the_calling_thread() {
        let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
        let longest = on_all_cores(vec![(); 8], |()| Ok(BusyTimeout::of_thread().longest));
        assert_eq!(longest.unwrap(), [Duration::ZERO; 8]);
    }
}
