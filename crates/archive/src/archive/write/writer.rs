//! Writing games: one writer, one transaction per batch.

use std::mem;

use arrayvec::ArrayVec;
use rusqlite::params;

use crate::archive::{
    Result, WhyFormer, WritableArchive,
    busy_timeout::LockFairness,
    changes::removed,
    checksum::{Checked, StoredRows, has_changes},
    game_table,
    keys::{KeyKind, Keys},
    side_rows,
    source::Import,
    totals::RunningTotals,
    write::identities::StoredIdentities,
    write::names::{NAME_TABLES, NameId, Names, Registers, Target},
    write::player_key,
    write::prepared::{GameRows, PreparedGame, PreparedGames},
    write::sections::Sections,
    write::versions::{Beside, Version, Versions},
};
use plybook_index::position_index::GameColumns;
use plybook_pgn::Location;
use plybook_record::{GameId, Record};

/// Number of games inserted by one statement, and the most bytes of their rows.
// Measured with 300,000 rows: statements of 10 rows store 11 % more rows per second than statements of one row,
// statements of 100 rows only 8 %.
const TOGETHER: usize = 16;
const TOGETHER_BYTES: usize = 64 << 10;

/// The outcome of adding a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was stored.
    Stored(NewGame),
    /// The archive already had it.
    Duplicate,
    /// The archive had it until it was removed or edited there.
    Former(WhyFormer),
    /// It is a record of a game that the archive has.
    Version(Version),
}

/// A game that has been stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Its section.
    pub section: i64,
    /// The columns from its row; the others come from its section.
    pub facts: GameColumns,
    /// A stored game beside which it is stored, although they have something in common.
    pub beside: Option<Beside>,
}

/// Adds games to an archive. Nothing is stored until [`commit`](Writer::commit).
#[derive(Debug)]
// There is a single writer. SQLite allows only one at a time anyway, and ids, names and duplicates then depend on the
// order of the games alone, not on the number of threads.
pub struct Writer {
    pub(in crate::archive) archive: WritableArchive,
    pub(in crate::archive) registers: Registers,
    /// One per kind of name.
    pub(in crate::archive) names: [Names; 4],
    pub(super) sections: Sections,
    pub(in crate::archive) next_id: GameId,
    /// Whether the archive has the tables of changes.
    pub(in crate::archive) has_changes: bool,
    /// Whether games that were removed or edited are added again.
    pub(in crate::archive) again: bool,
    /// The source and number of the game that would extend the current span.
    pub(super) run: Option<(i64, u64)>,
    /// Whether a batch has begun: while there is nothing to write, other programs may write.
    pub(super) begun: bool,
    /// SQLite's number that changes when another connection has written, at the end of the last batch.
    pub(super) version: Option<i64>,
    pub(super) fairness: LockFairness,
    /// Whether games are copied as rows from an archive, of which none exists here.
    pub(super) takes_rows: bool,
    pub(super) identities: StoredIdentities,
    /// What later versions of stored games need, if they are looked for.
    pub(super) versions: Option<Versions>,
    /// The import that adds games.
    pub(in crate::archive) import: Option<Import>,
    /// The source that is being read, and the hash of its row as this writer left it.
    pub(in crate::archive) noted: Option<(i64, u64)>,
}

impl WritableArchive {
    /// Prepares to write. Dropping the writer discards everything that has not been committed.
    pub fn into_writer(self) -> Writer {
        Writer {
            archive: self,
            registers: Registers::default(),
            names: NAME_TABLES.map(Names::new),
            sections: Sections::new(),
            next_id: 0,
            has_changes: false,
            again: false,
            run: None,
            begun: false,
            version: None,
            fairness: LockFairness::new(),
            takes_rows: false,
            identities: StoredIdentities::default(),
            versions: None,
            import: None,
            noted: None,
        }
    }
}

impl Writer {
    /// Begins a batch, unless one has begun. Waits for other writers.
    pub fn begin(&mut self) -> Result<()> {
        if self.begun {
            return Ok(());
        }
        // IMMEDIATE, because a deferred transaction takes the write lock at its first write, where SQLite cannot
        // wait: with two writers, 300 of 300 deferred transactions failed in a test, and none of 600 immediate ones.
        self.archive.db.run("BEGIN IMMEDIATE")?;
        self.begun = true;
        // Reloading the keys for every batch would cost more than the batch, so they are kept as long as no other
        // program has written.
        let version = Some(self.archive.db.pragma("data_version")?);
        if std::mem::replace(&mut self.version, version) != version {
            self.start_anew()?;
        }
        Ok(())
    }

    /// Whether there is anything uncommitted.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Adds a single game from a source, unless the archive already has it.
    ///
    /// # Errors
    /// Errors of SQLite; the batch should then be discarded.
    pub fn add(&mut self, record: &Record, source: i64, place: Location) -> Result<Added> {
        let mut games = PreparedGames::of(record);
        let added = self.accept(&mut games, 0, source, place)?;
        self.write(&games)?;
        Ok(added)
    }

