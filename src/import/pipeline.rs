//! One thread reads and splits, a pool parses and encodes, the calling thread writes.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    ImportError, IndexProgress, Options, PartSink, Progress, Report,
    games::GameEncoding,
    index::{go_on, index},
    memory_budget::{MemoryBudget, Reservation},
    protect::protected,
    recorder::{Recorder, RecorderSettings},
    sink::{Event, Input},
    source::{FoundSource, find, has_setting, readers},
    source_reader::SourceReader,
    workers::Workers,
    writer::ImportWriter,
};
use crate::archive::check_is_not_in_parts;

/// How often an idle writer checks for cancellation.
// Short enough that Ctrl-C seems immediate, and long enough that an idle import uses no measurable CPU time.
const LOOK: Duration = Duration::from_millis(50);

/// Number of idle checks after which a source has probably paused.
// Without this, an import from a stalled pipe would keep its transaction, and with it the lock of the archive, until
// more input arrives. After 0.2 s without input it commits, and other programs can write.
const QUIET: u32 = 4;

/// Imports files and directories into an archive, which is created if it does not exist. Sources that have been
/// imported before are resumed where that import stopped.
///
/// # Errors
/// A source or the archive cannot be opened, nothing is PGN, or the disk is full. What was committed before stays; the
/// rest is rolled back.
pub fn import_paths(archive: &Path, paths: &[PathBuf], options: &Options) -> Result<Report, ImportError> {
    import_with_progress(archive, paths, options, |_| {})
}

/// The same with a progress report after every batch.
///
/// # Errors
/// The same as [`import_paths`].
pub fn import_with_progress(
    archive: &Path,
    paths: &[PathBuf],
    options: &Options,
    mut report_progress: impl FnMut(&Progress),
) -> Result<Report, ImportError> {
    check_is_not_in_parts(archive)?;
    let mut index_progress = Progress::default();
    let (mut report, recorder) = import(archive, None, paths, options, |progress| {
        index_progress.clone_from(progress);
        report_progress(progress);
    })?;
    index(archive, options, &mut report, recorder, |at| {
        index_progress.index = Some(at);
        report_progress(&index_progress);
    });
    Ok(report)
}

/// The same into archives that are filled one after another. They are not indexed.
///
/// # Errors
/// The same as [`import_paths`], and those of the sink.
pub fn import_into_sink(
    sink: &mut dyn PartSink,
    paths: &[PathBuf],
    options: &Options,
    report_progress: impl FnMut(&Progress),
) -> Result<Report, ImportError> {
    let first = {
        let _patience = options.busy_timeout().in_force();
        sink.begin()?
    };
    import(&first, Some(sink), paths, options, report_progress).map(|(report, _)| report)
}

/// The names that an import gives to the sources under some paths.
///
/// # Errors
/// One of them does not exist.
pub fn source_names(paths: &[PathBuf]) -> Result<HashSet<String>, ImportError> {
    Ok(find(paths, true)?.iter().map(|found| found.source.to_string()).collect())
}

/// The sources to import.
fn sources_of(paths: &[PathBuf], options: &Options) -> Result<Vec<FoundSource>, ImportError> {
    if let Some(name) = options.settings.keys().find(|name| !has_setting(name)) {
        return Err(ImportError::UnknownSetting(name.clone()));
    }
    Ok(find(paths, true)?)
}

/// Imports, and returns what was recorded for the index.
fn import(
    archive: &Path,
    sink: Option<&mut dyn PartSink>,
    paths: &[PathBuf],
    options: &Options,
    report_progress: impl FnMut(&Progress),
) -> Result<(Report, Recorder), ImportError> {
    let begin = Instant::now();
    let _patience = options.busy_timeout().in_force();
    let sources = sources_of(paths, options)?;
    let protected = protected(archive, &sources)?;
    let total_bytes = sources.iter().map(FoundSource::bytes).sum();
    let workers = Workers::new(options.threads)?;
    let mut writer = ImportWriter::new(archive, sink, total_bytes, options, &protected)?;
    let wanted = writer.records(total_bytes, options.index)?;
    writer.recorder = Recorder::new(RecorderSettings {
        wanted,
        archive: archive.to_owned(),
        pool: Arc::clone(&workers.all),
        index_every: options.index_every,
    });
    let progress = Progress { total_bytes, ..Progress::default() };
    let mut reporter = Reporter { progress, consumed: Arc::default(), report: report_progress };
    // An unbounded channel: the budget limits what is in flight, by bytes. A bounded channel would limit it again by
    // number, and could block a parser whose batch is not needed yet.
    let (events, arrived) = channel();
    let mut arrivals = Arrivals { arrived, early: BTreeMap::new(), number: 0, memory_budget: Arc::default() };
    let known = if options.again { HashMap::new() } else { writer.known_sources()? };
    let input = Input {
        settings: options.settings.clone(),
        threads: workers.all.current_num_threads(),
        is_resumed_later: true,
        cancel: Arc::clone(&options.cancel),
        consumed: Arc::clone(&reporter.consumed),
        ..Input::new(readers(options.reading))
    };
    let source_reader = SourceReader {
        workers,
        events,
        memory_budget: Arc::clone(&arrivals.memory_budget),
        number: 0,
        known,
        encoding: GameEncoding::new(options, wanted),
        condition: options.condition.clone(),
        base: options.base.clone(),
        input,
        next: None,
    };
    // Not joined after a cancellation, because the thread may be blocked on standard input.
    let reader = thread::spawn(move || source_reader.read_all(&sources));
    arrivals.store_all(&mut writer, &options.cancel, &mut reporter)?;
    if options.cancel.load(Ordering::Relaxed) {
        writer.report.cancelled = true;
    } else if reader.join().is_err() {
        writer.finish(|| begin.elapsed().as_secs_f64())?;
        return Err(ImportError::Reader);
    }
    let recorder = std::mem::take(&mut writer.recorder);
    Ok((writer.finish(|| begin.elapsed().as_secs_f64())?, recorder))
}

