//! `GET /event/NAME`: the editions of an event, or one of them with its crosstable, rounds and openings.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use askama::Template;

use super::{
    super::list::{self, ListRow, date, shown},
    Address, Answer, Bar, Form, Page, RequestContext, Result, answer, requested,
    rows::{self, ScoreCard, ScoreRow},
    unknown::unknown,
};
use crate::{
    archive::{Filter, GameSet, NameKind},
    chess::{Color, Date},
    openings::Openings,
    printable,
    query::{Results, openings_of_games},
    report::{Crosstable, Crosstables, Edition, Standing, editions},
};

/// Maximum number of editions on a page: a pattern may match all events.
const EDITIONS: usize = 500;

/// Maximum number of places of an edition with a table each, and of players in a table.
const PLACES: usize = 20;
const PLAYERS: usize = 1000;

/// The most players whose results against each other are shown.
const CROSS: usize = 24;

/// Maximum number of games listed by round.
const GAMES: u64 = 2000;

#[derive(Template)]
#[template(path = "event.html")]
struct EventPage {
    page: Page,
    head: String,
    facts: String,
    /// The editions with their pages, and whether this is the shown one.
    years: Vec<(String, Address, bool)>,
    /// The players, with the place if there are several.
    tables: Vec<(String, Crosstable)>,
    listed: EventGames,
    /// The results of all games, by colour.
    results: [u64; 3],
    all: Address,
    /// The number of all games.
    games: u64,
}

#[derive(Template)]
#[template(path = "editions.html")]
struct EditionsPage<'a> {
    page: Page,
    head: String,
    facts: String,
    asked: &'a Asked<'a>,
    all: Address,
    games: u64,
    editions: &'a [Edition],
}

pub(in crate::web) fn event(context: &RequestContext<'_>, page: &Page, path: &str) -> Result<Answer> {
    let (name, pattern, form) = requested(context, NameKind::Event, path)?;
    let filter = Filter { event: Some(pattern.clone()), ..Filter::default() };
    let mut all = editions(context.query, &filter)?;
    if all.is_empty() {
        return unknown(context, page, NameKind::Event, name, form);
    }
    let years: BTreeSet<Option<u16>> = all.iter().map(|edition| edition.year).collect();
    let wanted = match page.address.parsed::<u16>("year", "a valid year")? {
        Some(year) => Some(Some(year).filter(|year| *year > 0)),
        None => years.first().copied().filter(|_| years.len() == 1),
    };
    let asked = Asked { context, page, name, pattern: &pattern };
    let Some(year) = wanted.filter(|year| years.contains(year)) else {
        let answer = asked.editions(form, &all)?;
        return Ok(if wanted.is_none() { answer } else { answer.missing() });
    };
    all.retain(|edition| edition.year == year);
    if form == Form::Page {
        return asked.edition(&years, all);
    }
    let tables = all.into_iter().map(|edition| edition.crosstable(context.archive, PLAYERS));
    let events = tables.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
    let tables = Crosstables { events };
    form.data(&tables, &tables)
}

/// An event that is asked for.
struct Asked<'a> {
    context: &'a RequestContext<'a>,
    page: &'a Page,
    name: &'a str,
    pattern: &'a str,
}

