//! Databases of ChessBase: headers (`.cbh`), moves, annotations and names in files of one name; or all of them in an
//! archive (`.cbv`). Games have the numbers of their records.

mod batch;
mod parts;
mod text_folder;

use std::{
    hash::Hasher,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use super::{
    kind::{DELETED, FoundSource, GameSource},
    records::{self, BatchWork, RecordProgress, Records},
    siblings::{extension_of, sibling},
};
use crate::{
    archive::SourceState,
    chessbase::{Database, DecodeOptions, EXTENSIONS, RawRecord, RecordKind, is_cbv, is_database},
    import::sink::{Closed, End, Flow, Input, Sink},
};
use batch::{Decoding, GameBatch};
use parts::{Parts, is_packed};
use text_folder::{REPLACE_TEXTS, TEXTS, TextFolder};

/// The setting to keep annotations that have no form in PGN.
const KEEP_UNKNOWN: &str = "keep-unknown";

/// The extensions of files of a database in which there is nothing to read: indexes, settings and the like.
const UNUSED: [&str; 14] =
    ["cbb", "cbgi", "cbm", "cib", "cib2", "cit", "cit2", "cko", "ckn", "cpo", "cpn", "pgi", "flags", "ini"];

/// A database of ChessBase. The source is its file of headers.
#[derive(Debug)]
pub(super) struct ChessBase;

/// A database that is read.
struct Reading {
    database: Database,
    decoding: Decoding,
    texts: Option<TextFolder>,
}

impl GameSource for ChessBase {
    fn endings(&self) -> &'static [&'static str] {
        &[".cbh", ".cbv"]
    }

    fn is_begun(&self, beginning: &[u8]) -> bool {
        is_database(beginning) || is_cbv(beginning)
    }

    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let parts = if is_packed(path) { &[][..] } else { &EXTENSIONS };
        parts.iter().filter_map(|extension| sibling(path, extension)).collect()
    }

    fn owner(&self, path: &Path) -> Option<PathBuf> {
        let extension = extension_of(path);
        let is_part = EXTENSIONS.iter().chain(&UNUSED).any(|part| *part == extension);
        is_part.then(|| sibling(path, "cbh"))?
    }

    fn parts(&self) -> &'static [&'static str] {
        &["cbh", "cbg", "cba", "cbj", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbtt", "cbv"]
    }

    fn settings(&self) -> &'static [&'static str] {
        &[DELETED, KEEP_UNKNOWN, TEXTS, REPLACE_TEXTS]
    }

    fn read(&self, found: &FoundSource, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        match Reading::open(found, sink.input()) {
            Ok(reading) => records::read(reading, known, sink),
            Err(_) if sink.input().cancel.load(Ordering::Relaxed) => Err(Closed),
            Err(problem) => Ok(End::failed(0, problem)),
        }
    }
}

impl Reading {
    fn open(found: &FoundSource, input: &Input) -> Result<Reading, String> {
        let mut parts = Parts::of(found)?;
        let mut database =
            Database::open(|extension| parts.take(extension)).map_err(|error| error.to_string())?;
        let options = *input.readers.options();
        let is_stopped = || input.cancel.load(Ordering::Relaxed);
        let encoding = database.encoding(options.encoding, is_stopped).map_err(|error| error.to_string())?;
        let decoding = Decoding {
            reading: options,
            keeps_deleted: input.settings.contains_key(DELETED),
            decode: DecodeOptions { encoding, keeps_unknown: input.settings.contains_key(KEEP_UNKNOWN) },
        };
        let texts = TextFolder::of(input, found.path()).transpose()?;
        Ok(Reading { database, decoding, texts })
    }

    /// Writes the texts among the games, if the user has named a directory for them.
    fn with_texts_written(&mut self, mut batch: GameBatch) -> GameBatch {
        let Some(texts) = &mut self.texts else { return batch };
        let is_wanted = |record: &&RawRecord| match record.kind() {
            RecordKind::Deleted => record.is_text() && self.decoding.keeps_deleted,
            kind => kind == RecordKind::Text,
        };
        let guiding = batch.records.iter().filter(is_wanted);
        let encoding = self.decoding.decode.encoding;
        let unwritten = guiding.filter(|record| !texts.write(record, encoding)).map(|record| record.number);
        batch.unwritten = unwritten.collect();
        batch
    }
}

impl Records for Reading {
    type Batch = GameBatch;

    fn count(&self) -> u64 {
        u64::from(self.database.records())
    }

    fn next_batch(&mut self, progress: &mut RecordProgress, last: u64) -> Result<GameBatch, String> {
        let mut batch = GameBatch::default();
        while progress.done < last && !batch.is_full() {
            let number = u32::try_from(progress.done + 1).map_err(|error| error.to_string())?;
            let record = self.database.read(number).map_err(|error| error.to_string())?;
            progress.done += 1;
            record.for_each_part(|part| {
                // With their lengths, so that no byte can move from one part to another.
                progress.hash.write(&(part.len() as u64).to_le_bytes());
                progress.hash.write(part);
            });
            batch.push(record);
        }
        Ok(batch)
    }

    fn work(&mut self, batch: GameBatch) -> BatchWork {
        let (batch, decoding) = (self.with_texts_written(batch), self.decoding);
        BatchWork {
            bytes: batch.bytes,
            games: batch.records.len(),
            largest: batch.largest,
            plies: batch.plies,
            work: Box::new(move |games| decoding.add_all(&batch, games)),
        }
    }

    fn damage(&mut self) -> Option<String> {
        self.database.list_damage().unwrap_or_else(|error| Some(error.to_string()))
    }
}
