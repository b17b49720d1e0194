//! Bytes that are read again later: kept in memory up to a limit, then in a file without a name.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

/// Bytes in chunks, which are added and read from all threads.
#[derive(Debug)]
pub struct Spill {
    folder: PathBuf,
    /// Bytes that are kept in memory.
    limit: usize,
    store: Mutex<Store>,
}

#[derive(Debug, Default)]
struct Store {
    chunks: Vec<Chunk>,
    in_memory: usize,
    file: Option<File>,
    end: u64,
}

#[derive(Debug)]
enum Chunk {
    Here(Vec<u8>),
    InFile { at: u64, bytes: usize },
}

impl Spill {
    /// Nothing yet; more than a limit of bytes go to a file in a folder.
    pub fn new(folder: &Path, limit: usize) -> Spill {
        Spill { folder: folder.to_owned(), limit, store: Mutex::default() }
    }

    /// Where its file is, if there must be one.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a chunk.
    pub fn add(&self, bytes: Vec<u8>) -> io::Result<()> {
        let mut guard = self.store();
        let store = &mut *guard;
        if store.in_memory + bytes.len() <= self.limit {
            store.in_memory += bytes.len();
            store.chunks.push(Chunk::Here(bytes));
            return Ok(());
        }
        let file = match &mut store.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        file.seek(SeekFrom::Start(store.end))?;
        file.write_all(&bytes)?;
        store.chunks.push(Chunk::InFile { at: store.end, bytes: bytes.len() });
        store.end += bytes.len() as u64;
        Ok(())
    }

    /// Goes through all chunks on all cores. `each` adds to a sum of its own; the sums come back in no order.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, &[u8]) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<T>> {
        let count = self.store().chunks.len();
        // A few sums rather than one a chunk: some are large.
        let lanes = rayon::current_num_threads().max(1);
        let lane = |lane: usize| -> io::Result<T> {
            let (mut sum, mut read) = (new(), Vec::new());
            for number in (lane..count).step_by(lanes) {
                self.with_chunk(number, &mut read, |bytes| each(&mut sum, bytes))?;
            }
            Ok(sum)
        };
        (0..lanes).into_par_iter().map(lane).collect()
    }

    /// `read` is memory for what is in the file.
    fn with_chunk(
        &self,
        number: usize,
        read: &mut Vec<u8>,
        with: impl FnOnce(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut store = self.store();
        let Store { chunks, file, .. } = &mut *store;
        match (chunks.get_mut(number), file) {
            (Some(Chunk::Here(bytes)), _) => {
                // Taken out, so that others need not wait.
                let bytes = std::mem::take(bytes);
                drop(store);
                with(&bytes)?;
                if let Some(chunk) = self.store().chunks.get_mut(number) {
                    *chunk = Chunk::Here(bytes);
                }
                Ok(())
            }
            (Some(&mut Chunk::InFile { at, bytes }), Some(file)) => {
                if read.len() < bytes {
                    read.resize(bytes, 0);
                }
                let read = read.get_mut(..bytes).unwrap_or_default();
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(read)?;
                drop(store);
                with(read)
            }
            _ => Ok(()),
        }
    }
}
