//! The stamp of a source, if it has one: it distinguishes versions of a source without reading all of it.
//!
//! For a file: its size, its first and last bytes, and its times of change, and those of the files that belong to it.
//! Programs that copy files can set the modification time back, but not the change time (ctime), where the system has
//! one, so no change goes unnoticed. A file that was changed just now has no stamp, because the next change could have
//! the same time.
//!
//! For a member of a zip archive: its checksum and sizes. The file of an archive also changes when a large one is read
//! for a long time; then its rows are compared.

use std::{
    fs::{self, File},
    hash::Hasher,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    time::UNIX_EPOCH,
};

use twox_hash::XxHash3_64;

use super::kind::FoundSource;
use crate::sources::{Source, ZipMember, is_fresh, own_change};

/// Bytes at each end of a file that are part of its stamp.
// Both ends, because a program that changes a file mostly changes one of them.
const END: u64 = 64 << 10;

impl FoundSource {
    /// The stamp.
    pub(in crate::import) fn stamp(&self) -> Option<u64> {
        let mut hasher = XxHash3_64::with_seed(0);
        match &self.source {
            Source::Stdin | Source::Unreadable { .. } => return None,
            Source::Member(member) => {
                let members = [member].into_iter().chain(&self.members);
                members.flat_map(ZipMember::content).for_each(|number| hasher.write(&number.to_le_bytes()));
            }
            Source::File(path) => hash_file(path, &mut hasher).ok()?,
        }
        self.siblings.iter().try_for_each(|path| hash_file(path, &mut hasher)).ok()?;
        Some(hasher.finish())
    }

    /// Whether it can be read a second time from its beginning.
    pub(in crate::import) fn is_lasting(&self) -> bool {
        match &self.source {
            Source::Stdin | Source::Unreadable { .. } => false,
            Source::Member(_) => true,
            Source::File(path) => path.is_file(),
        }
    }
}

fn hash_file(path: &Path, hasher: &mut XxHash3_64) -> io::Result<()> {
    // Opening a pipe would take its bytes from the real reader.
    let file = fs::metadata(path)?;
    if !file.is_file() || is_fresh(&file) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    hasher.write(&file.len().to_le_bytes());
    for changed in [Some(file.modified()?), own_change(&file)].into_iter().flatten() {
        let changed = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        hasher.write(&changed.as_nanos().to_le_bytes());
    }
    let mut open = File::open(path)?;
    for from in [0, file.len().saturating_sub(END)] {
        let mut end = Vec::new();
        open.seek(SeekFrom::Start(from))?;
        (&mut open).take(END).read_to_end(&mut end)?;
        hasher.write(&end);
    }
    Ok(())
}
