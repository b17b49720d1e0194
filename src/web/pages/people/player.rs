//! `GET /player/NAME`: how strong a player is, with which openings and against whom, and how to prepare.

use askama::Template;
use serde::Serialize;

use super::{
    super::{
        bar::are_few,
        curve::{Chart, Panel, Points, Shape, Unit},
        list::{ListRow, player_name},
        names::exact,
    },
    Address, Answer, Column, Form, Messages, Page, RequestContext, Result, SORT, Sorting, answer, requested,
    rows::{ScoreCard, ScoreRow, band, by_share, performance},
    unknown::unknown,
};
use crate::{
    archive::{Filter, NameKind, Sort, Summary},
    case_fold::folded,
    limits::MAX_REPORT_LINES,
    player_name::PlayerPattern,
    present::FilterText,
    printable,
    report::{MonthRating, NamedScore, PlayedFamily, PlayerProfile, PlayerReport, Score, YearScore},
    rules::KnownOutcome,
    web::api::{Report, report_of},
};

/// The latest games, and the similar names that are shown.
const GAMES: u64 = 10;
const SPELLINGS: usize = 12;

/// The opponents that are shown, at most.
const OPPONENTS: usize = 200;

#[derive(Template)]
#[template(path = "player.html")]
struct PlayerPage {
    page: Page,
    head: String,
    facts: String,
    spellings: Spellings,
    scores: Vec<ScoreRow>,
    bands: Vec<ScoreRow>,
    /// The openings with each colour.
    openings: Vec<ScoreCard>,
    opponents: ScoreCard,
    years: ScoreCard,
    latest: Vec<LatestGame>,
    /// The charts as SVG; empty if there is nothing to draw.
    rating: String,
    score_by_year: String,
    games_by_year: String,
    /// The pattern that matches the player's names.
    pattern: String,
}

