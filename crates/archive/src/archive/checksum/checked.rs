//! The tables whose rows have checksums: one list. Some of them are side tables, which store a value next to some games.
//!
//! To add a side table, add a row at the end of both lists and the table to `schema.sql`, and write its codec. Checks,
//! copies, merges, splits, the log of changes, undoing, salvage and sizes read these lists.

use std::range::RangeInclusive;

use rusqlite::Connection;

use crate::archive::schema::{self, CHANGED_VERSION};
#[cfg(test)]
use crate::archive::side_rows::letters;
use plybook_record::unpacked;

/// A table with an id and a blob in each row, with values of the games that have these ids.
#[derive(Debug)]
pub(in crate::archive) struct SideTable {
    pub table: Checked,
    /// What a value is, and several, for people.
    pub noun: &'static str,
    pub plural: &'static str,
    /// Whether values belong to the moves of a game: they are read with it, proved by its fingerprint, and replaced when
    /// it is edited. Others are copied with the game, and kept when it is edited.
    pub is_of_moves: bool,
    /// The text of a value, which `show` and `export` can write in place of a game; what is wrong with a damaged one.
    pub text: fn(&[u8]) -> Result<Vec<u8>, String>,
}

struct Table {
    name: &'static str,
    /// Rows whose ids differ only in this many low bits share a checksum. Rows that nothing else proves have one each.
    bits: u32,
    /// The version of an archive in which the table is created; 0 if every archive has it. An archive without it keeps
    /// its version, and an earlier release refuses one with it.
    since: i64,
}

