//! Unfinished parts. They have a temporary name until they are listed, and the program that fills one locks a lock file
//! next to it. When that program ends for any reason, another one may resume the part.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{PartsError, lock::Lock};
use crate::{
    archive::{Archive, ArchiveError, unfinished_part_name},
    files::{FileError, remove_database, save_folder},
    import::{Recorder, build_indexes, go_on},
    limits::MAX_PARTS,
    recording::IndexParts,
};

/// The unfinished part of this program.
#[derive(Debug)]
pub(super) struct Unfinished {
    pub path: PathBuf,
    /// The number of games it already had, if another program had begun it.
    pub found: Option<u64>,
    lock_path: PathBuf,
    _lock: Lock,
}

/// Builds the indexes of an archive that is not shared with readers yet.
pub(super) fn index(path: &Path, wanted: IndexParts, cancel: &AtomicBool) -> Result<(), PartsError> {
    build_indexes(path, wanted, Recorder::default(), |_, _| go_on(cancel))?;
    if go_on(cancel).is_break() { Err(PartsError::Stopped) } else { Ok(()) }
}

impl Unfinished {
    /// Resumes an abandoned part with games of only these sources, or begins a new one. The lock guarantees that no
    /// other program does so at the same time.
    pub(super) fn begin(
        dir: &Path,
        sources: &HashSet<String>,
        others: &mut Vec<PathBuf>,
        _lock: &Lock,
    ) -> Result<Unfinished, PartsError> {
        others.clear();
        let mut free = None;
        for number in 1..=MAX_PARTS as u32 {
            let path = dir.join(unfinished_part_name(number));
            let lock_path = path.with_extension("lock");
            if !path.exists() && !lock_path.exists() {
                free.get_or_insert((path, lock_path));
                if number as usize > others.len() + MOST_GAPS {
                    break;
                }
                continue;
            }
            let Some(lock) = Lock::try_file(&lock_path)? else { continue };
            let found = match of_sources(&path, sources) {
                Left::Nothing => {
                    remove_database(&path);
                    None
                }
                Left::Games(games) => Some(games),
                Left::Others => {
                    others.push(path);
                    continue;
                }
            };
            return Ok(Unfinished { path, found, lock_path, _lock: lock });
        }
        let (path, lock_path) = free.ok_or_else(|| PartsError::InUse(dir.to_owned()))?;
        let lock = Lock::try_file(&lock_path)?.ok_or_else(|| PartsError::InUse(dir.to_owned()))?;
        Ok(Unfinished { path, found: None, lock_path, _lock: lock })
    }
}

/// The unfinished parts that no program is filling. The lock guarantees that none begins to.
pub(super) fn abandoned(dir: &Path, _lock: &Lock) -> Result<Vec<Unfinished>, PartsError> {
    let mut found = Vec::new();
    for entry in dir.read_dir().map_err(|error| PartsError::io(dir, error))? {
        let path = entry.map_err(|error| PartsError::io(dir, error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with("unfinished-") || !name.ends_with(".db") {
            continue;
        }
        let lock_path = path.with_extension("lock");
        if let Some(lock) = Lock::try_file(&lock_path)? {
            found.push(Unfinished { path, found: None, lock_path, _lock: lock });
        }
    }
    Ok(found)
}

/// Gives a complete archive its final name.
pub(super) fn publish(from: &Path, to: &Path) -> Result<(), PartsError> {
    if to.exists() {
        return Err(FileError::Exists(to.to_owned()).into());
    }
    fs::rename(from, to).map_err(|error| PartsError::io(to, error))?;
    save_folder(to);
    Ok(())
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // A part that was not listed stays, and so does its lock file.
        if !self.path.exists() {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Number of consecutive unused part numbers after which the search stops.
const MOST_GAPS: usize = 100;

/// What another program left behind.
pub(super) enum Left {
    /// No games.
    Nothing,
    /// Games of the sources being imported now.
    Games(u64),
    /// Games of other sources, or an unreadable file.
    Others,
}

/// Whether the left part can be resumed.
pub(super) fn of_sources(path: &Path, sources: &HashSet<String>) -> Left {
    if path.metadata().map_or(true, |file| file.len() == 0) {
        return Left::Nothing;
    }
    let read = || -> Result<_, ArchiveError> {
        let archive = Archive::open(path)?;
        Ok((archive.known_sources()?, archive.count()?))
    };
    match read() {
        Ok((known, games)) if known.keys().all(|name| sources.contains(name)) => Left::Games(games),
        Err(ArchiveError::Blank(_)) => Left::Nothing,
        _ => Left::Others,
    }
}
