//! What games of one event and one layout share: the rows of `section` and `tag_layout`.

use std::sync::Arc;

use rusqlite::{OptionalExtension, params};

use super::{names::NameId, prepared::PreparedGames, writer::Writer};
use crate::{archive::checksum::Checked, record::TagLayout};

/// Bytes of the largest layouts that are remembered.
const LARGEST_LAYOUT: usize = 2_000;

/// A row of `section` without its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Section {
    layout: i64,
    event: Option<NameId>,
    site: Option<NameId>,
    date: Option<u32>,
    /// A JSON array.
    tags: Option<Box<str>>,
}

impl Writer {
    /// The id of a section of a batch.
    pub(super) fn section_id(&mut self, games: &mut PreparedGames, number: usize) -> rusqlite::Result<i64> {
        let missing = rusqlite::Error::QueryReturnedNoRows;
        let section = games.sections.get_mut(number).ok_or(missing)?;
        if let Some((_, id)) = section.id.filter(|(generation, _)| *generation == self.sections.generation())
        {
            return Ok(id);
        }
        let (layout, date, names) = (Arc::clone(&section.layout), section.date, section.tags.clone());
        let (event, site) = (section.event, section.site);
        let layout = self.layout_id(&layout)?;
        let mut tags = String::new();
        for name in names {
            tags.push(if tags.is_empty() { '[' } else { ',' });
            tags.extend(self.name_id(games, name)?.map(|id| id.to_string()));
        }
        let tags = (!tags.is_empty()).then(|| (tags + "]").into_boxed_str());
        let mut id = |name: Option<usize>| name.map_or(Ok(None), |name| self.name_id(games, name));
        let section = Section { layout, event: id(event)?, site: id(site)?, date, tags };
        let id = self.stored_section(section)?;
        if let Some(section) = games.sections.get_mut(number) {
            section.id = Some((self.sections.generation(), id));
        }
        Ok(id)
    }

    fn stored_section(&mut self, section: Section) -> rusqlite::Result<i64> {
        if let Some(id) = self.sections.get(&section) {
            return Ok(id);
        }
        let Section { layout, event, site, date, tags } = &section;
        let values = params![layout, event, site, date, tags];
        self.cached("INSERT INTO section (layout, event, site, date, tags) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(values)?;
        let id = self.archive.db.last_insert_rowid();
        self.registers.checksums.add(Checked::Section, id, values)?;
        self.totals.section(id, *date);
        self.sections.insert(section, id);
        Ok(id)
    }

    fn layout_id(&mut self, layout: &Arc<TagLayout>) -> rusqlite::Result<i64> {
        if let Some((_, id)) = self.last_layout.as_ref().filter(|(last, _)| Arc::ptr_eq(last, layout)) {
            return Ok(*id);
        }
        let id = self.any_layout_id(layout)?;
        self.last_layout = Some((Arc::clone(layout), id));
        Ok(id)
    }

    fn any_layout_id(&mut self, layout: &Arc<TagLayout>) -> rusqlite::Result<i64> {
        if let Some(id) = self.layouts.get(layout) {
            return Ok(id);
        }
        let key = params![layout.codec.number(), layout.kind.id(), layout.names, layout.slots];
        let find =
            "SELECT id FROM tag_layout WHERE codec = ?1 AND variant = ?2 AND names = ?3 AND slots = ?4";
        let known = self.cached(find)?.query_row(key, |row| row.get(0)).optional()?;
        let id = match known {
            Some(id) => id,
            None => {
                self.cached("INSERT INTO tag_layout (codec, variant, names, slots) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(key)?;
                let id = self.archive.db.last_insert_rowid();
                self.registers.checksums.add(Checked::TagLayout, id, key)?;
                id
            }
        };
        if layout.names.len() + layout.slots.len() <= LARGEST_LAYOUT {
            self.layouts.insert(Arc::clone(layout), id);
        }
        Ok(id)
    }
}
