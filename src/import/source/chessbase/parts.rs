//! The files of a database: next to its headers, or in an archive, from which they are extracted to temporary files.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

use crate::{
    chessbase::{ArchiveEntry, CbvArchive, Data, EXTENSIONS, is_cbv},
    import::source::{kind::FoundSource, siblings::extension_of},
};

/// The extension of the headers.
const HEADERS: &str = "cbh";

/// The files of a database by their extensions.
pub(super) struct Parts(BTreeMap<String, Part>);

enum Part {
    Named(PathBuf),
    /// It has no name, and is gone when it is closed.
    Temporary(File),
}

/// Whether a file is an archive, by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    extension_of(path) == "cbv"
}

impl Parts {
    /// Finds or unpacks them.
    pub(super) fn of(found: &FoundSource) -> Result<Parts, String> {
        let mut file = File::open(found.path()).map_err(|error| error.to_string())?;
        let mut beginning = Vec::new();
        (&mut file).take(16).read_to_end(&mut beginning).map_err(|error| error.to_string())?;
        if is_cbv(&beginning) {
            let archive = CbvArchive::open(Box::new(file)).map_err(|error| error.to_string())?;
            return unpack(archive);
        }
        if is_packed(found.path()) {
            return Err("this is not an archive of ChessBase, or it is compressed or cut short".to_owned());
        }
        let siblings = found.siblings.iter().map(|path| (extension_of(path), Part::Named(path.clone())));
        let headers = (HEADERS.to_owned(), Part::Named(found.path().to_owned()));
        Ok(Parts(siblings.chain([headers]).collect()))
    }

    /// The file with an extension.
    pub(super) fn take(&mut self, extension: &str) -> io::Result<Option<Box<dyn Data>>> {
        let file = match self.0.remove(extension) {
            None => return Ok(None),
            Some(Part::Temporary(file)) => file,
            Some(Part::Named(path)) => File::open(&path).map_err(|error| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                io::Error::new(error.kind(), format!("{name}: {error}"))
            })?,
        };
        Ok(Some(Box::new(file)))
    }
}

/// Unpacks the files of the only database in an archive.
fn unpack(mut archive: CbvArchive) -> Result<Parts, String> {
    let lower = |entry: &ArchiveEntry| entry.name.to_lowercase();
    let headers: Vec<String> = archive.entries().iter().map(lower).collect();
    let mut stems = headers.iter().filter_map(|name| name.strip_suffix(".cbh"));
    let (stem, other) = (stems.next().ok_or("the archive has no database of games (.cbh)")?, stems.next());
    if other.is_some() {
        return Err(
            "the archive has several databases: unpack it in ChessBase, and import each .cbh file".to_owned()
        );
    }
    let mut parts = BTreeMap::new();
    for entry in archive.entries().to_vec() {
        let name = lower(&entry);
        let extension = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
        if extension != HEADERS && !EXTENSIONS.contains(&extension) {
            continue;
        }
        let mut file = tempfile::tempfile().map_err(|error| error.to_string())?;
        archive.unpack(&entry, &mut file).map_err(|error| format!("{}: {error}", entry.name))?;
        file.rewind().map_err(|error| error.to_string())?;
        parts.insert(extension.to_owned(), Part::Temporary(file));
    }
    Ok(Parts(parts))
}
