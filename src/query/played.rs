//! The games of a position one by one, each with the last move that it played there.

use std::ops::ControlFlow;

use super::{
    PositionIndex,
    explore::{Search, scan_each},
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
    record::GameFacts,
};

/// Hands over the games that pass the conditions of a filter and played a move in a position, in any order: each once,
/// with the index among the legal moves of the last move that it played there. Games of standard chess and of Chess960 count alike. The index answers for chess; other games, and those that it has
/// not got yet, are replayed.
///
/// `watch` is told the number of games that have been replayed, and may break off. Gives whether it did not. Damaged
/// games are passed over.
///
/// # Errors
/// SQLite's, or the index is damaged.
pub fn each_played(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    each: &mut dyn FnMut(&GameFacts, u16),
) -> Result<bool, ArchiveError> {
    match (index, position) {
        (Some(index), VariantPosition::Chess(_)) => index.each_played(archive, position, filter, watch, each),
        _ => scan_each(archive, &Search::new(std::slice::from_ref(position)), filter, watch, each),
    }
}
