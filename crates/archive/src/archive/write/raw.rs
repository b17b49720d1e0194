//! Copies games of another archive as rows, without decoding them: checksums prove that the rows are unchanged. Names
//! and ids are assigned by the writer, as for any other game.

use std::{ops::Range, sync::Arc};

use arrayvec::ArrayVec;
use foldhash::{HashMap, HashMapExt};
use rusqlite::{Connection, Result, Row, types::ValueRef};

use super::names::{NAME_TABLES, NameTable};
use super::prepared::{GameSize, NAME, NameKind, PreparedGame, PreparedGames, PreparedName, PreparedSection};
use crate::archive::{
    Archive, ArchiveError, Maintenance,
    checksum::{self, Checked, has_changes, has_checksums},
    row_hash,
};
use plybook_chess::codec::CodecId;
use plybook_index::position_index::GameColumns;
use plybook_record::{GameId, GameKind, TagLayout};

/// Games in a batch.
const BATCH: i64 = 2048;

/// Games under one checksum.
const BUCKET: i64 = 4096;

/// The tables whose rows games refer to.
const REFERRED: [Checked; 6] =
    [Checked::TagLayout, Checked::Player, Checked::Event, Checked::Site, Checked::TagValue, Checked::Section];

/// Reads the games of an archive batch by batch.
#[derive(Debug)]
pub struct RawGames<'a> {
    archive: &'a Archive,
    next: GameId,
    last: GameId,
    /// SQLite's number that changes when another program has written.
    version: i64,
    layouts: HashMap<i64, RawLayout>,
}

/// A layout, and which values of `game.tags` are ids of texts.
#[derive(Clone, Debug)]
struct RawLayout {
    layout: Arc<TagLayout>,
    ids: Arc<[bool]>,
}

/// A batch, indexed by the ids of the other archive.
struct RawBatch<'a> {
    db: &'a Connection,
    layouts: &'a mut HashMap<i64, RawLayout>,
    games: PreparedGames,
    names: HashMap<(NameKind, i64), usize>,
    sections: HashMap<i64, (usize, RawLayout, u32)>,
}

