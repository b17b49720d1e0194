//! What checksums say of rows of a damaged archive.

use std::collections::HashMap;

use rusqlite::Connection;

use super::checksum::{Checked, change, has_checksums, next};

/// Most checksums between a game and the row that says where it came from: in an archive that plybook made, none.
const MOST_BUCKETS: usize = 16;

/// What checksums say of rows of a damaged archive. The last answer for each table is remembered: games are asked about
/// in their order, and neighbours share their checksums.
#[derive(Debug)]
pub(super) struct Proofs {
    has_checksums: bool,
    last: HashMap<Checked, ((i64, i64), Proof)>,
}

/// What the checksum of a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The row is as it was written, or is rightly not there.
    Sound,
    /// There is no checksum, or it cannot be read.
    Unknown,
    /// Something has changed.
    Wrong,
}

impl Proofs {
    pub(super) fn new(db: &Connection) -> Proofs {
        Proofs { has_checksums: has_checksums(db).unwrap_or(false), last: HashMap::new() }
    }

    /// What is said of all rows with ids from one to another.
    pub(super) fn of(&mut self, db: &Connection, table: Checked, first: i64, last: i64) -> Proof {
        if !self.has_checksums {
            return Proof::Unknown;
        }
        let asked = (table.bucket(first), table.bucket(last));
        match self.last.get(&table) {
            Some((known, answer)) if *known == asked => *answer,
            _ => {
                let answer = proof(db, table, asked.0, asked.1);
                self.last.insert(table, (asked, answer));
                answer
            }
        }
    }
}

fn proof(db: &Connection, table: Checked, first: i64, last: i64) -> Proof {
    let mut from = first;
    for _ in 0..MOST_BUCKETS {
        let bucket = match next(db, table, from) {
            Ok(Some(bucket)) if (from..=last).contains(&bucket) => bucket,
            Ok(_) => return Proof::Sound,
            Err(_) => return Proof::Unknown,
        };
        match change(db, table, bucket) {
            Ok(None) => from = bucket.saturating_add(1),
            Ok(Some(_)) => return Proof::Wrong,
            Err(_) => return Proof::Unknown,
        }
    }
    Proof::Unknown
}
