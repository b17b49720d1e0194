//! Events: crosstables, which are the results of all players against each other, and editions, which are the games of
//! one place and year.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use serde::Serialize;

use super::results::{Score, ScoreTally, Tallied};
use crate::{
    archive::{Archive, ArchiveError, Filter, NameKind, PlayedGame, Result},
    chess::Date,
    limits::{MAX_CROSSTABLE_PLAYERS, MAX_CROSSTABLES},
    query::{Context, RatingSum, Results},
    record::GameId,
    rules::{Color, KnownOutcome, Outcome},
};

/// Games read between two calls of a watch.
const GAMES: usize = 1 << 12;

/// The crosstables of the events whose games match a filter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Crosstables {
    /// The events, by year, then by name.
    pub events: Vec<Crosstable>,
}

/// An event and its results. Its games have the same event name, site and year; or they are from the last two months of
/// a year and the first two of the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Crosstable {
    /// The event; `None` if the games do not name it.
    pub event: Option<String>,
    /// The site; of a URL, all but its last part.
    pub site: Option<String>,
    /// The year in which it began; `None` if it is unknown.
    pub year: Option<u16>,
    /// The number of games.
    pub games: u64,
    /// The players, best first.
    pub players: Vec<Standing>,
}

/// A player of an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The rank. Players with equal points and equal Sonneborn-Berger scores share the best of their ranks.
    pub place: usize,
    /// The name; `?` if it is missing.
    pub player: String,
    /// The mean rating over the games that give one.
    pub rating: Option<i64>,
    /// The player's results.
    #[serde(flatten)]
    pub score: Score,
    /// One point for a win, half a point for a draw.
    pub points: f64,
    /// The points of each opponent for every win against them, and half of these for every draw.
    pub sonneborn_berger: f64,
    /// The games against each opponent, in the order of the table.
    pub against: Vec<Against>,
}

/// The games against an opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The 0-based index of the opponent in the list.
    pub opponent: usize,
    /// One character per game, in the order of dates: `1`, `½`, `0`, or `*` without a result.
    pub results: String,
    /// The same games, each with the player's colour.
    #[serde(skip)]
    pub games: Vec<(GameId, Color)>,
}

/// Why no crosstable can be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrosstableError {
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// There are too many players for one table.
    #[error("{event} has {players} players; a crosstable can have at most {MAX_CROSSTABLE_PLAYERS}")]
    Players {
        /// Event, site and year.
        event: String,
        /// The number of players.
        players: usize,
    },
    /// There are too many tables.
    #[error(
        "{0} events match, but at most {MAX_CROSSTABLES} can be shown; narrow the search by --event, --site or --date"
    )]
    Events(usize),
}

/// The games of an event in one place and year.
#[derive(Debug)]
struct EventGames {
    event: Option<i64>,
    site: Option<i64>,
    year: Option<u16>,
    games: Vec<PlayedGame>,
}

impl EventGames {
    /// The ids of its players.
    fn players(&self) -> BTreeSet<Option<i64>> {
        self.games.iter().flat_map(|game| [game.white, game.black]).collect()
    }
}

/// The crosstables of the events of the games that match a filter, by year and name. Games of a name against itself are
/// excluded. The watch receives the number of games read.
///
/// # Errors
/// There are too many players or events, or an SQLite error.
pub fn crosstables(context: Context<'_>, filter: &Filter) -> Result<Crosstables, CrosstableError> {
    let is_of_two = |game: &PlayedGame| game.white != game.black;
    let events = event_games(context, filter, is_of_two)?;
    if events.len() > MAX_CROSSTABLES {
        return Err(CrosstableError::Events(events.len()));
    }
    let tables =
        events.into_iter().map(|games| Crosstable::new(context.archive, games, MAX_CROSSTABLE_PLAYERS));
    let mut events = tables.collect::<Result<Vec<_>, _>>()?;
    events.sort_by(|a, b| (a.year, &a.event, &a.site).cmp(&(b.year, &b.event, &b.site)));
    Ok(Crosstables { events })
}

