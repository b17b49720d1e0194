//! The names of an archive with their games, and the player names that match the patterns of a filter.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::{Context, NamedGame, each_game, find::all};
use crate::archive::{Archive, ArchiveError, CountedName, Filter, GameEvent, NameKind, PlayedGame};

/// The maximum number of names.
const LISTED: usize = 5;

/// The maximum number of similar names.
const SIMILAR: usize = 3;

/// The maximum number of names of a pattern whose games are counted: a pattern that matches more is not about a player.
const COUNTED: usize = 1000;

/// The names that match one pattern of a filter, or are similar to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchedNames {
    /// The filter field: `player`, `opponent`, `white`, `black`, `event` or `site`.
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
    pub fn of(archive: &Archive, filter: &Filter) -> Result<Vec<MatchedNames>, ArchiveError> {
        let names = [
            ("player", &filter.player),
            ("opponent", &filter.opponent),
            ("white", &filter.white),
            ("black", &filter.black),
        ];
        let mut patterns = Vec::new();
        for (parameter, text) in names {
            let Some(text) = text.clone() else { continue };
            let ids = archive.names().players(&text)?;
            let names = ids.into_iter().map(|id| (id, CountedName::default())).collect();
            patterns.push(Pattern { parameter, text, names });
        }
        let is_listed = |pattern: &Pattern| (2..=COUNTED).contains(&pattern.names.len());
        if patterns.iter().any(is_listed) {
            for game in archive.list::<PlayedGame>(&all(filter)) {
                count(&mut patterns, &game?);
            }
        }
        let mut matched = Vec::new();
        for pattern in patterns {
            let parameter = pattern.parameter;
            let similar = if pattern.names.is_empty() {
                Vec::new()
            } else {
                archive.names().players_beside(&pattern.text, SIMILAR)?
            };
            let names = if is_listed(&pattern) { pattern.listed(archive)? } else { Vec::new() };
            let more = names.len().saturating_sub(LISTED);
            let names: Vec<_> = names.into_iter().take(LISTED).collect();
            if !names.is_empty() || !similar.is_empty() {
                matched.push(MatchedNames { parameter, names, more, similar });
            }
        }
        Ok(matched)
    }

    /// The names of events and sites that match the patterns of a filter, if there are several. Order, limit and offset
    /// are ignored.
    pub fn of_events(archive: &Archive, filter: &Filter) -> Result<Vec<MatchedNames>, ArchiveError> {
        let mut matched = Vec::new();
        for (parameter, of, pattern) in
            [("event", NameKind::Event, &filter.event), ("site", NameKind::Site, &filter.site)]
        {
            if pattern.is_none() {
                continue;
            }
            let mut names = listed(archive, of, counted_events(of, &event_games(archive, &all(filter))?))?;
            if names.len() > 1 {
                let more = names.len().saturating_sub(LISTED);
                names.truncate(LISTED);
                matched.push(MatchedNames { parameter, names, more, similar: Vec::new() });
            }
        }
        Ok(matched)
    }
}

/// Counted names, most games first.
fn listed(
    archive: &Archive,
    of: NameKind,
    counted: impl IntoIterator<Item = (i64, CountedName)>,
) -> Result<Vec<CountedName>, ArchiveError> {
    let (ids, counted): (Vec<i64>, Vec<_>) = counted.into_iter().unzip();
    let names = archive.names().of_each(of, ids)?.into_iter().zip(counted);
    let mut listed: Vec<_> = names.map(|(name, counted)| CountedName { name, ..counted }).collect();
    listed.sort_by(|a, b| (Reverse(a.games), &a.name).cmp(&(Reverse(b.games), &b.name)));
    Ok(listed)
}

/// The number of games of each event.
pub(crate) type EventGames = HashMap<GameEvent, u64, RandomState>;

/// The events of the games that match a filter. It reads every game.
pub(crate) fn event_games(archive: &Archive, filter: &Filter) -> Result<EventGames, ArchiveError> {
    let mut games = EventGames::default();
    let mut add = |event, more| *games.entry(event).or_default() += more;
    if *filter == Filter::default() {
        archive.each_event(add)?;
    } else {
        archive.list(filter).try_for_each(|event| event.map(|event| add(event, 1)))?;
    }
    Ok(games)
}

