//! The player names that match the patterns of a filter, with their games, and similar names that do not match.

use std::{cmp::Reverse, collections::HashMap};

use serde::Serialize;

use crate::archive::{Archive, ArchiveError, CountedName, Filter, NameKind, PlayedGame, Sort};

/// The maximum number of names.
const LISTED: usize = 5;

/// The maximum number of similar names.
const SIMILAR: usize = 3;

/// The maximum number of names of a pattern whose games are counted: a pattern that matches more is not about a player.
const COUNTED: usize = 1000;

/// The players whose names match one pattern of a filter, or are similar to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchedNames {
    /// The filter field: `player`, `opponent`, `white` or `black`.
    pub parameter: &'static str,
    /// The names with games that match the filter, at most five, most games first; empty if only one name matches.
    pub names: Vec<CountedName>,
    /// The number of further names with games.
    pub more: usize,
    /// At most three names that differ by a letter or two and do not match, with all their games.
    pub similar: Vec<CountedName>,
}

/// A pattern of a filter, and the ids of the names that match it.
struct Pattern {
    parameter: &'static str,
    text: String,
    names: HashMap<i64, CountedName>,
}

impl MatchedNames {
    /// The names for each pattern of a filter, if there are several or if there are similar ones. Order, limit and
    /// offset are ignored.
    ///
    /// # Errors
    /// An SQLite error.
    pub fn of(archive: &Archive, filter: &Filter) -> Result<Vec<MatchedNames>, ArchiveError> {
        let all = [
            ("player", &filter.player),
            ("opponent", &filter.opponent),
            ("white", &filter.white),
            ("black", &filter.black),
        ];
        let mut patterns = Vec::new();
        for (parameter, text) in all {
            let Some(text) = text.clone() else { continue };
            let ids = archive.names().players(&text)?;
            let names = ids.into_iter().map(|id| (id, CountedName::default())).collect();
            patterns.push(Pattern { parameter, text, names });
        }
        let is_listed = |pattern: &Pattern| (2..=COUNTED).contains(&pattern.names.len());
        if patterns.iter().any(is_listed) {
            let all = Filter { sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() };
            for game in archive.list::<PlayedGame>(&all) {
                count(&mut patterns, &game?);
            }
        }
        let mut matched = Vec::new();
        for pattern in patterns {
            let names = if is_listed(&pattern) { pattern.listed(archive)? } else { Vec::new() };
            let similar = if pattern.names.is_empty() {
                Vec::new()
            } else {
                archive.names().players_beside(&pattern.text, SIMILAR)?
            };
            let more = names.len().saturating_sub(LISTED);
            let names: Vec<_> = names.into_iter().take(LISTED).collect();
            if !names.is_empty() || !similar.is_empty() {
                matched.push(MatchedNames { parameter: pattern.parameter, names, more, similar });
            }
        }
        Ok(matched)
    }
}

impl Pattern {
    /// The names with games, most games first.
    fn listed(&self, archive: &Archive) -> Result<Vec<CountedName>, ArchiveError> {
        let mut listed = Vec::new();
        for (id, counted) in self.names.iter().filter(|(_, counted)| counted.games > 0) {
            let name = archive.names().of(NameKind::Player, *id)?.unwrap_or_default();
            listed.push(CountedName { name, ..counted.clone() });
        }
        listed.sort_by(|a, b| (Reverse(a.games), &a.name).cmp(&(Reverse(b.games), &b.name)));
        Ok(listed)
    }

    /// Counts a game of a player whose name matches.
    fn add(&mut self, player: Option<i64>, game: &PlayedGame) {
        if let Some(counted) = player.and_then(|player| self.names.get_mut(&player)) {
            counted.add(game.facts.year());
        }
    }

    fn has(&self, player: Option<i64>) -> bool {
        player.is_some_and(|player| self.names.contains_key(&player))
    }
}

/// Counts a game that matches the filter, for those of its players whose names match the patterns.
fn count(patterns: &mut [Pattern], game: &PlayedGame) {
    let has = |patterns: &[Pattern], parameter, player| {
        patterns
            .iter()
            .find(|pattern| pattern.parameter == parameter)
            .is_none_or(|pattern| pattern.has(player))
    };
    let sides = [(game.white, game.black), (game.black, game.white)]
        .map(|(player, other)| has(patterns, "player", player) && has(patterns, "opponent", other));
    for pattern in patterns {
        let [white, black] = match pattern.parameter {
            "player" => sides,
            "opponent" => [sides[1], sides[0]],
            "white" => [true, false],
            _ => [false, true],
        };
        if white {
            pattern.add(game.white, game);
        }
        // If both players have the same name, it is one game.
        if black && !(white && game.white == game.black) {
            pattern.add(game.black, game);
        }
    }
}
