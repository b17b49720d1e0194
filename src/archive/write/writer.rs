//! Writing games: one writer, one transaction a batch.

use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};
use rusqlite::{CachedStatement, Connection, params, types::ToSqlOutput};

use crate::archive::{
    Archive, ArchiveError,
    checksum::Checked,
    keys::{KeyKind, Keys},
    two_generation_cache::TwoGenerationCache,
    write::lock_fairness::LockFairness,
    write::names::{EVENT, NameId, Names, PLAYER, Registers, SITE, VALUE},
    write::sections::Section,
};
use crate::chess::Tags;
use crate::pgn::Location;
use crate::position_index::GameColumns;
use crate::record::{GameId, Record, Round, TagLayout, TagValue, result_number};

/// Layouts that are remembered. A collection has a handful.
const LAYOUTS: usize = 5_000;

/// Sections that are remembered. One that was forgotten is stored again.
const SECTIONS: usize = 70_000;

/// Games that are written together: to find the statement for each would take longer than to set them aside.
const STAGED: usize = 64;

/// Bytes of games after which they are written all the same.
const STAGED_BYTES: usize = 1 << 20;

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was stored.
    Stored(NewGame),
    /// The archive had it already.
    Duplicate,
}

/// A game that has been stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Its section.
    pub section: i64,
    /// What its row says of it: the rest is that of its section.
    pub facts: GameColumns,
}

/// Adds games to an archive. Nothing is kept until [`commit`](Writer::commit).
#[derive(Debug)]
pub struct Writer {
    pub(super) archive: Archive,
    pub(super) registers: Registers,
    /// Fingerprints of the current batch.
    fresh: HashSet<u64>,
    players: Names,
    pub(super) events: Names,
    pub(super) sites: Names,
    values: Names,
    pub(super) layouts: TwoGenerationCache<Arc<TagLayout>, i64>,
    /// The layout of the game before.
    pub(super) last_layout: Option<(Arc<TagLayout>, i64)>,
    pub(super) sections: TwoGenerationCache<Section, i64>,
    next_id: GameId,
    staged: Vec<Row>,
    staged_bytes: usize,
    /// The source and number that a game must have to lengthen the current span.
    run: Option<(i64, u64)>,
    /// Whether a batch has been begun: while nothing is to be written, others may write.
    begun: bool,
    /// SQLite's number that changes when another connection has written, as of the last batch.
    version: Option<i64>,
    fairness: LockFairness,
}

/// A row of `game`, and those of other tables that belong to it.
#[derive(Debug)]
struct Row {
    id: GameId,
    section: i64,
    white: Option<NameId>,
    black: Option<NameId>,
    tags: Option<String>,
    record: Record,
}

impl Archive {
    /// Prepares to write. Dropping the writer gives up what has not been committed.
    pub fn into_writer(self) -> Writer {
        Writer {
            archive: self,
            registers: Registers::default(),
            fresh: HashSet::new(),
            players: Names::new(PLAYER),
            events: Names::new(EVENT),
            sites: Names::new(SITE),
            values: Names::new(VALUE),
            layouts: TwoGenerationCache::new(LAYOUTS),
            last_layout: None,
            sections: TwoGenerationCache::new(SECTIONS),
            next_id: 0,
            staged: Vec::with_capacity(STAGED),
            staged_bytes: 0,
            run: None,
            begun: false,
            version: None,
            fairness: LockFairness::new(),
        }
    }
}

impl Writer {
    /// Begins a batch, unless one has begun. Another writer is waited for.
    ///
    /// # Errors
    /// SQLite's.
    pub fn begin(&mut self) -> Result<(), ArchiveError> {
        if self.begun {
            return Ok(());
        }
        self.archive.run("BEGIN IMMEDIATE")?;
        self.begun = true;
        let version = Some(self.archive.pragma("data_version")?);
        if std::mem::replace(&mut self.version, version) != version {
            self.start_anew()?;
        }
        Ok(())
    }

    /// Whether there is something that has not been committed.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Adds a game that came from a source, unless the archive has it already.
    ///
    /// # Errors
    /// SQLite's; the batch should be given up then.
    pub fn add(&mut self, record: Record, source: i64, place: Location) -> Result<Added, ArchiveError> {
        self.begin()?;
        self.try_add(record, source, place).map_err(|error| self.archive.error(error))
    }

