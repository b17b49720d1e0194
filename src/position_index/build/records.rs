//! The positions of the games of a segment while it is built: kept in memory up to a limit, then in a file without a
//! name. They are read twice, game by game.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::visits::{POSITION, Visit, read_positions};
use crate::record::GameId;

/// Bytes of positions that are kept in memory.
const IN_MEMORY: usize = 16 << 20;

/// Bytes of the head of a game: its id, and how many positions it has.
const HEAD: usize = 12;

/// The positions of games, in chunks.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
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

/// Games that are written together.
#[derive(Debug, Default)]
pub struct Batch(Vec<u8>);

impl Batch {
    /// Adds a game.
    pub fn push(&mut self, id: GameId, positions: &[u8]) {
        self.0.reserve(HEAD + positions.len());
        self.0.extend(id.to_le_bytes());
        self.0.extend(((positions.len() / POSITION) as u32).to_le_bytes());
        self.0.extend_from_slice(positions);
    }
}

impl Records {
    /// Nothing yet; what does not fit in memory goes to a file without a name in a folder.
    pub fn new(folder: &Path) -> Records {
        Records { folder: folder.to_owned(), store: Mutex::default() }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps some games.
    pub fn add(&self, batch: Batch) -> io::Result<()> {
        let bytes = batch.0;
        let mut guard = self.store();
        let store = &mut *guard;
        if store.in_memory + bytes.len() <= IN_MEMORY {
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

    /// Goes through all games on all cores. `each` adds to a sum of its own; the sums come back in no order.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, GameId, &[Visit]) + Sync,
    ) -> io::Result<Vec<T>> {
        let count = self.store().chunks.len();
        // A few sums rather than one a chunk: some are large.
        let lanes = rayon::current_num_threads().max(1);
        let lane = |lane: usize| -> io::Result<T> {
            let (mut sum, mut visits, mut read) = (new(), Vec::new(), Vec::new());
            for number in (lane..count).step_by(lanes) {
                self.with_chunk(number, &mut read, |bytes| {
                    for_each(bytes, &mut visits, |id, visits| each(&mut sum, id, visits))
                })?;
            }
            Ok(sum)
        };
        (0..lanes).into_par_iter().map(lane).collect()
    }

    /// `read` is memory for what is in the file.
    fn with_chunk(&self, number: usize, read: &mut Vec<u8>, with: impl FnOnce(&[u8])) -> io::Result<()> {
        let mut store = self.store();
        let Store { chunks, file, .. } = &mut *store;
        match (chunks.get_mut(number), file) {
            (Some(Chunk::Here(bytes)), _) => {
                // Taken out, so that others need not wait.
                let bytes = std::mem::take(bytes);
                drop(store);
                with(&bytes);
                if let Some(chunk) = self.store().chunks.get_mut(number) {
                    *chunk = Chunk::Here(bytes);
                }
            }
            (Some(&mut Chunk::InFile { at, bytes }), Some(file)) => {
                if read.len() < bytes {
                    read.resize(bytes, 0);
                }
                let read = read.get_mut(..bytes).unwrap_or_default();
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(read)?;
                drop(store);
                with(read);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Hands over every game of a chunk.
fn for_each(mut bytes: &[u8], visits: &mut Vec<Visit>, mut each: impl FnMut(GameId, &[Visit])) {
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let [a, b, c, d, e, f, g, h, count @ ..] = *head;
        let (id, count) = (GameId::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count));
        let (game, rest) = rest.split_at(rest.len().min(count as usize * POSITION));
        read_positions(game, visits);
        each(id, visits);
        bytes = rest;
    }
}
