//! The reading end of an import: opens one source after the other, splits it, and submits batches for parsing.

use std::{
    collections::HashMap,
    hash::Hasher,
    io::{self, Cursor, Read},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::Sender,
    },
};

use twox_hash::XxHash3_64;

use super::{
    ImportError, ImportProblem, ResumeOutcome,
    format::{Format, format_of},
    memory_budget::{MemoryBudget, Reservation, estimate},
    parse::{ParsedBatch, Parsers},
    resume::{self, is_lasting, stamp},
    workers::Workers,
    writer::ImportWriter,
};
use crate::{
    archive::KnownSource,
    limits::MAX_BARREN_BYTES,
    pgn::{GameBatch, GameSplitter, GameText},
    sources::{Confirmed, FileChange, FileWatch, OpenSource, Source, SourceError, is_damage, path_name},
};

/// Decompressed bytes of a batch.
// 64 KiB to 1 MiB give the same speed within the variation (docs/growth.md), so this only decides how much is in
// memory.
const BATCH_BYTES: usize = 256 << 10;

/// Bytes of memory that an event without games takes.
pub(super) const SMALL: usize = 1 << 10;

/// What the writer does next. Events are numbered in the order of the sources.
pub(super) type Event = Box<dyn FnOnce(&mut ImportWriter<'_>) -> Result<(), ImportError> + Send>;

/// How reading a source ended.
pub(super) enum End {
    /// The source was read completely.
    Whole,
    /// The last game is incomplete and the file is still being written: the game is left for the next import.
    Growing { byte: u64, line: u64 },
    /// Why the source could not be read any further, without its name.
    Failed(ImportProblem),
    /// The same if the compressed data is damaged.
    Damaged(ImportProblem),
}

impl End {
    /// An error after some bytes.
    fn of_error(byte: u64, error: &io::Error) -> End {
        match End::failed(byte, error.to_string()) {
            End::Failed(problem) if is_damage(error) => End::Damaged(problem),
            end => end,
        }
    }

    fn failed(byte: u64, reason: String) -> End {
        End::Failed(ImportProblem { byte, reason, ..ImportProblem::default() })
    }

    /// Why an archive could not be read any further, and after which game.
    pub(super) fn stopped(game: u64, reason: String, is_damaged_archive: bool) -> End {
        End::Failed(ImportProblem { game, reason, is_damaged_archive, ..ImportProblem::default() })
    }
}

/// A source that comes next.
#[derive(Clone, Debug)]
pub(super) struct Begin {
    pub name: String,
    pub stamp: Option<u64>,
    /// Whether it can be read a second time.
    pub lasting: bool,
    /// Set if an earlier import has read it.
    pub known: Option<(KnownSource, ResumeOutcome)>,
}

/// A boundary between games at which an import can resume.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResumePoint {
    pub byte: u64,
    /// Lines before it.
    pub lines: u64,
    /// The hash of the bytes before it.
    pub hash: u64,
}

/// Numbers the events it sends, and waits while too much memory is in flight.
pub(super) struct SourceReader {
    pub workers: Workers,
    pub events: Sender<(u64, Event, Reservation)>,
    pub memory_budget: Arc<MemoryBudget>,
    pub number: u64,
    pub known: HashMap<String, KnownSource>,
    pub parsers: Arc<Parsers>,
    /// See [`Options::base`](super::Options::base).
    pub base: Option<PathBuf>,
    /// Packed bytes that were read.
    pub consumed: Arc<AtomicU64>,
    /// How far checksums have confirmed the source.
    pub confirmed: Confirmed,
    pub cancel: Arc<AtomicBool>,
}

/// The writer has stopped.
pub(super) struct Closed;

/// The reason reported for a file that changed after it was opened.
const CHANGED: &str = "the file changed while it was being read; import it again when it is complete";

/// Bytes of a game that are checked for being text.
const LOOKED_AT: usize = 1024;

impl SourceReader {
    pub(super) fn read_all(mut self, sources: &[Source]) {
        for source in sources {
            if self.read_source(source).is_err() {
                return;
            }
        }
    }

    /// The name of a source in the archive.
    fn name(&self, source: &Source) -> String {
        let (name, base) = (source.to_string(), self.base.as_deref().map(path_name));
        let within = base.and_then(|base| name.strip_prefix(&base)?.strip_prefix('/').map(str::to_owned));
        within.unwrap_or(name)
    }

    fn read_source(&mut self, source: &Source) -> Result<(), Closed> {
        let (stamp, lasting) = (stamp(source), is_lasting(source));
        let begin = Begin { name: self.name(source), stamp, lasting, known: None };
        self.confirmed = Confirmed::all();
        // Pipes have no hash, and neither have archives from before hashes were stored.
        let known = self.known.get(&begin.name).copied();
        let known = known.filter(|known| known.state.hash.is_some() && lasting);
        if let Source::Archive(path) = source {
            return self.read_archive(path, begin, known);
        }
        let end = match known {
            None => self.read_from_start(source, begin)?,
            Some(known) if resume::is_unchanged(&known, begin.stamp) => {
                self.begin(begin.resumed(known, ResumeOutcome::Unchanged))?;
                End::Whole
            }
            Some(known) => {
                let read = self.open(source, |source_reader, opened| {
                    source_reader.resume_source(source, opened, &begin, known)
                })?;
                match read {
                    Ok(Some(end)) => end,
                    Ok(None) => self.read_from_start(source, begin.resumed(known, ResumeOutcome::Changed))?,
                    Err(failed) => {
                        self.begin(begin.resumed(known, ResumeOutcome::Resumed))?;
                        failed
                    }
                }
            }
        };
        self.end(end)
    }

