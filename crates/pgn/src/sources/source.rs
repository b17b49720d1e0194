//! Where games come from: files, zip archive members and standard input; compressed or not.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

use super::{
    confirmed::Confirmed,
    encoding::Encoding,
    file_watch::FileWatch,
    foreign_format,
    path_name::{path_name, plain_name},
    peek_reader::PeekReader,
    to_utf8::as_utf8,
    unpack::{CountingReader, ExpansionLimit, unpacked},
    unpack_ahead::unpacked_ahead,
    zip_members::ZipMember,
};

/// Bytes of a text that are inspected before it is read.
const AHEAD: u64 = 4096;

/// One stream of games as text.
#[derive(Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file, possibly compressed; or a pipe.
    File(PathBuf),
    /// A member of a zip archive.
    Member(ZipMember),
    /// A source that was requested but cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// A source that is being read.
pub struct OpenSource<'a> {
    /// Its text, decompressed, in an encoding that is a superset of ASCII.
    pub text: PeekReader<Box<dyn Read + 'a>>,
    /// Detects whether the file changes while it is read.
    pub watch: FileWatch,
    /// How far checksums have confirmed the text while it is read.
    pub confirmed: Confirmed,
}

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// An error of the file system or the decompressor in the source with this name.
    #[error("{0}")]
    Io(String, #[source] io::Error),
    /// A directory without game files: its name, and the list of extensions that were searched for.
    #[error("{0}: no {1} file in this directory, plain or compressed (.zst .gz .bz2 .xz .zip)")]
    NothingInFolder(String, String),
    /// A zip archive without game files: its name, and the list of extensions that were searched for.
    #[error("{0}: no {1} file in this zip archive")]
    NothingInZip(String, String),
    /// A URL.
    #[error("{0}: plybook does not download URLs; download the file, then import it")]
    Address(String),
}

impl Source {
    pub(super) fn unreadable(path: &Path, why: impl ToString) -> Source {
        Source::Unreadable { path: path.to_owned(), why: why.to_string() }
    }

    /// Whether its name, without the extension of a compressed file, has the given extension in lower case.
    pub fn has_ending(&self, ending: &str) -> bool {
        match self {
            Source::Stdin | Source::Unreadable { .. } => false,
            Source::File(path) => plain_name(path).ends_with(ending),
            Source::Member(member) => plain_name(member.name.as_ref()).ends_with(ending),
        }
    }

    /// The first bytes of a file as they are stored; nothing of a source that can be read only once.
    pub fn beginning(&self) -> Vec<u8> {
        match self {
            Source::File(path) if path.is_file() => beginning(path).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// The compressed size in bytes, if it is known before reading.
    pub fn packed_bytes(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => {
                fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len())
            }
            Source::Member(member) => Some(member.packed_bytes()),
            Source::Unreadable { .. } => Some(0),
        }
    }

    /// Opens the source and passes it to `read`. Text in a multi-byte encoding (UTF-16, or the named one) is converted
    /// to UTF-8. Compressed bytes are counted in `consumed`. If `threads` is more than one, a file of several zstd
    /// frames, or of gzip members as written by bgzip, is decompressed by that many threads, ahead of the reader.
    ///
    /// # Errors
    /// The source cannot be opened or is not text. (Errors during reading are returned by the reader.)
    pub fn open<T>(
        &self,
        encoding: Option<Encoding>,
        consumed: &Arc<AtomicU64>,
        threads: usize,
        read: impl FnOnce(&mut OpenSource<'_>) -> T,
    ) -> Result<T, SourceError> {
        let opened = self.try_open(encoding, consumed, threads, read);
        opened.map_err(|error| SourceError::Io(self.to_string(), error))
    }

    fn try_open<T>(
        &self,
        encoding: Option<Encoding>,
        consumed: &Arc<AtomicU64>,
        threads: usize,
        read: impl FnOnce(&mut OpenSource<'_>) -> T,
    ) -> io::Result<T> {
        let confirmed = Confirmed::default();
        let unpack =
            |packed: Box<dyn Read>| unpacked(CountingReader::new(packed, Arc::clone(consumed)), &confirmed);
        let (text, is_compressed, watch) = match self {
            Source::Stdin => {
                let (text, is_compressed) = unpack(Box::new(io::stdin()))?;
                (text, is_compressed, FileWatch::default())
            }
            Source::File(path) => {
                if let Some(what) = foreign_format::named(path) {
                    return Err(refused(what));
                }
                let file = File::open(path)?;
                let watch = FileWatch::new(&file);
                // Anything but a regular file can be read only once.
                let (text, is_compressed) = match file.metadata()?.is_file() {
                    true => unpacked_ahead(file, consumed, threads, &confirmed)?,
                    false => unpack(Box::new(file))?,
                };
                (text, is_compressed, watch)
            }
            Source::Member(member) => {
                let mut archive = File::open(member.archive())?;
                let watch = FileWatch::new(&archive);
                let counted = CountingReader::new(member.reader(&mut archive)?, Arc::clone(consumed));
                let text: Box<dyn Read> = Box::new(ExpansionLimit::of_size(counted, member.packed_bytes()));
                // A member may be a compressed file. Its own checksum comes at its end.
                let (text, _) = unpacked(CountingReader::new(text, Arc::default()), &confirmed)?;
                return Ok(read(&mut OpenSource::new(text, watch, encoding, confirmed)?));
            }
            Source::Unreadable { why, .. } => return Err(io::Error::other(why.clone())),
        };
        let confirmed = if is_compressed { confirmed } else { Confirmed::all() };
        Ok(read(&mut OpenSource::new(text, watch, encoding, confirmed)?))
    }
}

impl<'a> OpenSource<'a> {
    /// A text in memory, which is not compressed. Text in UTF-16, or in the multi-byte encoding that is named, is converted
    /// to UTF-8.
    ///
    /// # Errors
    /// It is not text.
    pub fn of_text(text: &'a [u8], encoding: Option<Encoding>) -> io::Result<OpenSource<'a>> {
        OpenSource::new(text, FileWatch::default(), encoding, Confirmed::all())
    }

    fn new(
        unpacked: impl Read + 'a,
        watch: FileWatch,
        encoding: Option<Encoding>,
        confirmed: Confirmed,
    ) -> io::Result<OpenSource<'a>> {
        let raw = PeekReader::new(unpacked, AHEAD);
        // Some foreign formats look like UTF-16.
        if let Some(what) = foreign_format::begun(raw.beginning()) {
            return Err(refused(what));
        }
        let (text, is_converted) = as_utf8(raw, encoding)?;
        let text = PeekReader::new(text, AHEAD);
        match foreign_format::begun(text.beginning()) {
            Some(what) => Err(refused(what)),
            None => Ok(OpenSource { text, watch, confirmed: confirmed.of_converted(is_converted) }),
        }
    }
}

/// The first bytes of a file.
pub(super) fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    File::open(path)?.take(AHEAD).read_to_end(&mut beginning)?;
    Ok(beginning)
}

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

impl Read for OpenSource<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("-"),
            Source::File(path) | Source::Unreadable { path, .. } => f.write_str(&path_name(path)),
            Source::Member(member) => member.fmt(f),
        }
    }
}
