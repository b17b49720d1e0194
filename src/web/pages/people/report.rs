//! `GET /report`: a report on a player or on games of the archive.

use askama::Template;

use super::{
    super::{
        filters::Filters,
        list::{filter, player_name},
        names::name_link,
    },
    Address, Answer, Messages, Page, RequestContext, Result, answer,
    player::{games_by_year, score_by_year},
    rows::{ScoreCard, ScoreRow, band, performance},
};
use crate::{
    present::{
        names::UnknownName,
        numbered::from_first_move,
        report::{difference_name, length_name, period_name},
    },
    report::{LineScore, Overview, PlayedFamily, PlayerName, PlayerReport, Results, Score},
    web::{
        api::{REPORT_LINES, Report, report_of},
        parameters::NAMES,
    },
};

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    page: Page,
    filters: Filters,
    /// The subject of the report.
    head: String,
    games: u64,
    is_of_player: bool,
    /// If no game matches: the names in the filter that no game has.
    unknown: Vec<UnknownName>,
    /// Matching names, if there are several.
    names: &'a [PlayerName],
    cards: Vec<ScoreCard>,
    /// The charts of a player as SVG, with their titles; a chart may be empty.
    charts: Vec<(&'static str, String)>,
}

pub(in crate::web) fn report(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    if let Some(moved) = moved(&page.address) {
        return Answer::redirect(&moved.to_string());
    }
    let filter = filter(page)?;
    let words = page.words;
    let found = report_of(context, &filter, REPORT_LINES)?;
    let (head, games, names, mut cards, charts) = match &found {
        Report::Player(of) => {
            let only = of.names.first().filter(|_| of.different_names == 1);
            let head = player_name(only.map_or(&of.player, |only| &only.name));
            let names = if only.is_none() { of.names.as_slice() } else { &[] };
            let charts = vec![
                (words.score_by_year, score_by_year(page, &of.profile)),
                (words.games_by_year, games_by_year(page, &of.profile)),
            ];
            (head, of.games, names, of_player(page, of), charts)
        }
        Report::Overview(of) => {
            let games = of.results.counts.games;
            (words.report.to_owned(), games, &[][..], of_games(page, of), Vec::new())
        }
    };
    cards.retain(|card| games > 0 && !card.rows.is_empty());
    answer(&ReportPage {
        page: page.titled(&head),
        filters: Filters::of(&page.address, page.language, true),
        head,
        games,
        is_of_player: matches!(found, Report::Player(_)),
        unknown: if games == 0 { filter.unknown_names(context.archive)? } else { Vec::new() },
        names,
        cards,
        charts,
    })
}

/// The own page of a player or an event that is all that a URL names, or of a player with the chosen names.
fn moved(address: &Address) -> Option<Address> {
    let own = address.without(&["lang"]);
    let mut parameters = own.parameters().iter();
    let (Some((kind @ ("player" | "event" | NAMES), pattern)), None) = (parameters.next(), parameters.next())
    else {
        return None;
    };
    let kind = if kind == NAMES { "player" } else { kind };
    let whole = pattern.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    name_link(address, kind, whole.filter(|name| !name.contains('"')).unwrap_or(pattern))
}

/// The row of a player's score, with opponents and performance.
fn row(page: &Page, name: &str, link: Option<Address>, score: &Score) -> ScoreRow {
    ScoreRow::of_player(page, name, link, score).with(score.mean_opponent).with(performance(score))
}

