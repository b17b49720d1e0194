//! The games of a position by year.

use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
};

use foldhash::fast::RandomState;

use super::{PositionIndex, Results, each_played};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
};

/// The results, by year, of the games that match a filter and continued from a position; games of unknown year are
/// omitted. `None` if `watch` cancelled it, as in [`each_played`].
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn years_of(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<BTreeMap<u16, Results>>, ArchiveError> {
    PositionIndex::or_without(index, |index| {
        let mut years: HashMap<u16, Results, RandomState> = HashMap::default();
        let is_whole = each_played(archive, index, position, filter, watch, &mut |game, _| {
            game.year().into_iter().for_each(|year| years.entry(year).or_default().add(game.result));
        })?;
        Ok(is_whole.then(|| years.into_iter().collect()))
    })
}