/// A game, whether the player has White, and the result for the player: the class, the text and the name of its mark.
type LatestGame = (ListRow, bool, (&'static str, &'static str, &'static str));

/// The data of the page.
#[derive(Serialize)]
struct PlayerData<'a> {
    #[serde(flatten)]
    report: &'a PlayerReport,
    #[serde(flatten)]
    profile: &'a PlayerProfile,
}

pub(in crate::web) fn player(context: &RequestContext<'_>, page: &Page, path: &str) -> Result<Answer> {
    let (name, pattern, form) = requested(context, NameKind::Player, path)?;
    let text = FilterText::of([("player", pattern.as_str())])?;
    match report_of(context, &text, MAX_REPORT_LINES)? {
        Report::Player(report) if report.games > 0 => match form {
            Form::Page => answer(&PlayerPage::new(context, page, name, &pattern, &report)?),
            _ => form.data(&PlayerData { report: &report, profile: &report.profile }, &*report),
        },
        _ => unknown(context, page, NameKind::Player, name, form),
    }
}

impl PlayerPage {
    fn new(
        context: &RequestContext<'_>,
        page: &Page,
        name: &str,
        pattern: &str,
        report: &PlayerReport,
    ) -> Result<PlayerPage> {
        let (words, profile) = (page.words, &report.profile);
        let head = match report.names.as_slice() {
            [only] if report.different_names == 1 => only.name.as_str(),
            _ => name,
        };
        let games = page.link("/games").with("player", pattern);
        let row =
            |name: &str, link: Option<Address>, score: &Score| ScoreRow::of_player(page, name, link, score);
        let colours = [
            (words.all_games, games.clone(), &report.total),
            (words.white, games.with("colour", "white"), &report.white),
            (words.black, games.with("colour", "black"), &report.black),
        ];
        let scores = colours.into_iter().filter(|(.., score)| score.games > 0);
        let bands = report.opponents.iter();
        let bands = bands.map(|of| row(&band(page, of), None, &of.results).with(performance(&of.results)));
        Ok(PlayerPage {
            head: player_name(head),
            facts: facts(page, report),
            scores: scores
                .map(|(name, link, score)| row(name, Some(link), score).with(performance(score)))
                .collect(),
            bands: bands.collect(),
            openings: openings(page, report, &games)?,
            opponents: opponents(page, &profile.against)?,
            years: years(page, report, &games),
            latest: latest(context, page, pattern, report)?,
            rating: rating(page, &profile.ratings),
            score_by_year: score_by_year(page, profile),
            games_by_year: games_by_year(page, profile),
            pattern: pattern.to_owned(),
            page: page.titled(&player_name(head)),
            spellings: Spellings::of(context, page, report)?,
        })
    }
}

/// The opponents, most games first unless another order is chosen.
fn opponents(page: &Page, against: &[NamedScore]) -> Result<ScoreCard> {
    type Of = Column<NamedScore>;
    let (words, sorting) = (page.words, Sorting::of(&page.address, SORT));
    let by_score = |all: &mut [NamedScore]| all.sort_by(|a, b| by_share(a.score.percent, b.score.percent));
    let columns = [
        Of::new(words.opponent, "name", |all| all.sort_by_cached_key(|of| folded(&of.name))),
        Of::new(words.games, "games", |all| all.sort_by_key(|of| of.score.games)),
        Of::new(words.score, "score", by_score).with_last(|of| are_few(of.score.known())),
        Of::new(words.last_year, "year", |all| all.sort_by_key(|of| of.last_year)),
    ];
    let against = sorting.sorted(&columns, against)?;
    let rows = against.iter().take(OPPONENTS).map(|of| {
        let link = page.name_link("player", &of.name);
        ScoreRow::of_player(page, &of.name, Some(link), &of.score).with(of.last_year)
    });
    let card = ScoreCard::new(words.faced, vec![words.opponent, words.player_results, words.last_year], rows);
    Ok(ScoreCard { all: against.len(), ..card.sorted(sorting.or("games"), "opponents") })
}

/// The score by year, latest first.
fn years(page: &Page, report: &PlayerReport, games: &Address) -> ScoreCard {
    let rows = report.years.iter().rev().filter_map(|of| {
        let year = of.year?;
        let row = ScoreRow::of_player(page, &year.to_string(), Some(games.with("date", year)), &of.score);
        Some(row.with(performance(&of.score)))
    });
    let heads = vec![page.words.year, page.words.player_results, page.words.performance];
    ScoreCard::new(page.words.by_year, heads, rows)
}

/// The names of the player, and names that are only similar to them.
#[derive(Debug, Default)]
struct Spellings {
    own: Vec<Spelling>,
    similar: Vec<Spelling>,
}

#[derive(Debug)]
struct Spelling {
    name: String,
    games: String,
    link: Address,
    /// The pattern that matches only this name.
    pattern: String,
    /// Whether its games are among those of the page, or should be.
    is_chosen: bool,
}

/// Whether a name is shown as it is, so that a form may send it back.
fn is_plain(name: &str) -> bool {
    printable::line(name) == name
}

impl Spellings {
    /// The names that the rules of filters match to the name with most games, and those that are similar to it.
    fn of(context: &RequestContext<'_>, page: &Page, report: &PlayerReport) -> Result<Spellings> {
        let Some(main) = report.names.first() else { return Ok(Spellings::default()) };
        let pattern = PlayerPattern::new(&main.name);
        let shown: Vec<&str> = report.names.iter().map(|of| of.name.as_str()).collect();
        let spelling = |name: &str, games, is_chosen| Spelling {
            name: player_name(name),
            games: page.language.number(games),
            link: page.name_link("player", name),
            pattern: exact(name),
            is_chosen,
        };
        let own = report.names.iter().filter(|of| is_plain(&of.name));
        let shown_rows = own.take(SPELLINGS).map(|of| spelling(&of.name, of.games, true));
        let mut found = Spellings { own: shown_rows.collect(), similar: Vec::new() };
        for of in context.archive.names().near(NameKind::Player, &main.name, SPELLINGS)? {
            if shown.contains(&of.name.as_str()) || !is_plain(&of.name) {
                continue;
            }
            if pattern.fits(&of.name) {
                found.own.push(spelling(&of.name, of.games, shown.len() == 1));
            } else if pattern.is_similar_to(&of.name) {
                found.similar.push(spelling(&of.name, of.games, false));
            }
        }
        Ok(found)
    }

    /// Both groups with their headings.
    fn groups(&self, words: &Messages) -> [(&'static str, &[Spelling]); 2] {
        [(words.spellings_about, &self.own), (words.similar_spellings, &self.similar)]
    }

    fn are_several(&self) -> bool {
        self.own.len() + self.similar.len() > 1
    }
}

/// Games, years and ratings in one line.
fn facts(page: &Page, report: &PlayerReport) -> String {
    let years: Vec<u16> = report.years.iter().filter_map(|of| of.year).collect();
    let mut facts = page.language.games(report.games);
    if let (Some(first), Some(last)) = (years.first(), years.last()) {
        facts += &if first == last { format!(", {first}") } else { format!(", {first}–{last}") };
    }
    if let Some((best, last)) = best_and_last(&report.profile.ratings) {
        let words = page.words;
        facts += &format!(" · {} {} · {} {}", words.highest, best.rating, words.latest, last.rating);
    }
    facts
}

fn best_and_last(ratings: &[MonthRating]) -> Option<(&MonthRating, &MonthRating)> {
    // Of equal ratings, the first.
    ratings.iter().rev().max_by_key(|of| of.rating).zip(ratings.last())
}

/// The openings with each colour, most games first unless another order is chosen, which is that of both.
fn openings(page: &Page, report: &PlayerReport, games: &Address) -> Result<Vec<ScoreCard>> {
    type Of = Column<PlayedFamily<Score>>;
    let words = page.words;
    let columns = [
        Of::new(words.opening, "name", |all| all.sort_by_key(|of| of.family)),
        Of::new(words.games, "games", |all| all.sort_by_key(|of| of.results.games)),
        Of::new(words.score, "score", |all| {
            all.sort_by(|a, b| by_share(a.results.percent, b.results.percent))
        })
        .with_last(|of| are_few(of.results.known())),
    ];
    let mut cards = Vec::new();
    for (title, id, colour, of) in [
        (words.openings_with_white, "openings-white", "white", &report.openings_as_white),
        (words.openings_with_black, "openings-black", "black", &report.openings_as_black),
    ] {
        let sorting = Sorting::of(&page.address, ["openings", "openings_desc"]);
        let families = sorting.sorted(&columns, &of.families)?;
        let rows = families.iter().map(|of| {
            let link = of.family.map(|family| games.with("colour", colour).with("opening", family));
            ScoreRow::of_player(page, of.family.unwrap_or(words.nameless), link, &of.results)
        });
        let card = ScoreCard::new(title, vec![words.opening, words.player_results], rows);
        cards.extend((!families.is_empty()).then(|| card.sorted(sorting.or("games"), id)));
    }
    Ok(cards)
}

fn latest(
    context: &RequestContext<'_>,
    page: &Page,
    pattern: &str,
    report: &PlayerReport,
) -> Result<Vec<LatestGame>> {
    let words = page.words;
    let filter = Filter {
        player: Some(pattern.to_owned()),
        sort: Sort::Date,
        descending: true,
        limit: Some(GAMES),
        ..Filter::default()
    };
    let own: Vec<&str> = report.names.iter().map(|of| of.name.as_str()).collect();
    let mut games = Vec::new();
    for game in context.archive.list::<Summary>(&filter) {
        let game = game?;
        let is_white = game.white.as_deref().is_some_and(|name| own.contains(&name));
        let result = match game.result.known() {
            Some(KnownOutcome::Decisive { winner }) if winner.is_white() == is_white => {
                ("won", "1", words.won)
            }
            Some(KnownOutcome::Decisive { .. }) => ("lost", "0", words.lost),
            Some(KnownOutcome::Draw) => ("", "½", words.drawn),
            None => ("", "*", words.unknown),
        };
        games.push((ListRow::with_opening(context, page, game), is_white, result));
    }
    Ok(games)
}

/// The curve of ratings; empty with fewer than two.
fn rating(page: &Page, ratings: &[MonthRating]) -> String {
    let Some((best, last)) = best_and_last(ratings).filter(|_| ratings.len() > 1) else {
        return String::new();
    };
    let words = page.words;
    let place = |of: &MonthRating| {
        let month = f64::from(of.month.unwrap_or(1).clamp(1, 12) - 1) / 12.0;
        (f64::from(of.year) + month, f64::from(of.rating))
    };
    let points: Points = ratings.iter().map(place).collect();
    let range = format!("{} {}–{}", ratings[0].rating, ratings[0].year, last.year);
    let highest = format!("{} {} ({})", words.highest, best.rating, best.year);
    let title = format!("{}: {range}; {highest}; {} {}", words.rating, words.latest, last.rating);
    let name = last.rating.to_string();
    let shapes =
        vec![Shape::Steps(name, points), Shape::Mark(place(best), format!("{}, {}", best.rating, best.year))];
    let panels = vec![Panel::new(Unit::Rating, 180.0, shapes)];
    Chart { language: page.language, title, panels }.svg(760.0)
}

/// The curves of scores with White and Black; empty with fewer than two years.
pub(super) fn score_by_year(page: &Page, profile: &PlayerProfile) -> String {
    let words = page.words;
    let points = |years: &[YearScore]| -> Points {
        let point = |of: &YearScore| Some((f64::from(of.year?), of.score.percent?));
        years.iter().filter_map(point).collect()
    };
    let lines = [points(&profile.years_as_white), points(&profile.years_as_black)];
    if lines.iter().all(|points| points.len() < 2) {
        return String::new();
    }
    let range = |name: &str, points: &Points| {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
        format!("; {name} {:.0}–{:.0}: {:.0}–{:.0}%", first.0, last.0, first.1, last.1)
    };
    let [white, black] = lines;
    let title = words.score_by_year.to_owned() + &range(words.white, &white) + &range(words.black, &black);
    let shapes = vec![
        Shape::Line("line", words.white.to_owned(), white),
        Shape::Line("second", words.black.to_owned(), black),
    ];
    let panel = Panel { base: Some(50.0), ..Panel::new(Unit::Percent, 150.0, shapes) };
    Chart { language: page.language, title, panels: vec![panel] }.svg(640.0)
}

/// Bars of games by year and colour; empty with fewer than two years.
pub(super) fn games_by_year(page: &Page, profile: &PlayerProfile) -> String {
    let words = page.words;
    let known = |of: &YearScore| of.score.known().iter().sum::<u64>();
    let both = || profile.years_as_white.iter().chain(&profile.years_as_black);
    let reach = both().map(known).max().map(|games| games as f64);
    let panel = |name, is_down, years: &[YearScore]| {
        let bar = |of: &YearScore| {
            let [won, drawn, lost] = [of.score.wins, of.score.draws, of.score.losses];
            let title = format!("{}: +{won} ={drawn} −{lost}", of.year?);
            Some((f64::from(of.year?), [won, drawn, lost], title))
        };
        let bars = vec![Shape::Bars(years.iter().filter_map(bar).collect())];
        Panel { name, is_down, reach, ..Panel::new(Unit::Games, 75.0, bars) }
    };
    if profile.years_as_white.len().max(profile.years_as_black.len()) < 2 {
        return String::new();
    }
    let panels = vec![
        panel(words.white, false, &profile.years_as_white),
        panel(words.black, true, &profile.years_as_black),
    ];
    let most = both().max_by_key(|of| of.score.games);
    let most = most.map_or(String::new(), |of| {
        format!(": {} ({})", page.language.games(of.score.games), of.year.unwrap_or_default())
    });
    let years = both().filter_map(|of| of.year);
    let [first, last] = [years.clone().min(), years.max()].map(Option::unwrap_or_default);
    let title = format!("{}, {first}–{last}; {}{most}", words.games_by_year, words.most);
    Chart { language: page.language, title, panels }.svg(640.0)
}
