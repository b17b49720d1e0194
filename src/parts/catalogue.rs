//! The catalogue of a collection: lists the parts in order and describes their contents. It is a readable text file,
//! written atomically; whoever changes it holds the lock of the directory.

use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};

use super::{Part, PartsError, filter::Filter, lock::Lock, unfinished::publish};
use crate::{
    archive::{Archive, CATALOGUE, PATIENCE, number_of_part, part_name},
    files::{Output, Protected},
    limits::{MAX_CATALOGUE_BYTES, MAX_PARTS},
};

/// The format of the file.
const FORMAT: u32 = 1;

/// The parts of a collection.
///
/// ```no_run
/// use plybook::parts::Catalogue;
///
/// for path in Catalogue::open("collection".as_ref())?.paths() {
///     println!("{}", path.display());
/// }
/// # Ok::<(), plybook::parts::PartsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The directory.
    pub dir: PathBuf,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// The contents of the file.
#[derive(Serialize, Deserialize)]
struct Content {
    /// [`FORMAT`].
    catalogue: u32,
    parts: Vec<Part>,
}

impl Catalogue {
    /// Whether a directory has a catalogue.
    pub fn is_in(dir: &Path) -> bool {
        Catalogue::path_in(dir).is_file()
    }

    /// The path of the catalogue in a directory.
    pub fn path_in(dir: &Path) -> PathBuf {
        dir.join(CATALOGUE)
    }

    /// Opens the catalogue of a directory, and checks that its parts exist and have the listed sizes.
    ///
    /// # Errors
    /// The catalogue is missing or invalid, or a part is missing.
    pub fn open(dir: &Path) -> Result<Catalogue, PartsError> {
        let catalogue = Catalogue::read(dir)?.ok_or_else(|| PartsError::NoCatalogue(dir.to_owned()))?;
        for part in &catalogue.parts {
            let path = catalogue.path_of(part);
            match path.metadata() {
                Err(error) if error.kind() == ErrorKind::NotFound => return Err(PartsError::Missing(path)),
                Err(error) => return Err(PartsError::io(&path, error)),
                Ok(file) if file.len() != part.bytes => {
                    let what = format!("it has {} bytes, expected {}", file.len(), part.bytes);
                    return Err(PartsError::Other { path, what });
                }
                Ok(_) => {}
            }
        }
        Ok(catalogue)
    }

    /// The archives of the parts, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.parts.iter().map(|part| self.path_of(part)).collect()
    }

    /// The archive of a part.
    pub(super) fn path_of(&self, part: &Part) -> PathBuf {
        self.dir.join(&part.file)
    }

    /// Rebuilds the catalogue of a directory from all archives in it that are named like parts.
    ///
    /// # Errors
    /// There are no parts, one of them cannot be read, or the catalogue cannot be written.
    pub fn make(dir: &Path) -> Result<Catalogue, PartsError> {
        // Check first, so that no lock file is left in a directory without parts.
        numbers_in(dir)?;
        let lock = Lock::take(dir, PATIENCE, &AtomicBool::new(false))?;
        let mut catalogue = Catalogue::new(dir);
        for number in numbers_in(dir)? {
            catalogue.list(number)?;
        }
        catalogue.write(&lock)?;
        Ok(catalogue)
    }

    /// An empty catalogue that is not written yet.
    pub(super) fn new(dir: &Path) -> Catalogue {
        Catalogue { dir: dir.to_owned(), parts: Vec::new() }
    }

    /// Reads the catalogue of a directory, if it has one.
    pub(super) fn read(dir: &Path) -> Result<Option<Catalogue>, PartsError> {
        let path = dir.join(CATALOGUE);
        let file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| PartsError::io(&path, error))?,
        };
        let damaged = |what: String| PartsError::Damaged { path: path.clone(), what };
        let mut text = Vec::new();
        let read = file.take(MAX_CATALOGUE_BYTES + 1).read_to_end(&mut text);
        read.map_err(|error| PartsError::io(&path, error))?;
        if text.len() as u64 > MAX_CATALOGUE_BYTES {
            return Err(damaged(format!("it is larger than {MAX_CATALOGUE_BYTES} bytes")));
        }
        let json = |error: serde_json::Error| damaged(error.to_string());
        let CatalogueFormat { catalogue: format } = serde_json::from_slice(&text).map_err(json)?;
        if format != FORMAT {
            return Err(PartsError::Newer { path, format });
        }
        let content: Content = serde_json::from_slice(&text).map_err(json)?;
        let catalogue = Catalogue { dir: dir.to_owned(), parts: content.parts };
        catalogue.flaw().map_or(Ok(Some(catalogue)), |what| Err(damaged(what)))
    }

    /// Describes what is invalid.
    fn flaw(&self) -> Option<String> {
        if self.parts.len() > MAX_PARTS {
            return Some(format!("it lists more than {MAX_PARTS} parts"));
        }
        if !self.parts.is_sorted_by(|one, next| one.number < next.number) {
            return Some("the parts are not in numerical order".to_owned());
        }
        self.parts.iter().find_map(Part::flaw)
    }

    /// Writes the file. The lock guarantees that no other program does.
    pub(super) fn write(&self, _lock: &Lock) -> Result<(), PartsError> {
        let path = self.dir.join(CATALOGUE);
        let content = Content { catalogue: FORMAT, parts: self.parts.clone() };
        let error = |error| PartsError::io(&path, error);
        let mut text = serde_json::to_vec_pretty(&content).map_err(|json| error(json.into()))?;
        text.push(b'\n');
        let mut file = Output::create(&path, true, &Protected::default())?;
        file.write_all(&text).map_err(error)?;
        Ok(file.finish()?)
    }

    /// The number for the next part.
    pub(super) fn next_number(&self) -> u32 {
        self.parts.last().map_or(1, |part| part.number.saturating_add(1))
    }

    /// Renames a complete archive to the next part, and lists it. Returns its number.
    pub(super) fn publish(&mut self, archive: &Path, lock: &Lock) -> Result<u32, PartsError> {
        let number = self.next_number();
        publish(archive, &self.dir.join(part_name(number)))?;
        self.list(number)?;
        self.write(lock)?;
        Ok(number)
    }

    /// Lists a complete archive that has been renamed to a part, with the filter of its fingerprints. The caller writes
    /// the catalogue afterwards.
    pub(super) fn list(&mut self, number: u32) -> Result<(), PartsError> {
        let path = self.dir.join(part_name(number));
        let part = Part::of(&path, number)?;
        Filter::of(&Archive::open(&path)?.maintenance().fingerprints()?)
            .write(&self.dir.join(&part.filter))?;
        self.parts.push(part);
        Ok(())
    }
}

/// Only the format number, because the rest of a newer catalogue is unknown.
#[derive(Deserialize)]
struct CatalogueFormat {
    catalogue: u32,
}

/// The numbers of the archives in a directory that are named like parts, sorted; at least one.
fn numbers_in(dir: &Path) -> Result<Vec<u32>, PartsError> {
    let mut numbers = Vec::new();
    for entry in dir.read_dir().map_err(|error| PartsError::io(dir, error))? {
        let name = entry.map_err(|error| PartsError::io(dir, error))?.file_name();
        let number = name.to_str().and_then(number_of_part);
        numbers.extend(number.filter(|_| numbers.len() < MAX_PARTS));
    }
    if numbers.is_empty() {
        return Err(PartsError::NoParts(dir.to_owned()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
