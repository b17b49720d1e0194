//! Checking rows of a damaged archive against checksums.

use std::collections::HashMap;

use rusqlite::Connection;

use super::checksum::{Checked, change, has_checksums, next};

/// Most checksums between a game and the row of its source; in archives written by plybook there are none.
const MOST_BUCKETS: usize = 16;

/// Checks rows of a damaged archive against checksums. The last result for each table is cached: games are checked in
/// order, and neighbours share checksums.
#[derive(Debug)]
pub(super) struct Proofs {
    has_checksums: bool,
    last: HashMap<Checked, ((i64, i64), Proof)>,
}

/// The result for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The row is unchanged, or is rightly missing.
    Sound,
    /// There is no checksum, or it cannot be read.
    Unknown,
    /// The checksum does not match.
    Wrong,
}

impl Proofs {
    pub(super) fn new(db: &Connection) -> Proofs {
        Proofs { has_checksums: has_checksums(db).unwrap_or(false), last: HashMap::new() }
    }

    /// The result for all rows with ids in a range.
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
