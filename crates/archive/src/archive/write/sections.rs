//! What games of one event and layout share: the rows of `section` and `tag_layout`.

use std::sync::Arc;

use rusqlite::{OptionalExtension, Result, params};

use super::{
    names::{NameId, Target},
    prepared::PreparedGames,
};
use crate::archive::{
    checksum::Checked,
    game_table,
    schema::{self, MODEL_VERSION},
    two_generation_cache::TwoGenerationCache,
};
use plybook_chess::codec::CodecId;
use plybook_record::TagLayout;

/// Number of cached layouts. A collection has a handful.
const LAYOUTS: usize = 5_000;

/// Maximum size of a cached layout.
const LARGEST_LAYOUT: usize = 2_000;

/// Number of cached sections. A section that was evicted is stored again.
// Sections are not looked up in the archive: that would need another index, while storing one again costs a few
// bytes, once per many thousand games.
const SECTIONS: usize = 70_000;

/// A row of `section` without its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NewSection {
    layout: i64,
    event: Option<NameId>,
    site: Option<NameId>,
    date: Option<u32>,
    /// A JSON array.
    tags: Option<Box<str>>,
}

/// Caches of sections and layouts.
#[derive(Debug)]
pub(super) struct Sections {
    layouts: TwoGenerationCache<Arc<TagLayout>, i64>,
    /// The layout of the previous game, which most games share: comparing the pointers saves hashing its texts.
    last_layout: Option<(Arc<TagLayout>, i64)>,
    known: TwoGenerationCache<NewSection, i64>,
}

impl Sections {
    pub(super) fn new() -> Sections {
        let (layouts, known) = (TwoGenerationCache::new(LAYOUTS), TwoGenerationCache::new(SECTIONS));
        Sections { layouts, last_layout: None, known }
    }

    /// Forgets all ids, because another program may have removed sections.
    pub(super) fn forget(&mut self) {
        (self.layouts, self.last_layout) = (TwoGenerationCache::new(LAYOUTS), None);
        self.known.clear();
    }

    /// The id of a section of a batch, which is stored if it is new.
    pub(super) fn id(
        &mut self,
        games: &mut PreparedGames,
        number: usize,
        to: &mut Target<'_>,
    ) -> Result<i64> {
        let missing = rusqlite::Error::QueryReturnedNoRows;
        let section = games.sections.get_mut(number).ok_or(missing)?;
        if let Some((_, id)) = section.id.filter(|(generation, _)| *generation == self.known.generation) {
            return Ok(id);
        }
        let (layout, date, in_tags) = (Arc::clone(&section.layout), section.date, section.tags.clone());
        let (event, site) = (section.event, section.site);
        let layout = self.layout_id(&layout, to)?;
        let mut tags = String::new();
        for name in in_tags {
            tags.push(if tags.is_empty() { '[' } else { ',' });
            tags.extend(games.name_id(name, to)?.map(|id| id.to_string()));
        }
        let tags = (!tags.is_empty()).then(|| (tags + "]").into_boxed_str());
        let mut id = |name: Option<usize>| name.map_or(Ok(None), |name| games.name_id(name, to));
        let section = NewSection { layout, event: id(event)?, site: id(site)?, date, tags };
        let id = self.stored(section, to)?;
        if let Some(section) = games.sections.get_mut(number) {
            section.id = Some((self.known.generation, id));
        }
        Ok(id)
    }

    fn stored(&mut self, section: NewSection, to: &mut Target<'_>) -> Result<i64> {
        if let Some(id) = self.known.get(&section) {
            return Ok(id);
        }
        let Target { db, registers, .. } = to;
        let NewSection { layout, event, site, date, tags } = &section;
        let values = params![layout, event, site, date, tags];
        db.prepare_cached(
            "INSERT INTO section (layout, event, site, date, tags) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(values)?;
        let id = db.last_insert_rowid();
        registers.checksums.add(Checked::Section, id, values)?;
        registers.totals.section(id, *date);
        self.known.insert(section, id);
        Ok(id)
    }

    fn layout_id(&mut self, layout: &Arc<TagLayout>, to: &mut Target<'_>) -> Result<i64> {
        if let Some((_, id)) = self.last_layout.as_ref().filter(|(last, _)| Arc::ptr_eq(last, layout)) {
            return Ok(*id);
        }
        let id = self.any_layout_id(layout, to)?;
        self.last_layout = Some((Arc::clone(layout), id));
        Ok(id)
    }

    fn any_layout_id(&mut self, layout: &Arc<TagLayout>, to: &mut Target<'_>) -> Result<i64> {
        if let Some(id) = self.layouts.get(layout) {
            return Ok(id);
        }
        let Target { db, registers, .. } = to;
        let key = params![layout.codec.number(), layout.kind.id(), layout.names, layout.slots];
        let find =
            "SELECT id FROM tag_layout WHERE codec = ?1 AND variant = ?2 AND names = ?3 AND slots = ?4";
        let known = db.prepare_cached(find)?.query_row(key, |row| row.get(0)).optional()?;
        let id = match known {
            Some(id) => id,
            None => {
                if layout.codec == CodecId::Model {
                    schema::raise_version(db, MODEL_VERSION)?;
                    // A plybook that cannot read packed games cannot read this codec either.
                    game_table::pack_none(db, registers)?;
                }
                db.prepare_cached(
                    "INSERT INTO tag_layout (codec, variant, names, slots) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(key)?;
                let id = db.last_insert_rowid();
                registers.checksums.add(Checked::TagLayout, id, key)?;
                id
            }
        };
        if layout.names.len() + layout.slots.len() <= LARGEST_LAYOUT {
            self.layouts.insert(Arc::clone(layout), id);
        }
        Ok(id)
    }
}
