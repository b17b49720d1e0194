//! The files of an archive: itself, or the several that are read as one. Each of several is locked while it is asked, so
//! that different threads may ask different ones.

use std::{
    ops::Deref,
    sync::{MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::Part;
use crate::{
    archive::{Archive, ArchiveError},
    record::{GameId, StoredMoves},
};

/// One of the files of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArchiveFile<'a> {
    /// It is the archive.
    Alone(&'a Archive),
    /// It is one of several that are read as one.
    Part(&'a Part),
}

/// A file that is asked. Not for long: another thread may wait for it, and whoever asks it again while it is asked waits
/// for ever.
pub(crate) enum AskedFile<'a> {
    Alone(&'a Archive),
    Part(MutexGuard<'a, Archive>),
}

impl Deref for AskedFile<'_> {
    type Target = Archive;

    fn deref(&self) -> &Archive {
        match self {
            AskedFile::Alone(archive) => archive,
            AskedFile::Part(archive) => archive,
        }
    }
}

impl<'a> ArchiveFile<'a> {
    /// The file, to be asked.
    pub fn lock(self) -> AskedFile<'a> {
        match self {
            ArchiveFile::Alone(archive) => AskedFile::Alone(archive),
            ArchiveFile::Part(part) => {
                AskedFile::Part(part.archive.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// Its place among the files.
    pub fn number(self) -> u32 {
        match self {
            ArchiveFile::Alone(_) => 0,
            ArchiveFile::Part(part) => part.number,
        }
    }

    /// The moves of a game of chess by the id that it has for all files; `None` if there is no such game.
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
    /// The archive, to be asked.
    pub fn lock(&self) -> AskedFile<'_> {
        ArchiveFile::Part(self).lock()
    }
}

impl Archive {
    /// The files that are read as this archive; itself if it is one.
    pub(crate) fn files(&self) -> impl Iterator<Item = ArchiveFile<'_>> {
        let own = if self.is_one() { Some(ArchiveFile::Alone(self)) } else { None };
        own.into_iter().chain(self.parts().iter().map(ArchiveFile::Part))
    }

    /// The same, each to be asked.
    pub(in crate::archive) fn each_part(&self) -> impl Iterator<Item = AskedFile<'_>> {
        self.files().map(ArchiveFile::lock)
    }

    /// Asks each of the files, on all cores if there are several. The answers are in the order of the files.
    pub(crate) fn ask_files<'a, T: Send>(
        &'a self,
        ask: impl Fn(ArchiveFile<'a>) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.ask_files_about(vec![(); self.files().count()], |file, ()| ask(file))
    }

    /// The same, each about something else.
    pub(crate) fn ask_files_about<'a, A: Send, T: Send>(
        &'a self,
        about: Vec<A>,
        ask: impl Fn(ArchiveFile<'a>, A) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        if self.is_one() {
            return about.into_iter().map(|about| ask(ArchiveFile::Alone(self), about)).collect();
        }
        let parts = self.parts().par_iter().zip(about);
        let asked = parts.map(|(part, about)| ask(ArchiveFile::Part(part), about));
        // The first error of several, whichever thread was faster.
        asked.collect::<Vec<_>>().into_iter().collect()
    }
}
