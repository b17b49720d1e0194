//! Properties of a section's games that are not in a column: speed, and whether they are casual.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    hash::Hash,
};

use rusqlite::{Connection, OptionalExtension, Row};

use crate::archive::{Archive, Result, two_generation_cache::TwoGenerationCache};
use plybook_index::position_index::Speed;
use plybook_record::{GameId, TagSlot, ValueRules};

/// Properties that the games of a section share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionMetadata {
    /// The speed.
    pub speed: Speed,
    /// Whether the games were casual: the name of the event begins with "casual".
    pub is_casual: bool,
}

/// Number of sections that are cached.
const SECTIONS: usize = 70_000;

/// Reads the properties of sections.
#[derive(Debug)]
pub struct SectionReader {
    read: TwoGenerationCache<i64, SectionMetadata>,
    known: SectionCache,
    /// SQLite's number that changes when another connection has written, when it was last looked at.
    version: i64,
    /// Readers of several archives that are read as one, each with its own row ids.
    parts: HashMap<u32, SectionReader>,
}

impl Default for SectionReader {
    /// With an empty cache.
    fn default() -> Self {
        SectionReader {
            read: TwoGenerationCache::new(SECTIONS),
            known: SectionCache::default(),
            version: 0,
            parts: HashMap::new(),
        }
    }
}

impl SectionReader {
    /// Forgets the sections if another program has written since the last call: it may have given them, or their layouts, other numbers.
    pub fn renew(&mut self, archive: &Archive) -> Result<()> {
        let version = archive.data_version()?;
        if std::mem::replace(&mut self.version, version) != version {
            self.read.clear();
            self.known = SectionCache::default();
        }
        Ok(())
    }

    /// The properties of a section.
    pub fn facts(&mut self, archive: &Archive, section: i64) -> Result<SectionMetadata> {
        if let Some(facts) = self.read.get(&section) {
            return Ok(facts);
        }
        let facts = archive.db.attempt(|db| {
            let sql = "SELECT id, layout, event, tags FROM section WHERE id = ?1";
            let section = db.prepare_cached(sql)?.query_row([section], StoredSection::read)?;
            self.known.facts(db, &section)
        })?;
        self.read.insert(section, facts);
        Ok(facts)
    }

    /// The same for the section of a game; `None` if there is no such game.
    pub fn facts_of_game(&mut self, archive: &Archive, game: GameId) -> Result<Option<SectionMetadata>> {
        if !archive.is_one() {
            let Some((part, game)) = archive.files().part_with(game) else { return Ok(None) };
            return self.parts.entry(part.number).or_default().facts_of_game(&part.lock(), game);
        }
        let section = archive.db.attempt(|db| {
            let mut find = db.prepare_cached("SELECT section FROM game WHERE id = ?1")?;
            find.query_row([game], |row| row.get(0)).optional()
        })?;
        section.map(|section| self.facts(archive, section)).transpose()
    }
}

/// The sections that pass conditions on speed and casual games, if there are any.
pub(super) fn sections_that_pass(
    db: &Connection,
    speeds: Option<&BTreeSet<Speed>>,
    casual: Option<bool>,
) -> rusqlite::Result<Vec<i64>> {
    let mut sections = all_sections(db)?;
    sections.retain(|(_, facts)| {
        speeds.is_none_or(|speeds| speeds.contains(&facts.speed))
            && casual.is_none_or(|casual| casual == facts.is_casual)
    });
    Ok(sections.into_iter().map(|(section, _)| section).collect())
}

/// The properties of every section.
pub(in crate::archive) fn all_sections(db: &Connection) -> rusqlite::Result<Vec<(i64, SectionMetadata)>> {
    let mut known = SectionCache::default();
    let mut find = db.prepare_cached("SELECT id, layout, event, tags FROM section ORDER BY id")?;
    let sections = find.query_map([], |row| {
        let section = StoredSection::read(row)?;
        Ok((section.id, known.facts(db, &section)?))
    })?;
    sections.collect()
}

/// The columns of a row of `section`.
struct StoredSection {
    id: i64,
    layout: i64,
    event: Option<i64>,
    tags: Option<String>,
}

impl StoredSection {
    fn read(row: &Row<'_>) -> rusqlite::Result<StoredSection> {
        Ok(StoredSection { id: row.get(0)?, layout: row.get(1)?, event: row.get(2)?, tags: row.get(3)? })
    }
}

