//! Databases of Scid: an index, the names and the games, in three files. Games have the numbers of their records.
//!
//! A later import resumes if a hash of the earlier records, with their names and games, still matches.

mod batch;
mod window;

use std::{
    fs::{self, File},
    hash::Hasher,
    io::{BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::Ordering},
};

use twox_hash::XxHash3_64;

use super::{
    kind::{DELETED, FoundSource, GameSource},
    siblings::{extension_of, sibling},
};
use crate::{
    archive::SourceState,
    import::{
        ResumeOutcome,
        sink::{Batch, Closed, End, Flow, Input, ResumePoint, Sink},
    },
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
    index: BufReader<File>,
    games: Window,
    /// Complete records in the index.
    records: u64,
    /// Why there should be more, or bytes are left.
    damage: Option<String>,
}

/// The reading position.
struct ReadProgress {
    hash: XxHash3_64,
    done: u64,
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
            Ok(files) => files.read(known, sink),
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
        let mut index = BufReader::new(opened(path)?);
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
        let games = Window::new(opened(&games_path)?).map_err(|error| in_file(&games_path, &error))?;
        let names = fs::read(&names_path).map_err(|error| in_file(&names_path, &error))?;
        let encoding = input.readers.options().encoding.unwrap_or(Encoding::USUAL);
        let names = Names::read(format, &names, encoding).map_err(|error| in_file(&names_path, &error))?;
        let bytes = index.get_ref().metadata().map_err(|error| error.to_string())?.len();
        let bytes = bytes.saturating_sub(format.header_size() as u64);
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
            index_name: name_of(path),
            games_name: name_of(&games_path),
            games_bytes: games.length(),
            idle: Mutex::default(),
        };
        Ok(Files { base: Arc::new(base), index, games, records, damage })
    }

    /// Reads all games that have not been imported before.
    fn read(mut self, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        let mut progress = ReadProgress { hash: XxHash3_64::with_seed(0), done: 0 };
        let mut outcome = None;
        if let Some(state) = known {
            let is_same = self.skip_processed(&mut progress, state, sink.input())?;
            outcome = Some(match state.ended {
                _ if !is_same => ResumeOutcome::Changed,
                true if progress.done == self.records => ResumeOutcome::Unchanged,
                true => ResumeOutcome::Grown,
                false => ResumeOutcome::Resumed,
            });
            if !is_same {
                progress = ReadProgress { hash: XxHash3_64::with_seed(0), done: 0 };
            }
        }
        sink.begin(outcome)?;
        if let Err(problem) = self.seek(progress.done) {
            return Ok(End::stopped(progress.done, problem, false));
        }
        while progress.done < self.records {
            match self.next_batch(&mut progress, self.records) {
                Ok(batch) => self.pass(batch, &progress, sink)?,
                Err(problem) => return Ok(End::stopped(progress.done, problem, false)),
            }
        }
        Ok(self.damage.map_or(End::Whole, |damage| End::stopped(progress.done, damage, false)))
    }

    /// Reads the records that an earlier import has processed. Returns whether they are unchanged.
    fn skip_processed(
        &mut self,
        progress: &mut ReadProgress,
        state: &SourceState,
        input: &Input,
    ) -> Flow<bool> {
        if state.bytes > self.records || self.seek(0).is_err() {
            return Ok(false);
        }
        while progress.done < state.bytes {
            if input.cancel.load(Ordering::Relaxed) {
                return Err(Closed);
            }
            if self.next_batch(progress, state.bytes).is_err() {
                return Ok(false);
            }
        }
        Ok(Some(progress.hash.finish()) == state.hash)
    }

    /// Continues after some records.
    fn seek(&mut self, records: u64) -> Result<(), String> {
        let offset = self.base.format.record_offset(records + 1);
        self.index.seek(SeekFrom::Start(offset)).map(drop).map_err(|error| error.to_string())
    }

    /// Reads records, at most up to the one with a number, and the data of their games.
    fn next_batch(&mut self, progress: &mut ReadProgress, last: u64) -> Result<GameBatch, String> {
        let mut batch = GameBatch::default();
        let mut bytes = vec![0; self.base.format.record_size()];
        while progress.done < last && !batch.is_full() {
            self.index.read_exact(&mut bytes).map_err(|error| error.to_string())?;
            progress.done += 1;
            progress.hash.write(&bytes);
            let record = self.base.format.record(&bytes);
            for name in self.base.names.of(&record).into_iter().flatten() {
                progress.hash.write(name.as_bytes());
            }
            let data = self.games.read(record.offset, record.length);
            let data = data.map_err(|error| format!("{}: {error}", self.base.games_name))?;
            progress.hash.write(data.unwrap_or_default());
            batch.push(progress.done, record, data);
        }
        Ok(batch)
    }

    /// Passes on games; they are read on the pool.
    fn pass(&self, batch: GameBatch, progress: &ReadProgress, sink: &mut dyn Sink) -> Flow {
        sink.input().has_read(batch.games() as u64, self.records);
        let (done, base) = (progress.done, Arc::clone(&self.base));
        sink.batch(Batch {
            bytes: batch.memory(),
            games: batch.games(),
            largest: batch.largest(),
            plies: batch.memory(),
            position: 0,
            resume_point: Some(ResumePoint { byte: done, lines: done, hash: progress.hash.finish() }),
            work: Box::new(move |games| base.read(&batch, games)),
        })
    }
}

/// Reads the header of an index of Scid 4.
fn read_header(index: &mut BufReader<File>, path: &Path) -> Result<Header, String> {
    let mut beginning = Vec::new();
    let size = Format::Scid4.header_size() as u64;
    index.take(size).read_to_end(&mut beginning).map_err(|error| error.to_string())?;
    let header = Header::read(&beginning).map_err(|error| error.to_string());
    match extension_of(path).as_str() {
        "zst" | "gz" | "bz2" | "xz" if header.is_err() => {
            Err("a Scid database cannot be read compressed: decompress all its files first".to_owned())
        }
        _ => header,
    }
}
