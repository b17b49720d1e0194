//! `GET /` and `GET /explorer`: a position, what was played there, and the games that come to it.

use askama::Template;
use axum::response::Response;

use super::{
    address::Address,
    board::Board,
    filters::Filters,
    layout::{Page, Request, rendered, respond},
    line::{Line, LineMove},
    list::{List, filter},
    move_table::MoveTable,
};
use crate::{
    present::{self, FilterText, games::known_date},
    printable,
    query::{self, Exploration, OpeningName},
    web::{AppState, Asked, Failure, Question},
};

/// Games that are listed below a position.
const GAMES: usize = 15;

#[derive(Template)]
#[template(path = "explorer.html")]
struct ExplorerPage {
    page: Page,
    board: Board,
    line: Vec<LineMove>,
    /// The position where the line begins, in FEN, and its address.
    root: String,
    to_root: Address,
    /// The moves of the line, as addresses have them.
    play: String,
    opening: Option<OpeningName>,
    table: MoveTable,
    games: u64,
    list: List,
    filters: Filters,
    /// What was typed and is no move; empty if nothing was.
    wrong: String,
    flipped: Address,
    all_games: Address,
    editor: Address,
    summary: Option<Summary>,
}

/// The archive in few words.
struct Summary {
    name: String,
    games: String,
    dates: String,
}

pub(in crate::web) async fn explorer(question: Question) -> Response {
    respond(question, |app, asked, request| write(app, asked, request, None)).await
}

/// The same at the start, with what the archive is.
pub(in crate::web) async fn start(question: Question) -> Response {
    respond(question, |app, asked, request| {
        let summary = Summary::new(app, asked, request)?;
        write(app, asked, request, Some(summary))
    })
    .await
}

impl Summary {
    fn new(app: &AppState, asked: &Asked<'_>, request: &Request) -> Result<Summary, Failure> {
        let info = present::archive_info::archive_info(&app.name, asked.archive, asked.index)?;
        let dates = [&info.first_date, &info.last_date].into_iter().flatten();
        let dates: Vec<&str> = dates.map(|text| known_date(text)).collect();
        Ok(Summary {
            name: printable::line(&info.name).into_owned(),
            games: request.language.games(info.games),
            dates: dates.join(" – "),
        })
    }
}

fn write(
    app: &AppState,
    asked: &Asked<'_>,
    request: &Request,
    summary: Option<Summary>,
) -> Result<String, Failure> {
    let words = request.words();
    let mut address = request.address.to_path("/explorer");
    let mut line = Line::read(&address)?;
    let typed = address.get("san").map(str::to_owned).unwrap_or_default();
    address.set("san", "");
    let is_wrong = !typed.is_empty() && !line.play_typed(&typed);
    address.set("play", &line.play());
    let title = summary.as_ref().map_or(words.explorer, |summary| &summary.name);
    let page = Request { address: address.to_path(request.address.path()), ..*request }.page(title);
    let request = Request { address: address.clone(), ..*request };
    let mut filter = filter(&request)?;
    let told = explored(asked, &line, &filter)?;
    // People look for the strongest games first.
    if filter.sort.is_none() {
        (filter.sort, filter.desc) = (Some("elo".to_owned()), true);
    }
    let after = |uci: &str| address.without(&["after"]).with("play", line.play_with(uci));
    let flip = address.get("flip").is_some();
    rendered(&ExplorerPage {
        board: Board::new(words, line.position(), line.variant, line.last(), Vec::new(), flip),
        line: line.moves(&address.without(&["after"])),
        root: line.root(),
        to_root: address.without(&["after", "play"]),
        play: line.play(),
        opening: OpeningName::of(&line.positions),
        table: MoveTable::new(&told, request.language, after),
        games: told.results.games,
        list: List::new(app, asked, &request, &filter, GAMES, false)?,
        filters: Filters::of(&address, request.language, false),
        wrong: if is_wrong { printable::line(&typed).into_owned() } else { String::new() },
        flipped: address.with("flip", if flip { "" } else { "1" }),
        all_games: address.without(&["after", "flip"]).to_path("/games"),
        editor: request.link("/editor").with("fen", line.fen()),
        page,
        summary,
    })
}

/// What the games that pass a filter played in the position at the end of a line.
fn explored(asked: &Asked<'_>, line: &Line, filter: &FilterText) -> Result<Exploration, Failure> {
    let (archive, index) = (asked.archive, asked.index.if_any());
    let mut filter = filter.clone();
    (filter.sort, filter.desc) = (None, false);
    filter.clear("position");
    let filter = filter.filter(archive, index, |_| asked.watch())?.ok_or(Failure::Unwanted)?;
    let watch = |_| asked.watch();
    let told = query::explore_with_transpositions(archive, index, line.position(), &filter, watch)?;
    told.ok_or(Failure::Unwanted)
}