    /// Announces the next games. Their entries in the Bloom filter are far apart in memory, so all of them are fetched
    /// together.
    pub fn expect(&self, games: &PreparedGames) {
        let keys = &self.registers.keys;
        let may_have = |game: &&PreparedGame| {
            let is_known = |identity: &u32| keys.may_have_identity(*identity);
            keys.may_have_fingerprint(game.fingerprint)
                | (game.identities.iter().filter(|id| is_known(id)).count() > 0)
        };
        std::hint::black_box(games.games.iter().filter(may_have).count());
    }

    /// Accepts a game from a source, unless the archive already has it; [`write`](Writer::write) stores it.
    ///
    /// # Errors
    /// Errors of SQLite; the batch should then be discarded.
    pub fn accept(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
        source: i64,
        place: Location,
    ) -> Result<Added> {
        self.begin()?;
        if let Some(known) = self.known_version(games, number)? {
            self.run = None;
            return Ok(Added::Version(known));
        }
        self.try_accept(games, number, source, place).map_err(|error| self.archive.db.error(error))
    }

    fn try_accept(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
        source: i64,
        place: Location,
    ) -> rusqlite::Result<Added> {
        let Some(game) = games.games.get(number) else { return Ok(Added::Duplicate) };
        let &PreparedGame { fingerprint, section, mut facts, size, .. } = game;
        let kind = games.sections.get(section).map(|section| section.layout.kind.id());
        let keys = &mut self.registers.keys;
        if !self.takes_rows && keys.has_fingerprint(&self.archive.db, fingerprint)? {
            if let Some(known) = self.known(fingerprint)? {
                self.run = None;
                return Ok(known);
            }
        } else if !self.takes_rows {
            keys.add_fingerprint(&self.archive.db, fingerprint)?;
        }
        let id = self.next_id;
        games.identities(number).try_for_each(|identity| self.add_identity(identity, id))?;
        let (section, players) = self.name_ids(games, number, id)?;
        for player in players.into_iter().flatten() {
            self.add_player_key(player.get().into(), id)?;
        }
        let of_player = |player: Option<NameId>| player.map_or(0, NameId::get);
        [facts.white, facts.black] = players.map(of_player);
        self.next_id += 1;
        kind.into_iter().for_each(|kind| self.registers.totals.game(id, kind, size.plies));
        self.lengthen_span(id, source, place)?;
        let beside = self.versions.as_mut().and_then(|versions| versions.beside.take());
        Ok(Added::Stored(NewGame { id, section, facts, beside }))
    }

    /// Stores the games that have been accepted. Returns their rows, to check later that nothing has changed them since.
    ///
    /// # Errors
    /// Errors of SQLite; the batch should then be discarded.
    pub fn write(&mut self, games: &PreparedGames) -> Result<StoredRows> {
        self.write_rows(games).map_err(|error| self.archive.db.error(error))
    }

    pub(super) fn write_rows(&mut self, games: &PreparedGames) -> rusqlite::Result<StoredRows> {
        let first = games.games.iter().find_map(|game| game.id);
        let with_ids = self.has_changes && first != Some(removed::last_stored_id(&self.archive.db)? + 1);
        let mut stored =
            self.versions.as_mut().map(|versions| mem::take(&mut versions.written)).unwrap_or_default();
        let Writer { archive, registers: Registers { checksums, .. }, .. } = self;
        let mut one = archive.db.prepare_cached(&game_table::insert(&archive.db, 1, with_ids)?)?;
        let mut several = archive.db.prepare_cached(&game_table::insert(&archive.db, TOGETHER, with_ids)?)?;
        let mut into_sides = Checked::BY_GAME.map(|table| (table, None));
        let mut rows = games.rows();
        loop {
            let some: ArrayVec<GameRows<'_>, TOGETHER> = rows.by_ref().take(TOGETHER).collect();
            let bytes = some.iter().map(|game| game.row.len()).sum::<usize>();
            let is_few = some.len() < TOGETHER || bytes > TOGETHER_BYTES;
            let (insert, at_once) = if is_few { (&mut one, 1) } else { (&mut several, TOGETHER) };
            for games in some.chunks(at_once) {
                let rows = games.iter().map(|game| (game.id, &*game.row));
                let sum = checksums.insert_rows(insert, Checked::Game, usize::from(!with_ids), rows)?;
                // Players' keys and checksums have already been computed with the expected ids.
                let (given, last) = (archive.db.last_insert_rowid(), games.last().map(|game| game.id));
                if last != Some(given) {
                    return Err(rusqlite::Error::IntegralValueOutOfRange(0, given));
                }
                if let Some(first) = games.first() {
                    stored.add((first.id..=given).into(), sum);
                }
            }
            for GameRows { id, sides, .. } in &some {
                for ((table, insert), row) in
                    into_sides.iter_mut().zip(sides).filter(|(_, row)| !row.is_empty())
                {
                    let insert = match insert {
                        Some(insert) => insert,
                        None => insert.insert(side_rows::insert(&archive.db, *table)?),
                    };
                    checksums.insert_rows(insert, *table, 0, [(*id, *row)])?;
                }
            }
            if some.len() < TOGETHER {
                return Ok(stored);
            }
        }
    }

