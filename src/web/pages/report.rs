//! `GET /report`: a report on a player or on games of the archive.

use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};

use super::{
    address::Address,
    filters::Filters,
    layout::{Page, rendered, respond},
    list::filter,
    messages::Messages,
    names::name_link,
    report_tables::{ReportTable, overview_tables, player_tables},
};
use crate::{
    present::{
        names::UnknownName,
        report::{PictureWords, overview_picture, player_picture},
    },
    printable,
    report::{Overview, PlayerReport},
    web::{
        Failure, Question, RequestContext,
        api::{REPORT_LINES, Report, report_of},
    },
};

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    page: Page,
    filters: Filters,
    /// The subject of the report.
    head: String,
    /// The number of games.
    total: String,
    /// If no game matches: the names in the filter that no game has.
    unknown: Vec<UnknownName>,
    /// Matching names, with their games and their own reports, if there are several.
    names: Vec<(String, String, Address)>,
    /// Other pages about these games, with names.
    leads: Vec<(Address, &'static str)>,
    tables: Vec<ReportTable>,
    /// The chart as SVG.
    picture: String,
    api: Address,
}

pub(in crate::web) async fn report(question: Question) -> Response {
    if let Some(moved) = moved(&Address::of(&question.address)) {
        return Redirect::to(&moved.to_string()).into_response();
    }
    respond(question, |_, context, page| write(context, page)).await
}

/// The own page of a player or an event that is all that a URL names.
fn moved(address: &Address) -> Option<Address> {
    let own = address.without(&["lang"]);
    let mut parameters = own.parameters();
    let (Some((kind @ ("player" | "event"), pattern)), None) = (parameters.next(), parameters.next()) else {
        return None;
    };
    let whole = pattern.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    name_link(address, kind, whole.filter(|name| !name.contains('"')).unwrap_or(pattern))
}

fn write(context: &RequestContext<'_>, page: &Page) -> Result<String, Failure> {
    let (filter, _) = filter(page)?;
    let (games, mut report) = match report_of(context, &filter, REPORT_LINES)? {
        Report::Player(answer) => (answer.games, of_player(page, &answer)),
        Report::Overview(answer) => (answer.results.counts.games, of_games(page, &answer)),
    };
    if games == 0 {
        report.unknown = filter.unknown_names(context.archive)?;
        report.leads.clear();
        report.tables.clear();
    }
    rendered(&report)
}

fn of_player(page: &Page, answer: &PlayerReport) -> ReportPage {
    let (words, address) = (page.words, &page.address);
    let only = answer.names.first().filter(|_| answer.different_names == 1);
    let head = printable::line(only.map_or(&answer.player, |only| &only.name)).into_owned();
    let names = answer.names.iter().filter(|_| only.is_none()).map(|of| {
        (
            printable::line(&of.name).into_owned(),
            page.language.games(of.games),
            address.of_name("player", &of.name),
        )
    });
    let explorer = address.without(&["colour", "color"]).to_path("/explorer");
    let leads = [
        (address.to_path("/games"), words.games),
        (explorer.with("colour", "white"), words.explorer_as_white),
        (explorer.with("colour", "black").with("flip", "1"), words.explorer_as_black),
    ];
    ReportPage {
        page: page.titled(&head),
        filters: Filters::of(address, page.language, true),
        head,
        total: page.language.games(answer.games),
        unknown: Vec::new(),
        names: names.collect(),
        leads: leads.into(),
        tables: player_tables(page, answer),
        picture: player_picture(answer, &picture_words(words)),
        api: address.without(&["lang"]).to_path("/api/v1/report"),
    }
}

fn of_games(page: &Page, answer: &Overview) -> ReportPage {
    let (words, address) = (page.words, &page.address);
    let leads = [(address.to_path("/games"), words.games), (address.to_path("/explorer"), words.explorer)];
    ReportPage {
        page: page.titled(words.report),
        filters: Filters::of(address, page.language, true),
        head: words.report.to_owned(),
        total: page.language.games(answer.results.counts.games),
        unknown: Vec::new(),
        names: Vec::new(),
        leads: leads.into(),
        tables: overview_tables(page, answer),
        picture: overview_picture(answer, &picture_words(words)),
        api: address.without(&["lang"]).to_path("/api/v1/report"),
    }
}

fn picture_words(words: &'static Messages) -> PictureWords {
    PictureWords {
        games: words.many_games,
        score: [words.won, words.drawn, words.lost],
        results: [words.white_wins, words.draws, words.black_wins],
        years: words.by_year,
        opponents: words.by_rating,
        differences: words.by_difference,
        openings: words.openings,
        openings_as: [words.openings_as_white, words.openings_as_black],
    }
}