/// The games that match a filter and `is_meant`, event by event.
fn event_games(
    context: Context<'_>,
    filter: &Filter,
    is_meant: fn(&PlayedGame) -> bool,
) -> Result<Vec<EventGames>> {
    type Years = BTreeMap<Option<u16>, Vec<PlayedGame>>;
    let mut events: BTreeMap<(Option<i64>, Option<i64>), Years> = BTreeMap::new();
    for (number, game) in (1..).zip(context.archive.list::<PlayedGame>(filter)) {
        let game = game?;
        if is_meant(&game) {
            let years = events.entry((game.event, game.site)).or_default();
            years.entry(game.facts.date.year()).or_default().push(game);
        }
        if number % GAMES == 0 {
            context.seen(number as u64)?;
        }
    }
    let of_event = |((event, site), years): (_, Years)| {
        one_by_one(years).into_iter().map(move |(year, games)| EventGames { event, site, year, games })
    };
    Ok(events.into_iter().flat_map(of_event).collect())
}

/// The years of an event, merged if it spans a winter.
fn one_by_one(years: BTreeMap<Option<u16>, Vec<PlayedGame>>) -> Vec<(Option<u16>, Vec<PlayedGame>)> {
    let is_in = |games: &[PlayedGame], months: [u8; 2]| {
        games.iter().all(|game| game.facts.date.month().is_some_and(|month| months.contains(&month)))
    };
    let mut events: Vec<(Option<u16>, Vec<PlayedGame>)> = Vec::new();
    for (year, games) in years {
        let before = events.last_mut().filter(|(before, all)| {
            before.is_some_and(|before| before.checked_add(1) == year)
                && is_in(all, [11, 12])
                && is_in(&games, [1, 2])
        });
        match before {
            Some((_, all)) => all.extend(games),
            None => events.push((year, games)),
        }
    }
    events
}

/// A game of a player.
#[derive(Debug)]
struct PlayerGame {
    id: GameId,
    side: Color,
    /// Points, in halves; `None` without a result.
    halves: Option<u64>,
    sign: char,
}

/// The sums of a player.
#[derive(Debug, Default)]
struct PlayerTotals {
    score: ScoreTally,
    /// Points, in halves.
    halves: u64,
    ratings: RatingSum,
    against: HashMap<Option<i64>, Vec<PlayerGame>>,
}

impl PlayerTotals {
    fn add(&mut self, game: &PlayedGame, side: Color) {
        self.score.add(&game.facts, side);
        let (halves, sign) = match game.facts.result {
            Outcome::Known(KnownOutcome::Decisive { winner }) if winner == side => (Some(2), '1'),
            Outcome::Known(KnownOutcome::Decisive { .. }) => (Some(0), '0'),
            Outcome::Known(KnownOutcome::Draw) => (Some(1), '½'),
            Outcome::Unknown => (None, '*'),
        };
        self.halves += halves.unwrap_or(0);
        self.ratings.add(side.fold_wb(game.facts.white_elo, game.facts.black_elo));
        let opponent = side.fold_wb(game.black, game.white);
        self.against.entry(opponent).or_default().push(PlayerGame { id: game.facts.id, side, halves, sign });
    }
}

impl Crosstable {
    /// The crosstable of an event with at most `most` players.
    fn new(archive: &Archive, of: EventGames, most: usize) -> Result<Crosstable, CrosstableError> {
        let players = of.players();
        let EventGames { event, site, year, mut games } = of;
        let name = |of, id: Option<i64>| match id {
            Some(id) => archive.names().of(of, id),
            None => Ok(None),
        };
        let (event, site) = (name(NameKind::Event, event)?, name(NameKind::Site, site)?);
        if players.len() > most {
            let names = [event, site, year.map(|year| year.to_string())];
            let event = names.into_iter().flatten().collect::<Vec<_>>().join(", ");
            return Err(CrosstableError::Players { event, players: players.len() });
        }
        games.sort_by_key(|game| (game.facts.date, game.facts.id));
        let mut sums: HashMap<Option<i64>, PlayerTotals> = HashMap::new();
        for game in &games {
            sums.entry(game.white).or_default().add(game, Color::White);
            sums.entry(game.black).or_default().add(game, Color::Black);
        }
        let mut named = Vec::new();
        for id in players {
            named.push((id, name(NameKind::Player, id)?.unwrap_or_else(|| "?".to_owned())));
        }
        Ok(Crosstable { event, site, year, games: games.len() as u64, players: standings(&sums, named) })
    }
}

