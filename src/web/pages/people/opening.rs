//! `GET /opening/NAME`: the position of an opening, how it goes on, when and by whom it is played.

use askama::Template;
use serde::Serialize;

use super::{
    super::{
        board::uci,
        curve::{Chart, Panel, Points, Shape, Unit},
        list::ListRow,
    },
    Answer, Bar, Board, Failure, Form, Page, RequestContext, Result, answer,
    lists::{by_name, family_of, own_part},
    rows::{ScoreCard, ScoreRow, score},
    tree::{Before, Tree, TreeItem},
    unknown::unknown_opening,
};
use crate::{
    archive::{Filter, Summary},
    chess::{Variant, VariantPosition, move_list},
    openings::{Opening, Openings},
    query::{Exploration, ExploredPosition, LineMove, TreeOptions, continuations},
    report::{NamedScore, PositionReport, position_report},
    rules::Rules,
};

/// The most specialists of each colour, and games.
const SPECIALISTS: usize = 8;
const GAMES: usize = 8;

/// The main lines: moves with a share of the games.
const TREE: TreeOptions = TreeOptions { plies: 4, percent: 2, games: 2, moves: 12 };

/// The least share of the games of the year with most games: with fewer, a percentage says little.
const FEW: u64 = 100;

#[derive(Template)]
#[template(path = "opening.html")]
struct OpeningPage<'a> {
    page: Page,
    opening: &'static Opening,
    board: Board,
    /// The names of which this one is a variation.
    above: Vec<&'static str>,
    /// The last part of the name.
    own: &'static str,
    /// What is known of its games, if it can be found quickly.
    games: Option<OpeningGames>,
    /// Its moves in UCI notation, separated by commas.
    play: &'a str,
}

/// The games of an opening, on the page.
struct OpeningGames {
    total: String,
    bar: Bar,
    /// White's score in percent; empty without a result.
    score: String,
    first_year: Option<u16>,
    codes: String,
    tree: Vec<TreeItem>,
    /// The chart as SVG; empty if there is nothing to draw.
    trend: String,
    specialists: Vec<ScoreCard>,
    variations: ScoreCard,
    best: Vec<ListRow>,
}

/// The data of the page.
#[derive(Serialize)]
struct OpeningData<'a> {
    eco: &'static str,
    name: &'static str,
    line: &'static str,
    #[serde(flatten)]
    explored: &'a Exploration,
    #[serde(flatten)]
    report: &'a PositionReport,
}

pub(in crate::web) fn opening(context: &RequestContext<'_>, page: &Page, path: &str) -> Result<Answer> {
    let (name, form) = Form::of(path, |name| Ok(named(name).is_some()))?;
    let Some(opening) = named(name).or_else(|| Openings::standard().shortest(name).ok()) else {
        return unknown_opening(page, name, form);
    };
    Place::new(opening)?.answer(context, page, form)
}

/// The opening with a name, or else of the family with this name: of several, the one with the shortest line.
fn named(name: &str) -> Option<&'static Opening> {
    let all = || Openings::standard().iter().map(|(_, opening)| opening);
    let equal = all().filter(|opening| opening.name.eq_ignore_ascii_case(name));
    let below = || all().filter(|opening| family_of(opening.name, name)).min_by_key(|opening| opening.plies);
    equal.min_by_key(|opening| opening.plies).or_else(below)
}

/// An opening with its position.
struct Place {
    opening: &'static Opening,
    asked: ExploredPosition,
    /// Its moves in UCI notation, separated by commas.
    play: String,
}

impl Place {
    fn new(opening: &'static Opening) -> Result<Place> {
        let (start, moves) = move_list(opening.moves).map_err(Failure::internal)?;
        let start = VariantPosition::Chess(start);
        let (mut position, mut play) = (start.clone(), Vec::new());
        for m in &moves {
            play.push(uci(&position, *m));
            position.make(*m);
        }
        Ok(Place { opening, asked: ExploredPosition::after(position, start, &moves), play: play.join(",") })
    }

    fn answer(&self, context: &RequestContext<'_>, page: &Page, form: Form) -> Result<Answer> {
        if form != Form::Page {
            let explored = &self.asked.explore(context.query, &Filter::default())?;
            let (Opening { eco, name, moves: line, .. }, report) = (self.opening, &self.report(context)?);
            return form.data(&OpeningData { eco, name, line, explored, report }, explored);
        }
        let above = above(self.opening.name);
        let last = self.asked.line.as_ref().and_then(|(_, moves)| moves.last().copied());
        let board = Board::new(page.words, &self.asked.position, Variant::Standard, last);
        let games = if context.is_quick()? { Some(self.games(context, page)?) } else { None };
        answer(&OpeningPage {
            opening: self.opening,
            board,
            own: own_part(self.opening.name, above.last().unwrap_or(&"")),
            above,
            games,
            play: &self.play,
            page: page.titled(self.opening.name),
        })
    }

    fn report(&self, context: &RequestContext<'_>) -> Result<PositionReport> {
        let filter = self.asked.games_of(context.query, &Filter::default())?;
        Ok(position_report(context.query, &filter, SPECIALISTS)?)
    }