    /// Gives a game the ids of its section, its players and the names in its tags; new ones are stored. Returns those
    /// of the section and the players.
    pub(in crate::archive) fn name_ids(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
        id: GameId,
    ) -> rusqlite::Result<(i64, [Option<NameId>; 2])> {
        let missing = rusqlite::Error::QueryReturnedNoRows;
        let &PreparedGame { section, players, .. } = games.games.get(number).ok_or(missing)?;
        let Writer { archive, registers, names, sections, .. } = self;
        let to = &mut Target { db: &archive.db, names, registers };
        let section = sections.id(games, section, to)?;
        let mut ids = [None; 2];
        for (id, player) in ids.iter_mut().zip(players) {
            if let Some(player) = player {
                *id = games.name_id(player, to)?;
            }
        }
        for name in games.names_in_tags(number) {
            games.name_id(name, to)?;
        }
        games.accept(number, id, section, ids);
        Ok((section, ids))
    }

    /// Lists a game under a player.
    pub(in crate::archive) fn add_player_key(&mut self, player: i64, game: GameId) -> rusqlite::Result<()> {
        self.registers.keys.insert(&self.archive.db, KeyKind::Players, player_key(player, game))
    }

    /// Records where the game came from, by extending the current span or starting a new one.
    fn lengthen_span(&mut self, id: GameId, source: i64, place: Location) -> rusqlite::Result<()> {
        if self.run != Some((source, place.game)) {
            let mut insert = self.archive.db.prepare_cached(
                "INSERT INTO source_span (first_game, source, number, byte, line) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let [number, byte, line] = [place.game, place.byte, place.line].map(u64::cast_signed);
            insert.execute(params![id, source, number, byte, line])?;
            let values = params![source, number, byte, line];
            self.registers.checksums.add(Checked::SourceSpan, id, values)?;
        }
        self.run = Some((source, place.game + 1));
        Ok(())
    }

    /// Begins to add games without looking them up, if the archive has none. `are_short` says whether only short
    /// fingerprints of them are known. Returns whether it has begun.
    pub fn begin_rows(&mut self, are_short: bool) -> Result<bool> {
        self.begin()?;
        let Writer { archive, registers, .. } = self;
        self.takes_rows = archive.db.attempt(|db| {
            if are_short {
                game_table::pack_none(db, registers)?;
            }
            Ok(removed::last_stored_id(db)? == 0 && (!are_short || registers.keys.are_short()))
        })?;
        Ok(self.takes_rows)
    }

    /// Ends that, and adds the fingerprints of the games; part of the same batch.
    pub fn end_rows(&mut self, fingerprints: &[u64]) -> Result<()> {
        self.takes_rows = false;
        let keys = &mut self.registers.keys;
        self.archive.db.attempt(|db| {
            fingerprints.iter().try_for_each(|&key| keys.insert(db, KeyKind::Fingerprints, key))
        })
    }

    /// Writes pending data of the batch without committing it.
    pub fn flush(&mut self) -> Result<()> {
        self.note_identities().map_err(|error| self.archive.db.error(error))?;
        let Writer { archive, registers: Registers { keys, checksums, totals }, .. } = self;
        archive.db.attempt(|db| {
            checksums.flush(db)?;
            keys.flush(db)?;
            totals.flush(db)
        })
    }

    /// Commits the batch. The next one begins when there is something to write.
    ///
    /// # Errors
    /// Errors of SQLite. Then nothing of the batch is stored.
    pub fn commit(&mut self) -> Result<()> {
        if !self.begun {
            return Ok(());
        }
        self.commit_change()?;
        self.fairness.yield_lock(&self.archive)
    }

    /// Reloads everything after another program has written.
    fn start_anew(&mut self) -> Result<()> {
        (self.next_id, self.registers.keys, self.registers.totals, self.has_changes) =
            self.archive.db.attempt(|db| {
                let for_changes = self.archive.is_for_changes;
                let keys = if for_changes { Keys::without_filter(db)? } else { Keys::open(db)? };
                Ok((removed::last_id(db)? + 1, keys, RunningTotals::open(db)?, has_changes(db)?))
            })?;
        self.run = None;
        self.sections.forget();
        self.open_identities()
    }

    /// Commits the batch and ends writing.
    ///
    /// # Errors
    /// Errors of SQLite; then nothing of the batch is stored.
    pub fn finish(mut self) -> Result<WritableArchive> {
        if self.version.is_none() {
            // Nothing was ever written.
            return Ok(self.archive);
        }
        self.begin()?;
        self.flush()?;
        let Writer { archive, registers: Registers { mut keys, mut totals, .. }, .. } = self;
        archive.db.attempt(|db| keys.finish(db).and_then(|()| totals.finish(db)))?;
        archive.db.run("COMMIT")?;
        Ok(archive)
    }

    /// The archive as the writer sees it.
    pub fn archive(&self) -> &WritableArchive {
        &self.archive
    }
}