/// Caches for layouts, events and time controls, which repeat often.
#[derive(Debug, Default)]
struct SectionCache {
    /// The index of TimeControl among the shared values, and the rules by which it is read, by layout.
    places: HashMap<i64, (Option<usize>, ValueRules)>,
    /// By the id of the value and those rules.
    speeds: HashMap<(i64, ValueRules), Speed>,
    /// By the id of the event.
    casual: HashMap<i64, bool>,
}

impl SectionCache {
    fn facts(&mut self, db: &Connection, section: &StoredSection) -> rusqlite::Result<SectionMetadata> {
        let StoredSection { layout, event, tags, .. } = section;
        let ids: Vec<i64> =
            tags.as_deref().and_then(|tags| serde_json::from_str(tags).ok()).unwrap_or_default();
        let (place, rules) = cached(&mut self.places, *layout, |layout| place(db, layout))?;
        let time_control = place.and_then(|place| ids.get(place)).copied();
        let read = |id| cached(&mut self.speeds, (id, rules), |(id, rules)| speed(db, id, rules));
        let speed = time_control.map(read).transpose()?;
        let is_casual = event.map(|event| cached(&mut self.casual, event, |event| is_casual(db, event)));
        Ok(SectionMetadata {
            speed: speed.unwrap_or_default(),
            is_casual: is_casual.transpose()?.unwrap_or_default(),
        })
    }
}

/// What an index has of a section's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::archive) struct IndexedSection {
    date: Option<i64>,
    codec: i64,
    variant: i64,
    /// Whether the games have start positions of their own.
    pub has_setups: bool,
    metadata: SectionMetadata,
}

/// Reads what an index has of sections; `None` if there is no such section.
#[derive(Debug, Default)]
pub(in crate::archive) struct IndexedSections {
    read: HashMap<i64, Option<IndexedSection>>,
    known: SectionCache,
}

impl IndexedSections {
    pub fn get(&mut self, db: &Connection, id: i64) -> rusqlite::Result<Option<IndexedSection>> {
        cached(&mut self.read, id, |id| {
            let sql =
                "SELECT section.id, layout, event, tags, date, codec, variant, instr(names, '\"FEN\"') > 0
                       FROM section JOIN tag_layout ON tag_layout.id = layout WHERE section.id = ?1";
            let section = db.prepare_cached(sql)?.query_row([id], |row| {
                let metadata = self.known.facts(db, &StoredSection::read(row)?)?;
                let [date, codec, variant] = [4, 5, 6].map(|column| row.get::<_, Option<i64>>(column));
                let (codec, variant) = (codec?.unwrap_or(0), variant?.unwrap_or(0));
                Ok(IndexedSection { date: date?, codec, variant, has_setups: row.get(7)?, metadata })
            });
            section.optional()
        })
    }
}

/// A cached value, which is read if it is new.
pub(in crate::archive) fn cached<K: Copy + Eq + Hash, V: Copy>(
    known: &mut HashMap<K, V>,
    id: K,
    read: impl FnOnce(K) -> rusqlite::Result<V>,
) -> rusqlite::Result<V> {
    Ok(match known.entry(id) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(new) => *new.insert(read(id)?),
    })
}

/// The index of TimeControl among the shared values of a layout, and the layout's rules.
fn place(db: &Connection, layout: i64) -> rusqlite::Result<(Option<usize>, ValueRules)> {
    let sql = "SELECT names, slots FROM tag_layout WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let (names, slots): (String, String) = db.query_row(sql, [layout], read)?;
    let names: Vec<String> = serde_json::from_str(&names).unwrap_or_default();
    let rules = ValueRules::of_slots(&slots);
    let slots: Vec<TagSlot> = serde_json::from_str(&slots).unwrap_or_default();
    let mut common = names.iter().zip(slots).filter(|(_, slot)| *slot == TagSlot::Common);
    Ok((common.position(|(name, _)| name == "TimeControl"), rules))
}

fn speed(db: &Connection, id: i64, rules: ValueRules) -> rusqlite::Result<Speed> {
    let sql = "SELECT text FROM tag_value WHERE id = ?1";
    let text = db.query_row(sql, [id], |row| row.get::<_, String>(0)).optional()?;
    Ok(text.as_deref().map_or(Speed::default(), |text| Speed::of_time_control(text, rules)))
}

fn is_casual(db: &Connection, event: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT name LIKE 'casual%' FROM event WHERE id = ?1";
    Ok(db.query_row(sql, [event], |row| row.get(0)).optional()?.unwrap_or(false))
}
