//! `GET /` and `GET /explorer`: a position, the moves played there, and the games that reach it.

use askama::Template;

use super::{
    Address, Answer, Board, Page, RequestContext, Result,
    address::OWN,
    answer,
    explorer_moves::{MoveTable, Order},
    explorer_years::Years,
    filters::{ActiveFilter, Chip, Filters, chips},
    from_list::in_usual_order,
    line::ExplorerLine,
    list::{List, filter},
};
use crate::{
    chess::Variant,
    present::{
        FilterText,
        archive_info::{ArchiveInfo, archive_info},
    },
    printable,
    query::OpeningName,
    web::api,
};

/// Games listed below a position.
const GAMES: usize = 15;

#[derive(Template)]
#[template(path = "explorer.html")]
struct ExplorerPage {
    page: Page,
    board: Board,
    line: ExplorerLine,
    /// The opening of the line, and its page.
    opening: Option<(OpeningName, Address)>,
    /// The address of the position, without a cursor in its list of games.
    address: Address,
    table: MoveTable,
    list: List,
    chips: Vec<Chip>,
    /// The active filters that no chip has.
    others: Vec<ActiveFilter>,
    /// The page without any filter, if there are some.
    none: Option<Address>,
    years: Option<Years>,
    /// The typed text that is not a legal move; empty if there is none.
    wrong: String,
    /// Games that match the filters and do not begin with the position of an empty line, with their lists.
    left_out: Vec<(String, Address)>,
    /// The archive summary, on the start page.
    info: Option<ArchiveInfo>,
}

impl ExplorerPage {
    /// The same from the other side of the board.
    fn flipped(&self) -> Address {
        let flip = if self.board.image.flip { "" } else { "1" };
        self.page.address.to_path("/explorer").with("flip", flip)
    }

    /// The address before the last move.
    fn back(&self) -> Address {
        let play = self.line.play();
        self.address.with("play", play.rsplit_once(',').map_or("", |(before, _)| before))
    }

    /// The address after a move.
    fn after(&self, uci: &str) -> Address {
        self.address.with("play", self.line.play_with(uci))
    }

    /// The same position with its games in another order.
    fn in_order(&self, sort: &str) -> Address {
        self.address.with("sort", sort).with("desc", if sort.is_empty() { "" } else { "yes" })
    }
}

pub(in crate::web) fn explorer(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    write(context, page, None)
}

/// The same for the start page, with the archive summary.
pub(in crate::web) fn start(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let info = archive_info(&context.app.name, context.query.with_index(Some(context.index)))?;
    write(context, page, Some(info))
}

fn write(context: &RequestContext<'_>, page: &Page, info: Option<ArchiveInfo>) -> Result<Answer> {
    let mut address = page.address.to_path("/explorer");
    let mut line = ExplorerLine::read(&address)?;
    let typed = address.get("san").map(str::to_owned).unwrap_or_default();
    address.set("san", "");
    let is_wrong = !typed.is_empty() && !line.play_typed(&typed);
    address.set("play", &line.play());
    let opening = OpeningName::of(&line.positions);
    let title = opening.as_ref().map_or(page.words.explorer, |opening| opening.name);
    let title = info.as_ref().map_or(title, |info| &info.name);
    let shown = Page { address: address.to_path(page.address.path()), ..page.titled(title) };
    let page = Page { address: address.clone(), ..page.clone() };
    let filter = filter(&page)?;
    let table = MoveTable::new(context, &page, &line, &filter)?;
    let years = Years::new(context, &page, &line, &filter)?;
    let mut list = list(context, &page, &filter)?;
    let others = list.games.saturating_sub(table.answer.results.games);
    let left_out = left_out(context, &page, line.variant, others)?;
    if !left_out.is_empty() {
        let page = Page { address: address.with("fen", line.root()), ..page.clone() };
        list = self::list(context, &page, &self::filter(&page)?)?;
    }
    let board = Board::new(page.words, line.position(), line.variant, line.last());
    let mut board = board.with_moves(&table.arrows());
    board.image.flip = address.get("flip").is_some();
    let bare = address.without(&["after"]);
    let filters = Filters::of(&address, page.language, false);
    answer(&ExplorerPage {
        board,
        opening: opening.map(|opening| (opening.clone(), page.name_link("opening", opening.name))),
        chips: chips(&page, &filters, years.as_ref()),
        none: (!filters.active.is_empty()).then_some(filters.none),
        others: Chip::others(filters.active),
        wrong: if is_wrong { printable::line(&typed).into_owned() } else { String::new() },
        address: bare,
        page: shown,
        left_out,
        table,
        list,
        years,
        line,
        info,
    })
}

/// The games below the position, the strongest ones first unless the reader chose another order.
fn list(context: &RequestContext<'_>, page: &Page, filter: &FilterText) -> Result<List> {
    List::new(context, page, &in_usual_order(filter.clone(), "/explorer"), GAMES, false)
}

/// The `games` games that match the filters and do not begin with the start position, as texts with links to them: by
/// other variants, and those that begin with another position.
fn left_out(
    context: &RequestContext<'_>,
    page: &Page,
    variant: Variant,
    games: u64,
) -> Result<Vec<(String, Address)>> {
    if games == 0 {
        return Ok(Vec::new());
    }
    let all = page.address.without(&["after", "by", "flip"]).to_path("/games");
    let (mut left_out, mut set_up) = (Vec::new(), games);
    let is_any = all.get("variant").is_none();
    let variants = context.archive.maintenance().extent()?.variants.into_iter();
    for other in variants.map(|of| of.variant).filter(|other| is_any && *other != variant.name()) {
        let list = all.with("variant", other);
        let filter = api::filter(list.parameters(), &OWN)?;
        let games = context.list(&filter)?.len() as u64;
        if games > 0 {
            set_up = set_up.saturating_sub(games);
            left_out.push((format!("{} {other}", page.language.number(games)), list));
        }
    }
    if set_up > 0 {
        let list = all.with("variant", variant.name()).with("tag", "FEN");
        left_out.push((format!("{} {}", page.language.number(set_up), page.words.set_up_games), list));
    }
    Ok(left_out)
}
