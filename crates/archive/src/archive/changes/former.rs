//! Fingerprints that no game has any more.

use std::collections::HashSet;

use rusqlite::Connection;

use super::read;
use crate::archive::row_hash;
use plybook_record::GameId;

/// Why no game has a fingerprint any more. The number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyFormer {
    /// The game was removed.
    Removed = 1,
    /// The game was edited.
    Edited = 2,
    /// The change that led to this state of the game was undone, or its source was damaged.
    Undone = 3,
    /// An import brought a later version of the game.
    Updated = 4,
}

/// A fingerprint that no game has any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormerFingerprint {
    /// The fingerprint.
    pub fingerprint: u64,
    /// The game that had it; 0 if it was in another archive.
    pub game: GameId,
    /// Why no game has it any more.
    pub why: WhyFormer,
}

impl WhyFormer {
    /// Whether an import may bring back what had the fingerprint. `again` asks for what was removed or edited; an
    /// earlier version of a game says nothing new.
    pub(in crate::archive) fn lets_in(self, again: bool) -> bool {
        match self {
            WhyFormer::Undone => true,
            WhyFormer::Removed | WhyFormer::Edited => again,
            WhyFormer::Updated => false,
        }
    }

    fn of(number: i64) -> WhyFormer {
        match number {
            1 => WhyFormer::Removed,
            2 => WhyFormer::Edited,
            4 => WhyFormer::Updated,
            _ => WhyFormer::Undone,
        }
    }
}

/// Why a fingerprint is a former one; `None` if it is not.
pub(in crate::archive) fn why(db: &Connection, fingerprint: u64) -> rusqlite::Result<Option<WhyFormer>> {
    let sql = "SELECT why FROM plybook_former WHERE fingerprint = ?1";
    Ok(read(db, sql, [fingerprint.cast_signed()], |row| row.get(0).map(WhyFormer::of))?.pop())
}

/// The games that somebody has edited, also those that have been removed since.
pub(in crate::archive) fn edited(db: &Connection) -> rusqlite::Result<HashSet<GameId>> {
    let sql = "SELECT game FROM plybook_former WHERE why = ?1";
    Ok(read(db, sql, [WhyFormer::Edited as i64], |row| row.get(0))?.into_iter().collect())
}

/// The number of former fingerprints.
pub(in crate::archive) fn count(db: &Connection) -> rusqlite::Result<u64> {
    let count = read(db, "SELECT count(*) FROM plybook_former", [], |row| row.get(0).map(i64::unsigned_abs))?;
    Ok(count.first().copied().unwrap_or(0))
}

/// All former fingerprints.
pub(in crate::archive) fn all(db: &Connection) -> rusqlite::Result<Vec<FormerFingerprint>> {
    read(db, "SELECT fingerprint, game, why FROM plybook_former", [], |row| {
        let fingerprint = row.get::<_, i64>(0)?.cast_unsigned();
        Ok(FormerFingerprint { fingerprint, game: row.get(1)?, why: WhyFormer::of(row.get(2)?) })
    })
}

/// The row of a former fingerprint.
pub(in crate::archive) fn row(fingerprint: u64, game: GameId, why: WhyFormer) -> Vec<u8> {
    [fingerprint.cast_signed(), game, why as i64].map(row_hash::integer).concat()
}
