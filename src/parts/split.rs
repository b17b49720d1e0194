//! Splitting an archive into parts with consecutive ids, so that games keep their numbers in the collection.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{
    Catalogue, PartsError,
    lock::Lock,
    unfinished::{index, publish},
};
use crate::{
    archive::{Archive, CopyRange, PATIENCE, part_name, unfinished_part_name},
    files::{FileError, Protected, remove_database},
    import::go_on,
    limits::MAX_PARTS,
    record::GameId,
};

/// How to split an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Into parts of this many games; the last may have fewer.
    Games(u64),
    /// Into this many parts of nearly equal size.
    Parts(u64),
}

impl Cut {
    /// The first and the last id of each part.
    fn ranges(self, last: u64) -> Vec<(u64, u64)> {
        let parts = match self {
            Cut::Games(games) => last.div_ceil(games.max(1)),
            Cut::Parts(parts) => parts.min(last),
        };
        let end = |part: u64| match self {
            Cut::Games(games) => games.saturating_mul(part).min(last),
            Cut::Parts(_) => (u128::from(last) * u128::from(part) / u128::from(parts)) as u64,
        };
        (0..parts.min(MAX_PARTS as u64 + 1)).map(|part| (end(part) + 1, end(part + 1))).collect()
    }
}

/// Splits an archive into parts in a directory, which is created if it does not exist and must not have a catalogue.
/// The archive is not changed. Every part is indexed if the archive is. `watch` receives the number of games copied.
///
/// # Errors
/// A game of the archive is missing or damaged, the directory has parts, or something cannot be written.
pub fn split(
    archive: &Path,
    cut: Cut,
    dir: &Path,
    cancel: &AtomicBool,
    mut watch: impl FnMut(u64),
) -> Result<Catalogue, PartsError> {
    let (made, lock) = Archive::read_one_state(
        || Ok(Archive::open(archive)?),
        |old| copied(old, cut, dir, cancel, &mut watch),
    )?;
    made.list(dir, &lock)
}

/// Copies the parts of an archive into a directory, which is locked.
fn copied(
    old: &Archive,
    cut: Cut,
    dir: &Path,
    cancel: &AtomicBool,
    watch: &mut dyn FnMut(u64),
) -> Result<(Made, Lock), PartsError> {
    let archive = old.path();
    let ranges = cut.ranges(old.last_id()?.max(0).unsigned_abs());
    if ranges.is_empty() || ranges.len() > MAX_PARTS {
        let what = format!("this would create {} parts; 1 to {MAX_PARTS} are allowed", ranges.len());
        return Err(PartsError::Unsound { path: archive.to_owned(), what });
    }
    let wanted = old.segments().parts(false)?;
    fs::create_dir_all(dir).map_err(|error| PartsError::of_folder(dir, error))?;
    let lock = Lock::take(dir, PATIENCE, cancel)?;
    let taken = |number: u32| dir.join(part_name(number)).exists();
    if Catalogue::is_in(dir) || (1..=MAX_PARTS as u32).any(taken) {
        return Err(PartsError::NotEmpty(dir.to_owned()));
    }
    let protected = Protected::default().archive(archive);
    let (mut before, mut made) = (0, Made::default());
    for (number, &(first, last)) in (1..).zip(&ranges) {
        let path = dir.join(unfinished_part_name(number));
        if let Some(role) = protected.role(&path) {
            return Err(FileError::Taken { path, role }.into());
        }
        // Left by a split that was killed.
        remove_database(&path);
        made.0.push((number, path.clone()));
        let id = |id| GameId::try_from(id).unwrap_or(GameId::MAX);
        let range =
            CopyRange { first: id(first), last: id(last), all_sources: number as usize == ranges.len() };
        let copied = |games| {
            watch(before + games);
            go_on(cancel)
        };
        let kept = old.maintenance().copy_to(&path, range, |_, _| Ok(true), copied)?;
        before += kept.ok_or(PartsError::Stopped)?;
        index(&path, wanted, cancel)?;
    }
    Ok((made, lock))
}

/// Parts that are not listed yet. Unless they are listed, they are deleted on drop.
#[derive(Default)]
struct Made(Vec<(u32, PathBuf)>);

impl Made {
    /// Renames all of them, and lists them.
    fn list(mut self, dir: &Path, lock: &Lock) -> Result<Catalogue, PartsError> {
        let mut catalogue = Catalogue::new(dir);
        for (number, path) in std::mem::take(&mut self.0) {
            publish(&path, &dir.join(part_name(number)))?;
            catalogue.list(number)?;
        }
        catalogue.write(lock)?;
        Ok(catalogue)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.0.iter().for_each(|(_, path)| remove_database(path));
    }
}