    fn read_from_start(&mut self, source: &Source, begin: Begin) -> Result<End, Closed> {
        self.begin(begin)?;
        let split = |source_reader: &mut SourceReader, opened: &mut OpenSource<'_>| {
            let OpenSource { text, watch, .. } = opened;
            let format = format_of(source, text.beginning());
            source_reader.split(text, format, (0, 1), XxHash3_64::with_seed(0), watch)
        };
        Ok(self.open(source, split)?.unwrap_or_else(|failed| failed))
    }

    /// Opens a source. A failure to open it is distinct from a writer that has stopped.
    fn open<T>(
        &mut self,
        source: &Source,
        read: impl FnOnce(&mut SourceReader, &mut OpenSource<'_>) -> Result<T, Closed>,
    ) -> Result<Result<T, End>, Closed> {
        let (encoding, threads) = (self.parsers.options.encoding, self.workers.all.current_num_threads());
        let consumed = Arc::clone(&self.consumed);
        let read = |opened: &mut OpenSource<'_>| {
            self.confirmed = opened.confirmed.clone();
            read(self, opened)
        };
        match source.open(encoding, &consumed, threads, read) {
            Ok(read) => read.map(Ok),
            Err(SourceError::Io(_, error)) => Ok(Err(End::of_error(0, &error))),
            Err(error) => Ok(Err(End::failed(0, error.to_string()))),
        }
    }

    /// Resumes after what an earlier import has processed; `None` if the source has changed.
    fn resume_source(
        &mut self,
        source: &Source,
        opened: &mut OpenSource<'_>,
        begin: &Begin,
        known: KnownSource,
    ) -> Result<Option<End>, Closed> {
        let state = known.state;
        let OpenSource { text, watch, .. } = opened;
        let format = format_of(source, text.beginning());
        match resume::skip_processed(text, format, &state, &self.cancel) {
            Ok(None) if self.cancel.load(Ordering::Relaxed) => Err(Closed),
            Ok(None) => Ok(None),
            Ok(Some((hash, peeked))) => {
                let outcome = match state.ended {
                    true if peeked.trim_ascii().is_empty() => ResumeOutcome::Unchanged,
                    true => ResumeOutcome::Grown,
                    false => ResumeOutcome::Resumed,
                };
                self.begin(begin.clone().resumed(known, outcome))?;
                let rest = Cursor::new(peeked).chain(text);
                let start = (state.bytes, state.lines + 1);
                self.split(rest, format, start, hash, watch).map(Some)
            }
            Err(error) => {
                self.begin(begin.clone().resumed(known, ResumeOutcome::Resumed))?;
                Ok(Some(End::of_error(state.bytes, &error)))
            }
        }
    }

    /// Splits to the end, or to where the source cannot be read any further, from a resume point: its byte and line.
    fn split(
        &mut self,
        reader: impl Read,
        format: Format,
        (byte, line): (u64, u64),
        mut hash: XxHash3_64,
        watch: &FileWatch,
    ) -> Result<End, Closed> {
        let mut splitter = GameSplitter::with_boundaries(reader, format.boundaries(), byte, line);
        let mut barren = 0;
        loop {
            match splitter.next_batch(BATCH_BYTES) {
                Ok(None) => return Ok(end_of(&GameBatch::default(), format, watch, splitter.position())),
                Ok(Some(batch)) => {
                    let position = splitter.position();
                    let ended = splitter.has_ended().then(|| end_of(&batch, format, watch, position));
                    if let Some(end @ (End::Growing { .. } | End::Failed(_))) = ended {
                        self.parse_incomplete(batch, format, position, &mut hash)?;
                        return Ok(end);
                    }
                    // An endless stream such as /dev/zero must end with an error, but a real file may begin with a
                    // long text without games.
                    barren = if holds_games(&batch) { 0 } else { barren + batch.text.len() as u64 };
                    hash.write(&batch.text);
                    let resume_point = splitter.boundary();
                    let resume_point = resume_point.map(|(byte, line)| ResumePoint {
                        byte,
                        lines: line - 1,
                        hash: hash.finish(),
                    });
                    self.parse(batch, format, position, resume_point)?;
                    if barren > MAX_BARREN_BYTES {
                        let why = format!(
                            "no game found in {} MiB: not a PGN file, or an endless stream",
                            barren >> 20
                        );
                        return Ok(End::failed(position, why));
                    }
                    if let Some(end) = ended {
                        return Ok(end);
                    }
                }
                Err(error) => {
                    let byte = splitter.position();
                    while let Ok(Some(batch)) = splitter.next_batch(BATCH_BYTES) {
                        self.parse_incomplete(batch, format, splitter.position(), &mut hash)?;
                    }
                    return Ok(End::of_error(byte, &error));
                }
            }
        }
    }

    /// Parses what was read before a failure, or of a file that is still being written. The last game may be
    /// incomplete: it is stored only if it has a result, and read again when the source is complete.
    fn parse_incomplete(
        &mut self,
        mut batch: GameBatch,
        format: Format,
        position: u64,
        hash: &mut XxHash3_64,
    ) -> Result<(), Closed> {
        let Some(last) = batch.games.pop() else { return Ok(()) };
        hash.write(batch.text.get(..last.range.start).unwrap_or_default());
        let resume_point = ResumePoint { byte: last.byte, lines: last.line - 1, hash: hash.finish() };
        let text = batch.text.get(last.range.clone()).unwrap_or_default().to_vec();
        self.parse(batch, format, position, Some(resume_point))?;
        if !format.is_terminated(&text) {
            return Ok(());
        }
        let game = GameText { range: 0..text.len(), ..last };
        self.parse(GameBatch { text, games: vec![game] }, format, position, None)
    }

    /// Submits a batch for parsing.
    fn parse(
        &mut self,
        batch: GameBatch,
        format: Format,
        position: u64,
        resume_point: Option<ResumePoint>,
    ) -> Result<(), Closed> {
        let largest = batch.games.iter().map(|game| game.range.len()).max().unwrap_or(0);
        let (text, parsers) = (batch.text.len(), Arc::clone(&self.parsers));
        let bytes = estimate(text, batch.games.len(), largest) + parsers.recorded(text);
        self.spawn(bytes, largest, move |reservation| {
            (parsers.parse(batch, format, reservation), position, resume_point)
        })
    }

    /// Runs some work on the pool, with an estimate of its memory and the size of its largest game. Its result is stored
    /// next: games, how far the source has been split, and where an import can resume after them.
    pub(super) fn spawn(
        &mut self,
        bytes: usize,
        largest_game: usize,
        work: impl FnOnce(&mut Reservation) -> (ParsedBatch, u64, Option<ResumePoint>) + Send + 'static,
    ) -> Result<(), Closed> {
        let mut reservation = self.reservation(bytes)?;
        let (number, events, confirmed) = (self.number, self.events.clone(), self.confirmed.bytes());
        self.number += 1;
        let work = move || {
            let (batch, position, resume_point) = work(&mut reservation);
            let event: Event =
                Box::new(move |writer| writer.add_batch(batch, position, resume_point, confirmed));
            // An error means that the writer has stopped.
            let _ = events.send((number, event, reservation));
        };
        self.workers.spawn(bytes, largest_game, work);
        Ok(())
    }

    pub(super) fn begin(&mut self, begin: Begin) -> Result<(), Closed> {
        self.send(SMALL, move |writer| writer.begin_source(begin))
    }

    pub(super) fn end(&mut self, end: End) -> Result<(), Closed> {
        let confirmed = self.confirmed.bytes();
        self.send(SMALL, move |writer| writer.end_source(end, confirmed))
    }

    /// Sends an event that takes some bytes of memory.
    pub(super) fn send(
        &mut self,
        bytes: usize,
        event: impl FnOnce(&mut ImportWriter<'_>) -> Result<(), ImportError> + Send + 'static,
    ) -> Result<(), Closed> {
        let reservation = self.reservation(bytes)?;
        self.events.send((self.number, Box::new(event), reservation)).map_err(|_| Closed)?;
        self.number += 1;
        Ok(())
    }

    /// Waits for space for the next event.
    fn reservation(&self, bytes: usize) -> Result<Reservation, Closed> {
        self.memory_budget.reservation(self.number, bytes).ok_or(Closed)
    }
}