    fn games(&self, context: &RequestContext<'_>, page: &Page) -> Result<OpeningGames> {
        let words = page.words;
        let (explored, lines) = continuations(context.query, &self.asked.position, TREE)?;
        let report = self.report(context)?;
        let mut best = Vec::new();
        for id in report.best_games.iter().take(GAMES) {
            let one = Filter { ids: Some(*id..=*id), ..Filter::default() };
            for game in context.archive.list::<Summary>(&one) {
                best.push(ListRow::with_opening(context, page, game?));
            }
        }
        Ok(OpeningGames {
            total: page.language.games(explored.results.games),
            bar: Bar::of_games(page.language, explored.results.known()),
            score: score(page, explored.results.known()),
            first_year: report.years.first().map(|of| of.year),
            codes: codes(self.opening.name),
            tree: self.tree(page, &lines),
            trend: trend(page, &report, &*context.years()?),
            specialists: vec![
                specialists(page, words.specialists_white, &report.specialists_as_white),
                specialists(page, words.specialists_black, &report.specialists_as_black),
            ],
            variations: self.variations(context, page)?,
            best,
        })
    }

    fn tree(&self, page: &Page, lines: &[LineMove]) -> Vec<TreeItem> {
        let explorer = page.link("/explorer");
        let mut shown =
            Tree { page, explorer: &explorer, side: None, lines: None, is_open: false, items: Vec::new() };
        let (play, plies, name) = (self.play.as_str(), self.opening.plies, self.opening.name);
        shown.add(lines, Before { play, position: None, plies, name, is_open: true });
        shown.items
    }

    /// The openings one step below this one, with their games.
    fn variations(&self, context: &RequestContext<'_>, page: &Page) -> Result<ScoreCard> {
        let counts = context.openings()?;
        let own = self.opening.name;
        let is_below = |name: &'static str| family_of(name, own) && above(name).last() == Some(&own);
        let rows = by_name(&counts).into_iter().filter(|of| is_below(of.name)).map(|of| {
            let (name, link) = (own_part(of.name, own), page.name_link("opening", of.name));
            ScoreRow::of_games(page, name, Some(link), &of.results)
        });
        let heads = vec![page.words.opening, page.words.results];
        Ok(ScoreCard::new(page.words.variations, heads, rows))
    }
}

/// The names of openings that a name extends, the most general one first.
fn above(name: &'static str) -> Vec<&'static str> {
    let ends = name.match_indices([':', ',']).map(|(at, _)| &name[..at]);
    ends.filter(|part| named(part).is_some()).collect()
}

/// The codes of an opening and its variations.
fn codes(name: &str) -> String {
    let all = Openings::standard().iter().map(|(_, opening)| opening);
    let of: Vec<&str> = all.filter(|of| family_of(of.name, name)).map(|opening| opening.eco).collect();
    match (of.iter().min(), of.iter().max()) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (first, _) => first.copied().unwrap_or_default().to_owned(),
    }
}

fn specialists(page: &Page, title: &'static str, of: &[NamedScore]) -> ScoreCard {
    let row = |of: &NamedScore| {
        let row = ScoreRow::of_player(page, &of.name, Some(page.name_link("player", &of.name)), &of.score);
        row.with(of.last_year)
    };
    let heads = vec![page.words.player, page.words.player_results, page.words.last_year];
    ScoreCard::new(title, heads, of.iter().map(row))
}

/// The share of all games and White's score by year; empty with fewer than two years.
fn trend(page: &Page, report: &PositionReport, all: &std::collections::BTreeMap<u16, u64>) -> String {
    let (words, language) = (page.words, page.language);
    let of_all = |year: &u16| all.get(year).copied().unwrap_or(0);
    let most = all.values().max().copied().unwrap_or(0);
    // Years in which nobody played it count too.
    let first = report.years.first().map_or(u16::MAX, |of| of.year);
    let played =
        |year: &u16| report.years.iter().find(|of| of.year == *year).map_or(0, |of| of.results.counts.games);
    let shares = all.range(first..).filter(|(_, games)| **games * FEW >= most);
    let shares: Points = shares
        .map(|(year, _)| (f64::from(*year), 100.0 * played(year) as f64 / of_all(year).max(1) as f64))
        .collect();
    let most_here = report.years.iter().map(|of| of.results.counts.games).max().unwrap_or(0);
    let scored = report.years.iter().filter(|of| of.results.counts.games * FEW >= most_here);
    let scores: Points = scored.filter_map(|of| Some((f64::from(of.year), of.results.percent?))).collect();
    let (Some(from), Some(to)) = (shares.first(), shares.last()) else { return String::new() };
    if shares.len() < 2 {
        return String::new();
    }
    let highest = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(from);
    let most = format!("{} {} ({})", words.most, language.share(highest.1), highest.0);
    let latest = format!("{} {}", words.latest, language.share(to.1));
    let title = format!("{} {}–{}: {most}, {latest}", words.share_of_all, from.0, to.0);
    let range = [from.0, to.0];
    let scores: Points = scores.into_iter().filter(|(x, _)| (range[0]..=range[1]).contains(x)).collect();
    let mut panels = vec![Panel::new(Unit::Percent, 90.0, vec![Shape::Area(shares)])];
    if scores.len() > 1 {
        let line = vec![Shape::Line("second", String::new(), scores)];
        panels.push(Panel { base: Some(50.0), ..Panel::new(Unit::Percent, 70.0, line) });
    }
    Chart { language, title, panels }.svg(400.0)
}
