//! Unpacks zstd, gzip, bzip2 and xz by their first bytes, with a bound on what a small file may grow to.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use plybook_chess::limits::{FREE_EXPANSION_BYTES, MAX_EXPANSION};

/// Bytes that are read at a time, and unpacked.
pub(super) const CHUNK: usize = 128 << 10;

/// Counts the bytes that pass.
#[derive(Debug)]
pub(super) struct CountingReader<R> {
    inner: R,
    count: Arc<AtomicU64>,
    /// What this reader itself has counted.
    own: u64,
}

impl<R> CountingReader<R> {
    pub(super) fn new(inner: R, count: Arc<AtomicU64>) -> CountingReader<R> {
        CountingReader { inner, count, own: 0 }
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.own += read as u64;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Ends with an error where the unpacked bytes outgrow the packed ones as no PGN does.
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
}

impl<R: Read> ExpansionLimit<R> {
    /// For a reader that unpacks by itself: a zip member, whose packed size is known.
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
            let why =
                format!("unpacks to more than {MAX_EXPANSION} times its size; this is no PGN collection");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(read)
    }
}

/// Asks for as many bytes at a time, whoever reads: so what it gives before damage does not depend on that.
struct Steady<R>(BufReader<R>);

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.fill_buf()?.read(buffer)?;
        self.0.consume(read);
        Ok(read)
    }
}

/// A reader of the unpacked bytes, one part after the other.
pub(super) fn unpacked(mut raw: CountingReader<Box<dyn Read + Send>>) -> io::Result<Box<dyn Read + Send>> {
    let magic = magic(&mut raw)?;
    let packed = Arc::new(AtomicU64::new(magic.len() as u64));
    let compression = Compression::of(&magic);
    let whole = Cursor::new(magic).chain(CountingReader::new(raw, Arc::clone(&packed)));
    let whole = BufReader::with_capacity(CHUNK, whole);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::Plain => return Ok(Box::new(whole)),
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(whole)?;
            // Files packed with --long=31 need it.
            decoder.window_log_max(31)?;
            Box::new(decoder)
        }
        // These formats may hold several streams one after the other; the plain decoders stop after one.
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        Compression::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(whole)),
    };
    Ok(Box::new(Steady(BufReader::with_capacity(CHUNK, ExpansionLimit::new(reader, packed)))))
}

/// The first bytes of a source, which tell how it is packed.
pub(super) fn magic(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::new();
    raw.take(6).read_to_end(&mut magic)?;
    Ok(magic)
}

/// How a source is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Plain,
    Zstd,
    Gzip,
    Bzip2,
    Xz,
}

impl Compression {
    pub(super) fn of(magic: &[u8]) -> Compression {
        match magic {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            // A frame to be skipped, as some packers write before the others.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [b'B', b'Z', b'h', ..] => Compression::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Compression::Xz,
            _ => Compression::Plain,
        }
    }
}
