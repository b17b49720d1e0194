//! Unpacks zstd, gzip, bzip2 and xz by their first bytes, with a bound on what a small file may grow to.

use std::{
    io::{self, BufReader, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::limits::{FREE_EXPANSION_BYTES, MAX_EXPANSION};

/// Counts the bytes that pass.
#[derive(Debug)]
pub(super) struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
    /// What this reader itself has counted.
    own: u64,
}

impl<R> Counted<R> {
    pub(super) fn new(inner: R, count: Arc<AtomicU64>) -> Counted<R> {
        Counted { inner, count, own: 0 }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.own += read as u64;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Ends with an error where the unpacked bytes outgrow the packed ones as no PGN does.
#[derive(Debug)]
pub(super) struct Packing<R> {
    inner: R,
    given: u64,
    packed: Arc<AtomicU64>,
}

impl<R: Read> Packing<R> {
    fn new(inner: R, packed: Arc<AtomicU64>) -> Packing<R> {
        Packing { inner, given: 0, packed }
    }
}

impl<R: Read> Packing<R> {
    /// For a reader that unpacks by itself: a zip member, whose packed size is known.
    pub(super) fn of_size(inner: R, packed: u64) -> Packing<R> {
        Packing::new(inner, Arc::new(AtomicU64::new(packed)))
    }
}

impl<R: Read> Read for Packing<R> {
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

/// A reader of the unpacked bytes.
pub(super) fn unpacked(mut raw: Counted<Box<dyn Read + Send>>) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = Vec::new();
    (&mut raw).take(6).read_to_end(&mut magic)?;
    let packed = Arc::new(AtomicU64::new(magic.len() as u64));
    let kind = kind_of(&magic);
    let whole = Cursor::new(magic).chain(Counted::new(raw, Arc::clone(&packed)));
    let whole = BufReader::with_capacity(128 << 10, whole);
    let reader: Box<dyn Read + Send> = match kind {
        Kind::Plain => return Ok(Box::new(whole)),
        Kind::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(whole)?;
            // Files packed with --long=31 need it.
            decoder.window_log_max(31)?;
            Box::new(decoder)
        }
        // These formats may hold several streams one after the other; the plain decoders stop after one.
        Kind::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
        Kind::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        Kind::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(whole)),
    };
    Ok(Box::new(Packing::new(reader, packed)))
}

enum Kind {
    Plain,
    Zstd,
    Gzip,
    Bzip2,
    Xz,
}

fn kind_of(magic: &[u8]) -> Kind {
    match magic {
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Kind::Zstd,
        // A frame to be skipped, as some packers write before the others.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Kind::Zstd,
        [0x1f, 0x8b, ..] => Kind::Gzip,
        [b'B', b'Z', b'h', ..] => Kind::Bzip2,
        [0xfd, b'7', b'z', b'X', b'Z', 0] => Kind::Xz,
        _ => Kind::Plain,
    }
}
