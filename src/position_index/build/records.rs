//! The positions of the games of a segment while it is built: kept in memory up to a limit, then in a file without a
//! name. They are read several times, game by game.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use foldhash::HashSet;
use rayon::prelude::*;

use crate::{
    chess::{Chess, Move, Position, RunningKey, Variant, VariantPosition},
    position_index::{MoveCode, PositionKeys, whole_key},
    record::StoredMoves,
};

/// Bytes of positions that are kept in memory.
const IN_MEMORY: usize = 16 << 20;

/// Bytes of the head of a game and of a position.
const HEAD: usize = 8;
const POSITION: usize = 18;

/// A position of a game: the last time that it stood on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    pub keys: PositionKeys,
    /// What was played.
    pub played: MoveCode,
}

/// The different positions of a game, in the order of their last visits. Whether they are
/// to be indexed: not of damaged games, nor of other rules than those of chess, by which pawn structures may come back.
pub fn visits(game: &StoredMoves, visits: &mut Vec<Visit>) -> bool {
    visits.clear();
    if !matches!(game.variant, Variant::Standard | Variant::Chess960) {
        return false;
    }
    let Ok(VariantPosition::Chess(start)) = game.start() else { return false };
    let Ok(replay) = game.replay(start.clone()) else { return false };
    let mut key = RunningKey::of(&start);
    let replayed = replay.run(|position: &Chess, m: Option<Move>| {
        if let Some(m) = m {
            key.advance(m, position);
            if let Some(last) = visits.last_mut() {
                last.played = MoveCode::of(m);
            }
        }
        let whole = whole_key(key.get(), position.castles().castling_rights());
        visits.push(Visit { keys: PositionKeys::of(position.board(), whole), played: MoveCode::ENDED });
        ControlFlow::Continue(())
    });
    keep_last(visits);
    replayed.is_ok()
}

/// Bits of the filters of [`keep_last`].
const FILTER_BITS: usize = 1 << 14;

/// Of equal positions keeps the last.
fn keep_last(visits: &mut Vec<Visit>) {
    // Of most positions, and of most games, filters tell at once that they come once.
    let (mut once, mut again) = ([0u64; FILTER_BITS / 64], [0u64; FILTER_BITS / 64]);
    let place = |visit: &Visit| (visit.keys.whole as usize % FILTER_BITS / 64, 1 << (visit.keys.whole % 64));
    let mut any = false;
    for visit in visits.iter() {
        let (word, bit) = place(visit);
        any |= once[word] & bit != 0;
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    if any {
        let mut later = HashSet::default();
        visits.reverse();
        visits.retain(|visit| {
            let (word, bit) = place(visit);
            again[word] & bit == 0 || later.insert(visit.keys.whole)
        });
        visits.reverse();
    }
}

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
    /// Adds a game, named by its place in the segment.
    pub fn push(&mut self, place: u32, visits: &[Visit]) {
        self.0.reserve(HEAD + visits.len() * POSITION);
        self.0.extend(place.to_le_bytes());
        self.0.extend((visits.len() as u32).to_le_bytes());
        for Visit { keys, played } in visits {
            let mut position = [0; POSITION];
            position[..8].copy_from_slice(&keys.whole.to_le_bytes());
            position[8..12].copy_from_slice(&keys.pawns.to_le_bytes());
            position[12..16].copy_from_slice(&keys.minors.to_le_bytes());
            position[16..].copy_from_slice(&played.0.to_le_bytes());
            self.0.extend_from_slice(&position);
        }
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
        each: impl Fn(&mut T, u32, &[Visit]) + Sync,
    ) -> io::Result<Vec<T>> {
        let count = self.store().chunks.len();
        // A few sums rather than one a chunk: some are large.
        let lanes = rayon::current_num_threads().max(1);
        let lane = |lane: usize| -> io::Result<T> {
            let (mut sum, mut visits, mut read) = (new(), Vec::new(), Vec::new());
            for number in (lane..count).step_by(lanes) {
                self.with_chunk(number, &mut read, |bytes| {
                    for_each(bytes, &mut visits, |place, visits| each(&mut sum, place, visits))
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
fn for_each(mut bytes: &[u8], visits: &mut Vec<Visit>, mut each: impl FnMut(u32, &[Visit])) {
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let [place, count] = [u32_at(head, 0), u32_at(head, 4)];
        let (game, rest) = rest.split_at(rest.len().min(count as usize * POSITION));
        visits.clear();
        visits.extend(game.as_chunks::<POSITION>().0.iter().map(visit));
        each(place, visits);
        bytes = rest;
    }
}

fn visit(bytes: &[u8; POSITION]) -> Visit {
    let whole = u64::from(u32_at(bytes, 0)) | u64::from(u32_at(bytes, 4)) << 32;
    let keys = PositionKeys { whole, pawns: u32_at(bytes, 8), minors: u32_at(bytes, 12) };
    Visit { keys, played: MoveCode(u16::from_le_bytes([bytes[16], bytes[17]])) }
}

fn u32_at<const N: usize>(bytes: &[u8; N], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
