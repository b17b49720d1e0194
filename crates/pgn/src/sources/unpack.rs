//! Decompresses zstd, gzip, bzip2 and xz, recognized by their first bytes, with a limit on the expansion of small
//! files.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    confirmed::Confirmed,
    parts::{Compression, PartsReader},
};
use plybook_chess::limits::{FREE_EXPANSION_BYTES, MAX_EXPANSION};

/// Bytes that are read and decompressed at a time.
pub(super) const CHUNK: usize = 128 << 10;

/// Counts the bytes that are read.
#[derive(Debug)]
pub(super) struct CountingReader<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R> CountingReader<R> {
    pub(super) fn new(inner: R, count: Arc<AtomicU64>) -> CountingReader<R> {
        CountingReader { inner, count }
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Fails if the decompressed bytes outgrow the compressed ones by more than any PGN does.
#[derive(Debug)]
pub(super) struct ExpansionLimit<R> {
    inner: R,
    given: u64,
    packed: Arc<AtomicU64>,
}

impl<R: Read> ExpansionLimit<R> {
    fn new(inner: R, packed: Arc<AtomicU64>) -> ExpansionLimit<R> {
        ExpansionLimit { inner, given: 0, packed }
    }

    /// For a reader that decompresses by itself: a zip member, whose compressed size is known.
    pub(super) fn of_size(inner: R, packed: u64) -> ExpansionLimit<R> {
        ExpansionLimit::new(inner, Arc::new(AtomicU64::new(packed)))
    }
}

impl<R: Read> Read for ExpansionLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.given += read as u64;
        let allowed =
            FREE_EXPANSION_BYTES.max(self.packed.load(Ordering::Relaxed).saturating_mul(MAX_EXPANSION));
        if self.given > allowed {
            let why = format!(
                "decompresses to more than {MAX_EXPANSION} times its size, so it cannot be a PGN file"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(read)
    }
}

/// Always reads the same number of bytes at a time, whatever the caller requests, so that the output before damage
/// does not depend on the caller.
struct Steady<R>(BufReader<R>);

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.fill_buf()?.read(buffer)?;
        self.0.consume(read);
        Ok(read)
    }
}

/// A reader of the decompressed bytes of all parts, and whether the source is compressed. What its checksums confirm is
/// noted.
pub(super) fn unpacked<'a>(
    mut raw: CountingReader<Box<dyn Read + 'a>>,
    confirmed: &Confirmed,
) -> io::Result<(Box<dyn Read + 'a>, bool)> {
    let magic = magic(&mut raw)?;
    let packed = Arc::new(AtomicU64::new(magic.len() as u64));
    let compression = Compression::of(&magic);
    let whole = Cursor::new(magic).chain(CountingReader::new(raw, Arc::clone(&packed)));
    let whole = BufReader::with_capacity(CHUNK, whole);
    let Some(compression) = compression else { return Ok((Box::new(whole), false)) };
    let reader = PartsReader::new(whole, compression, confirmed.clone())?;
    Ok((Box::new(Steady(BufReader::with_capacity(CHUNK, ExpansionLimit::new(reader, packed)))), true))
}

/// The first bytes of a source, which identify its compression.
pub(super) fn magic(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::new();
    raw.take(6).read_to_end(&mut magic)?;
    Ok(magic)
}
