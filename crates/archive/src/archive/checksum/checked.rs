//! The tables whose rows have checksums.

use rusqlite::Connection;

use super::has_changes;

/// A table whose rows have checksums. Its number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::archive) enum Checked {
    TagLayout = 1,
    Player = 2,
    Event = 3,
    Site = 4,
    TagValue = 5,
    Section = 6,
    Game = 7,
    Annotation = 8,
    Original = 9,
    Source = 10,
    SourceSpan = 11,
    Change = 12,
    ChangeRow = 13,
    Removed = 14,
    Former = 15,
    Stale = 16,
}

/// The tables in the order of their numbers, with their names.
const TABLES: [(Checked, &str); 16] = [
    (Checked::TagLayout, "tag_layout"),
    (Checked::Player, "player"),
    (Checked::Event, "event"),
    (Checked::Site, "site"),
    (Checked::TagValue, "tag_value"),
    (Checked::Section, "section"),
    (Checked::Game, "game"),
    (Checked::Annotation, "annotation"),
    (Checked::Original, "original"),
    (Checked::Source, "source"),
    (Checked::SourceSpan, "source_span"),
    (Checked::Change, "plybook_change"),
    (Checked::ChangeRow, "plybook_change_row"),
    (Checked::Removed, "plybook_removed"),
    (Checked::Former, "plybook_former"),
    (Checked::Stale, "plybook_stale"),
];

impl Checked {
    /// The tables of every archive.
    pub(super) fn required() -> impl Iterator<Item = Checked> {
        TABLES.iter().map(|(table, _)| *table).take_while(|table| *table < Checked::Change)
    }

    /// The tables that an archive has.
    pub(in crate::archive) fn all(db: &Connection) -> rusqlite::Result<impl Iterator<Item = Checked>> {
        let has_changes = has_changes(db)?;
        let tables = TABLES.iter().map(|(table, _)| *table);
        Ok(tables.take_while(move |table| has_changes || *table < Checked::Change))
    }

    pub(in crate::archive) fn name(self) -> &'static str {
        TABLES[self as usize - 1].1
    }

    /// Rows whose ids differ only in this many low bits share a checksum. Rows that nothing else proves have one each.
    fn bits(self) -> u32 {
        match self {
            Checked::Original | Checked::Source => 0,
            // Fingerprints are spread over all 64 bits.
            Checked::Former => 52,
            _ => 12,
        }
    }

    /// The number of the checksum of a row.
    pub(in crate::archive) fn bucket(self, id: i64) -> i64 {
        id >> self.bits()
    }

    /// The first and the last id covered by a checksum.
    pub(super) fn ids(self, bucket: i64) -> (i64, i64) {
        let first = bucket << self.bits();
        (first, first | ((1 << self.bits()) - 1))
    }
}
