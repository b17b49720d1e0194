//! Databases of ChessBase: headers (`.cbh`), moves, annotations and names in files of one name; or all of them in an
//! archive (`.cbv`). Games have the numbers of their records.
//!
//! A later import resumes if a hash of the earlier records, with all that belongs to them, still matches.

mod batch;
mod parts;
mod text_folder;

use std::{
    hash::Hasher,
    io,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use twox_hash::XxHash3_64;

use super::{
    kind::{DELETED, FoundSource, GameSource},
    siblings::{extension_of, sibling},
};
use crate::{
    archive::SourceState,
    chessbase::{Database, DecodeOptions, EXTENSIONS, RecordKind, is_cbv, is_database},
    import::{
        ResumeOutcome,
        sink::{Batch, Closed, End, Flow, Input, ResumePoint, Sink},
    },
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

/// The reading position.
struct ReadProgress {
    database: Database,
    decoding: Decoding,
    texts: Option<TextFolder>,
    hash: XxHash3_64,
    done: u32,
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
        match ReadProgress::open(found, sink.input()) {
            Ok(reading) => reading.read(known, sink),
            Err(problem) => Ok(End::failed(0, problem)),
        }
    }
}

impl ReadProgress {
    fn open(found: &FoundSource, input: &Input) -> Result<ReadProgress, String> {
        let mut parts = Parts::of(found)?;
        let mut database =
            Database::open(|extension| parts.take(extension)).map_err(|error| error.to_string())?;
        let options = *input.readers.options();
        let decoding = Decoding {
            reading: options,
            keeps_deleted: input.settings.contains_key(DELETED),
            decode: DecodeOptions {
                encoding: database.encoding(options.encoding).map_err(|error| error.to_string())?,
                keeps_unknown: input.settings.contains_key(KEEP_UNKNOWN),
            },
        };
        let texts = TextFolder::of(input, found.path()).transpose()?;
        Ok(ReadProgress { database, decoding, texts, hash: XxHash3_64::with_seed(0), done: 0 })
    }

    /// Reads all games that have not been imported before.
    fn read(mut self, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        let mut outcome = None;
        if let Some(state) = known {
            let is_same = self.skip_processed(state, sink.input())?;
            outcome = Some(match state.ended {
                _ if !is_same => ResumeOutcome::Changed,
                true if self.done == self.database.records() => ResumeOutcome::Unchanged,
                true => ResumeOutcome::Grown,
                false => ResumeOutcome::Resumed,
            });
            if !is_same {
                (self.hash, self.done) = (XxHash3_64::with_seed(0), 0);
            }
        }
        sink.begin(outcome)?;
        while self.done < self.database.records() {
            match self.next_batch(self.database.records()) {
                Ok(batch) => {
                    let batch = self.with_texts_written(batch);
                    self.pass(batch, sink)?;
                }
                Err(error) => return Ok(End::stopped(u64::from(self.done), error.to_string(), false)),
            }
        }
        let damage = self.database.list_damage().unwrap_or_else(|error| Some(error.to_string()));
        Ok(damage.map_or(End::Whole, |damage| End::stopped(u64::from(self.done), damage, false)))
    }

    /// Reads the records that an earlier import has processed. Returns whether they are unchanged.
    fn skip_processed(&mut self, state: &SourceState, input: &Input) -> Flow<bool> {
        let Some(last) = u32::try_from(state.bytes).ok().filter(|last| *last <= self.database.records())
        else {
            return Ok(false);
        };
        while self.done < last {
            if input.cancel.load(Ordering::Relaxed) {
                return Err(Closed);
            }
            if self.next_batch(last).is_err() {
                return Ok(false);
            }
        }
        Ok(Some(self.hash.finish()) == state.hash)
    }

    /// Reads records, at most up to the one with a number.
    fn next_batch(&mut self, last: u32) -> io::Result<GameBatch> {
        let mut batch = GameBatch::default();
        while self.done < last && !batch.is_full() {
            let record = self.database.read(self.done + 1)?;
            self.done += 1;
            record.for_each_part(|part| {
                // With their lengths, so that no byte can move from one part to another.
                self.hash.write(&(part.len() as u64).to_le_bytes());
                self.hash.write(part);
            });
            batch.push(record);
        }
        Ok(batch)
    }

    /// Writes the texts among the games, if the user has named a directory for them.
    fn with_texts_written(&mut self, mut batch: GameBatch) -> GameBatch {
        let Some(texts) = &mut self.texts else { return batch };
        let guiding = batch.records.iter().filter(|record| record.kind() == RecordKind::Text);
        let encoding = self.decoding.decode.encoding;
        let unwritten = guiding.filter(|record| !texts.write(record, encoding)).map(|record| record.number);
        batch.unwritten = unwritten.collect();
        batch
    }

    /// Passes on games; they are decoded on the pool.
    fn pass(&self, batch: GameBatch, sink: &mut dyn Sink) -> Flow {
        let (done, decoding) = (u64::from(self.done), self.decoding);
        sink.input().has_read(batch.records.len() as u64, u64::from(self.database.records()));
        sink.batch(Batch {
            bytes: batch.bytes,
            games: batch.records.len(),
            largest: batch.largest,
            plies: batch.plies,
            position: 0,
            resume_point: Some(ResumePoint { byte: done, lines: done, hash: self.hash.finish() }),
            work: Box::new(move |games| decoding.add_all(&batch, games)),
        })
    }
}
