//! Copying every provable game of a damaged archive into a new one.
//!
//! The damaged file is only read. It need not have the right tables or pass any check; a game is copied if it decodes
//! and has the fingerprint that was stored with it.

use std::{
    collections::{HashMap, hash_map::Entry},
    ops::ControlFlow,
    path::Path,
    range::RangeInclusive,
};

use rusqlite::Connection;

use crate::archive::{
    Added, Archive, ArchiveError, LATEST_VERSION, Origin, Problem, Result, SourceCounts, SourceState,
    VERSION, WritableArchive, Writer,
    changes::{former, removed},
    checksum::{self, Checked, Owner, SideTable},
    keys::StoredFingerprints,
    maintain::backup,
    open::check_is_file,
    purpose::Purpose,
    schema_check, side_rows,
};
use crate::files::{AtomicFile, Protected};
use plybook_pgn::Location;
use plybook_record::{GameId, Record, Sides, StoredGame, TagLayoutCache};

/// Most damaged games that are reported one by one.
const MAX_REPORTED: usize = 100;

/// Games between commits.
const GAMES_A_COMMIT: u64 = 10_000;

/// The source of games whose own source is lost.
const UNKNOWN: &str = "(salvaged)";

/// The result of a salvage.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Salvaged {
    /// Games copied.
    pub saved: u64,
    /// Number of those whose fingerprints cannot be read, so that only valid moves support them.
    pub unproved: u64,
    /// Saved games without their original text: it is damaged, lost, or another game's.
    pub without_original: u64,
    /// Saved games whose original text was copied, although nothing proves it.
    pub unproved_original: u64,
    /// Saved games whose source is lost.
    pub without_source: u64,
    /// Games that are damaged or cannot be read at all. If the archive does not record how many games it had, only
    /// those that were encountered.
    pub lost: u64,
    /// Rejected games that the archive kept and that are damaged. If none of them can be listed, one.
    #[serde(skip_serializing_if = "is_none")]
    pub lost_rejects: u64,
    /// Whether the damaged archive had an index of positions. The new one has none.
    pub had_index: bool,
    /// The first problems.
    pub first: Vec<Problem>,
}

fn is_none(games: &u64) -> bool {
    *games == 0
}

impl Salvaged {
    /// Whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        self.lost + self.without_original + self.without_source + self.lost_rejects == 0
    }

    fn tell(&mut self, game: Option<GameId>, what: String) {
        if self.first.len() < MAX_REPORTED {
            self.first.push(Problem { game, what });
        }
    }
}

/// Copies every valid game of a damaged archive into a new one, which is renamed to its final name when it is complete.
/// `progress` receives the number of games scanned.
///
/// # Errors
/// The damaged file cannot be opened as a database; the new one exists or cannot be written.
pub fn salvage(damaged: &Path, new: &Path, mut progress: impl FnMut(u64)) -> Result<Salvaged> {
    let open = || open_damaged(damaged);
    let (part, salvaged) = Archive::read_one_state(open, |old| copied(old, new, &mut progress))?;
    backup::keep(part)?;
    Ok(salvaged)
}

/// Copies every valid game into a temporary file. Returns it with the result.
fn copied(old: &Archive, new: &Path, progress: &mut dyn FnMut(u64)) -> Result<(AtomicFile, Salvaged)> {
    let part = backup::begin(new, false, &Protected::default().archive(old.path()))?;
    let mut copy = Copy {
        fingerprints: StoredFingerprints::read(&old.db).ok(),
        writer: WritableArchive::create_or_open(&part.path)?.into_writer(),
        sources: HashMap::new(),
        proofs: Proofs::new(&old.db),
        tables: old.db.attempt(|db| Checked::sides(db))?,
        layouts: TagLayoutCache::default(),
        salvaged: Salvaged { had_index: old.segments().exist().unwrap_or(false), ..Salvaged::default() },
    };
    for (met, game) in (1u64..).zip(old.maintenance().scan_after(GameId::MIN).flatten()) {
        if met.is_multiple_of(1000) {
            progress(met);
        }
        match game {
            Ok(game) => copy.take(old, &game)?,
            Err(ArchiveError::Damaged { id, what }) => copy.lose(Some(id), what),
            Err(error) => copy.salvaged.tell(None, error.to_string()),
        }
    }
    // What was removed or edited stays so, as far as it is still known.
    copy.writer.keep_former(&former::all(&old.db).unwrap_or_default())?;
    if let Err(error) = old.maintenance().shared_values(false, |values| copy.writer.add_shared(&values, 0)) {
        copy.salvaged.tell(None, error.to_string());
    }
    copy.take_rejects(old)?;
    Ok((part, copy.finish(games_noted(old))?))
}

