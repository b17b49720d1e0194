//! Parts that are being made. They have a name of their own until they are listed, and whoever makes one holds a lock file
//! beside it; when that program ends, whatever the reason, another one may resume the part.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use super::{PartsError, lock::Lock};
use crate::{
    archive::{Archive, ArchiveError},
    files::{SATELLITES, beside},
    limits::MAX_PARTS,
};

/// What is added to the name of the copy that takes an unfinished part's place.
const COPY: &str = ".copy";

/// An unfinished part that this program has.
#[derive(Debug)]
pub(super) struct Unfinished {
    pub path: PathBuf,
    /// Whether another program had begun it, with how many games.
    pub found: Option<u64>,
    lock_path: PathBuf,
    _lock: Lock,
}

/// The name of a part in the making.
pub(super) fn unfinished_name(number: u32) -> String {
    format!("unfinished-{number:04}.db")
}

/// Removes an archive and what lies beside it.
pub(super) fn remove(path: &Path) {
    for end in SATELLITES {
        let _ = fs::remove_file(beside(path, end));
    }
    let _ = fs::remove_file(path);
}

impl Unfinished {
    /// Resumes a part that was left and has games of these sources only, or begins a new one. The lock shows that
    /// no other program does so now.
    pub(super) fn begin(
        dir: &Path,
        sources: &HashSet<String>,
        others: &mut Vec<PathBuf>,
        _lock: &Lock,
    ) -> Result<Unfinished, PartsError> {
        others.clear();
        let mut free = None;
        for number in 1..=MAX_PARTS as u32 {
            let path = dir.join(unfinished_name(number));
            let lock_path = path.with_extension("lock");
            if !path.exists() && !lock_path.exists() {
                free.get_or_insert((path, lock_path));
                if number as usize > others.len() + MOST_GAPS {
                    break;
                }
                continue;
            }
            let Some(lock) = Lock::try_file(&lock_path)? else { continue };
            match of_sources(&path, sources) {
                Left::Nothing => {
                    remove(&path);
                    return Ok(Unfinished { path, found: None, lock_path, _lock: lock });
                }
                Left::Games(games) => {
                    return Ok(Unfinished { path, found: Some(games), lock_path, _lock: lock });
                }
                Left::Others => others.push(path),
            }
        }
        let (path, lock_path) = free.ok_or_else(|| PartsError::InUse(dir.to_owned()))?;
        let lock = Lock::try_file(&lock_path)?.ok_or_else(|| PartsError::InUse(dir.to_owned()))?;
        Ok(Unfinished { path, found: None, lock_path, _lock: lock })
    }

    /// Where a copy without some games is made.
    pub(super) fn copy_path(&self) -> PathBuf {
        let copy = beside(&self.path, COPY);
        remove(&copy);
        copy
    }

    /// Puts that copy in the part's place.
    pub(super) fn replace(&self, copy: &Path) -> Result<(), PartsError> {
        remove(&self.path);
        fs::rename(copy, &self.path).map_err(|error| PartsError::io(&self.path, error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // One that was not listed stays, and its lock file with it.
        if !self.path.exists() {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Numbers without a part after which no more are looked for.
const MOST_GAPS: usize = 100;

/// What a program has left.
pub(super) enum Left {
    /// No game.
    Nothing,
    /// Games of the sources that are imported now.
    Games(u64),
    /// Games of other sources, or something that cannot be read.
    Others,
}

/// Whether what a program has left can be resumed.
pub(super) fn of_sources(path: &Path, sources: &HashSet<String>) -> Left {
    if path.metadata().map_or(true, |file| file.len() == 0) {
        return Left::Nothing;
    }
    let read = || -> Result<_, ArchiveError> {
        let archive = Archive::open(path)?;
        Ok((archive.sources().known()?, archive.count()?))
    };
    match read() {
        Ok((known, games)) if known.keys().all(|name| sources.contains(name)) => Left::Games(games),
        Err(ArchiveError::Blank(_)) => Left::Nothing,
        _ => Left::Others,
    }
}
