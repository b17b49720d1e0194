//! Where games come from: files, members of zip archives, standard input; plain or packed.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

use super::{
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

/// Bytes of a text that are looked at before it is read.
const AHEAD: u64 = 4096;

/// One stream of games as text.
#[derive(Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file, perhaps compressed; or a pipe.
    File(PathBuf),
    /// An archive of plybook, whose games are taken over.
    Archive(PathBuf),
    /// A member of a zip archive.
    Member(ZipMember),
    /// What should be read and cannot.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// A source that is being read.
pub struct OpenSource<'a> {
    /// Its text, unpacked, in an encoding that has ASCII's bytes.
    pub text: PeekReader<Box<dyn Read + 'a>>,
    /// What tells whether the file is changed meanwhile.
    pub watch: FileWatch,
}

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file system or the decompressor says no.
    #[error("{name}")]
    Io {
        /// The source.
        name: String,
        /// What it says.
        #[source]
        error: io::Error,
    },
    /// A folder without files of games.
    #[error("{name}: no {endings} file in this folder, plain or compressed (.zst .gz .bz2 .xz .zip)")]
    NothingInFolder {
        /// The folder.
        name: String,
        /// The endings of the names that were looked for, joined by "or".
        endings: String,
    },
    /// A zip archive without files of games.
    #[error("{name}: no {endings} file in this zip archive")]
    NothingInZip {
        /// The zip archive.
        name: String,
        /// The endings of the names that were looked for, joined by "or".
        endings: String,
    },
    /// An address of the net.
    #[error("{0}: files are not fetched from the net: download it first, then import the file")]
    Address(String),
}

impl Source {
    pub(super) fn unreadable(path: &Path, why: impl ToString) -> Source {
        Source::Unreadable { path: path.to_owned(), why: why.to_string() }
    }

    fn error(&self, error: io::Error) -> SourceError {
        SourceError::Io { name: self.to_string(), error }
    }

    /// Whether its name, without what says how it is packed, has an ending, given in small letters.
    pub fn has_ending(&self, ending: &str) -> bool {
        match self {
            Source::Stdin | Source::Archive(_) | Source::Unreadable { .. } => false,
            Source::File(path) => plain_name(path).ends_with(ending),
            Source::Member(member) => member.name.to_lowercase().ends_with(ending),
        }
    }

    /// The compressed size in bytes, where it is known before reading.
    pub fn packed_bytes(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) | Source::Archive(path) => {
                fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len())
            }
            Source::Member(member) => Some(member.packed_bytes()),
            Source::Unreadable { .. } => Some(0),
        }
    }

    /// Opens the source and hands it to `read`, text in an encoding of several bytes a character as UTF-8: UTF-16, or
    /// what was named. Compressed bytes are counted in `consumed`.
    ///
    /// # Errors
    /// The source cannot be opened, or is something else than text. (An error while reading is the reader's.)
    pub fn open<T>(
        &self,
        encoding: Option<Encoding>,
        consumed: &Arc<AtomicU64>,
        read: impl FnOnce(&mut OpenSource<'_>) -> T,
    ) -> Result<T, SourceError> {
        self.open_with_threads(encoding, consumed, 1, read)
    }

    /// The same; a file of several zstd frames, or of gzip members as bgzip writes them, is unpacked by so many threads,
    /// ahead of what is read, if these are more than one.
    ///
    /// # Errors
    /// As [`open`](Source::open).
    pub fn open_with_threads<T>(
        &self,
        encoding: Option<Encoding>,
        consumed: &Arc<AtomicU64>,
        threads: usize,
        read: impl FnOnce(&mut OpenSource<'_>) -> T,
    ) -> Result<T, SourceError> {
        self.try_open(encoding, consumed, threads, read).map_err(|error| self.error(error))
    }

    fn try_open<T>(
        &self,
        encoding: Option<Encoding>,
        consumed: &Arc<AtomicU64>,
        threads: usize,
        read: impl FnOnce(&mut OpenSource<'_>) -> T,
    ) -> io::Result<T> {
        let counted = |inner: Box<dyn Read + Send>| CountingReader::new(inner, Arc::clone(consumed));
        match self {
            Source::Stdin => {
                let text = unpacked(counted(Box::new(io::stdin())))?;
                Ok(read(&mut OpenSource::new(text, FileWatch::default(), encoding)?))
            }
            Source::File(path) => {
                if let Some(what) = foreign_format::named(path) {
                    return Err(refused(what));
                }
                let file = File::open(path)?;
                let watch = FileWatch::new(&file);
                // What is no file can be read only once.
                let text = match file.metadata()?.is_file() {
                    true => unpacked_ahead(file, consumed, threads)?,
                    false => unpacked(counted(Box::new(file)))?,
                };
                Ok(read(&mut OpenSource::new(text, watch, encoding)?))
            }
            Source::Member(member) => {
                let mut archive = member.open_archive()?;
                let watch = FileWatch::new(&archive);
                let counted = CountingReader::new(member.reader(&mut archive)?, Arc::clone(consumed));
                let text = ExpansionLimit::of_size(counted, member.packed_bytes());
                Ok(read(&mut OpenSource::new(text, watch, encoding)?))
            }
            Source::Archive(_) => Err(refused(foreign_format::ARCHIVE)),
            Source::Unreadable { why, .. } => Err(io::Error::other(why.clone())),
        }
    }
}

impl<'a> OpenSource<'a> {
    fn new(
        unpacked: impl Read + 'a,
        watch: FileWatch,
        encoding: Option<Encoding>,
    ) -> io::Result<OpenSource<'a>> {
        let text = PeekReader::new(as_utf8(unpacked, encoding)?, AHEAD);
        match foreign_format::begun(text.beginning()) {
            Some(what) => Err(refused(what)),
            None => Ok(OpenSource { text, watch }),
        }
    }
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
            Source::File(path) | Source::Archive(path) | Source::Unreadable { path, .. } => {
                f.write_str(&path_name(path))
            }
            Source::Member(member) => member.fmt(f),
        }
    }
}