impl Asked<'_> {
    fn games(&self) -> Address {
        self.page.link("/games").with("event", self.pattern)
    }

    /// This page for a year; 0 is an unknown one.
    fn of_year(&self, year: Option<u16>) -> Address {
        self.page.link(self.page.address.path()).with("year", year.unwrap_or(0))
    }

    fn year(&self, year: Option<u16>) -> String {
        year.map_or(self.page.words.unknown.to_owned(), |year| year.to_string())
    }

    /// The list of editions.
    fn editions(&self, form: Form, all: &Vec<Edition>) -> Result<Answer> {
        if form != Form::Page {
            return form.data(all, all);
        }
        let page = self.page;
        let games = all.iter().map(|of| of.results.games).sum();
        let facts = format!(
            "{} · {} {}",
            page.language.games(games),
            page.language.number(all.len() as u64),
            page.words.editions
        );
        answer(&EditionsPage {
            head: printable::line(self.name).into_owned(),
            facts,
            asked: self,
            all: self.games(),
            games,
            editions: &all[..all.len().min(EDITIONS)],
            page: page.titled(self.name),
        })
    }

    /// The page of one edition, which may have several places.
    fn edition(&self, years: &BTreeSet<Option<u16>>, places: Vec<Edition>) -> Result<Answer> {
        let (context, page) = (self.context, self.page);
        let year = places.first().and_then(|edition| edition.year);
        let mut counts = Results::default();
        places.iter().for_each(|place| counts.merge(&place.results));
        let dates = places.iter().filter_map(|place| place.dates);
        let dates = dates.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let range =
            dates.map_or(String::new(), |(from, to)| match [from, to].map(|day| day.year().unwrap_or(0)) {
                [first, last] if first == last => first.to_string(),
                [first, last] => format!("{first}..{last}"),
            });
        let all = self.games().with("date", range);
        let ids = places.iter().flat_map(Edition::ids).collect();
        let listed = (counts.games <= GAMES && context.is_quick()?).then_some(ids);
        let listed = match listed {
            Some(ids) => EventGames::new(context, page, &all, ids)?,
            None => EventGames::default(),
        };
        let has_places = places.len() > 1;
        let mut facts = self.facts(&places);
        let mut tables = self.tables(places, has_places)?;
        // Who misses games of a complete event has played fewer than the others.
        let games =
            |table: &Crosstable| table.players.iter().map(|of| of.score.games).collect::<BTreeSet<_>>();
        if tables.iter().any(|(_, table)| games(table).len() > 1) {
            facts += &format!(" {}", page.words.in_archive);
        }
        if let Some(until) = listed.until.clone() {
            let filter =
                Filter { event: Some(self.pattern.to_owned()), among: Some(until), ..Filter::default() };
            let mut places = editions(context.query, &filter)?;
            places.retain(|edition| edition.year == year);
            tables = self.tables(places, has_places)?;
        }
        answer(&EventPage {
            head: self.heading(year),
            facts,
            years: if years.len() > 1 {
                let year_link = |of: &Option<u16>| (self.year(*of), self.of_year(*of), *of == year);
                years.iter().rev().map(year_link).collect()
            } else {
                Vec::new()
            },
            tables,
            listed,
            results: counts.known(),
            all,
            games: counts.games,
            page: page.titled(&self.heading(year)),
        })
    }

    /// The tables of the places, each with its site if there are several.
    fn tables(&self, places: Vec<Edition>, has_places: bool) -> Result<Vec<(String, Crosstable)>> {
        let mut tables = Vec::new();
        for place in places.into_iter().take(PLACES) {
            let site = place.site.clone().filter(|_| has_places);
            let table = place.crosstable(self.context.archive, PLAYERS)?;
            if let Some(table) = table.filter(|table| !table.players.is_empty()) {
                tables.push((site.map_or(String::new(), |site| shown(Some(&site))), table));
            }
        }
        Ok(tables)
    }

    /// The name with the year, unless it contains the year.
    fn heading(&self, year: Option<u16>) -> String {
        let name = printable::line(self.name).into_owned();
        match year.map(|year| year.to_string()) {
            Some(year) if !name.contains(&year) => format!("{name} {year}"),
            _ => name,
        }
    }

    /// Place, dates and numbers in one line.
    fn facts(&self, places: &[Edition]) -> String {
        let (page, words) = (self.page, self.page.words);
        let mut facts = Vec::new();
        if let [only] = places {
            let day = |day: Date| date(&day.known());
            let site = only.site.as_deref().map(|site| shown(Some(site)));
            let dates = only
                .dates
                .map(|(from, to)| if from == to { day(from) } else { format!("{}–{}", day(from), day(to)) });
            let place: Vec<String> = [site, dates].into_iter().flatten().filter(|text| text != "?").collect();
            facts.extend(Some(place.join(", ")).filter(|place| !place.is_empty()));
            facts.push(format!("{} {}", page.language.number(only.players as u64), words.many_players));
            facts.extend(only.mean_rating.map(|rating| format!("{} {rating}", words.average_rating)));
        }
        facts.push(page.language.games(places.iter().map(|place| place.results.games).sum()));
        facts.join(" · ")
    }
}

/// A game in the table.
#[derive(Debug)]
struct Point {
    link: Address,
    class: &'static str,
    sign: char,
    is_white: bool,
    /// Result, colour and opponent in words.
    title: String,
}

/// The number of columns of results; 0 in the standings of a large event.
fn columns(table: &Crosstable) -> usize {
    if table.players.len() <= CROSS { table.players.len() } else { 0 }
}

fn has_ratings(table: &Crosstable) -> bool {
    table.players.iter().any(|of| of.rating.is_some())
}

