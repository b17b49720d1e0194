//! The games that match a filter one by one, each with its players.

use std::ops::ControlFlow;

use super::PositionIndex;
use crate::{
    archive::{Archive, ArchiveError, Filter, PlayedGame},
    record::GameMetadata,
};

/// Games read from the archive between two calls of a watch.
const GAMES: u64 = 1 << 12;

/// The statistics of a game and the ids of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedGame {
    /// Number, result, ratings, date.
    pub facts: GameMetadata,
    /// White.
    pub white: Option<i64>,
    /// Black.
    pub black: Option<i64>,
}

/// Calls a function with the games that match the conditions of a filter, in any order; its order, limit and offset are
/// ignored. The index has most games; the others are read from the archive.
///
/// `watch` receives the number of games read from the archive, and may cancel. Returns whether it was completed.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn each_game(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    each: &mut dyn FnMut(&NamedGame),
) -> Result<bool, ArchiveError> {
    let filter = super::find::all(filter);
    // Names have other ids in each of several archives.
    let rest = match index.filter(|_| archive.is_one()) {
        Some(index) => index.for_each_game(archive, &filter, each)?,
        None => vec![filter],
    };
    let mut read = 0_u64;
    for filter in rest {
        for game in archive.list::<PlayedGame>(&filter) {
            let PlayedGame { facts, white, black, .. } = game?;
            each(&NamedGame { facts, white, black });
            read += 1;
            if read.is_multiple_of(GAMES) && watch(read).is_break() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
