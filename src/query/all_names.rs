//! The names of an archive with their games.

use std::{cmp::Reverse, collections::HashMap};

use crate::archive::{Archive, ArchiveError, CountedName, Filter, NameKind, PlayedGame};

/// Names with their games and years, those with most games first, at most `most` of them.
///
/// # Errors
/// An SQLite error.
pub fn all_names(archive: &Archive, of: NameKind, most: usize) -> Result<Vec<CountedName>, ArchiveError> {
    let mut counted: HashMap<i64, CountedName> = HashMap::new();
    for game in archive.list::<PlayedGame>(&Filter::default()) {
        let game = game?;
        let mut ids = ids(&game, of);
        if ids[0] == ids[1] {
            ids[1] = None;
        }
        for id in ids.into_iter().flatten() {
            counted.entry(id).or_default().add(game.facts.year());
        }
    }
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(id, name)| (Reverse(name.games), *id));
    let mut names = Vec::new();
    for (id, name) in counted.into_iter().take(most) {
        names.push(CountedName { name: archive.names().of(of, id)?.unwrap_or_default(), ..name });
    }
    Ok(names)
}

/// The names of one type in a game.
fn ids(game: &PlayedGame, of: NameKind) -> [Option<i64>; 2] {
    match of {
        NameKind::Player => [game.white, game.black],
        NameKind::Event => [game.event, None],
        NameKind::Site => [game.site, None],
    }
}
