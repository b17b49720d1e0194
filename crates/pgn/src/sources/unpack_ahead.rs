//! Decompresses zstd frames and gzip members in parallel, ahead of the reader.
//!
//! Only intact data is processed this way. If a run of parts gives an error or cannot be split off, the source is read
//! from its beginning again, serially, and the bytes that were already returned are skipped. Damage is therefore
//! reported at the same position and with the same message as in a serial read.

use std::{
    collections::VecDeque,
    io::{self, BufReader, Cursor, Read, Seek},
    mem,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
};

use super::{
    confirmed::Confirmed,
    packed_runs::{Run, RunCutter},
    parts::Compression,
    unpack::{CHUNK, CountingReader, magic, unpacked},
};
use plybook_chess::limits::{AHEAD_MEMORY, FREE_EXPANSION_BYTES, MAX_EXPANSION};

/// Size of the largest buffer that is kept for reuse, in bytes.
const KEPT: usize = 2 << 20;

/// A reader of the decompressed bytes of a seekable source, using the given number of threads, and whether the source is
/// compressed. What its checksums confirm is noted.
pub(super) fn unpacked_ahead<R: Read + Seek + 'static>(
    mut raw: R,
    consumed: &Arc<AtomicU64>,
    threads: usize,
    confirmed: &Confirmed,
) -> io::Result<(Box<dyn Read>, bool)> {
    let magic = magic(&mut raw).unwrap_or_default();
    raw.rewind()?;
    match Compression::of(&magic) {
        Some(compression @ (Compression::Zstd | Compression::Gzip)) if threads > 1 => {
            let (consumed, confirmed) = (Arc::clone(consumed), confirmed.clone());
            Ok((Box::new(UnpackAhead::new(raw, compression, threads, consumed, confirmed)), true))
        }
        _ => serially(raw, consumed, confirmed),
    }
}

fn serially<R: Read + 'static>(
    raw: R,
    consumed: &Arc<AtomicU64>,
    confirmed: &Confirmed,
) -> io::Result<(Box<dyn Read>, bool)> {
    let raw: Box<dyn Read> = Box::new(raw);
    unpacked(CountingReader::new(raw, Arc::clone(consumed)), confirmed)
}

/// A run that is being decompressed.
struct Job {
    /// Memory that it takes in bytes, and its compressed size.
    memory: usize,
    packed: u64,
    /// Whether it has checksums.
    is_checked: bool,
    /// Returns its text if it is intact.
    thread: JoinHandle<Option<Vec<u8>>>,
}

/// Where the text comes from.
enum UnpackState<R> {
    Ahead(RunCutter<BufReader<R>>),
    Serial(Box<dyn Read>),
    /// Rewinding to the beginning failed.
    Failed,
}

/// A reader of the decompressed bytes.
struct UnpackAhead<R> {
    state: UnpackState<R>,
    threads: usize,
    /// Whether a run has been split off.
    has_begun: bool,
    jobs: VecDeque<Job>,
    /// The text of the current run.
    text: Cursor<Vec<u8>>,
    /// Buffers of texts that have been read.
    spare: Vec<Vec<u8>>,
    /// Size of all texts so far, and of the compressed data that they come from.
    unpacked: u64,
    packed: u64,
    consumed: Arc<AtomicU64>,
    confirmed: Confirmed,
    /// Whether a run had no checksums.
    has_unchecked: bool,
}

