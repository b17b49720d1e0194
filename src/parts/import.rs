//! Importing into parts: one archive after another is filled, and listed when it has enough games. Several programs can
//! import into the same directory, each with its own sources. Duplicates of parts that were listed before a program
//! begins a part are skipped while it is filled. Parts that others list in the meantime are checked when it is full,
//! and the part is then copied without duplicates.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use super::{
    Catalogue, PartsError,
    known::KnownGames,
    lock::Lock,
    unfinished::{Unfinished, index},
};
use crate::{
    archive::{
        Archive, ArchiveError, CopyRange, KnownSource, PATIENCE, SourceCounts, SourceState, part_name,
        unfinished_part_name,
    },
    files::{beside, remove_database},
    import::{ImportError, Options, PartSink, Progress, Report, go_on, import_into_sink, source_names},
    record::GameId,
    recording::IndexParts,
};

/// Appended to the name of the copy that replaces an unfinished part.
pub(super) const COPY: &str = ".copy";

/// The result of an import into parts.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct PartsReport {
    /// What happened to the games of the sources. Its archive sizes cover all parts that were filled.
    #[serde(flatten)]
    pub import: Report,
    /// The numbers of the parts that were listed.
    pub parts: Vec<u32>,
    /// Games that were stored but omitted when their part was listed, because another program had listed a part with
    /// them.
    pub left_out: u64,
    /// The unfinished part that this import continued, and the games that it had.
    pub continued: Option<(PathBuf, u64)>,
    /// Unfinished parts of other sources.
    pub unfinished: Vec<PathBuf>,
    /// The numbers of the parts with games of damaged sources that no checksum has confirmed, and that could not be
    /// removed, because later parts have other games.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unconfirmed_parts: BTreeSet<u32>,
}

/// Fills one part after another.
pub(super) struct Maker<'a> {
    pub(super) dir: &'a Path,
    games: u64,
    pub(super) options: &'a Options,
    sources: HashSet<String>,
    pub(super) known: KnownGames,
    known_sources: HashMap<String, KnownSource>,
    current: Option<Unfinished>,
    pub(super) report: PartsReport,
}

/// Imports into parts of about this many games, in a directory that is created if it does not exist.
///
/// # Errors
/// The same as [`import_paths`](crate::import::import_paths); also if the collection is damaged or cannot be written.
pub fn import_into_parts(
    dir: &Path,
    games: u64,
    paths: &[PathBuf],
    options: &Options,
    progress: impl FnMut(&Progress),
) -> Result<PartsReport, PartsError> {
    fs::create_dir_all(dir).map_err(|error| PartsError::of_folder(dir, error))?;
    let mut maker = Maker {
        dir,
        games: games.max(1),
        options,
        sources: source_names(paths)?,
        known: KnownGames::default(),
        known_sources: HashMap::new(),
        current: None,
        report: PartsReport::default(),
    };
    let report = import_into_sink(&mut maker, paths, options, progress)?;
    Ok(PartsReport { import: report, ..maker.report })
}

impl Maker<'_> {
    pub(super) fn lock(&self) -> Result<Lock, PartsError> {
        Lock::take(self.dir, self.options.busy_timeout.unwrap_or(PATIENCE), &self.options.cancel)
    }

    /// A program that was killed may have renamed a part without listing it; the part is then renamed back to
    /// unfinished.
    pub(super) fn rename_unlisted(&self, catalogue: &Catalogue) -> Result<(), PartsError> {
        let path = self.dir.join(part_name(catalogue.next_number()));
        if !path.exists() {
            return Ok(());
        }
        fs::rename(&path, self.free_name()).map_err(|error| PartsError::io(&path, error))
    }

    /// An unused name for an unfinished part.
    pub(super) fn free_name(&self) -> PathBuf {
        let mut number = 1;
        loop {
            let path = self.dir.join(unfinished_part_name(number));
            if !path.exists() && !path.with_extension("lock").exists() {
                return path;
            }
            number += 1;
        }
    }

    /// Loads the parts that have been listed since, and how far they have read their sources. Returns the number of the
    /// last part that was known before.
    pub(super) fn learn(&mut self, catalogue: &Catalogue) -> Result<u32, PartsError> {
        let last = self.known.follow(catalogue)?;
        for part in catalogue.parts.iter().filter(|part| part.number > last) {
            let sources = Archive::open(catalogue.path_of(part))?.known_sources()?;
            for (name, KnownSource { state, .. }) in sources {
                let SourceCounts { seen, stored, duplicate, rejected } = state.counts;
                // Games of other parts are not added to this one.
                let counts = SourceCounts { seen, stored: 0, duplicate: duplicate + stored, rejected };
                self.known_sources
                    .insert(name, KnownSource { id: 0, state: SourceState { counts, ..state } });
            }
        }
        Ok(last)
    }

    /// Copies a part without the games of parts listed after a number, and without traces of games that came from
    /// damaged data and were removed. Returns how many games are left, and whether the part was copied.
    fn leave_doubles_out(&self, current: &Unfinished, since: u32) -> Result<(u64, bool), PartsError> {
        let archive = Archive::open(&current.path)?;
        let former = archive.maintenance().former()?;
        let stored = archive.maintenance().fingerprints()?;
        let former: HashSet<u64> = former.iter().map(|former| stored.cut(former.fingerprint)).collect();
        let (mut left, mut doubles) = (0, HashSet::new());
        for &fingerprint in stored.keys().iter().filter(|fingerprint| !former.contains(fingerprint)) {
            match self.known.has_one_of(&stored, fingerprint, since)? {
                true => drop(doubles.insert(fingerprint)),
                false => left += 1,
            }
        }
        if doubles.is_empty() && former.is_empty() || left == 0 {
            return Ok((left, false));
        }
        let copy = beside(&current.path, COPY);
        let kept =
            self.copy(&archive, &copy, |_, fingerprint| !doubles.contains(&stored.cut(fingerprint)))?;
        drop(archive);
        replace(&current.path, &copy)?;
        Ok((kept, true))
    }

    /// Copies some games of an archive, without traces of those that were removed. Returns how many were copied.
    pub(super) fn copy(
        &self,
        archive: &Archive,
        copy: &Path,
        keep: impl Fn(GameId, u64) -> bool,
    ) -> Result<u64, PartsError> {
        remove_database(copy);
        let range = CopyRange { first: 1, last: archive.last_id()?, all_sources: true };
        let (keep, watch) = (|id, fingerprint| Ok(keep(id, fingerprint)), |_| go_on(&self.options.cancel));
        archive.maintenance().copy_to(copy, range, keep, watch)?.ok_or(PartsError::Stopped)
    }
}

