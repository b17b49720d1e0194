//! Where games come from: files, folders, standard input, plain or compressed.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

use super::{
    unpack::{Counted, Packing, unpacked},
    utf16::as_utf8,
};

/// The ending of the names of PGN files.
const PGN: &str = ".pgn";

/// The ending of the names of files with records of Xelto.
const XELTO: &str = ".xelto";

/// One stream of games as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file, perhaps compressed.
    File(PathBuf),
    /// A member of a zip archive.
    Member {
        /// The archive.
        archive: PathBuf,
        /// The member's name.
        name: String,
    },
}

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file system or the decompressor says no.
    #[error("{name}: {error}")]
    Io {
        /// The source.
        name: String,
        /// What it says.
        error: io::Error,
    },
    /// A folder without files of games.
    #[error("{0}: no .pgn or .xelto file in this folder, plain or compressed (.zst .gz .bz2 .xz .zip)")]
    NothingInFolder(String),
    /// A zip archive without files of games.
    #[error("{0}: no .pgn or .xelto file in this zip archive")]
    NothingInZip(String),
}

impl Source {
    fn error(&self, error: impl Into<io::Error>) -> SourceError {
        SourceError::Io { name: self.to_string(), error: error.into() }
    }

    /// Whether its name says that it holds records of Xelto, perhaps compressed.
    pub fn is_xelto(&self) -> bool {
        match self {
            Source::Stdin => false,
            Source::File(path) => plain_name(path).ends_with(XELTO),
            Source::Member { name, .. } => name.to_lowercase().ends_with(XELTO),
        }
    }

    /// The compressed size in bytes, where it is known before reading.
    pub fn packed_bytes(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => fs::metadata(path).ok().map(|metadata| metadata.len()),
            Source::Member { archive, name } => {
                let mut zip = zip::ZipArchive::new(File::open(archive).ok()?).ok()?;
                zip.by_name(name).ok().map(|member| member.compressed_size())
            }
        }
    }

    /// Opens the source and hands its unpacked bytes to `read`. Compressed bytes are counted in `consumed`.
    ///
    /// # Errors
    /// The source cannot be opened. (An error while reading is the reader's.)
    pub fn open<T>(
        &self,
        consumed: &Arc<AtomicU64>,
        read: impl FnOnce(&mut dyn Read) -> T,
    ) -> Result<T, SourceError> {
        let counted = |inner: Box<dyn Read + Send>| Counted::new(inner, Arc::clone(consumed));
        let text = |reader: io::Result<Box<dyn Read + Send>>| reader.and_then(as_utf8);
        match self {
            Source::Stdin => {
                let reader = text(unpacked(counted(Box::new(io::stdin()))));
                Ok(read(&mut reader.map_err(|error| self.error(error))?))
            }
            Source::File(path) => {
                let file = File::open(path).map_err(|error| self.error(error))?;
                let reader = text(unpacked(counted(Box::new(file))));
                Ok(read(&mut reader.map_err(|error| self.error(error))?))
            }
            Source::Member { archive, name } => {
                let file = File::open(archive).map_err(|error| self.error(error))?;
                let mut zip = zip::ZipArchive::new(file).map_err(|error| self.error(error))?;
                let member = zip.by_name(name).map_err(|error| self.error(error))?;
                let packed = member.compressed_size();
                let member = Packing::of_size(Counted::new(member, Arc::clone(consumed)), packed);
                Ok(read(&mut as_utf8(member).map_err(|error| self.error(error))?))
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("-"),
            Source::File(path) => path.display().fmt(f),
            Source::Member { archive, name } => write!(f, "{}!{name}", archive.display()),
        }
    }
}

/// The sources that some paths name: a file, a folder (searched for .pgn and .xelto files, in order of name),
/// a zip archive (its members of these names), or `-` for standard input.
///
/// # Errors
/// A path that does not exist or holds no such file.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<Source>, SourceError> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            sources.push(Source::Stdin);
        } else if metadata(path)?.is_dir() {
            let before = sources.len();
            search_folder(path, &mut sources)?;
            if sources.len() == before {
                return Err(SourceError::NothingInFolder(path.display().to_string()));
            }
        } else {
            add_file(path, true, &mut sources)?;
        }
    }
    Ok(sources)
}

fn metadata(path: &Path) -> Result<fs::Metadata, SourceError> {
    fs::metadata(path).map_err(|error| Source::File(path.to_owned()).error(error))
}

fn search_folder(folder: &Path, sources: &mut Vec<Source>) -> Result<(), SourceError> {
    let at_folder = |error| Source::File(folder.to_owned()).error(error);
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).map_err(at_folder)?.collect::<io::Result<_>>().map_err(at_folder)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(at_folder)?);
        // A link to a folder could lead round in a circle.
        if kind.is_dir() {
            search_folder(&path, sources)?;
        } else if holds_games(&path) && metadata(&path)?.is_file() {
            add_file(&path, false, sources)?;
        }
    }
    Ok(())
}

/// Whether a file in a folder is one to read, by its name.
fn holds_games(path: &Path) -> bool {
    let plain = plain_name(path);
    let is_zip = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
    is_zip || [PGN, XELTO].iter().any(|end| plain.ends_with(end))
}

/// The name of a file in small letters, without the ending of a compressed one.
fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let packed = [".zst", ".gz", ".bz2", ".xz"].iter().find_map(|packed| name.strip_suffix(packed));
    packed.map(str::to_owned).unwrap_or(name)
}

/// Adds a file, or the members of a zip archive that hold games. One that was named by the user must hold some.
fn add_file(path: &Path, named: bool, sources: &mut Vec<Source>) -> Result<(), SourceError> {
    let source = Source::File(path.to_owned());
    let mut magic = [0; 4];
    let mut file = File::open(path).map_err(|error| source.error(error))?;
    let read = file.read(&mut magic).map_err(|error| source.error(error))?;
    if !magic[..read].starts_with(b"PK\x03\x04") {
        sources.push(source);
        return Ok(());
    }
    let zip = zip::ZipArchive::new(file).map_err(|error| source.error(error))?;
    let names = zip.file_names().filter_map(|name| Some(name.ok()?.into_owned()));
    let is_game = |name: &String| [PGN, XELTO].iter().any(|end| name.to_lowercase().ends_with(end));
    let mut names: Vec<String> = names.filter(is_game).collect();
    names.sort_unstable();
    if names.is_empty() && named {
        return Err(SourceError::NothingInZip(source.to_string()));
    }
    sources.extend(names.into_iter().map(|name| Source::Member { archive: path.to_owned(), name }));
    Ok(())
}