/// The tables of a player.
fn of_player(page: &Page, of: &PlayerReport) -> Vec<ScoreCard> {
    let words = page.words;
    let games = page.address.to_path("/games");
    let colours = [(words.white, "white", &of.white), (words.black, "black", &of.black)];
    let colours = colours.into_iter().filter(|(.., score)| score.games > 0);
    let colours =
        colours.map(|(name, colour, score)| row(page, name, Some(games.with("colour", colour)), score));
    let bands = of.opponents.iter().map(|of| row(page, &band(page, of), None, &of.results));
    let years = of.years.iter().map(|of| match of.year {
        Some(year) => row(page, &year.to_string(), Some(games.with("date", year)), &of.score),
        None => row(page, words.unknown, None, &of.score),
    });
    let openings = |of: &[PlayedFamily<Score>], colour: &str| -> Vec<ScoreRow> {
        let link = |family: &str| games.with("colour", colour).with("opening", family);
        let family =
            |of: &PlayedFamily<Score>| row(page, of.family.unwrap_or("–"), of.family.map(link), &of.results);
        of.iter().map(family).collect()
    };
    let lines = |of: &[LineScore], colour: &str| -> Vec<ScoreRow> {
        let flip = if colour == "black" { "1" } else { "" };
        let explorer = page.address.to_path("/explorer").with("colour", colour).with("flip", flip);
        let line = |path: &Vec<&LineScore>| {
            let play: Option<Vec<&str>> = path.iter().map(|line| line.uci.as_deref()).collect();
            let link = play.map(|play| explorer.with("play", play.join(",")));
            Some(row(page, &line_name(path, words), link, &path.last()?.score))
        };
        LineScore::paths(of).iter().filter_map(line).collect()
    };
    let heads = |what| vec![what, words.player_results, words.opponents, words.performance];
    let card = |title, what, rows| ScoreCard::new(title, heads(what), rows);
    vec![
        card(
            words.by_colour,
            words.colour,
            colours.chain([row(page, words.both, None, &of.total)]).collect(),
        ),
        card(words.openings_as_white, words.opening, openings(&of.openings_as_white.families, "white")),
        card(words.openings_as_black, words.opening, openings(&of.openings_as_black.families, "black")),
        card(words.lines_as_white, words.a_move, lines(&of.lines_as_white, "white")),
        card(words.lines_as_black, words.a_move, lines(&of.lines_as_black, "black")),
        card(words.by_rating, words.rating, bands.collect()),
        card(words.by_year, words.year, years.collect()),
    ]
}

/// The moves of a line with their numbers. Rare first moves of White count together, with an empty name; then only the
/// reply follows.
fn line_name(path: &[&LineScore], words: &Messages) -> String {
    let moves: Vec<&str> = path.iter().map(|line| line.san.as_deref().unwrap_or_default()).collect();
    match moves.as_slice() {
        [""] => words.other_first_moves.to_owned(),
        ["", reply, ..] => format!("{}: 1... {reply}", words.other_first_moves),
        moves => from_first_move(moves),
    }
}

/// The tables of all games.
fn of_games(page: &Page, of: &Overview) -> Vec<ScoreCard> {
    let words = page.words;
    let games = page.address.to_path("/games");
    let row =
        |name: &str, link: Option<Address>, of: &Results| ScoreRow::of_games(page, name, link, &of.counts);
    let all = row(words.all_moves, Some(games.clone()), &of.results);
    let differences = of.rating_differences.iter().map(|of| match (of.from, of.to) {
        (None, None) => row(words.unrated, None, &of.results),
        _ => row(&difference_name(of), None, &of.results),
    });
    let lengths = of.lengths.bands.iter().map(|of| {
        // Lengths count White's moves; Black has as many moves, or one fewer.
        let least = (2 * of.from).saturating_sub(1);
        let plies = of.to.map_or(format!("{least}.."), |to| format!("{least}..{}", 2 * to));
        row(&length_name(of), Some(games.with("plies", plies)), &of.results)
    });
    let periods = of.periods.iter().map(|of| match of.from.zip(of.to) {
        Some((from, to)) => {
            row(&period_name(of), Some(games.with("date", format!("{from}..{to}"))), &of.results)
        }
        None => row(words.unknown, None, &of.results),
    });
    let families = of.families.iter().map(|of| {
        let link = of.family.map(|family| games.with("opening", family));
        row(of.family.unwrap_or("–"), link, &of.results)
    });
    let endings = of.endings.iter();
    let endings = endings.map(|of| row(of.ending.as_deref().unwrap_or(words.more_pieces), None, &of.results));
    let card = |title, what, rows| ScoreCard::new(title, vec![what, words.results], rows);
    vec![
        card(words.all_results, words.games, vec![all]),
        card(words.by_difference, words.rating, differences.collect()),
        card(words.by_length, words.movetext, lengths.collect()),
        card(words.by_year, words.year, periods.collect()),
        card(words.openings, words.opening, families.collect()),
        card(words.endings, words.pieces, endings.collect()),
    ]
}
