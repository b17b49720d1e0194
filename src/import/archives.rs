//! Merging: importing the games of another archive.
//!
//! Games are imported in the order of their ids. A damaged game is rejected with its reason, so every game of the
//! archive is stored, a duplicate or rejected. A later import resumes if a hash of the earlier games still matches.

mod rows;

use std::{
    hash::Hasher,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use twox_hash::XxHash3_64;

use super::{
    ResumeOutcome,
    memory_budget::estimate,
    parse::{Item, ParsedBatch, Rejected},
    resume,
    source_reader::{Begin, Closed, End, ResumePoint, SMALL, SourceReader},
};
use crate::{
    archive::{
        Archive, ArchiveError, GameProof, HeldArchive, KnownSource, Preparation, Result, SourceState,
        Transfer,
    },
    counts::GAMES,
    pgn::{Location, RejectReason},
    record::{GameId, TagLayoutCache},
};

/// Most games in a batch, and the bytes after which a batch is full.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 256 << 10;

/// Most consecutive missing games that are reported one by one.
const MOST_MISSING: i64 = 1000;

/// Appended to the reason when an archive is not read any further.
const DAMAGED: &str = "the archive is damaged";

/// A game, or why it cannot be read.
type TransferredGame = (GameId, Result<Transfer, String>);

/// The archive being read.
struct Donor {
    archive: HeldArchive,
    /// The ids of removed games, in order.
    removed: Vec<GameId>,
    proof: Arc<GameProof>,
    /// Bytes of its file.
    bytes: u64,
}

/// The reading position.
struct ReadProgress<'a> {
    donor: &'a Donor,
    hash: XxHash3_64,
    next: GameId,
    batch: Vec<TransferredGame>,
    bytes: usize,
    /// Why reading stopped early.
    failure: Option<String>,
}

impl SourceReader {
    pub(super) fn read_archive(
        &mut self,
        path: &Path,
        begin: Begin,
        known: Option<KnownSource>,
    ) -> Result<(), Closed> {
        if let Some(known) = known.filter(|known| resume::is_unchanged(known, begin.stamp)) {
            self.begin(begin.resumed(known, ResumeOutcome::Unchanged))?;
            return self.end(End::Whole);
        }
        let end = match Donor::open(path) {
            Err(error) => {
                self.begin(begin.clone())?;
                let why = without_name(&error.to_string(), &begin.name);
                End::stopped(0, why, false)
            }
            Ok(donor) => {
                let end = self.merge(&donor, begin, known)?;
                self.copy_shared(&donor, end)?
            }
        };
        self.end(end)
    }

    /// Merges the values of positions and players.
    fn copy_shared(&mut self, donor: &Donor, end: End) -> Result<End, Closed> {
        let copied = donor.archive.maintenance().shared_values(|values| {
            let bytes = values.memory();
            self.send(bytes, move |writer| writer.add_shared(&values)).map_err(|_| ArchiveError::Stopped)
        });
        match copied {
            Err(ArchiveError::Stopped) => Err(Closed),
            Err(error) if matches!(end, End::Whole) => {
                Ok(End::stopped(donor.proof.count, error.to_string(), false))
            }
            _ => Ok(end),
        }
    }

    /// Merges all games that have not been merged before.
    fn merge(&mut self, donor: &Donor, begin: Begin, known: Option<KnownSource>) -> Result<End, Closed> {
        let (name, last) = (begin.name.clone(), donor.proof.last);
        let mut reading = ReadProgress::new(donor);
        let begin = match known {
            None => begin,
            Some(known) => {
                let done = reading.skip_processed(&known.state, &self.cancel)?;
                let outcome = match known.state.ended {
                    _ if !done => ResumeOutcome::Changed,
                    true if reading.next > last => ResumeOutcome::Unchanged,
                    true => ResumeOutcome::Grown,
                    false => ResumeOutcome::Resumed,
                };
                if !done {
                    reading = ReadProgress::new(donor);
                }
                begin.resumed(known, outcome)
            }
        };
        self.begin(begin)?;
        if let Ok(former) = donor.archive.maintenance().former()
            && !(former.is_empty() && donor.removed.is_empty())
        {
            self.send(SMALL, move |writer| writer.keep_former(&former))?;
        }
        // If an archive lists far more games than it contains, none of its contents can be trusted.
        if donor.proof.count > last.saturating_add(MOST_MISSING).unsigned_abs() {
            let why = format!("{}; {DAMAGED}", donor.says_of_games(last.unsigned_abs()));
            return Ok(End::stopped(0, why, true));
        }
        if reading.next == 1 && self.copy_rows(donor)? {
            return Ok(End::Whole);
        }
        let mut closed = false;
        let walked = donor.archive.maintenance().transfers(reading.next - 1, |game| {
            if !reading.take(game, last) {
                return false;
            }
            if reading.batch.len() >= BATCH || reading.bytes >= BATCH_BYTES {
                closed = self.parse_games(&mut reading).is_err();
            }
            !closed
        });
        if closed {
            return Err(Closed);
        }
        self.parse_games(&mut reading)?;
        let games = reading.games();
        let short = (games != donor.proof.count).then(|| donor.says_of_games(games));
        let is_damaged_archive = reading.failure.is_some();
        let why = walked.err().map(|error| error.to_string()).or(reading.failure).or(short);
        let why = why.map(|why| without_name(&why, &name));
        Ok(why.map_or(End::Whole, |why| End::stopped(games, why, is_damaged_archive)))
    }

