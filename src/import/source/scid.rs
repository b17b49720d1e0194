//! Databases of Scid: an index, the names and the games, in three files. Games have the numbers of their records.

mod batch;
mod window;

use std::{
    fs::{self, File},
    hash::Hasher,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use super::{
    kind::{DELETED, FoundSource, GameSource},
    records::{self, BatchWork, RecordProgress, Records},
    siblings::{extension_of, sibling},
};
use crate::{
    archive::SourceState,
    import::sink::{End, Flow, Input, Sink},
    pgn::Encoding,
    scid::{Format, Header, Names},
};
use batch::{Base, GameBatch};
use window::Window;

/// Most games in a batch, and the bytes of data after which a batch is full.
// Nearly every byte is a ply, for each of which memory is reserved if positions are recorded.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 32 << 10;

/// A database of Scid 4 or Scid 5. The source is its index.
#[derive(Debug)]
pub(super) struct ScidBase;

/// The files of a database while they are read.
struct Files {
    base: Arc<Base>,
    index: Window,
    games: Window,
    /// Complete records in the index.
    records: u64,
    /// Why there should be more, or bytes are left.
    damage: Option<String>,
}

impl GameSource for ScidBase {
    fn endings(&self) -> &'static [&'static str] {
        &[".si4", ".si5"]
    }

    fn is_begun(&self, beginning: &[u8]) -> bool {
        Header::is_begun(beginning)
    }

    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let [_, others @ ..] = format_of(path).extensions();
        others.into_iter().filter_map(|extension| sibling(path, extension)).collect()
    }

    fn owner(&self, path: &Path) -> Option<PathBuf> {
        let extension = extension_of(path);
        let formats = [Format::Scid4, Format::Scid5].map(Format::extensions);
        let [index, ..] = formats.into_iter().find(|[_, others @ ..]| others.contains(&&*extension))?;
        sibling(path, index)
    }

    fn parts(&self) -> &'static [&'static str] {
        &["si4", "sn4", "sg4", "si5", "sn5", "sg5"]
    }

    fn settings(&self) -> &'static [&'static str] {
        &[DELETED]
    }

    fn read(&self, found: &FoundSource, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        match Files::open(found.path(), sink.input()) {
            Ok(files) => records::read(files, known, sink),
            Err(problem) => Ok(End::failed(0, problem)),
        }
    }
}

fn format_of(path: &Path) -> Format {
    if extension_of(path) == "si5" { Format::Scid5 } else { Format::Scid4 }
}

/// The name of a file without its directory.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Files {
    /// Opens the files, and reads the names.
    fn open(path: &Path, input: &Input) -> Result<Files, String> {
        let in_file = |path: &Path, error: &dyn ToString| format!("{}: {}", name_of(path), error.to_string());
        let opened = |path: &Path| File::open(path).map_err(|error| in_file(path, &error));
        let format = format_of(path);
        let window = |path: &Path| Window::new(opened(path)?).map_err(|error| in_file(path, &error));
        let mut index = window(path)?;
        let counted = match format {
            Format::Scid4 => Some(read_header(&mut index, path)?.games),
            Format::Scid5 => None,
        };
        let [_, names, games] = format.extensions();
        let paths = [names, games].map(|extension| {
            let missing = || {
                let [index, names, games] = format.extensions();
                format!(
                    "its .{extension} file is missing: a Scid database has three files in one directory, \
                     .{index}, .{names} and .{games}"
                )
            };
            sibling(path, extension).ok_or_else(missing)
        });
        let [names_path, games_path] = paths;
        let (names_path, games_path) = (names_path?, games_path?);
        let games = window(&games_path)?;
        let names = fs::read(&names_path).map_err(|error| in_file(&names_path, &error))?;
        let encoding = input.readers.options().encoding.unwrap_or(Encoding::USUAL);
        let names = Names::read(format, &names, encoding).map_err(|error| in_file(&names_path, &error))?;
        let bytes = index.length().saturating_sub(format.header_size() as u64);
        let (records, left) = (bytes / format.record_size() as u64, bytes % format.record_size() as u64);
        let damage = match counted {
            Some(games) if games > records => Some(format!(
                "its header counts {games} games, but the file ends within record {}",
                records + 1
            )),
            None if left > 0 => Some(format!("the file ends within record {}", records + 1)),
            None if records == 0 && games.length() > 0 => {
                Some("the file is empty, although there is data of games".to_owned())
            }
            _ => None,
        };
        let base = Base {
            format,
            names,
            options: *input.readers.options(),
            keeps_deleted: input.settings.contains_key(DELETED),
            counted: counted.unwrap_or(records),
            games_name: name_of(&games_path),
            games_bytes: games.length(),
            idle: Mutex::default(),
        };
        Ok(Files { base: Arc::new(base), index, games, records, damage })
    }
}

impl Records for Files {
    type Batch = GameBatch;

    fn count(&self) -> u64 {
        self.records
    }

    fn next_batch(&mut self, progress: &mut RecordProgress, last: u64) -> Result<GameBatch, String> {
        let mut batch = GameBatch::default();
        let Base { format, names, games_name, .. } = &*self.base;
        while progress.done < last && !batch.is_full() {
            let bytes = self.index.read(format.record_offset(progress.done + 1), format.record_size());
            let bytes = bytes.map_err(|error| error.to_string())?;
            let bytes = bytes.ok_or("the file has become shorter while it was read")?;
            progress.done += 1;
            progress.hash.write(bytes);
            let record = format.record(bytes);
            for name in names.of(&record).into_iter().flatten() {
                progress.hash.write(name.as_bytes());
            }
            let data = self.games.read(record.offset, record.length);
            let data = data.map_err(|error| format!("{games_name}: {error}"))?;
            progress.hash.write(data.unwrap_or_default());
            batch.push(progress.done, record, data);
        }
        Ok(batch)
    }

    fn work(&mut self, batch: GameBatch) -> BatchWork {
        let base = Arc::clone(&self.base);
        BatchWork {
            bytes: batch.memory(),
            games: batch.games(),
            largest: batch.largest(),
            plies: batch.memory(),
            work: Box::new(move |games| base.read(&batch, games)),
        }
    }

    fn damage(&mut self) -> Option<String> {
        self.damage.take()
    }
}

/// Reads the header of an index of Scid 4.
fn read_header(index: &mut Window, path: &Path) -> Result<Header, String> {
    let size = Format::Scid4.header_size().min(usize::try_from(index.length()).unwrap_or(usize::MAX));
    let beginning = index.read(0, size).map_err(|error| error.to_string())?;
    let header = Header::read(beginning.unwrap_or_default()).map_err(|error| error.to_string());
    match extension_of(path).as_str() {
        "zst" | "gz" | "bz2" | "xz" if header.is_err() => {
            Err("a Scid database cannot be read compressed: decompress all its files first".to_owned())
        }
        _ => header,
    }
}