/// Replaces an archive that is not listed by a copy.
pub(super) fn replace(path: &Path, copy: &Path) -> Result<(), PartsError> {
    remove_database(path);
    fs::rename(copy, path).map_err(|error| PartsError::io(path, error))
}

impl PartSink for Maker<'_> {
    fn begin(&mut self) -> Result<PathBuf, ImportError> {
        let lock = self.lock()?;
        let catalogue = match Catalogue::is_in(self.dir) {
            true => Catalogue::open(self.dir)?,
            false => {
                let catalogue = Catalogue::new(self.dir);
                catalogue.write(&lock)?;
                catalogue
            }
        };
        self.rename_unlisted(&catalogue)?;
        self.learn(&catalogue)?;
        let others = &mut self.report.unfinished;
        let current = Unfinished::begin(self.dir, &self.sources, others, &lock)?;
        if let Some(games) = current.found {
            self.report.continued = Some((current.path.clone(), games));
        }
        let path = current.path.clone();
        self.current = Some(current);
        Ok(path)
    }

    fn enough(&self) -> u64 {
        self.games
    }

    fn known_sources(&self) -> HashMap<String, KnownSource> {
        self.known_sources.clone()
    }

    fn has(&mut self, fingerprint: u64) -> Result<bool, ImportError> {
        Ok(self.known.has_since(fingerprint, 0)?)
    }

    fn end(&mut self) -> Result<(), ImportError> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let games = match current.path.exists() {
            true => Archive::open(&current.path)?.count()?,
            false => 0,
        };
        if games == 0 {
            remove_database(&current.path);
            return Ok(());
        }
        let wanted = IndexParts { positions: self.options.index, trails: self.options.index };
        index(&current.path, wanted, &self.options.cancel)?;
        let lock = self.lock()?;
        let mut catalogue = Catalogue::open(self.dir)?;
        let known = self.learn(&catalogue)?;
        // A resumed part was begun when fewer parts were known.
        let since = if current.found.is_some() { 0 } else { known };
        let (left, is_copied) = self.leave_doubles_out(&current, since)?;
        if left == 0 {
            remove_database(&current.path);
            return Ok(());
        }
        self.report.left_out += games - left;
        if is_copied {
            index(&current.path, wanted, &self.options.cancel)?;
        }
        self.report.parts.push(catalogue.publish(&current.path, &lock)?);
        self.learn(&catalogue)?;
        Ok(())
    }

    fn take_back(&mut self, source: &str, confirmed: &SourceState) -> Result<u64, ImportError> {
        Ok(self.take_games_back(source, *confirmed)?)
    }

    fn filled(&self) -> Result<(u64, u64), ImportError> {
        let catalogue = Catalogue::read(self.dir)?.unwrap_or_else(|| Catalogue::new(self.dir));
        let parts = catalogue.parts.iter().filter(|part| self.report.parts.contains(&part.number));
        Ok(parts.fold((0, 0), |(bytes, games), part| (bytes + part.bytes, games + part.holdings.games)))
    }
}

impl From<PartsError> for ImportError {
    fn from(error: PartsError) -> ImportError {
        match error {
            PartsError::Archive(error) => error.into(),
            PartsError::Import(error) => error,
            other => ImportError::Part(Box::new(other)),
        }
    }
}

/// The stored games are kept, whichever part they are in.
impl PartsError {
    /// Whether the only problem is that waiting for another program timed out or was cancelled.
    pub fn is_patience(&self) -> bool {
        match self {
            PartsError::Stopped | PartsError::InUse(_) => true,
            PartsError::Archive(ArchiveError::Busy(_) | ArchiveError::Held(_)) => true,
            PartsError::Import(error) => error.is_patience(),
            _ => false,
        }
    }
}