/// The events or the sites with their games, by their ids.
fn counted_events(of: NameKind, games: &EventGames) -> HashMap<i64, CountedName, RandomState> {
    let mut counted: HashMap<i64, CountedName, RandomState> = HashMap::default();
    for (GameEvent { event, site, year }, games) in games {
        if let Some(id) = if of == NameKind::Event { event } else { site } {
            counted.entry(*id).or_default().add_games(*games, *year);
        }
    }
    counted
}

impl Pattern {
    /// The names with games, most games first.
    fn listed(self, archive: &Archive) -> Result<Vec<CountedName>, ArchiveError> {
        listed(archive, NameKind::Player, self.names.into_iter().filter(|(_, counted)| counted.games > 0))
    }

    /// Counts a game of a player whose name matches.
    fn add(&mut self, player: Option<i64>, game: &PlayedGame) {
        if let Some(counted) = player.and_then(|player| self.names.get_mut(&player)) {
            counted.add(game.facts.date.year());
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

/// Names with their games and years, those with most games first, at most `most` of them. The index has those of
/// players.
pub fn all_names(context: Context<'_>, of: NameKind, most: usize) -> Result<Vec<CountedName>, ArchiveError> {
    let archive = context.archive;
    if of != NameKind::Player {
        return event_names(archive, of, &event_games(archive, &Filter::default())?, most);
    }
    let counted = context.or_without_index(|context| {
        let mut counted: HashMap<i64, CountedName, RandomState> = HashMap::default();
        let mut add = |id: Option<i64>, year| {
            id.into_iter().for_each(|id| counted.entry(id).or_default().add(year));
        };
        each_game(context, &Filter::default(), &mut |game: &NamedGame| {
            let NamedGame { facts, white, black } = game;
            add(*white, facts.date.year());
            add(black.filter(|_| black != white), facts.date.year());
        })?;
        Ok(counted)
    })?;
    most_games(archive, of, counted, most)
}

/// The names with the most games.
fn most_games(
    archive: &Archive,
    of: NameKind,
    counted: HashMap<i64, CountedName, RandomState>,
    most: usize,
) -> Result<Vec<CountedName>, ArchiveError> {
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(id, name)| (Reverse(name.games), *id));
    counted.truncate(most);
    let names = archive.names().of_each(of, counted.iter().map(|(id, _)| *id))?;
    Ok(names.into_iter().zip(counted).map(|(name, (_, counted))| CountedName { name, ..counted }).collect())
}

/// The names of events or sites, as in [`all_names`].
pub(crate) fn event_names(
    archive: &Archive,
    of: NameKind,
    games: &EventGames,
    most: usize,
) -> Result<Vec<CountedName>, ArchiveError> {
    most_games(archive, of, counted_events(of, games), most)
}

/// The games of an event at one site in one year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occasion {
    /// The event; empty if it is not known.
    pub(crate) event: Arc<str>,
    /// The site; empty if it is not known.
    pub(crate) site: Arc<str>,
    pub(crate) year: Option<u16>,
    pub(crate) games: u64,
}

/// All events with their sites and years, in any order.
#[cfg(feature = "web")]
pub(crate) fn occasions(archive: &Archive, games: &EventGames) -> Result<Vec<Occasion>, ArchiveError> {
    let names = |of: NameKind, id: fn(&GameEvent) -> Option<i64>| -> Result<_, ArchiveError> {
        let ids: std::collections::HashSet<i64, RandomState> = games.keys().filter_map(id).collect();
        let names = archive.names().of_each(of, ids.iter().copied())?;
        let names = ids.into_iter().zip(names.into_iter().map(Arc::<str>::from));
        Ok(names.collect::<HashMap<i64, Arc<str>, RandomState>>())
    };
    let (events, sites) = (names(NameKind::Event, |of| of.event)?, names(NameKind::Site, |of| of.site)?);
    let name = |names: &HashMap<i64, Arc<str>, RandomState>, id: &Option<i64>| {
        id.and_then(|id| names.get(&id).map(Arc::clone)).unwrap_or_default()
    };
    let occasion = |(GameEvent { event, site, year }, games): (&GameEvent, &u64)| Occasion {
        event: name(&events, event),
        site: name(&sites, site),
        year: *year,
        games: *games,
    };
    Ok(games.iter().map(occasion).collect())
}