impl<R: Read + Seek + 'static> UnpackAhead<R> {
    fn new(
        raw: R,
        compression: Compression,
        threads: usize,
        consumed: Arc<AtomicU64>,
        confirmed: Confirmed,
    ) -> UnpackAhead<R> {
        let runs = RunCutter::new(BufReader::with_capacity(CHUNK, raw), compression);
        UnpackAhead {
            state: UnpackState::Ahead(runs),
            threads,
            has_begun: false,
            jobs: VecDeque::new(),
            text: Cursor::default(),
            spare: Vec::new(),
            unpacked: 0,
            packed: 0,
            consumed,
            confirmed,
            has_unchecked: false,
        }
    }

    /// The text of the next run, empty at the end; `None` if the rest must be read serially.
    fn next_text(&mut self) -> Option<Vec<u8>> {
        let last = mem::take(&mut self.text).into_inner();
        if last.capacity() <= KEPT {
            self.spare.push(last);
        }
        self.start_jobs()?;
        let Some(Job { packed, is_checked, thread, .. }) = self.jobs.pop_front() else {
            return Some(Vec::new());
        };
        // The following runs are decompressed while this text is read. A failure to start them shows up when they are
        // needed.
        let _ = self.start_jobs();
        let text = thread.join().ok().flatten()?;
        self.unpacked += text.len() as u64;
        // The serial reader checks the limit exactly and reports the error.
        if self.unpacked > FREE_EXPANSION_BYTES.max(self.packed.saturating_mul(MAX_EXPANSION)) {
            return None;
        }
        self.has_unchecked |= !is_checked;
        if !self.has_unchecked {
            self.confirmed.reach(self.unpacked);
        }
        self.packed += packed;
        self.consumed.fetch_add(packed, Ordering::Relaxed);
        Some(text)
    }

    /// Starts as many jobs as memory and threads allow. Returns `None` if no run could be split off before the end, or
    /// if there is only one: serial reading is just as fast then.
    fn start_jobs(&mut self) -> Option<()> {
        let UnpackState::Ahead(runs) = &mut self.state else { return None };
        let mut held = self.jobs.iter().map(|job| job.memory).sum::<usize>();
        // Bounded by bytes as well as by threads: a thread finishes a run sooner than the parser reads it, and the
        // finished texts would pile up.
        while held < AHEAD_MEMORY
            && self.jobs.len() < self.threads
            && let Some(run) = runs.next()
        {
            if !mem::replace(&mut self.has_begun, true) && runs.is_over() {
                return None;
            }
            held += run.memory();
            let mut buffer = self.spare.pop().unwrap_or_default();
            buffer.clear();
            buffer.reserve_exact(run.most);
            let (memory, packed, is_checked) = (run.memory(), run.packed.len() as u64, run.is_checked);
            let work = move || unpack(&run, &mut buffer).then_some(buffer);
            let thread = thread::Builder::new().spawn(work).ok()?;
            self.jobs.push_back(Job { memory, packed, is_checked, thread });
        }
        (!self.jobs.is_empty() || runs.is_at_end()).then_some(())
    }

    fn is_at_end(&self) -> bool {
        matches!(&self.state, UnpackState::Ahead(runs) if runs.is_at_end())
    }

    /// Continues serially after the bytes that have been returned.
    fn go_on_serially(&mut self, given: u64) -> io::Result<()> {
        self.jobs.clear();
        self.spare.clear();
        let UnpackState::Ahead(runs) = mem::replace(&mut self.state, UnpackState::Failed) else {
            return Ok(());
        };
        let mut raw = runs.into_inner().into_inner();
        raw.rewind()?;
        self.consumed.fetch_sub(self.packed, Ordering::Relaxed);
        let (mut text, _) = serially(raw, &self.consumed, &self.confirmed)?;
        io::copy(&mut (&mut text).take(given), &mut io::sink())?;
        self.state = UnpackState::Serial(text);
        Ok(())
    }
}

impl<R: Read + Seek + 'static> Read for UnpackAhead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                UnpackState::Ahead(_) => {}
                UnpackState::Serial(text) => return text.read(buffer),
                UnpackState::Failed => return Ok(0),
            }
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let given = self.unpacked;
            match self.next_text() {
                Some(text) if text.is_empty() && self.jobs.is_empty() && self.is_at_end() => return Ok(0),
                Some(text) => self.text = Cursor::new(text),
                None => self.go_on_serially(given)?,
            }
        }
    }
}

/// Decompresses a run into the buffer without growing it. Returns whether the run is intact and fits.
fn unpack(run: &Run, buffer: &mut Vec<u8>) -> bool {
    if run.compression == Compression::Zstd {
        let zstd = zstd::bulk::Decompressor::new();
        return zstd.and_then(|mut zstd| zstd.decompress_to_buffer(&run.packed, buffer)).is_ok();
    }
    let reader = flate2::bufread::MultiGzDecoder::new(&run.packed[..]);
    // The checksum is verified only after the last byte.
    let read = reader.take(run.most as u64 + 1).read_to_end(buffer);
    read.is_ok_and(|read| read <= run.most)
}

#[cfg(test)]
mod tests;
