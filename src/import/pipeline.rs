//! One thread reads and cuts, a pool parses and encodes, the calling thread writes.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread,
    time::Instant,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    ImportError, Options, Progress, Report,
    parse::{Item, parse_batch},
    store::Store,
};
use crate::pgn::{Cutter, ReadOptions, Source, SourceError, find_sources};

/// Unpacked bytes of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// Batches under way for each parsing thread.
const BATCHES_A_THREAD: usize = 4;

/// What the writer gets, numbered in the order of the sources.
enum Event {
    Begin(String),
    Games { items: Vec<Item>, position: u64 },
    End(Option<(u64, String)>),
}

/// Imports files and folders into an archive, which is made if it does not exist.
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
    let mut store = Store::new(archive, options)?;
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| ImportError::Threads(error.to_string()))?;
    let consumed = Arc::new(AtomicU64::new(0));
    let mut progress = Progress { total_bytes: total_bytes(&sources), ..Progress::default() };

    let (events, arrived) = channel();
    let (start, started) = sync_channel(BATCHES_A_THREAD * pool.current_num_threads());
    thread::scope(|scope| {
        let reader = Outlet { pool: &pool, events, start, number: 0, reading: options.reading };
        let counter = Arc::clone(&consumed);
        scope.spawn(move || reader.read_all(&sources, &counter));
        for event in in_order(arrived, started) {
            match event {
                Event::Begin(name) => {
                    store.begin_source(&name);
                    progress.source = name;
                }
                Event::Games { items, position } => store.add_batch(items, position)?,
                Event::End(failure) => store.end_source(failure)?,
            }
            progress.bytes = consumed.load(Ordering::Relaxed);
            (progress.unpacked, progress.games) = (store.report.pgn_bytes, store.report.seen);
            tell(&progress);
            if options.cancel.load(Ordering::Relaxed) {
                store.report.cancelled = true;
                store.end_source(None)?;
                break;
            }
        }
        store.finish(|| begin.elapsed().as_secs_f64())
    })
}

fn total_bytes(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::packed_bytes).sum()
}

/// Hands events on in the order of their numbers. Each lets the reader start another batch.
fn in_order(arrived: Receiver<(u64, Event)>, started: Receiver<()>) -> impl Iterator<Item = Event> {
    let mut early = BTreeMap::new();
    (0..).map_while(move |number| {
        while !early.contains_key(&number) {
            let (arrived, event) = arrived.recv().ok()?;
            early.insert(arrived, event);
        }
        let _ = started.try_recv();
        early.remove(&number)
    })
}

/// The reader's end: numbers what it sends, and waits while too much is under way.
struct Outlet<'a> {
    pool: &'a ThreadPool,
    events: Sender<(u64, Event)>,
    start: SyncSender<()>,
    number: u64,
    reading: ReadOptions,
}

/// The writer has gone: nothing more is wanted.
struct Closed;

impl Outlet<'_> {
    fn read_all(mut self, sources: &[Source], consumed: &Arc<AtomicU64>) {
        for source in sources {
            if self.read_source(source, consumed).is_err() {
                return;
            }
        }
    }

    fn read_source(&mut self, source: &Source, consumed: &Arc<AtomicU64>) -> Result<(), Closed> {
        self.send(Event::Begin(source.to_string()))?;
        let read = source.open(consumed, |reader| {
            let mut cutter = Cutter::new(reader);
            loop {
                match cutter.next_batch(BATCH_BYTES) {
                    Ok(Some(batch)) => self.parse(batch, cutter.position())?,
                    Ok(None) => return Ok(None),
                    // What has been read of the last game is still to come.
                    Err(error) => {
                        let failure = (cutter.position(), error.to_string());
                        while let Ok(Some(batch)) = cutter.next_batch(BATCH_BYTES) {
                            self.parse(batch, cutter.position())?;
                        }
                        return Ok(Some(failure));
                    }
                }
            }
        });
        let failure = match read {
            Ok(failure) => failure?,
            Err(SourceError::Io { error, .. }) => Some((0, error.to_string())),
            Err(error) => Some((0, error.to_string())),
        };
        self.send(Event::End(failure))
    }

    /// Lets the pool parse a batch.
    fn parse(&mut self, batch: crate::pgn::Batch, position: u64) -> Result<(), Closed> {
        self.start.send(()).map_err(|_| Closed)?;
        let (number, events, reading) = (self.number, self.events.clone(), self.reading);
        self.number += 1;
        self.pool.spawn(move || {
            let items = parse_batch(&batch, reading);
            // An error means that the writer has gone.
            let _ = events.send((number, Event::Games { items, position }));
        });
        Ok(())
    }

    fn send(&mut self, event: Event) -> Result<(), Closed> {
        self.start.send(()).map_err(|_| Closed)?;
        self.events.send((self.number, event)).map_err(|_| Closed)?;
        self.number += 1;
        Ok(())
    }
}
