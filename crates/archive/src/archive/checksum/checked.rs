//! The tables whose rows have checksums: one list. Some of them are side tables, which store a value next to each game
//! or position, or to some of them.
//!
//! To add a side table, add a row at the end of the list and the table to `schema.sql`, and write its codec. Checks,
//! copies, merges, splits, the log of changes, undoing, salvage and sizes read this list.

use std::range::RangeInclusive;

use rusqlite::Connection;

use crate::archive::schema::{self, CHANGED_VERSION, DIFFERENT_VERSION, PACKED_VERSION, REJECTS_VERSION};
#[cfg(test)]
use crate::archive::side_rows::letters;
use crate::archive::{different, game_table};
use plybook_record::unpacked;

/// What the rows of a side table belong to, whose id they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), expect(dead_code, reason = "no table has values of positions or players yet"))]
pub(in crate::archive) enum Owner {
    /// The moves of a game. They are read with the game, proved by its fingerprint, and replaced when it is edited.
    Moves,
    /// A game. They are copied with it, and kept when it is edited.
    Game,
    /// A position, whose hash is the id in every archive. A copy of some games has all of them.
    Position,
    /// A player. A copy of some games has those of its players.
    Player,
    /// The archive. The hash of its text is the id in every archive. A copy of some games has none of them.
    Archive,
}

/// A table with an id and a blob in each row, and perhaps more columns after them.
#[derive(Debug)]
pub(in crate::archive) struct SideTable {
    /// What a value is, and several, for people.
    pub noun: &'static str,
    pub plural: &'static str,
    pub owner: Owner,
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
    side: Option<SideTable>,
}

/// What most tables have in common.
const TABLE: Table = Table { name: "", bits: 12, since: 0, side: None };
const OF_CHANGES: Table = Table { since: CHANGED_VERSION, ..TABLE };

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
    TagLayout = 1 => Table { name: "tag_layout", ..TABLE },
    Player = 2 => Table { name: "player", ..TABLE },
    Event = 3 => Table { name: "event", ..TABLE },
    Site = 4 => Table { name: "site", ..TABLE },
    TagValue = 5 => Table { name: "tag_value", ..TABLE },
    Section = 6 => Table { name: "section", ..TABLE },
    Game = 7 => Table { name: "game", ..TABLE },
    Annotation = 8 => Table {
        name: "annotation",
        side: Some(SideTable {
            noun: "annotation",
            plural: "annotations",
            owner: Owner::Moves,
            text: |marks| Ok(marks.to_vec()),
        }),
        ..TABLE
    },
    Original = 9 => Table {
        name: "original",
        bits: 0,
        side: Some(SideTable {
            noun: "original text",
            plural: "original texts",
            owner: Owner::Game,
            text: |frame| unpacked(frame).map_err(|error| error.to_string()),
        }),
        ..TABLE
    },
    Source = 10 => Table { name: "source", bits: 0, ..TABLE },
    SourceSpan = 11 => Table { name: "source_span", ..TABLE },
    Change = 12 => Table { name: "plybook_change", ..OF_CHANGES },
    ChangeRow = 13 => Table { name: "plybook_change_row", ..OF_CHANGES },
    Removed = 14 => Table { name: "plybook_removed", ..OF_CHANGES },
    // Fingerprints are spread over all 64 bits.
    Former = 15 => Table { name: "plybook_former", bits: 52, ..OF_CHANGES },
    Stale = 16 => Table { name: "plybook_stale", ..OF_CHANGES },
    Reject = 17 => Table {
        name: "plybook_reject",
        bits: 0,
        since: REJECTS_VERSION,
        side: Some(SideTable {
            noun: "rejected game",
            plural: "rejected games",
            owner: Owner::Archive,
            text: |frame| unpacked(frame).map_err(|error| error.to_string()),
        }),
    },
    Different = 18 => Table {
        name: "plybook_different",
        bits: 0,
        since: DIFFERENT_VERSION,
        side: Some(SideTable {
            noun: "mark as different",
            plural: "marks as different",
            owner: Owner::Game,
            text: different::checked,
        }),
    },
    #[cfg(test)]
    Remark = 19 => Table {
        name: "remark",
        bits: 0,
        since: 9,
        side: Some(SideTable { noun: "remark", plural: "remarks", owner: Owner::Game, text: letters }),
    },
    #[cfg(test)]
    Evaluation = 20 => Table {
        name: "evaluation",
        bits: 52,
        since: 10,
        side: Some(SideTable {
            noun: "evaluation",
            plural: "evaluations",
            owner: Owner::Position,
            text: letters,
        }),
    },
    #[cfg(test)]
    Title = 21 => Table {
        name: "title",
        since: 11,
        side: Some(SideTable { noun: "title", plural: "titles", owner: Owner::Player, text: letters }),
        ..TABLE
    },
}

/// The latest version of an archive that this version of plybook writes.
pub const LATEST_VERSION: i64 = {
    let (mut latest, mut rest) = (PACKED_VERSION, TABLES);
    while let [table, others @ ..] = rest {
        latest = if table.since > latest { table.since } else { latest };
        rest = others;
    }
    latest
};

impl SideTable {
    /// The text of a value, or what is wrong with it.
    pub(in crate::archive) fn read(&self, value: &[u8]) -> Result<Vec<u8>, String> {
        (self.text)(value).map_err(|what| format!("the {} is damaged: {what}", self.noun))
    }

    /// Whether its values belong to games.
    pub(in crate::archive) const fn is_by_game(&self) -> bool {
        matches!(self.owner, Owner::Moves | Owner::Game)
    }
}

const fn is_by_game(table: &Table) -> bool {
    matches!(&table.side, Some(side) if side.is_by_game())
}

const BY_GAME: usize = {
    let (mut count, mut at) = (0, 0);
    while at < TABLES.len() {
        count += is_by_game(&TABLES[at]) as usize;
        at += 1;
    }
    count
};

impl Checked {
    /// The side tables with values of games.
    pub(in crate::archive) const BY_GAME: [Checked; BY_GAME] = {
        let (mut tables, mut count, mut at) = ([Checked::Game; BY_GAME], 0, 0);
        while at < TABLES.len() {
            if is_by_game(&TABLES[at]) {
                tables[count] = ALL[at];
                count += 1;
            }
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

    /// The side tables that an archive has.
    pub(in crate::archive) fn sides(db: &Connection) -> rusqlite::Result<Vec<(Checked, &'static SideTable)>> {
        Ok(Checked::all(db)?.into_iter().filter_map(|table| Some((table, table.side()?))).collect())
    }

    /// Those of them with values of games.
    pub(in crate::archive) fn of_games(db: &Connection) -> rusqlite::Result<Vec<Checked>> {
        let sides = Checked::sides(db)?.into_iter();
        Ok(sides.filter(|(_, side)| side.is_by_game()).map(|(table, _)| table).collect())
    }

    pub(in crate::archive) fn name(self) -> &'static str {
        self.table().name
    }

    /// The beginning of a statement that reads rows, with the columns that a row's checksum covers.
    pub(in crate::archive) fn select(self) -> String {
        let columns = if self == Checked::Game { game_table::COLUMNS } else { "*" };
        format!("SELECT {columns} FROM {}", self.name())
    }

    pub(in crate::archive) fn side(self) -> Option<&'static SideTable> {
        self.table().side.as_ref()
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
        schema::raise_version(db, self.since())?;
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
