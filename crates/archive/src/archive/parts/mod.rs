//! Several archives read as one: their games come one archive after the other, with consecutive numbers. Reading
//! dispatches here; writing is not supported.

mod collection;
mod names;
mod pages;
mod part_view;
mod paths;
mod sql;

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{iter::Either, prelude::*};
use rusqlite::Connection;

use self::names::NamesOfParts;
pub use self::{
    collection::{CATALOGUE, check_is_not_in_parts, number_of_part, part_name, unfinished_part_name},
    paths::ArchivePaths,
};
pub(super) use self::{pages::PagesOfParts, part_view::PartView};
use super::{Archive, ArchiveError, BusyTimeout, Filter, GameSet, Result, bounded::Bounded};
use plybook_record::{GameId, StoredMoves};

/// The archives that are read as one.
#[derive(Debug)]
pub(super) struct Parts {
    parts: Vec<Part>,
    names: NamesOfParts,
}

/// One of several archives that are read as one.
#[derive(Debug)]
pub struct Part {
    archive: Mutex<Archive>,
    /// Its index among them.
    pub number: u32,
    /// The number of ids of those before it, which is added to its own ids.
    pub before: GameId,
    /// Its last own id when it was opened. Games added later would clash with ids of the next archive.
    pub last: GameId,
}

impl Archive {
    /// Opens several archives to be read as one. Their games are numbered consecutively across archives, and equal
    /// names are identified. A single archive is opened as usual. Writing, verifying and copying need a single archive.
    ///
    /// # Errors
    /// The same as [`open`](Archive::open).
    pub fn open_several(paths: &ArchivePaths) -> Result<Archive> {
        if let [path] = paths.files() {
            return Archive::open(path);
        }
        let (name, mut parts, mut before) = (paths.name(), Vec::new(), 0);
        let open = |path| Archive::open(path).and_then(|archive| Ok((archive.last_id()?, archive)));
        let opened = on_all_cores(paths.files().iter().collect(), open)?;
        for (number, (last, archive)) in (0..).zip(opened) {
            parts.push(Part { archive: Mutex::new(archive), number, before, last });
            before += last;
        }
        let nothing = || Bounded::new(Connection::open_in_memory()?, name);
        let nothing = nothing().map_err(|error| ArchiveError::of_sqlite(name, error))?;
        let mut archive = Archive::of_connection(nothing);
        archive.parts = Some(Box::new(Parts { parts, names: NamesOfParts::default() }));
        Ok(archive)
    }

    /// The files that are read as this archive; itself if it is one.
    pub fn files(&self) -> Files<'_> {
        Files { archive: self }
    }

    /// Whether it is one file.
    pub fn is_one(&self) -> bool {
        self.parts.is_none()
    }
}

impl Part {
    /// Locks the archive for a query.
    pub fn lock(&self) -> RequestedFile<'_> {
        ArchiveFile::Part(self).lock()
    }

    /// A filter with the ids of this part; `None` if it excludes all of them.
    fn filter(&self, filter: &Filter) -> Result<Option<Filter>> {
        let all = self.before + 1..=self.before + self.last;
        let Some(Filter { ids, among, .. }) = filter.within(all.clone().into()) else { return Ok(None) };
        let ids = ids.unwrap_or_else(|| all.clone());
        let (first, last) = (*ids.start(), *ids.end());
        let among = among.map(|among| {
            let inside = &among.ids()[among.ids().partition_point(|id| *id < first)..];
            inside.iter().take_while(|id| **id <= last).map(|id| id - self.before).collect::<GameSet>()
        });
        if among.as_ref().is_some_and(GameSet::is_empty) {
            return Ok(None);
        }
        // A condition on ids that every game meets would only cost time.
        let is_all = ids == all && self.lock().last_id()? == self.last;
        let ids = (!is_all).then(|| first - self.before..=last - self.before);
        Ok(Some(Filter { ids, among, ..filter.clone() }))
    }
}

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
pub type RequestedFile<'a> = Either<&'a Archive, MutexGuard<'a, Archive>>;