/// The games of a player against another one.
fn points(page: &Page, table: &Crosstable, of: &Standing, opponent: usize) -> Vec<Point> {
    let found = of.against.binary_search_by_key(&opponent, |against| against.opponent);
    let Some(against) = found.ok().and_then(|place| of.against.get(place)) else { return Vec::new() };
    let name = table.players.get(opponent).map_or(String::new(), |of| shown(Some(&of.player)));
    let words = page.words;
    let games = against.results.chars().zip(&against.games).map(|(sign, (id, side))| {
        let (class, result) = match sign {
            '1' => ("won", words.won),
            '0' => ("lost", words.lost),
            '½' => ("", words.drawn),
            _ => ("", words.unknown),
        };
        let colour = side.fold_wb(words.with_white, words.with_black);
        let (link, title) = (page.game_link(*id), format!("{result}, {colour}, {name}"));
        Point { link, class, sign, is_white: *side == Color::White, title }
    });
    games.collect()
}

/// Points with a half as a fraction.
fn halves(points: f64) -> String {
    match (points.trunc(), points.fract() > 0.0) {
        (0.0, true) => "½".to_owned(),
        (whole, half) => format!("{whole:.0}{}", if half { "½" } else { "" }),
    }
}

/// The maximum number of games of a round that are shown.
const SHOWN: usize = 100;

/// What a page shows of the games of an edition.
#[derive(Default)]
struct EventGames {
    /// The rounds with their pages, and whether this is the shown one; empty if there is only one.
    rounds: Vec<(String, Address, bool)>,
    /// The shown round.
    round: String,
    /// Its games.
    games: Vec<ListRow>,
    /// The games up to it, if it is not the last one.
    until: Option<GameSet>,
    /// The openings of all games.
    openings: Option<ScoreCard>,
}

impl EventGames {
    /// The games with some ids; `all` leads to all of them.
    fn new(context: &RequestContext<'_>, page: &Page, all: &Address, ids: GameSet) -> Result<EventGames> {
        let filter = Filter { among: Some(ids), ..Filter::default() };
        let mut rounds: BTreeMap<(Vec<u32>, String), Vec<ListRow>> = BTreeMap::new();
        let mut families: BTreeMap<&str, Results> = BTreeMap::new();
        let mut games = Vec::new();
        for game in openings_of_games(context.query, &filter)? {
            let (game, opening) = game?;
            games.push((game, opening.and_then(|id| Openings::standard().get(id))));
        }
        games.sort_by_key(|(game, _)| (place(game.round.as_deref()), game.id));
        for (game, opening) in games {
            if let Some(opening) = opening {
                let family = opening.name.split(':').next().unwrap_or_default();
                families.entry(family).or_default().add(game.result);
            }
            let label = round(game.round.as_deref());
            let key = place(Some(&label));
            let link = page.game_link(game.id);
            rounds.entry((key, label)).or_default().push(ListRow::new(page, game, link, opening));
        }
        let wanted = page.address.get("round").map(str::to_owned);
        let chosen = wanted.filter(|wanted| rounds.keys().any(|(_, label)| label == wanted));
        let chosen =
            chosen.or_else(|| rounds.keys().next_back().map(|(_, label)| label.clone())).unwrap_or_default();
        let links = rounds.keys().map(|(_, label)| {
            let link = page.address.with("round", label);
            (label.clone(), link, *label == chosen)
        });
        let links = if rounds.len() > 1 { links.collect() } else { Vec::new() };
        let place = rounds.keys().position(|(_, label)| *label == chosen).unwrap_or_default();
        let until = rounds.values().take(place + 1).flatten().map(|row| row.game.id).collect();
        let until = (place + 1 < rounds.len()).then_some(until);
        let mut games = rounds.into_values().nth(place).unwrap_or_default();
        games.truncate(SHOWN);
        let round = if links.is_empty() { String::new() } else { chosen };
        Ok(EventGames { rounds: links, round, games, until, openings: openings(page, all, families) })
    }
}

fn openings(page: &Page, all: &Address, families: BTreeMap<&str, Results>) -> Option<ScoreCard> {
    let mut families: Vec<_> = families.into_iter().collect();
    families.sort_by_key(|(_, results)| Reverse(results.games));
    let rows = families
        .iter()
        .map(|(name, results)| ScoreRow::of_games(page, name, Some(all.with("opening", name)), results));
    let heads = vec![page.words.opening, page.words.results];
    Some(ScoreCard::new(page.words.all_openings, heads, rows)).filter(|card| !card.rows.is_empty())
}

/// The round of a tag such as `14.3`: the part before the board.
fn round(tag: Option<&str>) -> String {
    let round = tag.unwrap_or_default().split('.').next().unwrap_or_default();
    shown(Some(round).filter(|round| !matches!(*round, "" | "-" | "?")))
}

/// Sorts rounds by their numbers; those without one come first.
fn place(tag: Option<&str>) -> Vec<u32> {
    tag.unwrap_or_default().split('.').map(|part| part.parse().unwrap_or(0)).collect()
}
