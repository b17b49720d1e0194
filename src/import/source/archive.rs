//! Merging: importing the games of another archive.
//!
//! Games are imported in the order of their ids. A damaged game is rejected with its reason, so every game of the
//! archive is stored, a duplicate or rejected. A later import resumes if a hash of the earlier games still matches.

mod rows;

use std::{
    hash::Hasher,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use twox_hash::XxHash3_64;

use super::kind::{FoundSource, GameSource};
use crate::{
    archive::{Archive, ArchiveError, GameProof, HeldArchive, Result, SourceState, Transfer, log_of},
    counts::GAMES,
    import::{
        Games, ResumeOutcome,
        games::GamePlace,
        sink::{Batch, Closed, End, Event, Flow, ResumePoint, Sink},
    },
    pgn::{Location, RejectReason},
    record::GameId,
    sources::is_archive,
};

/// Most games in a batch, and the bytes after which a batch is full.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 256 << 10;

/// Most consecutive missing games that are reported one by one.
const MOST_MISSING: i64 = 1000;

/// Appended to the reason when an archive is not read any further.
const DAMAGED: &str = "the archive is damaged";

/// An archive of plybook, whatever its name. Directories are not searched for them.
#[derive(Debug)]
pub(super) struct PlybookArchive;

/// The archive being read.
struct Donor<'a> {
    found: &'a FoundSource,
    archive: HeldArchive,
    /// The ids of removed games, in order.
    removed: Vec<GameId>,
    proof: Arc<GameProof>,
}

/// The reading position.
struct ReadProgress<'a> {
    donor: &'a Donor<'a>,
    hash: XxHash3_64,
    next: GameId,
    batch: Vec<(GameId, Result<Transfer, String>)>,
    bytes: usize,
    /// Why reading stopped early.
    failure: Option<String>,
}

impl GameSource for PlybookArchive {
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    fn is_begun(&self, beginning: &[u8]) -> bool {
        is_archive(beginning)
    }

    /// Changes in the write-ahead log are not in the file yet.
    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let log = log_of(path);
        let has_log = log.metadata().is_ok_and(|log| log.len() > 0);
        if has_log { vec![log] } else { Vec::new() }
    }

    fn refusal(&self) -> Option<&'static str> {
        Some("this is a plybook archive, not PGN; export its games first")
    }

    fn read(&self, found: &FoundSource, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        match Donor::open(found) {
            Ok(donor) => {
                let end = donor.merge(known, sink)?;
                donor.copy_shared(end, sink)
            }
            Err(error) => Ok(End::stopped(0, without_name(&error.to_string(), found), false)),
        }
    }
}

impl Donor<'_> {
    fn open(found: &FoundSource) -> Result<Donor<'_>> {
        let archive = Archive::open(found.path())?.held(true);
        let proof = Arc::new(archive.maintenance().proof()?);
        let removed = archive.maintenance().removed()?;
        Ok(Donor { found, removed, proof, archive })
    }

    /// Merges the values of positions and players.
    fn copy_shared(&self, end: End, sink: &mut dyn Sink) -> Flow<End> {
        let copied = self.archive.maintenance().shared_values(true, |values| {
            sink.send(Event::Shared(values)).map_err(|_| ArchiveError::Stopped)
        });
        match copied {
            Err(ArchiveError::Stopped) => Err(Closed),
            Err(error) if matches!(end, End::Whole) => {
                Ok(End::stopped(self.proof.count, error.to_string(), false))
            }
            _ => Ok(end),
        }
    }

    /// Merges all games that have not been merged before.
    fn merge(&self, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
        let last = self.proof.last;
        let mut reading = ReadProgress::new(self);
        let mut outcome = None;
        if let Some(state) = known {
            let done = reading.skip_processed(state, &sink.input().cancel)?;
            outcome = Some(match state.ended {
                _ if !done => ResumeOutcome::Changed,
                true if reading.next > last => ResumeOutcome::Unchanged,
                true => ResumeOutcome::Grown,
                false => ResumeOutcome::Resumed,
            });
            if !done {
                reading = ReadProgress::new(self);
            }
        }
        sink.begin(outcome)?;
        if let Ok(former) = self.archive.maintenance().former()
            && !(former.is_empty() && self.removed.is_empty())
        {
            sink.send(Event::Former(former))?;
        }
        // If an archive lists far more games than it contains, none of its contents can be trusted.
        if self.proof.count > last.saturating_add(MOST_MISSING).unsigned_abs() {
            let why = format!("{}; {DAMAGED}", self.says_of_games(last.unsigned_abs()));
            return Ok(End::stopped(0, why, true));
        }
        if reading.next == 1 && self.copy_rows(sink)? {
            return Ok(End::Whole);
        }
        let mut closed = false;
        let walked = self.archive.maintenance().transfers(reading.next - 1, |game| {
            if !reading.take(game, last) {
                return false;
            }
            if reading.batch.len() >= BATCH || reading.bytes >= BATCH_BYTES {
                closed = reading.pass(sink).is_err();
            }
            !closed
        });
        if closed {
            return Err(Closed);
        }
        reading.pass(sink)?;
        let games = reading.games();
        let short = (games != self.proof.count).then(|| self.says_of_games(games));
        let is_damaged_archive = reading.failure.is_some();
        let why = walked.err().map(|error| error.to_string()).or(reading.failure).or(short);
        let why = why.map(|why| without_name(&why, self.found));
        Ok(why.map_or(End::Whole, |why| End::stopped(games, why, is_damaged_archive)))
    }

    fn says_of_games(&self, games: u64) -> String {
        let proved = self.proof.count;
        let (of_proved, of_games) = (GAMES.of(proved), GAMES.of(games));
        format!("it has fingerprints of {proved} {of_proved} but contains {games} {of_games}")
    }
}

