//! `GET /` and `GET /explorer`: a position, the moves played there, and the games that reach it.

use askama::Template;
use axum::response::Response;

use super::{
    address::Address,
    bar::Bar,
    board::Board,
    filters::Filters,
    from_list::strongest_first,
    layout::{Page, rendered, respond},
    line::ExplorerLine,
    list::{List, filter},
};
use crate::{
    present::{
        FilterText,
        archive_info::{ArchiveInfo, archive_info},
    },
    printable,
    query::{self, Exploration, OpeningName, Results},
    web::{AppState, Failure, Question, RequestContext},
};

/// Games listed below a position.
const GAMES: usize = 15;

#[derive(Template)]
#[template(path = "explorer.html")]
struct ExplorerPage {
    page: Page,
    board: Board,
    line: ExplorerLine,
    /// The address of the position, without a cursor in its list of games.
    address: Address,
    answer: Exploration,
    list: List,
    filters: Filters,
    /// The typed text that is not a legal move; empty if there is none.
    wrong: String,
    flipped: Address,
    all_games: Address,
    editor: Address,
    /// The archive summary, on the start page.
    info: Option<ArchiveInfo>,
}

impl ExplorerPage {
    /// The address after a move.
    fn after(&self, uci: &str) -> Address {
        self.address.with("play", self.line.play_with(uci))
    }

    /// The number of games that continued from here.
    fn went_on(&self) -> u64 {
        self.answer.results.games - self.answer.ended_here
    }

    /// The results of the games that continued from here.
    fn ends(&self) -> [u64; 3] {
        let mut sum = Results::default();
        self.answer.moves.iter().for_each(|m| sum.merge(&m.results));
        sum.known()
    }

    fn bar(&self, results: [u64; 3]) -> Bar {
        let words = self.page.words;
        Bar::new(self.page.language, [words.white_wins, words.draws, words.black_wins], results)
    }
}

pub(in crate::web) async fn explorer(question: Question) -> Response {
    respond(question, |app, context, page| write(app, context, page, None)).await
}

/// The same for the start page, with the archive summary.
pub(in crate::web) async fn start(question: Question) -> Response {
    respond(question, |app, context, page| {
        let info = archive_info(&app.name, context.archive, context.index)?;
        write(app, context, page, Some(info))
    })
    .await
}

fn write(
    app: &AppState,
    context: &RequestContext<'_>,
    page: &Page,
    info: Option<ArchiveInfo>,
) -> Result<String, Failure> {
    let mut address = page.address.to_path("/explorer");
    let mut line = ExplorerLine::read(&address)?;
    let typed = address.get("san").map(str::to_owned).unwrap_or_default();
    address.set("san", "");
    let is_wrong = !typed.is_empty() && !line.play_typed(&typed);
    address.set("play", &line.play());
    let title = info.as_ref().map_or(page.words.explorer, |info| &info.name);
    let shown = Page { address: address.to_path(page.address.path()), ..page.titled(title) };
    let page = Page { address: address.clone(), ..page.clone() };
    let (filter, search) = filter(&page)?;
    let explored = explored(context, &line, &filter)?;
    let filter = strongest_first(filter);
    let flip = address.get("flip").is_some();
    rendered(&ExplorerPage {
        board: Board::new(page.words, line.position(), line.variant, line.last(), Vec::new(), flip),
        address: address.without(&["after"]),
        answer: explored,
        list: List::new(app, context, &page, (&filter, search.as_ref()), GAMES, false)?,
        filters: Filters::of(&address, page.language, false),
        wrong: if is_wrong { printable::line(&typed).into_owned() } else { String::new() },
        flipped: address.with("flip", if flip { "" } else { "1" }),
        all_games: address.without(&["after", "flip"]).to_path("/games"),
        editor: page.link("/editor").with("fen", line.fen()),
        line,
        page: shown,
        info,
    })
}

/// The moves that games matching a filter played at the end of a line.
fn explored(
    context: &RequestContext<'_>,
    line: &ExplorerLine,
    filter: &FilterText,
) -> Result<Exploration, Failure> {
    let (archive, index) = (context.archive, context.index.if_any());
    let mut filter = filter.clone();
    (filter.sort, filter.desc) = (None, false);
    filter.clear("position");
    let filter = filter.filter(archive, index, |_| context.watch())?.ok_or(Failure::Unwanted)?;
    let watch = |_| context.watch();
    let answer = query::explore_with_transpositions(archive, index, line.position(), &filter, watch)?;
    answer.ok_or(Failure::Unwanted)
}
