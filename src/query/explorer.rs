//! A handle for an archive that is opened once and queried often, from several threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool};

use super::{
    Context, PositionIndex,
    indexed::DamageHandler,
    watch::{self, Followed, Stamp, Watch, must_be_opened_again, stamp},
};
use crate::{
    archive::{Archive, ArchiveError, ArchivePaths, BusyTimeout, Result},
    files::FileId,
};

/// An archive and its index, for a program that runs many queries from any number of threads.
///
/// Each query uses its own connection, which is kept for later queries, and reads one snapshot of the archive; games
/// that another program adds, and parts that a directory lists, are visible to the next query.
///
/// ```
/// use plybook::{archive::Filter, chess::{Fen, Variant}, import::{Options, import_paths}, query::{Explorer, TargetPosition, count_reaching, explore}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// import_paths(&path, &["data/famous.pgn".into()], &Options { index: true, ..Options::default() })?;
/// let explorer = Explorer::open(&path)?;
/// let (start, all) = ([Variant::Standard.start()], Filter::default());
/// std::thread::scope(|threads| {
///     threads.spawn(|| {
///         let answer = &explorer.ask(|context| explore(context, &start, &all)).unwrap()[0];
///         println!("{} games, mostly 1. {}", answer.results.games, answer.moves[0].san);
///         # assert_eq!((answer.results.games, answer.moves[0].san.as_str()), (62, "e4"));
///     });
///     threads.spawn(|| {
///         let sicilian: Fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse().unwrap();
///         let sicilian = TargetPosition::new(&sicilian.into_setup()).unwrap();
///         println!("{:?}", explorer.ask(|context| count_reaching(context, &sicilian, &all)));
///     });
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    paths: Arc<Followed>,
    idle: Mutex<Vec<Connection>>,
    /// The index of the file that was queried last.
    index: Mutex<(FileId, Arc<PositionIndex>)>,
    /// Called when the index is corrupt.
    handler: Option<DamageHandler>,
    watch: Watch,
}

/// A connection, and what is known of its archive.
#[derive(Debug)]
struct Connection {
    archive: Archive,
    current: Current,
}

/// An archive as of the last use of a connection.
#[derive(Debug)]
struct Current {
    /// SQLite's data version, which changes when another connection has written.
    version: i64,
    index: Arc<PositionIndex>,
    /// The file, or the older file of which a copy is read.
    opened: Stamp,
}

/// The version of a connection that has not been used yet.
const NEW: i64 = -1;

impl Explorer {
    /// Opens an archive, or several to be read as one.
    ///
    /// # Errors
    /// As [`Archive::open`], or its index is damaged.
    pub fn open(paths: impl Into<ArchivePaths>) -> Result<Explorer> {
        Explorer::open_with(paths.into(), None)
    }

