//! What an index of positions is made of: the moves of games, and what its columns say of each.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Row};

use crate::{
    archive::{
        Archive, ArchiveError, Filter,
        read::{LAYOUT, Wanted, moves, read_moves},
    },
    position_index::{GameColumns, Speed},
    record::{GameId, StoredMoves, TagSlot},
};

/// A game of chess as an index needs it.
#[derive(Clone, Debug)]
pub struct IndexableGame {
    /// Its moves.
    pub moves: StoredMoves,
    /// What its own row says of it; the rest is that of its section.
    pub facts: GameColumns,
    /// Its section.
    pub section: i64,
}

/// What the games of a section have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionFacts {
    /// How long the players had.
    pub speed: Speed,
    /// Whether the games were casual.
    pub is_casual: bool,
}

/// The columns of [`read`].
const COLUMNS: &str = concat!(
    moves!(),
    ", game.result, game.white_elo, game.black_elo, section.date, game.white, game.black, game.section"
);

fn read(archive: &Archive, row: &Row<'_>) -> rusqlite::Result<Option<IndexableGame>> {
    let Some(moves) = read_moves(archive, row)? else { return Ok(None) };
    let number = |column: usize| -> rusqlite::Result<u32> {
        Ok(row.get::<_, Option<i64>>(column)?.and_then(|number| u32::try_from(number).ok()).unwrap_or(0))
    };
    let facts = GameColumns {
        result: number(6)?,
        white_elo: number(7)?,
        black_elo: number(8)?,
        date: number(9)?,
        white: number(10)?,
        black: number(11)?,
        ..GameColumns::default()
    };
    Ok(Some(IndexableGame { moves, facts, section: row.get(12)? }))
}

impl Archive {
    /// The games of chess with some ids, as an index needs them.
    pub fn indexable_games(
        &self,
        (first, last): (GameId, GameId),
    ) -> impl Iterator<Item = Result<IndexableGame, ArchiveError>> + use<'_> {
        let bytes = |game: &IndexableGame| size_of::<IndexableGame>() + game.moves.moves.len();
        let filter = Filter { ids: Some(first..=last), ..Filter::default() };
        self.pages(&filter, Wanted { columns: COLUMNS, tables: LAYOUT, read, bytes })
    }
}

/// Reads what the games of sections have in common. Layouts, events and time controls come again and again.
#[derive(Debug)]
pub struct SectionReader<'a> {
    archive: &'a Archive,
    last: Option<(i64, SectionFacts)>,
    /// The place of TimeControl among the values that the games of a section have in common, by layout.
    places: HashMap<i64, Option<usize>>,
    /// By the id of the value.
    speeds: HashMap<i64, Speed>,
    /// By the id of the event.
    casual: HashMap<i64, bool>,
}

impl<'a> SectionReader<'a> {
    /// Begins to read.
    pub fn new(archive: &'a Archive) -> SectionReader<'a> {
        SectionReader {
            archive,
            last: None,
            places: HashMap::new(),
            speeds: HashMap::new(),
            casual: HashMap::new(),
        }
    }

    /// What the games of a section have in common.
    ///
    /// # Errors
    /// SQLite's.
    pub fn facts(&mut self, section: i64) -> Result<SectionFacts, ArchiveError> {
        match self.last {
            Some((last, facts)) if last == section => Ok(facts),
            _ => {
                let archive = self.archive;
                let facts = self.read(section).map_err(|error| archive.error(error))?;
                Ok(self.last.insert((section, facts)).1)
            }
        }
    }

    fn read(&mut self, section: i64) -> rusqlite::Result<SectionFacts> {
        let sql = "SELECT layout, event, tags FROM section WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let (layout, event, tags): (i64, Option<i64>, Option<String>) =
            self.archive.db.prepare_cached(sql)?.query_row([section], read)?;
        let ids: Vec<i64> = tags.and_then(|tags| serde_json::from_str(&tags).ok()).unwrap_or_default();
        let time_control = self.place(layout)?.and_then(|place| ids.get(place)).copied();
        Ok(SectionFacts {
            speed: time_control.map_or(Ok(Speed::default()), |id| self.speed(id))?,
            is_casual: event.map_or(Ok(false), |event| self.is_casual(event))?,
        })
    }

    fn place(&mut self, layout: i64) -> rusqlite::Result<Option<usize>> {
        if let Some(place) = self.places.get(&layout) {
            return Ok(*place);
        }
        let sql = "SELECT names, slots FROM tag_layout WHERE id = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (names, slots): (String, String) = self.archive.db.query_row(sql, [layout], read)?;
        let names: Vec<String> = serde_json::from_str(&names).unwrap_or_default();
        let slots: Vec<TagSlot> = serde_json::from_str(&slots).unwrap_or_default();
        let mut common = names.iter().zip(slots).filter(|(_, slot)| *slot == TagSlot::Common);
        let place = common.position(|(name, _)| name == "TimeControl");
        self.places.insert(layout, place);
        Ok(place)
    }

    fn speed(&mut self, id: i64) -> rusqlite::Result<Speed> {
        if let Some(speed) = self.speeds.get(&id) {
            return Ok(*speed);
        }
        let sql = "SELECT text FROM tag_value WHERE id = ?1";
        let text = self.archive.db.query_row(sql, [id], |row| row.get::<_, String>(0)).optional()?;
        let speed = text.as_deref().map_or(Speed::default(), Speed::of_time_control);
        self.speeds.insert(id, speed);
        Ok(speed)
    }

    fn is_casual(&mut self, event: i64) -> rusqlite::Result<bool> {
        if let Some(is_casual) = self.casual.get(&event) {
            return Ok(*is_casual);
        }
        let sql = "SELECT name LIKE 'casual%' FROM event WHERE id = ?1";
        let is_casual =
            self.archive.db.query_row(sql, [event], |row| row.get(0)).optional()?.unwrap_or(false);
        self.casual.insert(event, is_casual);
        Ok(is_casual)
    }
}
