//! Whose games a filter finds: the names of players that fit its patterns, with their games, and those that are like them
//! and do not fit.

use std::{
    cmp::Reverse,
    collections::HashMap,
    fmt::{self, Display},
};

use serde::Serialize;

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, CountedName, Filter, GameSet, NameKind, PlayedGame, Sort},
    counts::thousands,
};

/// Names that are given at most.
const LISTED: usize = 5;

/// Names that only are like the pattern, at most.
const SIMILAR: usize = 3;

/// Most names that a pattern may fit for their games to be counted: who asks for more has no player in mind.
const COUNTED: usize = 1000;

/// The players whose names fit one pattern of a filter, or are like it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchedNames {
    /// The pattern it is: `player`, `opponent`, `white` or `black`.
    pub parameter: &'static str,
    /// The names that have games among those of the filter, at most five, those with most games first; none if only
    /// one name fits.
    pub names: Vec<CountedName>,
    /// How many more have games.
    pub more: usize,
    /// At most three names that differ by a letter or two and do not fit, with all their games.
    pub similar: Vec<CountedName>,
}

/// A pattern of a filter, and the names that fit it by their ids.
struct Pattern {
    parameter: &'static str,
    text: String,
    names: HashMap<i64, CountedName>,
}

impl MatchedNames {
    /// The names behind each pattern of a filter where these are several, or where others are like it. Order, limit and
    /// offset do not count.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn of(archive: &Archive, filter: &Filter) -> Result<Vec<MatchedNames>, PresentError> {
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

    /// The same for the text of a filter and the games that it finds.
    ///
    /// # Errors
    /// The archive cannot be read, or the text cannot be understood.
    pub fn of_games(
        archive: &Archive,
        text: &FilterText,
        games: GameSet,
    ) -> Result<Vec<MatchedNames>, PresentError> {
        MatchedNames::of(archive, &Filter { among: Some(games), ..text.rows()? })
    }

    /// The line about the names that fit, if there are several, and that about the similar ones.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let more = if self.more > 0 { format!("; and {} more", self.more) } else { String::new() };
        let fitting =
            (!self.names.is_empty()).then(|| format!("{}: {}{more}", self.parameter, List(&self.names)));
        let similar =
            (!self.similar.is_empty()).then(|| format!("similar, not counted: {}", List(&self.similar)));
        fitting.into_iter().chain(similar)
    }
}

impl Pattern {
    /// The names that have games, those with most games first.
    fn listed(&self, archive: &Archive) -> Result<Vec<CountedName>, PresentError> {
        let mut listed = Vec::new();
        for (id, counted) in self.names.iter().filter(|(_, counted)| counted.games > 0) {
            let name = archive.names().of(NameKind::Player, *id)?.unwrap_or_default();
            listed.push(CountedName { name, ..counted.clone() });
        }
        listed.sort_by(|a, b| (Reverse(a.games), &a.name).cmp(&(Reverse(b.games), &b.name)));
        Ok(listed)
    }

    /// Counts a game of a player whose name fits.
    fn add(&mut self, player: Option<i64>, game: &PlayedGame) {
        if let Some(counted) = player.and_then(|player| self.names.get_mut(&player)) {
            counted.add(game.facts.year());
        }
    }

    fn has(&self, player: Option<i64>) -> bool {
        player.is_some_and(|player| self.names.contains_key(&player))
    }
}

/// Counts a game, which passes the filter, for those of its players whom the patterns mean.
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
        // Of two players with one name it is one game.
        if black && !(white && game.white == game.black) {
            pattern.add(game.black, game);
        }
    }
}

/// Names in one line: `Adams,Mi 1,781 (1999–2022); Adams, Michael 1,322 (1984–1999)`.
struct List<'a>(&'a [CountedName]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.iter().enumerate() {
            write!(f, "{}{} {}", if place > 0 { "; " } else { "" }, name.name, thousands(name.games))?;
            if let Some(years) = name.years() {
                write!(f, " ({years})")?;
            }
        }
        Ok(())
    }
}