/// Opens a file for reading, whatever its tables are. It cannot run any code: see `guard`.
fn open_damaged(path: &Path) -> Result<Archive> {
    check_is_file(path)?;
    let mut archive = Archive::connect(path, Purpose::Read)?;
    // What its tables show counts, if the number is damaged.
    let (found, of_tables) = archive.db.attempt(|db| schema_check::versions(db))?;
    if found > LATEST_VERSION {
        return Err(ArchiveError::Newer { path: path.to_owned(), found });
    }
    let found = found.max(of_tables);
    if (1..VERSION).contains(&found) {
        archive = Archive::upgraded_copy(path, found)?;
    }
    let virtual_tables = "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'";
    let virtual_tables: Vec<String> =
        archive.db.attempt(|db| db.prepare(virtual_tables)?.query_map([], |row| row.get(0))?.collect())?;
    if let Some(name) = virtual_tables.iter().find(|name| schema_check::is_own(name)) {
        let what = format!("its table {name:?} is a virtual table");
        return Err(ArchiveError::Foreign(path.to_owned(), what));
    }
    Ok(archive)
}

/// The number of games according to the archive's sources, without removed ones; 0 if they cannot be read.
fn games_noted(archive: &Archive) -> u64 {
    let stored = archive.db.query_row("SELECT sum(stored) FROM source", [], |row| row.get::<_, i64>(0));
    let removed = removed::all(&archive.db).map_or(0, |removed| removed.len() as u64);
    stored.map_or(0, i64::cast_unsigned).saturating_sub(removed)
}