    /// Like [`open`](Explorer::open), for a caller that wants results even if the index is corrupt: `report` is called
    /// once, and queries run without the index until it has been rebuilt.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_reporting(
        paths: impl Into<ArchivePaths>,
        report: impl Fn(&ArchiveError) + Send + Sync + 'static,
    ) -> Result<Explorer> {
        Explorer::open_with(paths.into(), Some(DamageHandler::new(report)))
    }

    fn open_with(paths: ArchivePaths, handler: Option<DamageHandler>) -> Result<Explorer> {
        let paths = Arc::new(Followed::new(paths));
        let watch = Watch::new(Arc::clone(&paths))?;
        let index = Arc::new(PositionIndex::reporting_to(handler.clone()));
        let index = Mutex::new((FileId::default(), index));
        let explorer = Explorer { paths, idle: Mutex::default(), index, handler, watch };
        explorer.ask(|_| Ok(()))?;
        Ok(explorer)
    }

    /// The archive's files as they are listed now.
    ///
    /// # Errors
    /// Their list cannot be read.
    pub fn paths(&self) -> Result<Arc<ArchivePaths>> {
        self.paths.now()
    }

    /// A number for the current state of the archive. It grows with every change; results for a smaller number may be
    /// outdated. `None` if it cannot be determined immediately, because another program is writing.
    pub fn state_of_now(&self) -> Option<u64> {
        self.watch.state()
    }

    /// Like [`ask`](Self::ask), but fails soon after another thread has set a flag; and if the index turns out to be
    /// corrupt, this is reported, and the query runs again without it in the same snapshot.
    ///
    /// # Errors
    /// An SQLite error, or the errors of `ask`.
    pub fn ask_until<T>(
        &self,
        stop: &Arc<AtomicBool>,
        mut ask: impl FnMut(Context<'_>) -> Result<T>,
    ) -> Result<T> {
        let _until = BusyTimeout { cancel: Arc::clone(stop), ..BusyTimeout::default() }.in_force();
        self.ask(|context| {
            let Context { archive, index, .. } = context;
            archive.stop_when(Some(Arc::clone(stop)));
            let answer = match (ask(context), index) {
                (Err(error), Some(index)) if index.ignore_for(&error) => {
                    index.ignored(archive).and_then(|ignored| ask(context.with_index(Some(&ignored))))
                }
                (answer, _) => answer,
            };
            archive.stop_when(None);
            answer
        })
    }

    /// Runs a query with a connection and the index, which may be empty, in one snapshot: concurrent writes are not
    /// visible.
    ///
    /// # Errors
    /// An SQLite error, or the errors of `ask`.
    pub fn ask<T>(&self, ask: impl FnOnce(Context<'_>) -> Result<T>) -> Result<T> {
        let paths = self.paths.now()?;
        let known = lock(&self.idle).pop().filter(|known| known.is_of_now(&paths));
        let mut connection = match known {
            Some(connection) => connection,
            None => Connection::open(&paths)?,
        };
        let Connection { archive, current } = &mut connection;
        let snapshot = archive.snapshot()?;
        let renewed = self.renew(archive, current);
        let answer = renewed.and_then(|()| ask(Context::new(archive).with_index(Some(&current.index))));
        drop(snapshot);
        lock(&self.idle).push(connection);
        answer
    }

    /// The index in the snapshot of another connection to the archive. That it is corrupt is reported once for all
    /// connections.
    pub fn index_of(&self, archive: &Archive) -> Result<PositionIndex> {
        let index = Arc::clone(&lock(&self.index).1);
        index.renewed(archive)
    }

    /// Runs a query that calls [`ask`](Self::ask) several times, and again without the index if it turns out to be
    /// corrupt.
    pub(super) fn or_again<T>(&self, mut ask: impl FnMut() -> Result<T>) -> Result<T> {
        match ask() {
            Err(error) if lock(&self.index).1.ignore_for(&error) => ask(),
            answer => answer,
        }
    }

    /// Updates the index of a connection.
    fn renew(&self, archive: &Archive, current: &mut Current) -> Result<()> {
        let Current { version, index: cached, opened: Stamp { file, .. } } = current;
        let now = archive.data_version()?;
        if *version != now {
            let (of, mut index) = lock(&self.index).clone();
            // Another program may have rebuilt it. If it is still the corrupt one, that has been reported.
            let is_rebuilt = || Ok::<_, ArchiveError>(!PositionIndex::open_if_sound(archive)?.1);
            if of != *file || *version != NEW && index.is_ignored() && is_rebuilt()? {
                index = Arc::new(PositionIndex::reporting_to(self.handler.clone()));
            }
            (*version, *cached) = (now, Arc::new(index.renewed(archive)?));
            *lock(&self.index) = (*file, Arc::clone(cached));
        }
        if cached.is_ignored() {
            *cached = Arc::new(cached.ignored(archive)?);
        }
        Ok(())
    }
}

impl Connection {
    fn open(paths: &ArchivePaths) -> Result<Connection> {
        let (archive, opened) = watch::open(paths)?;
        Ok(Connection { archive, current: Current { version: NEW, index: Arc::default(), opened } })
    }

    /// Whether it reads the files now at the paths; for a connection that cannot see later writes, in exactly their
    /// current state.
    fn is_of_now(&self, paths: &ArchivePaths) -> bool {
        let (as_they_are, opened) = (must_be_opened_again(&self.archive), self.current.opened);
        stamp(paths.files())
            .is_some_and(|now| if as_they_are { now == opened } else { now.file == opened.file })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