impl<'a> Maintenance<'a> {
    /// Reads the rows of games up to an id. `None` if the rows that they refer to are not all proved to be unchanged.
    pub fn raw_games(self, last: GameId) -> Result<Option<RawGames<'a>>, ArchiveError> {
        let version = self.archive.data_version()?;
        let sound = self.archive.db.attempt(|db| {
            // After changes, ids may be missing, and fingerprints may belong to no game.
            if !has_checksums(db)? || self.archive.older_version().is_some() || has_changes(db)? {
                return Ok(false);
            }
            for table in REFERRED.into_iter().chain([Checked::Game]).chain(Checked::BY_GAME) {
                if checksum::unproved(db, table)? > 0 {
                    return Ok(false);
                }
            }
            for table in REFERRED {
                if checksum::has_any_change(db, table)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        let games = RawGames { archive: self.archive, next: 1, last, version, layouts: HashMap::new() };
        Ok(sound.then_some(games))
    }
}

impl RawGames<'_> {
    /// The next games; `None` at the end.
    ///
    /// # Errors
    /// Rows are changed or missing, or errors of SQLite.
    pub fn next_batch(&mut self) -> Result<Option<PreparedGames>, ArchiveError> {
        if self.next > self.last {
            let version = self.archive.data_version()?;
            return if version == self.version { Ok(None) } else { Err(changed(self.last)) };
        }
        let end = self.last.min((self.next / BATCH + 1) * BATCH - 1);
        let read = self.read(end).map_err(|error| self.archive.db.error(error))?;
        let games = read.ok_or_else(|| changed(self.next))?;
        self.next = end + 1;
        Ok(Some(games))
    }

    /// Whether games that share a checksum with the next one have changed.
    fn has_changed(&self) -> Result<bool> {
        let db = &self.archive.db;
        let ids = (self.next..=self.next / BUCKET * BUCKET + BUCKET - 1).into();
        for table in Checked::of_games(db)?.into_iter().chain([Checked::Game]) {
            if checksum::first_change(db, table, ids)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The games up to an id; `None` if they have changed.
    fn read(&mut self, end: GameId) -> Result<Option<PreparedGames>> {
        let db = &self.archive.db;
        if (self.next == 1 || self.next % BUCKET == 0) && self.has_changed()? {
            return Ok(None);
        }
        let (games, names, sections) = Default::default();
        let mut batch = RawBatch { db, layouts: &mut self.layouts, games, names, sections };
        let sql = format!("{} WHERE id BETWEEN ?1 AND ?2 ORDER BY id", Checked::Game.select());
        let mut statement = db.prepare_cached(&sql)?;
        let (mut rows, mut id) = (statement.query((self.next, end))?, self.next);
        while let Some(row) = rows.next()? {
            let number = |column| row.get::<_, Option<i64>>(column).map(|number| number.unwrap_or(0));
            if number(0)? != id {
                return Ok(None);
            }
            id += 1;
            let Some((section, layout, date)) = batch.section(number(3)?)? else { return Ok(None) };
            let mut player = |column| batch.name(NameKind::Player, row.get(column)?);
            let players = [player(4)?, player(5)?];
            let start = batch.games.bytes.len();
            for column in 0..11 {
                row_hash::push(&mut batch.games.bytes, row.get_ref(column)?);
            }
            let Some(tags) = batch.tags(&layout.ids, row.get_ref(11)?)? else { return Ok(None) };
            let end = tags.as_ref().map_or(batch.games.bytes.len(), |tags| tags.start);
            let moves = row.get_ref(7)?.as_blob()?;
            batch.games.games.push(PreparedGame {
                // All fingerprints are added together at the end.
                fingerprint: 0,
                section,
                players,
                facts: facts(row, date)?,
                row: start..end,
                tags,
                sides: Checked::BY_GAME.map(|_| 0..0),
                size: GameSize {
                    plies: number(1)?.cast_unsigned(),
                    bits: layout.layout.codec.bits(moves),
                    move_bytes: moves.len() as u64,
                    annotation_bytes: 0,
                },
                identities: ArrayVec::new(),
                id: None,
            });
        }
        if id != end + 1 {
            return Ok(None);
        }
        for table in Checked::of_games(db)? {
            if !batch.sides(table, self.next, end)? {
                return Ok(None);
            }
        }
        batch.games.find_identities();
        Ok(Some(batch.games))
    }
}

/// The columns of a game from its row, without the players.
fn facts(row: &Row<'_>, date: u32) -> Result<GameColumns> {
    let number = |column| row.get::<_, Option<u32>>(column).map(Option::unwrap_or_default);
    let (result, white_elo, black_elo) = (number(2)?, number(8)?, number(9)?);
    Ok(GameColumns { result, white_elo, black_elo, date, ..GameColumns::default() })
}

fn changed(id: GameId) -> ArchiveError {
    ArchiveError::damaged(id, "it has changed since it was written")
}

impl RawBatch<'_> {
    /// The index of a name in the batch, and the name.
    fn name(&mut self, kind: NameKind, id: Option<i64>) -> Result<Option<usize>> {
        let Some(id) = id else { return Ok(None) };
        if let Some(&known) = self.names.get(&(kind, id)) {
            return Ok(Some(known));
        }
        let NameTable { name: table, column, .. } = NAME_TABLES[kind as usize];
        let sql = format!("SELECT {column} FROM {table} WHERE id = ?1");
        let PreparedGames { text, names, .. } = &mut self.games;
        let start = text.len();
        self.db.prepare_cached(&sql)?.query_row([id], |row| {
            text.push_str(row.get_ref(0)?.as_str()?);
            Ok(())
        })?;
        names.push(PreparedName { kind, text: start..text.len(), id: None });
        self.names.insert((kind, id), names.len() - 1);
        Ok(Some(names.len() - 1))
    }

    /// The index of a section in the batch, its layout and its date.
    fn section(&mut self, id: i64) -> Result<Option<(usize, RawLayout, u32)>> {
        if let Some(known) = self.sections.get(&id) {
            return Ok(Some(known.clone()));
        }
        let sql = "SELECT layout, event, site, date, tags FROM section WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
        let (layout, event, site, date, tags): (i64, _, _, Option<u32>, Option<String>) =
            self.db.prepare_cached(sql)?.query_row([id], read)?;
        let Some(layout) = self.layout(layout)? else { return Ok(None) };
        let ids: Option<Vec<i64>> = serde_json::from_str(tags.as_deref().unwrap_or("[]")).ok();
        let (mut tags, Some(ids)) = (Vec::new(), ids) else { return Ok(None) };
        for id in ids {
            tags.extend(self.name(NameKind::Value, Some(id))?);
        }
        let event = self.name(NameKind::Event, event)?;
        let site = self.name(NameKind::Site, site)?;
        let section =
            PreparedSection { layout: Arc::clone(&layout.layout), event, site, date, tags, id: None };
        self.games.sections.push(section);
        let made = (self.games.sections.len() - 1, layout, date.unwrap_or(0));
        self.sections.insert(id, made.clone());
        Ok(Some(made))
    }

    /// Appends `game.tags`: unchanged, or as a text with placeholders if it contains ids; returns its range. `None` if
    /// it does not match its layout.
    fn tags(&mut self, ids: &[bool], tags: ValueRef<'_>) -> Result<Option<Option<Range<usize>>>> {
        if !ids.contains(&true) {
            row_hash::push(&mut self.games.bytes, tags);
            return Ok(Some(None));
        }
        let values: Option<Vec<serde_json::Value>> = serde_json::from_str(tags.as_str()?).ok();
        let Some(values) = values.filter(|values| values.len() == ids.len()) else { return Ok(None) };
        let mut text = Vec::new();
        for (value, is_id) in values.into_iter().zip(ids) {
            text.push(if text.is_empty() { b'[' } else { b',' });
            if *is_id {
                let Some(name) = self.name(NameKind::Value, value.as_i64())? else { return Ok(None) };
                text.push(NAME);
                text.extend(name.to_le_bytes());
            } else {
                text.extend(value.to_string().into_bytes());
            }
        }
        text.push(b']');
        let start = self.games.bytes.len();
        self.games.bytes.extend(text);
        Ok(Some(Some(start..self.games.bytes.len())))
    }

    /// Adds the rows of a range of games in a side table; false if one belongs to no game.
    fn sides(&mut self, table: Checked, first: GameId, last: GameId) -> Result<bool> {
        let sql = format!("SELECT * FROM {} WHERE rowid BETWEEN ?1 AND ?2", table.name());
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query((first, last))?;
        while let Some(row) = rows.next()? {
            let (id, value): (GameId, _) = (row.get(0)?, row.get_ref(1)?);
            let PreparedGames { bytes, games, .. } = &mut self.games;
            let start = bytes.len();
            bytes.extend(row_hash::integer(id));
            row_hash::push(bytes, value);
            let game = usize::try_from(id - first).ok().and_then(|number| games.get_mut(number));
            let Some(game) = game else { return Ok(false) };
            if table == Checked::Annotation {
                game.size.annotation_bytes = value.as_blob()?.len() as u64;
            }
            for (_, side) in Checked::BY_GAME.iter().zip(&mut game.sides).filter(|(own, _)| **own == table) {
                *side = start..bytes.len();
            }
        }
        Ok(true)
    }

    /// A layout by its id; `None` if this version does not support its codec or variant.
    fn layout(&mut self, id: i64) -> Result<Option<RawLayout>> {
        if let Some(known) = self.layouts.get(&id) {
            return Ok(Some(known.clone()));
        }
        let sql = "SELECT codec, variant, names, slots FROM tag_layout WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let (codec, kind, names, slots): (i64, i64, String, String) =
            self.db.prepare_cached(sql)?.query_row([id], read)?;
        let codec = CodecId::from_number(codec);
        let kind = u8::try_from(kind).ok().and_then(GameKind::from_id);
        let (Some(codec), Some(kind), Some(ids)) = (codec, kind, TagLayout::ids_in_tags(&slots)) else {
            return Ok(None);
        };
        let layout = RawLayout { layout: Arc::new(TagLayout { codec, kind, names, slots }), ids: ids.into() };
        self.layouts.insert(id, layout.clone());
        Ok(Some(layout))
    }
}