    /// Verifies and prepares a batch on the pool.
    fn parse_games(&mut self, reading: &mut ReadProgress<'_>) -> Result<(), Closed> {
        let donor = reading.donor;
        let batch = mem::take(&mut reading.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let reservation =
            donor.bytes.saturating_mul(batch.len() as u64) / donor.proof.last.unsigned_abs().max(1);
        self.consumed.fetch_add(reservation, Ordering::Relaxed);
        let done = (reading.next - 1).unsigned_abs();
        let resume_point = ResumePoint { byte: done, lines: done, hash: reading.hash.finish() };
        let proof = Arc::clone(&donor.proof);
        // Each game is in memory twice, as it was stored and as it will be stored.
        let bytes = estimate(2 * mem::take(&mut reading.bytes), batch.len(), 0);
        self.spawn(bytes, 0, move |_| (prepared(batch, &proof), 0, Some(resume_point)))
    }
}

impl Donor {
    fn open(path: &Path) -> Result<Donor> {
        let archive = Archive::open(path)?.held(true);
        let proof = Arc::new(archive.maintenance().proof()?);
        let removed = archive.maintenance().removed()?;
        Ok(Donor { bytes: archive.bytes(), removed, proof, archive })
    }

    fn says_of_games(&self, games: u64) -> String {
        let proved = self.proof.count;
        let (of_proved, of_games) = (GAMES.of(proved), GAMES.of(games));
        format!("it has fingerprints of {proved} {of_proved} but contains {games} {of_games}")
    }
}

impl ReadProgress<'_> {
    fn new(donor: &Donor) -> ReadProgress<'_> {
        let hash = XxHash3_64::with_seed(0);
        ReadProgress { donor, hash, next: 1, batch: Vec::new(), bytes: 0, failure: None }
    }

    /// The number of games read so far, without removed ones.
    fn games(&self) -> u64 {
        let removed = self.donor.removed.partition_point(|id| *id < self.next);
        (self.next - 1).unsigned_abs().saturating_sub(removed as u64)
    }

    /// Reads the games that an earlier import has processed. Returns whether they are unchanged.
    fn skip_processed(&mut self, state: &SourceState, cancel: &AtomicBool) -> Result<bool, Closed> {
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
        let is_same = || {
            Some(self.hash.finish()) == state.hash || rows::hash_of_rows(&donor.archive, done) == state.hash
        };
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

    fn fail(&mut self, why: String) -> bool {
        self.failure = Some(format!("{why}; {DAMAGED}"));
        false
    }
}

/// Games ready to be stored, or why they cannot be.
fn prepared(batch: Vec<TransferredGame>, proof: &GameProof) -> ParsedBatch {
    let (mut layouts, mut games) = (TagLayoutCache::default(), Preparation::default());
    let mut prepare = |(id, game): TransferredGame| {
        let record = match game {
            Ok(game) => catch_unwind(AssertUnwindSafe(|| proof.record(game, &mut layouts)))
                .map_err(|_| RejectReason::Panic)
                .and_then(|record| record.map_err(RejectReason::Unsound)),
            Err(what) => Err(RejectReason::Unsound(what)),
        };
        let location = location_of(id);
        let rejected = |reason| Rejected { reason, problem_at: location, text: Vec::new() };
        Item::new(location, record.map(|record| games.add(&record)).map_err(rejected))
    };
    let items = batch.into_iter().map(&mut prepare).collect();
    ParsedBatch { items, games: games.done(), ..ParsedBatch::default() }
}

/// A game of an archive has no line or byte position.
fn location_of(id: GameId) -> Location {
    Location { game: id.unsigned_abs(), ..Location::default() }
}

/// Strips the archive's name from the front of a message.
fn without_name(why: &str, name: &str) -> String {
    why.strip_prefix(name).and_then(|why| why.strip_prefix(": ")).unwrap_or(why).to_owned()
}