    fn try_add(&mut self, record: Record, source: i64, place: Location) -> rusqlite::Result<Added> {
        let known = self.fresh.contains(&record.fingerprint)
            || self.registers.keys.has_fingerprint(&self.archive.db, record.fingerprint)?;
        if known {
            self.run = None;
            return Ok(Added::Duplicate);
        }
        let id = self.next_id;
        self.fresh.insert(record.fingerprint);
        self.registers.keys.insert(&self.archive.db, KeyKind::Fingerprints, record.fingerprint)?;
        let game = self.stage(id, record)?;
        self.next_id += 1;
        self.lengthen_span(id, source, place)?;
        Ok(Added::Stored(game))
    }

    /// Sets a game aside to be written with others.
    fn stage(&mut self, id: GameId, mut record: Record) -> rusqlite::Result<NewGame> {
        let section = self.section_of(&record)?;
        let white = self.player_id(id, record.columns.white, &record.tags)?;
        let black = self.player_id(id, record.columns.black, &record.tags)?;
        let tags = self.json(&record.values, false)?;
        let game = NewGame { id, section, facts: facts(&record, white, black) };
        // All of it stands elsewhere by now; a large game is not to be held twice.
        (record.tags, record.values) = (Tags::default(), Vec::new());
        self.staged_bytes += record.memory() + tags.as_ref().map_or(0, String::len);
        self.staged.push(Row { id, section, white, black, tags, record });
        if self.staged.len() >= STAGED || self.staged_bytes >= STAGED_BYTES {
            self.write_staged()?;
        }
        Ok(game)
    }

