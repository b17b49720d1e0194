//! Bytes that are read again later: kept in memory up to a limit, then in an unnamed file.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use rayon::prelude::*;

/// Bytes of positions, of entries and of games that are kept in memory, each.
pub const IN_MEMORY: usize = 1 << 20;

/// Bytes in chunks, which are added and read from all threads.
#[derive(Debug)]
pub struct Spill {
    /// The directory of its file, if one is needed and can be created there.
    pub folder: PathBuf,
    /// Bytes that are kept in memory.
    limit: usize,
    store: Mutex<Store>,
    /// Written and read without the lock.
    file: OnceLock<File>,
}

#[derive(Debug, Default)]
struct Store {
    chunks: Vec<Chunk>,
    in_memory: usize,
    in_file: u64,
}

#[derive(Debug)]
enum Chunk {
    Here(Vec<u8>),
    InFile { at: u64, bytes: usize },
}

impl Spill {
    /// Empty; bytes beyond a limit are written to a file in a directory.
    pub fn new(folder: &Path, limit: usize) -> Spill {
        Spill { folder: folder.to_owned(), limit, store: Mutex::default(), file: OnceLock::new() }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a chunk, unless it is empty.
    pub fn add(&self, bytes: Vec<u8>) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut store = self.store();
        if store.in_memory + bytes.len() <= self.limit {
            store.in_memory += bytes.len();
            store.chunks.push(Chunk::Here(bytes));
            return Ok(());
        }
        if self.file.get().is_none() {
            let _ = self.file.set(unnamed_file(&self.folder)?);
        }
        let at = store.in_file;
        store.in_file += bytes.len() as u64;
        store.chunks.push(Chunk::InFile { at, bytes: bytes.len() });
        drop(store);
        self.file.get().map_or(Ok(()), |file| at_place::write(file, &bytes, at))
    }

    /// Processes all chunks on all cores; none may be added meanwhile. `each` adds to an accumulator; the accumulators
    /// are returned in any order.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, &[u8]) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<T>> {
        let store = self.store();
        let (chunks, next) = (&store.chunks, AtomicUsize::new(0));
        // A few accumulators instead of one per chunk, because some are large.
        let lane = |_| -> io::Result<T> {
            let (mut sum, mut read) = (new(), Vec::new());
            while let Some(chunk) = chunks.get(next.fetch_add(1, Relaxed)) {
                each(&mut sum, self.bytes_of(chunk, &mut read)?)?;
            }
            Ok(sum)
        };
        (0..rayon::current_num_threads().max(1)).into_par_iter().map(lane).collect()
    }

    /// Passes on all chunks on all cores; `each` returns whether it has changed one.
    pub fn change(&mut self, each: impl Fn(&mut [u8]) -> bool + Sync) -> io::Result<()> {
        let Spill { store, file, .. } = self;
        let chunks = &mut store.get_mut().unwrap_or_else(PoisonError::into_inner).chunks;
        chunks.par_iter_mut().try_for_each_init(Vec::new, |read, chunk| match (chunk, file.get()) {
            (Chunk::Here(bytes), _) => {
                each(bytes);
                Ok(())
            }
            (&mut Chunk::InFile { at, bytes }, Some(file)) => {
                read.resize(bytes, 0);
                at_place::read(file, read, at)?;
                if each(read) { at_place::write(file, read, at) } else { Ok(()) }
            }
            (Chunk::InFile { .. }, None) => Ok(()),
        })
    }

    /// The bytes of a chunk. `read` is a buffer for chunks in the file.
    fn bytes_of<'a>(&self, chunk: &'a Chunk, read: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match (chunk, self.file.get()) {
            (Chunk::Here(bytes), _) => Ok(bytes),
            (&Chunk::InFile { at, bytes }, Some(file)) => {
                if read.len() < bytes {
                    read.resize(bytes, 0);
                }
                let read = read.get_mut(..bytes).unwrap_or_default();
                at_place::read(file, read, at)?;
                Ok(read)
            }
            (Chunk::InFile { .. }, None) => Ok(&[]),
        }
    }
}

/// A file in a directory, or in the system's for temporary files: an archive in a directory that is read only can be
/// verified too.
fn unnamed_file(folder: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder).or_else(|error| tempfile::tempfile().map_err(|_| error))
}

/// Writing and reading at an offset of a file, from several threads.
#[cfg(unix)]
mod at_place {
    use std::{fs::File, io, os::unix::fs::FileExt};

    pub fn write(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
        file.write_all_at(bytes, at)
    }

    pub fn read(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
        file.read_exact_at(bytes, at)
    }
}

/// On Windows a call may transfer only a part of the bytes.
#[cfg(windows)]
mod at_place {
    use std::{fs::File, io, os::windows::fs::FileExt};

    pub fn write(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = file.seek_write(bytes, at)?;
            bytes = bytes.get(written..).filter(|_| written > 0).ok_or(io::ErrorKind::WriteZero)?;
            at += written as u64;
        }
        Ok(())
    }

    pub fn read(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let read = file.seek_read(bytes, at)?;
            bytes = bytes.get_mut(read..).filter(|_| read > 0).ok_or(io::ErrorKind::UnexpectedEof)?;
            at += read as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_created_in_the_directory_is_created_in_that_of_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let spill = Spill::new(&folder.path().join("missing"), 0);
        spill.add(vec![7; 10]).unwrap();
        let read = |all: &mut Vec<u8>, bytes: &[u8]| {
            all.extend(bytes);
            Ok(())
        };
        assert_eq!(spill.fold(Vec::new, read).unwrap().concat(), [7; 10]);
    }

    #[test]
    fn chunks_in_memory_and_in_the_file_are_changed_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path(), 50);
        (0..20u8).for_each(|chunk| spill.add(vec![chunk; 10]).unwrap());
        spill
            .change(|bytes| {
                let is_even = bytes[0] % 2 == 0;
                bytes[1..].iter_mut().filter(|_| is_even).for_each(|byte| *byte += 100);
                is_even
            })
            .unwrap();
        let read = |all: &mut Vec<Vec<u8>>, bytes: &[u8]| {
            all.push(bytes.to_vec());
            Ok(())
        };
        let mut all = spill.fold(Vec::new, read).unwrap().concat();
        all.sort();
        let expected = |chunk| {
            let mut bytes = vec![if chunk % 2 == 0 { chunk + 100 } else { chunk }; 10];
            bytes[0] = chunk;
            bytes
        };
        assert_eq!(all, (0..20).map(expected).collect::<Vec<_>>());
    }
}
