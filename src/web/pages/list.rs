//! A list of games on a page: a table with sortable columns, and links to its other pages.

use super::{
    address::Address,
    filters::{Filters, ORDER, POSITION},
    from_list::FromList,
    layout::Page,
    messages::Messages,
    reasons,
};
use crate::{
    archive::{CountedName, Summary},
    chess::Tags,
    present::{FilterText, matched_names::MatchedNames, unknown_name::UnknownName},
    printable,
    query::Search,
    web::{AppState, Failure, RequestContext, api, parameters::Parameters},
};

/// Page parameters that do not select games.
pub(super) const OWN: [&str; 6] = ["after", "by", "flip", "lang", "san", "ply"];

/// A page of a list.
#[derive(Debug)]
pub(super) struct List {
    /// The id of the table.
    pub(super) id: &'static str,
    /// Whether there is space for all columns.
    pub(super) is_wide: bool,
    pub(super) address: Address,
    pub(super) heads: Vec<ColumnHeader>,
    /// The games, with links to their pages.
    pub(super) rows: Vec<(Summary, Address)>,
    /// The number of games on all pages.
    pub(super) games: u64,
    /// If no game matches: the names in the filter that no game has.
    pub(super) unknown: Vec<UnknownName>,
    /// The matched names, if there is more than one.
    pub(super) matched: Vec<MatchedNames>,
    /// The first page, unless this is it.
    pub(super) first: Option<Address>,
    pub(super) next: Option<Address>,
    /// All these games as PGN.
    pub(super) export: Address,
    /// The report on these games.
    pub(super) report: Address,
}

/// The heading of a column.
#[derive(Debug)]
pub(super) struct ColumnHeader {
    pub(super) label: &'static str,
    pub(super) class: &'static str,
    /// The link that sorts by it, if games can be sorted by it.
    pub(super) sort: Option<Address>,
    /// `ascending` or `descending`, if games are sorted by it.
    pub(super) sorted: Option<&'static str>,
}

/// The filter in a URL, and its search conditions.
pub(super) fn filter(page: &Page) -> Result<(FilterText, Option<Search>), Failure> {
    let filter = api::filter(&Parameters::of(page.address.parameters()), &OWN)?;
    let search = reasons::search(&filter, page.language)?;
    Ok((filter, search))
}

impl List {
    /// A page of `limit` games that match a filter.
    pub(super) fn new(
        app: &AppState,
        context: &RequestContext<'_>,
        page: &Page,
        (filter, search): (&FilterText, Option<&Search>),
        limit: usize,
        is_wide: bool,
    ) -> Result<List, Failure> {
        let address = &page.address;
        let after = api::after(address.get("after"))?;
        let found = api::games_page(app, context, filter, after, limit)?;
        let from = FromList::of(address, filter, search, context)?;
        let flip = from.is_flipped();
        let row = |game: Summary| {
            let link = from.link(page, context, game.id, flip);
            (game, link)
        };
        let chosen = [&Filters::names()[..], &POSITION, &ORDER].concat();
        Ok(List {
            // If the page shows more than the list, the games are one section of it.
            id: if is_wide { "games" } else { "games-table" },
            is_wide,
            address: address.clone(),
            heads: heads(page.words, &address.without(&["after"]), filter, is_wide),
            rows: found.games.into_iter().map(row).collect(),
            games: found.total,
            unknown: if found.total == 0 { filter.unknown_names(context.archive)? } else { Vec::new() },
            matched: api::matched_names(app, context, filter)?,
            first: after.map(|_| address.without(&["after"])),
            next: found.next.map(|next| address.with("after", next)),
            export: address.to("/api/v1/export", &chosen),
            report: address
                .to("/report", &chosen)
                .without(&ORDER)
                .with("lang", address.get("lang").unwrap_or("")),
        })
    }
}

fn heads(
    words: &'static Messages,
    address: &Address,
    filter: &FilterText,
    is_wide: bool,
) -> Vec<ColumnHeader> {
    let by = filter.sort.as_deref().unwrap_or("id");
    let head = |label, sort: &str, class| {
        let is_sorted = sort == by;
        // People look first for the strongest and the latest games.
        let falls = if is_sorted { !filter.desc } else { matches!(sort, "elo" | "date" | "plies") };
        let link = address.with("sort", sort).with("desc", if falls { "yes" } else { "" });
        let sorted = is_sorted.then_some(if filter.desc { "descending" } else { "ascending" });
        ColumnHeader { label, class, sort: (!sort.is_empty()).then_some(link), sorted }
    };
    let of_wide = |heads: Vec<ColumnHeader>| if is_wide { heads } else { Vec::new() };
    let mut heads = of_wide(vec![head(words.game, "id", "num wide")]);
    heads.extend([
        head(words.white, "white", ""),
        head(words.rating, "elo", "num wide"),
        head(words.black, "black", ""),
        head(words.rating, "", "num wide"),
        head(words.result, "result", ""),
        head(words.date, "date", "num"),
    ]);
    heads.extend(of_wide(vec![
        head(words.event, "event", "wide"),
        head(words.site, "site", "wide"),
        head(words.eco, "eco", "wide"),
        head(words.plies, "plies", "num wide"),
    ]));
    heads
}

/// The names that match a parameter, and similar ones, each with a label.
pub(super) fn named<'a>(
    matched: &'a MatchedNames,
    words: &Messages,
) -> [(&'static str, &'a [CountedName]); 2] {
    let label = match matched.parameter {
        "opponent" => words.opponent,
        "white" => words.white,
        "black" => words.black,
        _ => words.player,
    };
    [(label, &matched.names), (words.similar_names, &matched.similar)]
}

/// The value of a tag as a page shows it.
pub(super) fn shown(text: Option<&str>) -> String {
    text.map(|text| printable::line(text).into_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "?".to_owned())
}

/// The value of a tag of a game, unless it is empty or unknown.
pub(super) fn tag<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    tags.get(name).filter(|value| !matches!(*value, "" | "?" | "-" | "????.??.??"))
}