/// Reports the progress of an import.
struct Reporter<F> {
    progress: Progress,
    /// Bytes read of all sources.
    consumed: Arc<AtomicU64>,
    report: F,
}

impl<F: FnMut(&Progress)> Reporter<F> {
    /// A batch has been stored.
    fn stored(&mut self, writer: &ImportWriter<'_>) {
        let Reporter { progress, consumed, report } = self;
        writer.source_name().clone_into(&mut progress.source);
        progress.bytes = consumed.load(Ordering::Relaxed);
        (progress.unpacked, progress.games) = (writer.report.pgn_bytes, writer.report.seen);
        progress.index_seconds = writer.report.index_seconds();
        progress.index = None;
        report(progress);
    }

    /// Games of a segment of the index have been processed.
    fn indexed(&mut self, games: u64, of: u64) {
        self.progress.index = Some(IndexProgress { games, of });
        (self.report)(&self.progress);
    }
}

/// Events from the source reader and the parsers, put back in order.
// Batches are parsed in any order but stored in the order of the source, so that the archive has the same bytes for
// any number of threads, and an import can resume at a boundary.
struct Arrivals {
    arrived: Receiver<(u64, Event, Reservation)>,
    early: BTreeMap<u64, (Event, Reservation)>,
    /// The number of the next event.
    number: u64,
    memory_budget: Arc<MemoryBudget>,
}

/// What the writer does next.
enum Next {
    /// Handle an event, with its reserved memory.
    Event(Event, Reservation),
    /// Let other programs write: no event has arrived and none is in flight.
    Quiet,
    /// Stop: there are no more events, or the import was cancelled.
    End,
}

impl Arrivals {
    /// Passes all events to the writer, and reports after each.
    fn store_all(
        &mut self,
        writer: &mut ImportWriter<'_>,
        cancel: &AtomicBool,
        reporter: &mut Reporter<impl FnMut(&Progress)>,
    ) -> Result<(), ImportError> {
        loop {
            let (event, reservation) = match self.next(cancel) {
                Next::Event(event, reservation) => (event, reservation),
                Next::Quiet => {
                    writer.rest()?;
                    continue;
                }
                Next::End => return Ok(()),
            };
            let watch = |games, of| {
                reporter.indexed(games, of);
                go_on(cancel)
            };
            match writer.handle(event).and_then(|()| writer.index_if_full(watch)) {
                Err(error) if error.is_patience() && cancel.load(Ordering::Relaxed) => return Ok(()),
                done => done?,
            }
            reporter.stored(writer);
            drop(reservation);
        }
    }

    /// The next event, in order.
    fn next(&mut self, cancel: &AtomicBool) -> Next {
        self.memory_budget.want(self.number);
        let mut looks = 0;
        while !cancel.load(Ordering::Relaxed) {
            if let Some((event, reservation)) = self.early.remove(&self.number) {
                self.number += 1;
                return Next::Event(event, reservation);
            }
            match self.arrived.recv_timeout(LOOK) {
                Ok((number, event, reservation)) => drop(self.early.insert(number, (event, reservation))),
                Err(RecvTimeoutError::Timeout) => looks += 1,
                Err(RecvTimeoutError::Disconnected) => return Next::End,
            }
            // Not while a batch is being parsed: then the next event is only late, and a commit per batch would cost
            // a sync each.
            if looks >= QUIET && self.memory_budget.is_idle() {
                return Next::Quiet;
            }
        }
        Next::End
    }
}

impl Drop for Arrivals {
    fn drop(&mut self) {
        self.memory_budget.close();
    }
}
