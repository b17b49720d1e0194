//! `GET /event/NAME`: the editions of an event, or one of them with its crosstable, rounds and openings.

use std::collections::BTreeSet;

use askama::Template;
use axum::{extract::Path, response::Response};

use super::{
    super::{
        address::Address,
        bar::Bar,
        layout::{Page, html, rendered, respond_with},
        list::shown,
        names::exact,
    },
    Form,
    games::{GameRow, event_games},
    has_name,
    rows::{ScoreCard, score},
    table::EventTable,
    unknown::unknown,
};
use crate::{
    archive::{Filter, NameKind},
    chess::Date,
    present::{games::known_date, report::EditionRow},
    printable,
    report::{Crosstables, Edition, editions},
    web::{Answer, AppState, Failure, Question, RequestContext},
};

/// Maximum number of editions on a page: a pattern may match all events.
const EDITIONS: usize = 500;

/// Maximum number of places of an edition with a table each, and of players in a table.
const PLACES: usize = 20;
const PLAYERS: usize = 1000;

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
    tables: Vec<EventTable>,
    /// The rounds with their pages, and whether this is the shown one.
    rounds: Vec<(String, Address, bool)>,
    round: String,
    games: Vec<GameRow>,
    openings: Option<ScoreCard>,
    /// All results.
    bar: Bar,
    results: Vec<(&'static str, String)>,
    all: Address,
    explorer: Address,
    export: Address,
}

#[derive(Template)]
#[template(path = "editions.html")]
struct EditionsPage {
    page: Page,
    head: String,
    facts: String,
    rows: Vec<EditionLine>,
    all: Address,
}

/// An edition in the list.
struct EditionLine {
    year: String,
    link: Address,
    site: String,
    players: String,
    games: String,
    rating: Option<i64>,
    bar: Bar,
}

pub(in crate::web) async fn event(Path(path): Path<String>, question: Question) -> Response {
    respond_with(question, move |app, context, page| {
        let has = |name: &str| has_name(context, NameKind::Event, &exact(name));
        let (name, form) = Form::of(&path, has)?;
        // A name that no event has is a pattern, as in a search.
        let pattern = if has(name)? { exact(name) } else { name.to_owned() };
        let filter = Filter { event: Some(pattern.clone()), ..Filter::default() };
        let mut all = editions(context.archive, &filter, |_| context.watch())?.ok_or(Failure::Unwanted)?;
        if all.is_empty() {
            return unknown(context, page, (NameKind::Event, name, form));
        }
        let years: BTreeSet<Option<u16>> = all.iter().map(|edition| edition.year).collect();
        let wanted = match page.address.get("year") {
            Some(text) => {
                let wrong = || Failure::BadRequest(format!("year: {text:?} is not a valid year"));
                let year: u16 = text.parse().map_err(|_| wrong())?;
                Some(Some(year).filter(|year| *year > 0))
            }
            None => years.first().copied().filter(|_| years.len() == 1),
        };
        let asked = Asked { page, name, pattern: &pattern };
        let Some(year) = wanted.filter(|year| years.contains(year)) else {
            let answer = asked.editions(form, &all)?;
            return Ok(if wanted.is_none() { answer } else { answer.missing() });
        };
        all.retain(|edition| edition.year == year);
        if form == Form::Page {
            return asked.edition(app, context, &years, all);
        }
        let tables = all.into_iter().map(|edition| edition.crosstable(context.archive, PLAYERS));
        let events = tables.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
        let tables = Crosstables { events };
        form.data(&tables, &tables)
    })
    .await
}

