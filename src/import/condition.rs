//! The condition of an import: games that do not meet it are left out.

use std::fmt::Debug;

use super::games::ParsedBatch;
use crate::archive::{Archive, GameSet, SourceState, WritableArchive};

/// What games must meet to be stored by an import.
pub trait ImportCondition: Debug + Send + Sync {
    /// A number other than 0 that no other condition has. It is part of what is known of a source: the source is only
    /// resumed, or skipped, under the same condition.
    fn key(&self) -> u64;

    /// The games of an archive that meet it.
    ///
    /// # Errors
    /// The condition is invalid, or the games cannot be read.
    fn matching(&self, archive: &Archive) -> Result<GameSet, String>;
}

impl ParsedBatch {
    /// Leaves out the games that do not meet a condition. All are put into an archive in memory first, so that the
    /// condition finds the same games as in a search.
    pub(super) fn keep_matching(&mut self, condition: &dyn ImportCondition) -> Result<(), String> {
        let archive = WritableArchive::in_memory(&mut self.games).map_err(|error| error.to_string())?;
        let matching = condition.matching(&archive)?;
        for item in &mut self.items {
            let id = item.game.as_ref().ok().map(|game| *game as i64 + 1);
            item.is_left_out = id.is_some_and(|id| !matching.contains(id));
        }
        Ok(())
    }
}

/// What is stored of a source that is read under the condition with a key, from what is known of it; and the other way
/// round.
pub(super) fn sealed(state: SourceState, key: u64) -> SourceState {
    let sealed = |number: Option<u64>| number.map(|number| number ^ key);
    // Until a source has ended, its stamp is a number of games.
    let stamp = if state.ended { sealed(state.stamp) } else { state.stamp };
    SourceState { stamp, hash: sealed(state.hash), ..state }
}
