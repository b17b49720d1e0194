//! `GET /report`: what a player does, or what becomes of the games of the archive.

use askama::Template;
use axum::response::Response;

use super::{
    address::Address,
    filters::Filters,
    layout::{Page, Request, rendered, respond},
    list::{filter, tag},
    report_tables::{ReportTable, overview_tables, player_tables},
    unknown::Unknown,
    words::Words,
};
use crate::{
    present::report::{PictureWords, overview_picture, player_picture},
    printable,
    record::StoredGame,
    report::{Overview, PlayerReport},
    web::{
        Asked, Failure, Question,
        api::{REPORT_LINES, Report, report_of},
    },
};

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    page: Page,
    filters: Filters,
    /// Whose games they are.
    head: String,
    /// How many.
    total: String,
    /// Where there are none, the names of the filter that no game has.
    unknown: Vec<Unknown>,
    /// Names that match, with their games and their own reports, where they are several.
    names: Vec<(String, String, Address)>,
    /// Where the page leads, with names.
    leads: Vec<(Address, &'static str)>,
    tables: Vec<ReportTable>,
    /// As SVG.
    picture: String,
    api: Address,
}

pub(in crate::web) async fn report(question: Question) -> Response {
    respond(question, |_, asked, request| write(asked, request)).await
}

fn write(asked: &Asked<'_>, request: &Request) -> Result<String, Failure> {
    let filter = filter(request)?;
    let (games, mut page) = match report_of(asked, &filter, REPORT_LINES)? {
        Report::Player(told) => (told.games, of_player(request, &told)),
        Report::Overview(told) => (told.results.counts.games, of_games(request, &told)),
    };
    if games == 0 {
        page.unknown = Unknown::of(asked, request, &filter)?;
    }
    rendered(&page)
}

fn of_player(request: &Request, told: &PlayerReport) -> ReportPage {
    let (words, address) = (request.words(), &request.address);
    let only = told.names.first().filter(|_| told.different_names == 1);
    let head = printable::line(only.map_or(&told.player, |only| &only.name)).into_owned();
    let own = |name: &str| address.with("player", format!("\"{}\"", name.replace('"', "")));
    let names =
        told.names.iter().filter(|_| only.is_none()).map(|of| {
            (printable::line(&of.name).into_owned(), request.language.games(of.games), own(&of.name))
        });
    let explorer = address.without(&["colour", "color"]).to_path("/explorer");
    let leads = [
        (address.to_path("/games"), words.games),
        (explorer.with("colour", "white"), words.explorer_as_white),
        (explorer.with("colour", "black").with("flip", "1"), words.explorer_as_black),
    ];
    ReportPage {
        page: request.page(&head),
        filters: Filters::of(address, request.language, true),
        head,
        total: request.language.games(told.games),
        unknown: Vec::new(),
        names: names.collect(),
        leads: leads.into_iter().filter(|_| told.games > 0).collect(),
        tables: if told.games > 0 { player_tables(request, told) } else { Vec::new() },
        picture: player_picture(told, &picture_words(words)),
        api: address.without(&["lang"]).to_path("/api/v1/report"),
    }
}

fn of_games(request: &Request, told: &Overview) -> ReportPage {
    let (words, address) = (request.words(), &request.address);
    let leads = [(address.to_path("/games"), words.games), (address.to_path("/explorer"), words.explorer)];
    let is_any = told.results.counts.games > 0;
    ReportPage {
        page: request.page(words.report),
        filters: Filters::of(address, request.language, true),
        head: words.report.to_owned(),
        total: request.language.games(told.results.counts.games),
        unknown: Vec::new(),
        names: Vec::new(),
        leads: leads.into_iter().filter(|_| is_any).collect(),
        tables: if is_any { overview_tables(request, told) } else { Vec::new() },
        picture: overview_picture(told, &picture_words(words)),
        api: address.without(&["lang"]).to_path("/api/v1/report"),
    }
}

fn picture_words(words: &'static Words) -> PictureWords {
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

/// The players of a game, with their reports.
pub(super) fn of_players(request: &Request, game: &StoredGame) -> Vec<(String, Address)> {
    let names = ["White", "Black"].into_iter().filter_map(|name| tag(&game.tags, name));
    // A name with such marks cannot be asked for as a whole.
    let names = names.filter(|name| !name.contains('"'));
    let link = |name: &str| {
        let whole = format!("\"{}\"", name.replace('"', ""));
        (printable::line(name).into_owned(), request.link("/report").with("player", whole))
    };
    names.map(link).collect()
}