macro_rules! tables {
    ($($(#[$attribute:meta])* $table:ident = $number:literal => $row:expr,)*) => {
        /// A table whose rows have checksums. Its number is stored.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(in crate::archive) enum Checked {
            $($(#[$attribute])* $table = $number,)*
        }

        const ALL: &[Checked] = &[$($(#[$attribute])* Checked::$table),*];
        const TABLES: &[Table] = &[$($(#[$attribute])* $row),*];
    };
}

tables! {
    TagLayout = 1 => Table { name: "tag_layout", bits: 12, since: 0 },
    Player = 2 => Table { name: "player", bits: 12, since: 0 },
    Event = 3 => Table { name: "event", bits: 12, since: 0 },
    Site = 4 => Table { name: "site", bits: 12, since: 0 },
    TagValue = 5 => Table { name: "tag_value", bits: 12, since: 0 },
    Section = 6 => Table { name: "section", bits: 12, since: 0 },
    Game = 7 => Table { name: "game", bits: 12, since: 0 },
    Annotation = 8 => Table { name: "annotation", bits: 12, since: 0 },
    Original = 9 => Table { name: "original", bits: 0, since: 0 },
    Source = 10 => Table { name: "source", bits: 0, since: 0 },
    SourceSpan = 11 => Table { name: "source_span", bits: 12, since: 0 },
    Change = 12 => Table { name: "plybook_change", bits: 12, since: CHANGED_VERSION },
    ChangeRow = 13 => Table { name: "plybook_change_row", bits: 12, since: CHANGED_VERSION },
    Removed = 14 => Table { name: "plybook_removed", bits: 12, since: CHANGED_VERSION },
    // Fingerprints are spread over all 64 bits.
    Former = 15 => Table { name: "plybook_former", bits: 52, since: CHANGED_VERSION },
    Stale = 16 => Table { name: "plybook_stale", bits: 12, since: CHANGED_VERSION },
    #[cfg(test)]
    Remark = 17 => Table { name: "remark", bits: 0, since: 6 },
}

/// The side tables.
const SIDES: &[SideTable] = &[
    SideTable {
        table: Checked::Annotation,
        noun: "annotation",
        plural: "annotations",
        is_of_moves: true,
        text: |marks| Ok(marks.to_vec()),
    },
    SideTable {
        table: Checked::Original,
        noun: "original text",
        plural: "original texts",
        is_of_moves: false,
        text: |frame| unpacked(frame).map_err(|error| error.to_string()),
    },
    #[cfg(test)]
    SideTable {
        table: Checked::Remark,
        noun: "remark",
        plural: "remarks",
        is_of_moves: false,
        text: letters,
    },
];

/// The latest version of an archive that this version of plybook writes.
pub const LATEST_VERSION: i64 = TABLES[TABLES.len() - 1].since;

impl SideTable {
    /// The text of a value, or what is wrong with it.
    pub(in crate::archive) fn read(&self, value: &[u8]) -> Result<Vec<u8>, String> {
        (self.text)(value).map_err(|what| format!("the {} is damaged: {what}", self.noun))
    }

    /// Those that an archive has.
    pub(in crate::archive) fn all(db: &Connection) -> rusqlite::Result<Vec<&'static SideTable>> {
        let has = SIDES.iter().map(|side| Ok(side.table.exists(db)?.then_some(side)));
        has.filter_map(rusqlite::Result::transpose).collect()
    }
}

impl Checked {
    /// All side tables.
    pub(in crate::archive) const SIDES: [Checked; SIDES.len()] = {
        let (mut tables, mut at) = ([Checked::Game; SIDES.len()], 0);
        while at < SIDES.len() {
            tables[at] = SIDES[at].table;
            at += 1;
        }
        tables
    };

    fn table(self) -> &'static Table {
        &TABLES[self as usize - 1]
    }

    /// The table with a number.
    pub(in crate::archive) fn of_number(number: i64) -> Option<Checked> {
        ALL.iter().copied().find(|table| *table as i64 == number)
    }

    /// The tables of every archive.
    pub(in crate::archive) fn required() -> impl Iterator<Item = Checked> {
        ALL.iter().copied().filter(|table| table.since() == 0)
    }

    /// The tables that only archives of some versions have.
    pub(in crate::archive) fn optional() -> impl Iterator<Item = Checked> {
        ALL.iter().copied().filter(|table| table.since() > 0)
    }

    /// The tables that an archive has.
    pub(in crate::archive) fn all(db: &Connection) -> rusqlite::Result<Vec<Checked>> {
        let has = ALL.iter().map(|table| Ok(table.exists(db)?.then_some(*table)));
        has.filter_map(rusqlite::Result::transpose).collect()
    }

    pub(in crate::archive) fn name(self) -> &'static str {
        self.table().name
    }

    pub(in crate::archive) fn side(self) -> Option<&'static SideTable> {
        SIDES.iter().find(|side| side.table == self)
    }

    /// See [`Table::since`].
    pub(in crate::archive) fn since(self) -> i64 {
        self.table().since
    }

    /// Whether an archive has the table.
    pub(in crate::archive) fn exists(self, db: &Connection) -> rusqlite::Result<bool> {
        Ok(self.since() == 0 || schema::has_table(db, self.name())?)
    }

    /// Creates the tables that came with this one, and raises the version of the archive, unless it has them; part of a
    /// transaction. Returns whether it did.
    pub(in crate::archive) fn make(self, db: &Connection) -> rusqlite::Result<bool> {
        if self.exists(db)? {
            return Ok(false);
        }
        for table in Checked::optional().filter(|table| table.since() == self.since()) {
            db.execute_batch(schema::table(table.name()))?;
        }
        let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        db.pragma_update(None, "user_version", self.since().max(version))?;
        Ok(true)
    }

    /// The number of the checksum of a row.
    pub(in crate::archive) fn bucket(self, id: i64) -> i64 {
        id >> self.table().bits
    }

    /// The numbers of the checksums of a range of rows.
    pub(in crate::archive) fn buckets(self, ids: RangeInclusive<i64>) -> RangeInclusive<i64> {
        (self.bucket(ids.start)..=self.bucket(ids.last)).into()
    }

    /// The ids covered by a checksum.
    pub(in crate::archive) fn ids(self, bucket: i64) -> RangeInclusive<i64> {
        let bits = self.table().bits;
        let first = bucket << bits;
        (first..=first | ((1 << bits) - 1)).into()
    }
}
