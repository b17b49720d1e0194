//! One thread reads and cuts, a pool parses and encodes, the calling thread writes.

use std::{
    collections::{BTreeMap, HashMap},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use rayon::ThreadPoolBuilder;

use super::{
    ImportError, Options, Progress, Report,
    outlet::{Event, Outlet},
    parse::Parsers,
    protect::protected,
    store::Store,
};
use crate::{
    limits::MAX_THREADS,
    pgn::{Source, find_sources},
};

/// Batches under way for each parsing thread.
const BATCHES_A_THREAD: usize = 4;

/// How often it is looked whether to stop, where nothing comes.
const LOOK: Duration = Duration::from_millis(50);

/// Imports files and folders into an archive, which is made if it does not exist. Sources that have been
/// imported from before are read on from where that import stopped.
///
/// # Errors
/// A source or the archive cannot be opened, nothing is PGN, or the disk is full. What was committed before
/// stays; the rest is as if it had never been.
pub fn import_paths(archive: &Path, paths: &[PathBuf], options: &Options) -> Result<Report, ImportError> {
    import_with_progress(archive, paths, options, |_| {})
}

/// The same, and tells its progress after every batch.
///
/// # Errors
/// As [`import_paths`].
pub fn import_with_progress(
    archive: &Path,
    paths: &[PathBuf],
    options: &Options,
    mut tell: impl FnMut(&Progress),
) -> Result<Report, ImportError> {
    let begin = Instant::now();
    let sources = find_sources(paths)?;
    let protected = protected(archive, &sources)?;
    let total_bytes = total_bytes(&sources);
    let mut store = Store::new(archive, total_bytes, options, &protected)?;
    let pool = ThreadPoolBuilder::new().num_threads(threads(options)).build();
    let pool = Arc::new(pool.map_err(|error| ImportError::Threads(error.to_string()))?);
    let consumed = Arc::new(AtomicU64::new(0));
    let mut progress = Progress { total_bytes, ..Progress::default() };

    let (events, arrived) = channel();
    let (start, started) = sync_channel(BATCHES_A_THREAD * pool.current_num_threads());
    let known = if options.again { HashMap::new() } else { store.known_sources()? };
    let (parsers, cancel) = (Arc::new(Parsers::new(options.reading)), Arc::clone(&options.cancel));
    let outlet = Outlet { pool, events, start, number: 0, known, parsers, cancel };
    let counter = Arc::clone(&consumed);
    // Not waited for when somebody says stop: it may be waiting for standard input.
    let reader = thread::spawn(move || outlet.read_all(&sources, &counter));
    for event in in_order(arrived, started, &options.cancel) {
        match event {
            Event::Begin(begin) => {
                progress.source.clone_from(&begin.name);
                store.begin_source(begin);
            }
            Event::Games { items, position, border } => store.add_batch(items, position, border)?,
            Event::End(end) => store.end_source(end)?,
        }
        progress.bytes = consumed.load(Ordering::Relaxed);
        (progress.unpacked, progress.games) = (store.report.pgn_bytes, store.report.seen);
        tell(&progress);
    }
    if options.cancel.load(Ordering::Relaxed) {
        store.report.cancelled = true;
        store.note_source()?;
    } else if reader.join().is_err() {
        store.finish(|| begin.elapsed().as_secs_f64())?;
        return Err(ImportError::Reader);
    }
    store.finish(|| begin.elapsed().as_secs_f64())
}

fn threads(options: &Options) -> usize {
    let wanted = match options.threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    wanted.min(MAX_THREADS)
}

fn total_bytes(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::packed_bytes).sum()
}

/// Hands events on in the order of their numbers, until the end or until somebody says stop. Each lets the
/// reader start another batch.
fn in_order(
    arrived: Receiver<(u64, Event)>,
    started: Receiver<()>,
    cancel: &AtomicBool,
) -> impl Iterator<Item = Event> {
    let mut early = BTreeMap::new();
    (0..).map_while(move |number| {
        while !cancel.load(Ordering::Relaxed) {
            if let Some(event) = early.remove(&number) {
                let _ = started.try_recv();
                return Some(event);
            }
            match arrived.recv_timeout(LOOK) {
                Ok((arrived, event)) => drop(early.insert(arrived, event)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    })
}