/// The new archive.
struct Copy {
    /// The fingerprints of the damaged archive; `None` if they cannot be read.
    fingerprints: Option<StoredFingerprints>,
    writer: Writer,
    /// Sources of the new archive by name, with their number of games there.
    sources: HashMap<String, (i64, u64)>,
    proofs: Proofs,
    /// The side tables of the damaged archive.
    tables: Vec<(Checked, &'static SideTable)>,
    layouts: TagLayoutCache,
    salvaged: Salvaged,
}

/// What could be saved of the values of a game in side tables.
#[derive(Default)]
struct SavedSides {
    sides: Sides,
    /// Whether nothing proves one of them.
    is_unproved: bool,
    /// What one was that is damaged.
    lost: Option<&'static str>,
}

impl Copy {
    fn take(&mut self, old: &Archive, game: &StoredGame) -> Result<()> {
        let SavedSides { sides, is_unproved, lost } = self.sides(old, game.id);
        let record = match self.proved(game, sides) {
            Ok(record) => record,
            Err(what) => {
                self.lose(Some(game.id), what);
                return Ok(());
            }
        };
        let origin = self.origin(old, game.id);
        let without_source = origin.is_none();
        let Origin { source, number } =
            origin.unwrap_or_else(|| Origin { source: UNKNOWN.to_owned(), number: game.id.unsigned_abs() });
        let (source, stored) = match self.sources.entry(source) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let id = self.writer.add_source(new.key())?;
                new.insert((id, 0))
            }
        };
        if self.writer.add(&record, *source, Location { game: number, ..Location::default() })?
            == Added::Duplicate
        {
            self.lose(Some(game.id), "it is a duplicate of another game".to_owned());
            return Ok(());
        }
        *stored += 1;
        let salvaged = &mut self.salvaged;
        salvaged.saved += 1;
        salvaged.unproved_original += u64::from(is_unproved);
        salvaged.without_source += u64::from(without_source);
        if let Some(lost) = lost {
            salvaged.without_original += 1;
            salvaged.tell(Some(game.id), format!("the {lost} has changed since it was stored"));
        }
        if salvaged.saved.is_multiple_of(GAMES_A_COMMIT) {
            self.note_sources()?;
            self.writer.commit()?;
        }
        Ok(())
    }

    /// The game as a record if it is valid; otherwise what is wrong with it.
    fn proved(&mut self, game: &StoredGame, sides: Sides) -> Result<Record, String> {
        let record = Record::of_stored(game.clone(), sides, &mut self.layouts)?;
        if record.plies != game.plies {
            return Err("its number of plies differs from the stored number".to_owned());
        }
        match &self.fingerprints {
            Some(fingerprints) if !fingerprints.has(record.fingerprint) => {
                return Err("its fingerprint is not stored: its moves or tags have changed".to_owned());
            }
            Some(_) => {}
            None => self.salvaged.unproved += 1,
        }
        Ok(record)
    }

    /// What is stored next to a game and may be correct, without its annotations.
    fn sides(&mut self, old: &Archive, id: GameId) -> SavedSides {
        let mut saved = SavedSides::default();
        for (table, side) in self.tables.iter().filter(|(_, side)| side.owner == Owner::Game) {
            let value = side_rows::value(&old.db, *table, id).map_err(|error| error.to_string());
            let value =
                value.and_then(|value| value.map(|value| side.read(&value).map(|_| value)).transpose());
            match (self.proofs.of(&old.db, *table, id, id), value) {
                (Proof::Wrong, _) | (_, Err(_)) => saved.lost = Some(side.noun),
                (proof, Ok(value)) => {
                    saved.is_unproved |= value.is_some() && proof == Proof::Unknown;
                    saved.sides = saved.sides.with(*table as u8, value);
                }
            }
        }
        saved
    }

    /// The source of a game, if the archive still records it.
    fn origin(&mut self, old: &Archive, id: GameId) -> Option<Origin> {
        let (origin, span, source) = old.origin_rows(id).ok()??;
        let mut proof = |table, first, last| self.proofs.of(&old.db, table, first, last);
        let wrong = proof(Checked::SourceSpan, span, id) == Proof::Wrong
            || proof(Checked::Source, source, source) == Proof::Wrong;
        (!wrong).then_some(origin)
    }

    /// Copies the rejected games that the archive keeps, as far as they are intact.
    fn take_rejects(&mut self, old: &Archive) -> Result<()> {
        let (ids, unread) = match old.reject_ids() {
            Ok(ids) => (ids, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        for reject in ids.into_iter().map(|id| old.reject(id)).chain(unread) {
            match reject {
                Ok(Some(reject)) => drop(self.writer.keep_reject(0, &reject)?),
                Ok(None) => {}
                Err(error) => {
                    self.salvaged.lost_rejects += 1;
                    self.salvaged.tell(None, error.to_string());
                }
            }
        }
        Ok(())
    }

    fn lose(&mut self, game: Option<GameId>, what: String) {
        self.salvaged.lost += 1;
        self.salvaged.tell(game, what);
    }

    /// The sources of the new archive have no hash, so that an import reads them completely and finds lost games.
    fn note_sources(&mut self) -> Result<()> {
        for &(id, stored) in self.sources.values() {
            let counts = SourceCounts { seen: stored, stored, ..SourceCounts::default() };
            self.writer.note_source(id, &SourceState { counts, ..SourceState::default() })?;
        }
        Ok(())
    }

    fn finish(mut self, noted: u64) -> Result<Salvaged> {
        self.note_sources()?;
        self.writer.finish()?.finish()?;
        self.salvaged.lost = self.salvaged.lost.max(noted.saturating_sub(self.salvaged.saved));
        Ok(self.salvaged)
    }
}

/// Most checksums between a game and the row of its source; in archives written by plybook there are none.
const MOST_BUCKETS: usize = 16;

/// Checks rows of a damaged archive against checksums. The last result for each table is cached: games are checked in
/// order, and neighbours share checksums.
#[derive(Debug)]
struct Proofs {
    has_checksums: bool,
    last: HashMap<Checked, (RangeInclusive<i64>, Proof)>,
}

/// The result for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// The row is unchanged, or is rightly missing.
    Sound,
    /// There is no checksum, or it cannot be read.
    Unknown,
    /// The checksum does not match.
    Wrong,
}

impl Proofs {
    fn new(db: &Connection) -> Proofs {
        Proofs { has_checksums: checksum::has_checksums(db).unwrap_or(false), last: HashMap::new() }
    }

    /// The result for all rows with ids in a range.
    fn of(&mut self, db: &Connection, table: Checked, first: i64, last: i64) -> Proof {
        if !self.has_checksums {
            return Proof::Unknown;
        }
        let asked = table.buckets((first..=last).into());
        match self.last.get(&table) {
            Some((known, answer)) if *known == asked => *answer,
            _ => {
                let answer = proof(db, table, asked);
                self.last.insert(table, (asked, answer));
                answer
            }
        }
    }
}

fn proof(db: &Connection, table: Checked, buckets: RangeInclusive<i64>) -> Proof {
    let (mut proof, mut left) = (Proof::Sound, MOST_BUCKETS);
    let checked = checksum::for_each_bucket(db, table, buckets, |bucket| {
        left -= 1;
        proof = match checksum::change(db, table, bucket)? {
            Some(_) => Proof::Wrong,
            None if left == 0 => Proof::Unknown,
            None => return Ok(ControlFlow::Continue(())),
        };
        Ok(ControlFlow::Break(()))
    });
    checked.map_or(Proof::Unknown, |()| proof)
}
