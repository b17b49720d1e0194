//! Pairs of games that somebody has marked as different although they resemble each other.
//!
//! A mark is a number: the hash of both games as they were when it was made. Both games have it in their rows of the side
//! table, in ascending order. So it follows them to other archives, where they have other ids, and stays when they are
//! edited or when one of them is removed and restored.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, types::ValueRef};

use super::{
    Archive, ArchiveError, Change, Result, checksum::Checked, read::fingerprint, row_hash, side_rows::value,
};
use plybook_chess::bits::mix;
use plybook_record::GameId;

/// The pairs of games that are marked as different.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DifferentGames(HashMap<GameId, Vec<u64>>);

impl DifferentGames {
    /// Whether the games of a pair are marked as different.
    pub fn has(&self, pair: [GameId; 2]) -> bool {
        let [one, two] = pair.map(|game| self.0.get(&game).map_or(&[][..], Vec::as_slice));
        one.iter().any(|mark| two.contains(mark))
    }
}

impl Archive {
    /// The pairs of games that are marked as different.
    ///
    /// # Errors
    /// A row is damaged; errors of SQLite.
    pub fn different_games(&self) -> Result<DifferentGames> {
        let mut different = HashMap::new();
        for file in self.files().all() {
            let (archive, before) = (file.lock(), file.before());
            for (id, value) in archive.db.attempt(|db| all(db))? {
                let marks = marks(&value).map_err(|what| ArchiveError::damaged(before + id, what))?;
                different.insert(before + id, marks);
            }
        }
        Ok(DifferentGames(different))
    }
}

impl Change<'_> {
    /// Marks pairs of games as different. Pairs that are marked already stay as they are.
    ///
    /// # Errors
    /// One of the games does not exist, or is damaged; errors of SQLite.
    pub fn mark_different(&mut self, pairs: &[[GameId; 2]]) -> Result<()> {
        let marked = self.writer.archive.different_games()?;
        let mut new: BTreeMap<GameId, Vec<u64>> = BTreeMap::new();
        for pair in pairs.iter().filter(|pair| !marked.has(**pair)) {
            let mark = self.mark_of(*pair)?;
            pair.iter().for_each(|game| new.entry(*game).or_default().push(mark));
        }
        self.games += new.len() as u64;
        new.into_iter().try_for_each(|(game, marks)| self.add_marks(game, marks))
    }

    /// Gives a game the marks of others that are the same, and are going to be removed: what is different from them is
    /// different from this one.
    ///
    /// # Errors
    /// A row is damaged; errors of SQLite.
    pub fn inherit_marks(&mut self, kept: GameId, others: &[GameId]) -> Result<()> {
        let mut inherited = Vec::new();
        for other in others {
            inherited.extend(self.marks_of(*other)?);
        }
        if inherited.is_empty() { Ok(()) } else { self.add_marks(kept, inherited) }
    }

    fn marks_of(&self, game: GameId) -> Result<Vec<u64>> {
        let value = self.writer.archive.db.attempt(|db| match Checked::Different.exists(db)? {
            true => value(db, Checked::Different, game),
            false => Ok(None),
        })?;
        let marks = value.map_or(Ok(Vec::new()), |value| marks(&value));
        marks.map_err(|what| ArchiveError::damaged(game, what))
    }

    /// Adds marks to those that a game has.
    fn add_marks(&mut self, game: GameId, mut marks: Vec<u64>) -> Result<()> {
        marks.extend(self.marks_of(game)?);
        marks.sort_unstable();
        marks.dedup();
        let value: Vec<u8> = marks.into_iter().flat_map(u64::to_le_bytes).collect();
        let mut row = row_hash::integer(game).to_vec();
        row_hash::push(&mut row, ValueRef::Blob(&value));
        self.set_row(Checked::Different, game, Some(&row)).map_err(|error| self.error(error))
    }

    /// The mark of a pair, whatever the order of its games.
    fn mark_of(&self, pair: [GameId; 2]) -> Result<u64> {
        let mut hashes = Vec::new();
        for id in pair {
            let hash = fingerprint(&self.writer.archive.game(id)?);
            hashes.push(hash.map_err(|what| ArchiveError::damaged(id, what))?);
        }
        hashes.sort_unstable();
        Ok(hashes.into_iter().fold(0, |mark, hash| mix(mark ^ hash)))
    }
}

/// All rows of the table.
fn all(db: &Connection) -> rusqlite::Result<Vec<(GameId, Vec<u8>)>> {
    if !Checked::Different.exists(db)? {
        return Ok(Vec::new());
    }
    let mut rows = db.prepare_cached("SELECT game, marks FROM plybook_different")?;
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The marks in a value.
fn marks(value: &[u8]) -> Result<Vec<u64>, String> {
    let (marks, rest) = value.as_chunks();
    let marks: Vec<u64> = marks.iter().copied().map(u64::from_le_bytes).collect();
    let is_valid = rest.is_empty() && !marks.is_empty() && marks.is_sorted_by(|one, two| one < two);
    is_valid.then_some(marks).ok_or_else(|| "its marks are not in ascending order".to_owned())
}

/// A value, if it is valid.
pub(super) fn checked(value: &[u8]) -> Result<Vec<u8>, String> {
    marks(value).map(|_| value.to_vec())
}
