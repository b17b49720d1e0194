//! Several archives read as one: their games come one archive after the other, each with the number that it would have
//! if they had been imported so. Reading dispatches here; nothing is written through this.

mod file;
mod names;
mod of_part;
mod pages;
mod paths;
mod sql;

use std::{ops::RangeInclusive, sync::Mutex};

use rusqlite::Connection;

pub use self::file::ArchiveFile;
pub use self::paths::ArchivePaths;
use self::{
    file::{Files, on_all_cores},
    names::NamesOfParts,
};
pub(super) use self::{of_part::OfPart, pages::PagesOfParts};
use super::{Archive, ArchiveError, Filter, GameSet, bounded::Bounded};
use plybook_record::GameId;

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
    /// Its place among them.
    pub number: u32,
    /// The number of ids of those before it: what its own ids are moved by.
    pub before: GameId,
    /// Its last own id when it was opened. Games that are added later would have the ids of others.
    pub last: GameId,
}

impl Archive {
    /// Opens several archives to be read as one. Their games have the ids that follow those of the archives before; names
    /// that are the same are one. One archive alone is opened as it is. What writes, proves or copies a file wants one.
    ///
    /// # Errors
    /// As [`open`](Archive::open).
    pub fn open_several(paths: &ArchivePaths) -> Result<Archive, ArchiveError> {
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

    /// Whether it is one file.
    pub fn is_one(&self) -> bool {
        self.parts.is_none()
    }
}

impl<'a> Files<'a> {
    /// The archives that are read as this one, which is several; none if it is one.
    pub(super) fn parts(self) -> &'a [Part] {
        self.archive.parts.as_ref().map_or(&[], |parts| &parts.parts)
    }

    /// The part with a game, and its id there, if this is several archives.
    pub(super) fn part_with(self, id: GameId) -> Option<(&'a Part, GameId)> {
        let after = self.parts().partition_point(|part| part.before < id);
        let part = self.parts().get(after.checked_sub(1)?)?;
        Some((part, id - part.before)).filter(|(part, id)| *id <= part.last)
    }

    /// What single game is asked for, of the archive that has it.
    pub(super) fn ask_part_with<T: OfPart>(
        self,
        id: GameId,
        ask: impl FnOnce(&Archive, GameId) -> Result<T, ArchiveError>,
    ) -> Option<Result<T, ArchiveError>> {
        let (part, own) = self.part_with(id)?;
        let asked = ask(&part.lock(), own);
        Some(asked.of_part(self.archive, part).flatten())
    }
}

impl Part {
    /// A filter with the ids that games have in this part; `None` if it asks for none of them.
    fn filter(&self, filter: &Filter) -> Result<Option<Filter>, ArchiveError> {
        let all = (self.before + 1, self.before + self.last);
        let Some(Filter { ids, among, .. }) = filter.within(all) else { return Ok(None) };
        let (first, last) = ids.map_or(all, RangeInclusive::into_inner);
        let among = among.map(|among| {
            let inside = &among.ids()[among.ids().partition_point(|id| *id < first)..];
            inside.iter().take_while(|id| **id <= last).map(|id| id - self.before).collect::<GameSet>()
        });
        if among.as_ref().is_some_and(GameSet::is_empty) {
            return Ok(None);
        }
        // A condition on ids that all meet would only take time.
        let is_all = (first, last) == all && self.lock().last_id()? == self.last;
        let ids = (!is_all).then(|| first - self.before..=last - self.before);
        Ok(Some(Filter { ids, among, ..filter.clone() }))
    }
}
