//! One game of several that are the same.

use std::ops::ControlFlow;

use super::{Change, change::prepared};
use crate::archive::{Result, read::fingerprint};
use plybook_record::{
    GameId, Record, Sides, StoredGame, TagLayoutCache,
    same_game::{Priority, join},
};

/// Why games were not joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyApart {
    /// They have different rules or start positions.
    #[error("they do not start from the same position")]
    Start,
    /// One of them is damaged, or what they say together cannot be stored.
    #[error("what both say cannot be stored as one game: {0}")]
    Record(String),
    /// Another game already says the same.
    #[error("the result would be equal to another game")]
    Equal,
}

impl Change<'_> {
    /// Joins games under the lowest id: this game gets what it lacks from the others, which are removed. Where two of
    /// them contradict each other, it keeps its own values; of moves that differ, the longer ones are the main line.
    /// Returns the games that could not be joined, which stay.
    ///
    /// # Errors
    /// One of the games does not exist, or is damaged; errors of SQLite.
    pub fn join(&mut self, ids: &[GameId]) -> Result<Vec<(GameId, WhyApart)>> {
        let mut games = self.read(ids)?.into_iter();
        let Some(first) = games.next() else { return Ok(Vec::new()) };
        let (mut joined, mut others, mut apart) = (first.clone(), Vec::new(), Vec::new());
        for other in games {
            match joined_with(&joined, &other) {
                Ok(both) => {
                    joined = both;
                    others.push(other);
                }
                Err(why) => apart.push((other.id, why)),
            }
        }
        if let Some(why) = self.replace_by(&first, joined, &others)? {
            apart.extend(others.iter().map(|game| (game.id, why.clone())));
        }
        Ok(apart)
    }

    /// Puts a joined game in the place of the first of some games, and removes the others, unless it cannot be stored.
    fn replace_by(
        &mut self,
        first: &StoredGame,
        joined: StoredGame,
        others: &[StoredGame],
    ) -> Result<Option<WhyApart>> {
        let record = match Record::of_stored(joined, Sides::default(), &mut TagLayoutCache::default()) {
            Ok(record) => record,
            Err(why) => return Ok(Some(WhyApart::Record(why))),
        };
        let state = prepared(first, Some(&record))?;
        let is_of_one = |game| fingerprint(game) == Ok(record.fingerprint);
        let is_new = !others.iter().chain([first]).any(is_of_one);
        if is_new && self.writer.has_game(record.fingerprint)? {
            return Ok(Some(WhyApart::Equal));
        }
        let removed: Vec<GameId> = others.iter().map(|game| game.id).collect();
        self.inherit_marks(first.id, &removed)?;
        self.remove(&removed.into_iter().collect(), |_| ControlFlow::Continue(()))?;
        match state {
            Some(state) => self.put([state])?,
            // It already had all that the others say.
            None => self.games += u64::from(!others.is_empty()),
        }
        Ok(None)
    }
}

/// The first of two games with what it lacks of the second.
fn joined_with(first: &StoredGame, second: &StoredGame) -> Result<StoredGame, WhyApart> {
    if (first.kind, &first.setup) != (second.kind, &second.setup) {
        return Err(WhyApart::Start);
    }
    // The game that is called new is the one whose values count.
    let both = join(second, first, Priority::New).map_err(WhyApart::Record)?;
    Ok(StoredGame { id: first.id, ..both })
}