impl<'a> ArchiveFile<'a> {
    /// Locks the file for a query.
    pub fn lock(self) -> RequestedFile<'a> {
        match self {
            ArchiveFile::Alone(archive) => Either::Left(archive),
            ArchiveFile::Part(part) => {
                Either::Right(part.archive.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    fn part(self) -> Option<&'a Part> {
        if let ArchiveFile::Part(part) = self { Some(part) } else { None }
    }

    /// Its index among the files.
    pub fn number(self) -> u32 {
        self.part().map_or(0, |part| part.number)
    }

    /// The number of ids of the files before it.
    pub fn before(self) -> GameId {
        self.part().map_or(0, |part| part.before)
    }

    /// The id across all files of a game of the file; `None` if it was added after the files were opened.
    pub(super) fn id_for_all(self, id: GameId) -> Option<GameId> {
        let last = self.part().map_or(GameId::MAX, |part| part.last);
        (id <= last).then(|| id + self.before())
    }

    /// The moves of a game of chess by its id across all files; `None` if there is no such game.
    pub fn moves_of(self, id: GameId) -> Result<Option<StoredMoves>> {
        let moves = self.lock().moves_of(id - self.before());
        let moves = moves.map_err(|error| error.of_file_after(self.before()))?;
        Ok(moves.map(|moves| StoredMoves { id, ..moves }))
    }
}

/// The files of an archive.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    archive: &'a Archive,
}

impl<'a> Files<'a> {
    /// The archives that are read as this one; none if it is a single file.
    pub(super) fn parts(self) -> &'a [Part] {
        self.archive.parts.as_ref().map_or(&[], |parts| &parts.parts)
    }

    /// The part with a game, and its id there, if this is several archives.
    pub(super) fn part_with(self, id: GameId) -> Option<(&'a Part, GameId)> {
        let after = self.parts().partition_point(|part| part.before < id);
        let part = self.parts().get(after.checked_sub(1)?)?;
        Some((part, id - part.before)).filter(|(part, id)| *id <= part.last)
    }

    /// Queries the archive that has a game.
    pub(super) fn ask_part_with<T: PartView>(
        self,
        id: GameId,
        ask: impl FnOnce(&Archive, GameId) -> Result<T>,
    ) -> Option<Result<T>> {
        let (part, own) = self.part_with(id)?;
        let asked = ask(&part.lock(), own);
        Some(asked.of_part(self.archive, part).flatten())
    }

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
    pub fn ask<T: Send>(self, ask: impl Fn(ArchiveFile<'a>) -> Result<T> + Sync) -> Result<Vec<T>> {
        self.ask_about(vec![(); self.all().count()], |file, ()| ask(file))
    }

    /// The same for queries of the connections.
    pub(in crate::archive) fn query<T: Send>(
        self,
        query: impl Fn(&Bounded) -> rusqlite::Result<T> + Sync,
    ) -> Result<Vec<T>> {
        self.ask(|file| file.lock().db.attempt(|db| query(db)))
    }

    /// The same, with an argument for each file.
    pub fn ask_about<A: Send, T: Send>(
        self,
        about: Vec<A>,
        ask: impl Fn(ArchiveFile<'a>, A) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        if self.archive.is_one() {
            return about.into_iter().map(|about| ask(ArchiveFile::Alone(self.archive), about)).collect();
        }
        let parts = self.parts().iter().zip(about).collect();
        on_all_cores(parts, |(part, about)| ask(ArchiveFile::Part(part), about))
    }
}

/// Runs a function for each of some files. Other programs are waited for with the timeout of the calling thread.
fn on_all_cores<F: Send, T: Send>(files: Vec<F>, ask: impl Fn(F) -> Result<T> + Sync) -> Result<Vec<T>> {
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