/// The players, best first: by points, then by Sonneborn-Berger score, then by name.
fn standings(sums: &HashMap<Option<i64>, PlayerTotals>, named: Vec<(Option<i64>, String)>) -> Vec<Standing> {
    let halves = |id: &Option<i64>| sums.get(id).map_or(0, |sum| sum.halves);
    // In quarters of a point.
    let sonneborn_berger = |sum: &PlayerTotals| -> u64 {
        let of = |(id, games): (&Option<i64>, &Vec<PlayerGame>)| {
            halves(id) * games.iter().filter_map(|game| game.halves).sum::<u64>()
        };
        sum.against.iter().map(of).sum()
    };
    let mut all: Vec<_> = named
        .into_iter()
        .filter_map(|(id, name)| {
            let sum = sums.get(&id)?;
            Some((Reverse((sum.halves, sonneborn_berger(sum))), name, id, sum))
        })
        .collect();
    all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let place_of: HashMap<Option<i64>, usize> =
        (0..).zip(&all).map(|(place, (_, _, id, _))| (*id, place)).collect();
    let standing = |(rank, name, _, sum): &(Reverse<(u64, u64)>, String, Option<i64>, &PlayerTotals)| {
        let against = sum.against.iter().filter_map(|(id, games)| {
            Some(Against {
                opponent: *place_of.get(id)?,
                results: games.iter().map(|game| game.sign).collect(),
                games: games.iter().map(|game| (game.id, game.side)).collect(),
            })
        });
        let mut against: Vec<Against> = against.collect();
        against.sort_by_key(|against| against.opponent);
        let Reverse((halves, quarters)) = *rank;
        Standing {
            place: 1 + all.partition_point(|(other, ..)| other < rank),
            player: name.clone(),
            rating: sum.ratings.mean(),
            score: sum.score.answer(),
            points: halves as f64 / 2.0,
            sonneborn_berger: quarters as f64 / 4.0,
            against,
        }
    };
    all.iter().map(standing).collect()
}

/// An edition of an event.
#[derive(Debug, Serialize)]
pub struct Edition {
    /// The year in which it began; `None` if it is unknown.
    pub year: Option<u16>,
    /// The site; of a URL, all but its last part.
    pub site: Option<String>,
    /// The number of players.
    pub players: usize,
    /// The mean of all ratings that its games give.
    pub mean_rating: Option<i64>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The first and the last date; `None` if no game gives one.
    #[serde(skip)]
    pub dates: Option<(Date, Date)>,
    #[serde(skip)]
    games: EventGames,
}

/// The editions of the events whose games match a filter, latest first; in a year, those with most games first. The
/// watch receives the number of games read.
pub fn editions(context: Context<'_>, filter: &Filter) -> Result<Vec<Edition>> {
    let events = event_games(context, filter, |_| true)?;
    let mut editions = events
        .into_iter()
        .map(|games| Edition::new(context.archive, games))
        .collect::<Result<Vec<_>, _>>()?;
    editions.sort_by_key(|edition| Reverse((edition.year, edition.results.games)));
    Ok(editions)
}

impl Edition {
    fn new(archive: &Archive, games: EventGames) -> Result<Edition> {
        let (mut results, mut ratings) = (Results::default(), RatingSum::default());
        for game in &games.games {
            results.add(game.facts.result);
            ratings.add(game.facts.white_elo);
            ratings.add(game.facts.black_elo);
        }
        let dates = || games.games.iter().map(|game| game.facts.date).filter(|date| *date != Date::default());
        let site = games.site.map(|id| archive.names().of(NameKind::Site, id)).transpose()?.flatten();
        Ok(Edition {
            year: games.year,
            site,
            players: games.players().iter().flatten().count(),
            mean_rating: ratings.mean(),
            results,
            dates: dates().min().zip(dates().max()),
            games,
        })
    }

    /// Its crosstable, without games of a name against itself; `None` if it has more than `most` players.
    pub fn crosstable(mut self, archive: &Archive, most: usize) -> Result<Option<Crosstable>> {
        self.games.games.retain(|game| game.white != game.black);
        match Crosstable::new(archive, self.games, most) {
            Ok(table) => Ok(Some(table)),
            Err(CrosstableError::Archive(error)) => Err(error),
            Err(CrosstableError::Players { .. } | CrosstableError::Events(_)) => Ok(None),
        }
    }

    /// The ids of its games.
    pub fn ids(&self) -> impl Iterator<Item = GameId> {
        self.games.games.iter().map(|game| game.facts.id)
    }
}
