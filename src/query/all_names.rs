//! The names of an archive with their games.

use std::{cmp::Reverse, collections::HashMap, ops::ControlFlow::Continue};

use foldhash::fast::RandomState;

use super::{NamedGame, PositionIndex, each_game};
use crate::archive::{Archive, ArchiveError, CountedName, Filter, NameKind, PlayedGame};

/// Names with their games and years, those with most games first, at most `most` of them. The index has those of
/// players.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn all_names(
    archive: &Archive,
    index: Option<&PositionIndex>,
    of: NameKind,
    most: usize,
) -> Result<Vec<CountedName>, ArchiveError> {
    let counted = PositionIndex::or_without(index, |index| {
        let mut counted: HashMap<i64, CountedName, RandomState> = HashMap::default();
        let mut add = |id: Option<i64>, year| {
            id.into_iter().for_each(|id| counted.entry(id).or_default().add(year));
        };
        if of == NameKind::Player {
            each_game(archive, index, &Filter::default(), &mut |_| Continue(()), &mut |game: &NamedGame| {
                let NamedGame { facts, white, black } = game;
                add(*white, facts.year());
                add(black.filter(|_| black != white), facts.year());
            })?;
        } else {
            for game in archive.list::<PlayedGame>(&Filter::default()) {
                let game = game?;
                add(if of == NameKind::Event { game.event } else { game.site }, game.facts.year());
            }
        }
        Ok(counted)
    })?;
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(id, name)| (Reverse(name.games), *id));
    let mut names = Vec::new();
    for (id, name) in counted.into_iter().take(most) {
        names.push(CountedName { name: archive.names().of(of, id)?.unwrap_or_default(), ..name });
    }
    Ok(names)
}