/// An event that is asked for.
struct Asked<'a> {
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
    fn editions(&self, form: Form, all: &[Edition]) -> Result<Answer, Failure> {
        if form != Form::Page {
            let rows: Vec<EditionRow> = all.iter().map(EditionRow::from).collect();
            return form.data(&rows, &rows);
        }
        let (page, words) = (self.page, self.page.words);
        let line = |of: &Edition| EditionLine {
            year: self.year(of.year),
            link: self.of_year(of.year),
            site: of.site.as_deref().map_or(String::new(), |site| shown(Some(site))),
            players: page.language.number(of.players as u64),
            games: page.language.number(of.results.counts.games),
            rating: of.mean_rating,
            bar: Bar::new(
                page.language,
                [words.white_wins, words.draws, words.black_wins],
                of.results.counts.known(),
            ),
        };
        let games = page.language.games(all.iter().map(|of| of.results.counts.games).sum());
        let facts = format!("{games} · {} {}", page.language.number(all.len() as u64), words.editions);
        Ok(html(rendered(&EditionsPage {
            head: printable::line(self.name).into_owned(),
            facts,
            rows: all.iter().take(EDITIONS).map(line).collect(),
            all: self.games(),
            page: page.titled(self.name),
        })?))
    }

    /// The page of one edition, which may have several places.
    fn edition(
        &self,
        app: &AppState,
        context: &RequestContext<'_>,
        years: &BTreeSet<Option<u16>>,
        places: Vec<Edition>,
    ) -> Result<Answer, Failure> {
        let (page, language) = (self.page, self.page.language);
        let year = places.first().and_then(|edition| edition.year);
        let facts = self.facts(&places);
        let mut counts = crate::query::Results::default();
        places.iter().for_each(|place| counts.merge(&place.results.counts));
        let dates = places.iter().filter_map(|place| place.dates);
        let dates = dates.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let range = dates.map_or(String::new(), |(from, to)| match (from >> 9, to >> 9) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}..{last}"),
        });
        let all = self.games().with("date", range);
        let ids = places.iter().flat_map(Edition::ids).collect();
        let listed = (counts.games <= GAMES && app.is_quick(context)?).then_some(ids);
        let (rounds, round, games, openings) = match listed {
            Some(ids) => event_games(context, page, &all, ids)?,
            None => Default::default(),
        };
        let mut tables = Vec::new();
        let has_places = places.len() > 1;
        for place in places.into_iter().take(PLACES) {
            let site = place.site.clone().filter(|_| has_places);
            let table = place.crosstable(context.archive, PLAYERS)?;
            if let Some(table) = table.filter(|table| !table.players.is_empty()) {
                tables.push(EventTable::new(page, site.as_deref(), &table));
            }
        }
        let words = page.words;
        let names = [words.white_wins, words.draws, words.black_wins];
        let results = names.into_iter().zip(counts.known().map(|games| language.number(games)));
        let score = (words.white_score, score(page, counts.known()));
        Ok(html(rendered(&EventPage {
            head: self.heading(year),
            facts,
            years: if years.len() > 1 {
                let year_link = |of: &Option<u16>| (self.year(*of), self.of_year(*of), *of == year);
                years.iter().rev().map(year_link).collect()
            } else {
                Vec::new()
            },
            tables,
            rounds,
            round,
            games,
            openings,
            bar: Bar::new(language, names, counts.known()),
            results: results.chain([score]).collect(),
            explorer: all.to_path("/explorer"),
            export: all.without(&["lang"]).to_path("/api/v1/export"),
            all,
            page: page.titled(&self.heading(year)),
        })?))
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
            let day = |packed| Date::from_packed(packed).map(|date| known_date(&date.to_string()).to_owned());
            let site = only.site.as_deref().map(|site| shown(Some(site)));
            let dates = only.dates.and_then(|(from, to)| {
                Some(if from == to { day(from)? } else { format!("{}–{}", day(from)?, day(to)?) })
            });
            let place: Vec<String> = [site, dates].into_iter().flatten().filter(|text| text != "?").collect();
            facts.extend(Some(place.join(", ")).filter(|place| !place.is_empty()));
            facts.push(format!("{} {}", page.language.number(only.players as u64), words.many_players));
            facts.extend(only.mean_rating.map(|rating| format!("{} {rating}", words.average_rating)));
        }
        facts.push(page.language.games(places.iter().map(|place| place.results.counts.games).sum()));
        facts.join(" · ")
    }
}
