//! What games of one event and one layout share: the rows of `section` and `tag_layout`.

use std::sync::Arc;

use rusqlite::{OptionalExtension, params};

use super::{
    names::{NameId, Names},
    writer::Writer,
};
use crate::{
    archive::checksum::Checked,
    record::{Record, TagLayout},
};

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
    /// The id of the game's section.
    pub(super) fn section_of(&mut self, record: &Record) -> rusqlite::Result<i64> {
        let layout = match &self.last_layout {
            Some((last, id)) if Arc::ptr_eq(last, &record.layout) => *id,
            _ => self.layout_id(&record.layout)?,
        };
        self.last_layout = Some((Arc::clone(&record.layout), layout));
        let tags = self.json(&record.values, true)?;
        let Writer { archive, registers, events, sites, .. } = self;
        let (db, columns) = (&archive.db, &record.columns);
        let value = |place: Option<usize>| place.and_then(|place| record.tags.iter().nth(place));
        let mut id = |names: &mut Names, name: &str| names.id(db, registers, name);
        let section = Section {
            layout,
            event: value(columns.event).map(|(_, name)| id(events, name)).transpose()?,
            site: match columns.site {
                Some((place, bytes)) => {
                    let name = value(Some(place)).and_then(|(_, site)| site.get(..bytes));
                    name.map(|name| id(sites, name)).transpose()?
                }
                None => None,
            },
            date: columns.date,
            tags: tags.map(String::into_boxed_str),
        };
        self.section_id(section)
    }

    fn section_id(&mut self, section: Section) -> rusqlite::Result<i64> {
        if let Some(id) = self.sections.get(&section) {
            return Ok(id);
        }
        let Section { layout, event, site, date, tags } = &section;
        let values = params![layout, event, site, date, tags];
        self.cached("INSERT INTO section (layout, event, site, date, tags) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(values)?;
        let id = self.archive.db.last_insert_rowid();
        self.registers.checksums.add(Checked::Section, id, values)?;
        self.sections.insert(section, id);
        Ok(id)
    }

    fn layout_id(&mut self, layout: &Arc<TagLayout>) -> rusqlite::Result<i64> {
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
