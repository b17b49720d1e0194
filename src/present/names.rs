//! The names of an archive as a list: players, events or sites with their games and years.

use std::{cmp::Reverse, collections::HashMap};

use super::{
    PresentError,
    list::{ListHead, Row, number, text, word},
};
use crate::{
    archive::{Archive, CountedName, Filter, NameKind, PlayedGame},
    counts::{NAMES, thousands},
};

/// Names that fit a pattern or are like it, the nearest first; without a pattern all names, those with most games first.
///
/// # Errors
/// The archive cannot be read.
pub fn list(
    archive: &Archive,
    of: NameKind,
    pattern: Option<&str>,
    most: usize,
) -> Result<Vec<CountedName>, PresentError> {
    match pattern {
        Some(pattern) => Ok(archive.names().near(of, pattern, most)?),
        None => all_names(archive, of, most),
    }
}

fn all_names(archive: &Archive, of: NameKind, most: usize) -> Result<Vec<CountedName>, PresentError> {
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

/// What a game has of a kind of names.
fn ids(game: &PlayedGame, of: NameKind) -> [Option<i64>; 2] {
    match of {
        NameKind::Player => [game.white, game.black],
        NameKind::Event => [game.event, None],
        NameKind::Site => [game.site, None],
    }
}

impl Row for CountedName {
    const HEAD: ListHead = ListHead {
        shown: &[text("name"), number("games"), word("years")],
        noun: Some(NAMES),
        ..ListHead::new(&[text("name"), number("games"), number("first_year"), number("last_year")])
    };

    fn cells(&self) -> Vec<String> {
        let year = |year: Option<u32>| year.map_or(String::new(), |year| year.to_string());
        vec![self.name.clone(), self.games.to_string(), year(self.first_year), year(self.last_year)]
    }

    fn shown_cells(&self) -> Vec<String> {
        vec![self.name.clone(), thousands(self.games), self.years().unwrap_or_default()]
    }
}
