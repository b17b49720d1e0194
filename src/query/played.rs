//! The games of a position one by one, each with the last move it played there.

use std::ops::ControlFlow;

use super::{
    PositionIndex,
    explore::{Search, scan_each},
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
    record::GameMetadata,
};

/// Calls a function with the games that match the conditions of a filter and played a move in a position, in any order:
/// each once, with the index among the legal moves of the last move it played there. Games of standard chess and of
/// Chess960 count together. The index answers for chess; other games, and games that are not indexed yet, are replayed.
///
/// `watch` receives the number of games replayed, and may cancel. Returns whether it was completed. Damaged games are
/// skipped.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn each_played(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    each: &mut dyn FnMut(&GameMetadata, u16),
) -> Result<bool, ArchiveError> {
    match (index, position) {
        (Some(index), VariantPosition::Chess(_)) => index.each_played(archive, position, filter, watch, each),
        _ => scan_each(archive, &Search::new(std::slice::from_ref(position)), filter, watch, each),
    }
}