/// How a source ended, judged by its last games.
fn end_of(batch: &GameBatch, format: Format, watch: &FileWatch, byte: u64) -> End {
    let is_open =
        |last: &&GameText| !format.is_terminated(batch.text.get(last.range.clone()).unwrap_or_default());
    let open = batch.games.last().filter(is_open);
    let change = if open.is_some() { watch.change_in_a_moment() } else { watch.change() };
    match (change, open) {
        (FileChange::None, _) | (FileChange::Grown, None) => End::Whole,
        (FileChange::Grown, Some(last)) => End::Growing { byte: last.byte, line: last.line },
        (FileChange::Other, _) => End::failed(byte, CHANGED.to_owned()),
    }
}

/// Whether a batch contains a game that could be valid: complete, and text.
fn holds_games(batch: &GameBatch) -> bool {
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    batch.games.iter().filter(|game| !game.cut_short).any(|game| {
        let text = batch.text.get(game.range.clone()).unwrap_or_default();
        let text = text.get(..LOOKED_AT).unwrap_or(text);
        text.iter().filter(is_control).count() <= text.len() / 20
    })
}

impl Begin {
    pub(super) fn resumed(self, known: KnownSource, outcome: ResumeOutcome) -> Begin {
        Begin { known: Some((known, outcome)), ..self }
    }
}