    fn write_staged(&mut self) -> rusqlite::Result<()> {
        self.staged_bytes = 0;
        let Writer { archive, staged, registers: Registers { checksums, .. }, .. } = self;
        let mut insert = archive.db.prepare_cached(
            "INSERT INTO game (id, plies, result, section, white, black, round, moves, white_elo, black_elo, eco, tags)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?;
        let mut annotate =
            archive.db.prepare_cached("INSERT INTO annotation (game, marks) VALUES (?1, ?2)")?;
        let mut keep = archive.db.prepare_cached("INSERT INTO original (game, text) VALUES (?1, ?2)")?;
        for Row { id, section, white, black, tags, record } in staged.drain(..) {
            let columns = &record.columns;
            let values = params![
                i64::try_from(record.plies).unwrap_or(i64::MAX),
                result_number(record.result),
                section,
                white,
                black,
                columns.round,
                record.moves,
                columns.white_elo,
                columns.black_elo,
                columns.eco,
                tags,
            ];
            checksums.insert(&mut insert, Checked::Game, id, values)?;
            if !record.marks.is_empty() {
                checksums.insert(&mut annotate, Checked::Annotation, id, &[&record.marks])?;
            }
            if let Some(original) = &record.original {
                checksums.insert(&mut keep, Checked::Original, id, &[original])?;
            }
        }
        Ok(())
    }

    /// The id of a player of a game, who is noted to have it.
    fn player_id(
        &mut self,
        game: GameId,
        place: Option<usize>,
        tags: &Tags,
    ) -> rusqlite::Result<Option<NameId>> {
        let Some((_, name)) = place.and_then(|place| tags.iter().nth(place)) else { return Ok(None) };
        let player = self.players.id(&self.archive.db, &mut self.registers, name)?;
        self.registers.keys.insert(
            &self.archive.db,
            KeyKind::Players,
            player_key(player.get().into(), game),
        )?;
        Ok(Some(player))
    }

    /// The values of `section.tags` (the common ones) or `game.tags` (the others); `None` if there are none.
    pub(super) fn json(&mut self, values: &[TagValue], common: bool) -> rusqlite::Result<Option<String>> {
        let mut json = String::new();
        for value in values.iter().filter(|value| matches!(value, TagValue::Common(_)) == common) {
            json.push(if json.is_empty() { '[' } else { ',' });
            match value {
                TagValue::Number(number) => json.push_str(&number.to_string()),
                // A text as JSON cannot fail.
                TagValue::Text(text) => json.push_str(&serde_json::to_string(text).unwrap_or_default()),
                TagValue::Common(text) | TagValue::Shared(text) => {
                    let id = self.values.id(&self.archive.db, &mut self.registers, text)?;
                    json.push_str(&id.to_string());
                }
            }
        }
        json.push(']');
        Ok((json.len() > 1).then_some(json))
    }

    /// Records where the game came from, by lengthening the run of its source or beginning a new one.
    fn lengthen_span(&mut self, id: GameId, source: i64, place: Location) -> rusqlite::Result<()> {
        if self.run != Some((source, place.game)) {
            let mut insert = self.archive.db.prepare_cached(
                "INSERT INTO source_span (first_game, source, number, byte, line) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let [number, byte, line] = [place.game, place.byte, place.line].map(u64::cast_signed);
            let values = params![source, number, byte, line];
            self.registers.checksums.insert(&mut insert, Checked::SourceSpan, id, values)?;
        }
        self.run = Some((source, place.game + 1));
        Ok(())
    }

    pub(super) fn cached(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>> {
        self.archive.db.prepare_cached(sql)
    }

    /// Writes the rest of the batch.
    fn flush(&mut self) -> Result<(), ArchiveError> {
        self.write_staged().map_err(|error| self.archive.error(error))?;
        let Writer { archive, registers: Registers { keys, checksums }, .. } = self;
        checksums.flush(&archive.db).map_err(|error| archive.error(error))?;
        keys.flush(&archive.db).map_err(|error| archive.error(error))?;
        self.fresh.clear();
        Ok(())
    }

    /// Makes the batch durable. The next one begins when there is something to write.
    ///
    /// # Errors
    /// SQLite's. Then nothing of the batch is stored.
    pub fn commit(&mut self) -> Result<(), ArchiveError> {
        if !self.begun {
            return Ok(());
        }
        self.flush()?;
        self.archive.run("COMMIT")?;
        self.begun = false;
        self.fairness.yield_lock(&self.archive)
    }

    /// Takes stock of what another writer has done in between.
    fn start_anew(&mut self) -> Result<(), ArchiveError> {
        let db = &self.archive.db;
        let read = || Ok((next_game(db)?, Keys::open(db)?));
        (self.next_id, self.registers.keys) = read().map_err(|error| self.archive.error(error))?;
        self.run = None;
        Ok(())
    }

    /// Makes the batch durable and ends writing.
    ///
    /// # Errors
    /// SQLite's; then nothing of the batch is stored.
    pub fn finish(mut self) -> Result<Archive, ArchiveError> {
        if self.version.is_none() {
            // Nothing was ever written.
            return Ok(self.archive);
        }
        self.begin()?;
        self.flush()?;
        self.registers.keys.finish(&self.archive.db).map_err(|error| self.archive.error(error))?;
        self.archive.run("COMMIT")?;
        Ok(self.archive)
    }

    /// The archive, as the writer sees it.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }
}

/// What the row of a game says of it.
fn facts(record: &Record, white: Option<NameId>, black: Option<NameId>) -> GameColumns {
    let name = |name: Option<NameId>| name.map_or(0, NameId::get);
    let columns = &record.columns;
    GameColumns {
        result: u32::try_from(result_number(record.result)).unwrap_or(0),
        white_elo: columns.white_elo.map_or(0, u32::from),
        black_elo: columns.black_elo.map_or(0, u32::from),
        date: columns.date.unwrap_or(0),
        white: name(white),
        black: name(black),
        ..GameColumns::default()
    }
}

fn next_game(db: &Connection) -> rusqlite::Result<GameId> {
    db.query_row("SELECT coalesce(max(id), 0) + 1 FROM game", [], |row| row.get(0))
}

/// Bits of the number of a bucket of sixteen games.
pub(in crate::archive) const BUCKET_BITS: u32 = 28;

/// Says that a player has a game in a bucket. Games' ids are below 2^32, players' below 2^36.
pub(in crate::archive) fn player_key(player: i64, game: GameId) -> u64 {
    player.cast_unsigned() << BUCKET_BITS | game.cast_unsigned() >> 4 & ((1 << BUCKET_BITS) - 1)
}

impl rusqlite::ToSql for Round {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Round::None => Ok(rusqlite::types::Null.into()),
            Round::Number(number) => number.to_sql(),
            Round::Text(text) => text.to_sql(),
        }
    }
}
