//! Several archives read as one: their games come one archive after the other, with consecutive numbers. Reading
//! dispatches here; writing is not supported.

mod file;
mod names;
mod pages;
mod part_view;
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
pub(super) use self::{pages::PagesOfParts, part_view::PartView};
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
        ask: impl FnOnce(&Archive, GameId) -> Result<T, ArchiveError>,
    ) -> Option<Result<T, ArchiveError>> {
        let (part, own) = self.part_with(id)?;
        let asked = ask(&part.lock(), own);
        Some(asked.of_part(self.archive, part).flatten())
    }
}

impl Part {
    /// A filter with the ids of this part; `None` if it excludes all of them.
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
        // A condition on ids that every game meets would only cost time.
        let is_all = (first, last) == all && self.lock().last_id()? == self.last;
        let ids = (!is_all).then(|| first - self.before..=last - self.before);
        Ok(Some(Filter { ids, among, ..filter.clone() }))
    }
}