impl<'a> ReadProgress<'a> {
    fn new(donor: &'a Donor<'a>) -> ReadProgress<'a> {
        let hash = XxHash3_64::with_seed(0);
        ReadProgress { donor, hash, next: 1, batch: Vec::new(), bytes: 0, failure: None }
    }

    /// The number of games read so far, without removed ones.
    fn games(&self) -> u64 {
        let removed = self.donor.removed.partition_point(|id| *id < self.next);
        (self.next - 1).unsigned_abs().saturating_sub(removed as u64)
    }

    /// Reads the games that an earlier import has processed. Returns whether they are unchanged.
    fn skip_processed(&mut self, state: &SourceState, cancel: &AtomicBool) -> Flow<bool> {
        let (donor, done) = (self.donor, GameId::try_from(state.bytes).unwrap_or(GameId::MAX));
        if done > donor.proof.last {
            return Ok(false);
        }
        let mut cancelled = false;
        let walked = donor.archive.maintenance().transfers(0, |game| {
            cancelled = cancel.load(Ordering::Relaxed);
            let more = self.next <= done && !cancelled && self.take(game, done);
            (self.batch, self.bytes) = (Vec::new(), 0);
            more && self.next <= done
        });
        if cancelled {
            return Err(Closed);
        }
        self.failure = None;
        let is_same =
            || Some(self.hash.finish()) == state.hash || hash_of_rows(&donor.archive, done) == state.hash;
        Ok(walked.is_ok() && self.next - 1 == done && is_same())
    }

    /// Adds a game to the batch. Returns whether to continue.
    fn take(&mut self, game: Result<Transfer>, last: GameId) -> bool {
        let (id, game) = match game {
            Ok(game) => (game.id(), Ok(game)),
            Err(ArchiveError::Damaged { id, what }) => (id, Err(what)),
            Err(error) => return self.fail(error.to_string()),
        };
        if id > last {
            // Added to the archive since the import began.
            return false;
        }
        let missing = id - self.next - self.removed_between(self.next, id);
        if id < self.next || missing > MOST_MISSING {
            return self.fail(format!("game {} is missing", self.next));
        }
        while self.next < id {
            match self.donor.removed.binary_search(&self.next) {
                Ok(_) => self.next += 1,
                Err(_) => self.push(self.next, Err("it is missing".to_owned())),
            }
        }
        self.push(id, game);
        id < last
    }

    /// The number of removed games from an id up to another one.
    fn removed_between(&self, from: GameId, to: GameId) -> GameId {
        let before = |id: GameId| self.donor.removed.partition_point(|removed| *removed < id) as GameId;
        (before(to) - before(from)).max(0)
    }

    fn push(&mut self, id: GameId, game: Result<Transfer, String>) {
        match &game {
            Ok(game) => {
                game.for_each_part(|part| self.hash.write(part));
                self.bytes += game.memory();
            }
            Err(_) => self.hash.write(&id.to_le_bytes()),
        }
        self.batch.push((id, game));
        self.next = id + 1;
    }

    /// Passes on the games that were read; they are verified and prepared on the pool.
    fn pass(&mut self, sink: &mut dyn Sink) -> Flow {
        let batch = mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        sink.input().has_read(batch.len() as u64, self.donor.proof.last.unsigned_abs());
        let done = (self.next - 1).unsigned_abs();
        let proof = Arc::clone(&self.donor.proof);
        sink.batch(Batch {
            // Each game is in memory twice, as it was stored and as it will be stored.
            bytes: 2 * mem::take(&mut self.bytes),
            games: batch.len(),
            largest: 0,
            plies: 0,
            position: 0,
            resume_point: Some(ResumePoint { byte: done, lines: done, hash: self.hash.finish() }),
            work: Box::new(move |games| {
                batch.into_iter().for_each(|(id, game)| add(id, game, &proof, games))
            }),
        })
    }

    fn fail(&mut self, why: String) -> bool {
        self.failure = Some(format!("{why}; {DAMAGED}"));
        false
    }
}

/// Adds a game, or why it cannot be stored.
fn add(id: GameId, game: Result<Transfer, String>, proof: &GameProof, games: &mut Games<'_>) {
    let location = location_of(id);
    games.record(GamePlace { location, text: &[] }, |_, layouts| {
        let record = game.map_err(RejectReason::Unsound).and_then(|game| {
            let record = catch_unwind(AssertUnwindSafe(|| proof.record(game, layouts)));
            record.map_err(|_| RejectReason::Panic)?.map_err(RejectReason::Unsound)
        });
        record.map_err(|reason| (reason, location))
    });
}

/// The hash of the first games of an archive, computed from their rows; `None` if the rows have changed.
fn hash_of_rows(archive: &Archive, last: GameId) -> Option<u64> {
    let mut hash = XxHash3_64::with_seed(0);
    let mut rows = archive.maintenance().raw_games(last).ok()??;
    while let Some(games) = rows.next_batch().ok()? {
        games.hash_into(&mut hash);
    }
    Some(hash.finish())
}

/// A game of an archive has no line or byte position.
fn location_of(id: GameId) -> Location {
    Location { game: id.unsigned_abs(), ..Location::default() }
}

/// Strips the archive's name from the front of a message.
fn without_name(why: &str, found: &FoundSource) -> String {
    let name = found.source.to_string();
    why.strip_prefix(&name).and_then(|why| why.strip_prefix(": ")).unwrap_or(why).to_owned()
}
