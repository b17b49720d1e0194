//! A list of games on a page: a table with sortable columns, and links to its other pages.

use super::{
    Address, Messages, Page, RequestContext, Result,
    address::OWN,
    filters::{Filters, ORDER, POSITION},
    from_list::FromList,
    sorting::{Head, SORT, Sorting},
};
use crate::{
    archive::{CountedName, Summary},
    chess::{Date, Tags},
    openings::{Opening, Openings},
    present::{
        FilterText,
        names::{MatchedNames, UnknownName},
    },
    printable,
    query::{Cursor, opening_of},
    record::GameId,
    rules::{KnownOutcome, Outcome},
    web::api,
};

/// A page of a list.
#[derive(Debug)]
pub(super) struct List {
    pub(super) address: Address,
    pub(super) sorting: Sorting,
    pub(super) rows: Vec<ListRow>,
    /// Which columns have a value on this page.
    pub(super) has_elo: bool,
    pub(super) has_opening: bool,
    pub(super) has_event: bool,
    pub(super) has_date: bool,
    /// The number of games on all pages.
    pub(super) games: u64,
    /// If no game matches: the names in the filter that no game has.
    pub(super) unknown: Vec<UnknownName>,
    /// The matched names, if there is more than one.
    pub(super) matched: Vec<MatchedNames>,
    /// The number of this page, starting at 1, and of all pages.
    pub(super) pages: [u64; 2],
    /// The first page, unless this is it.
    pub(super) first: Option<Address>,
    pub(super) previous: Option<Address>,
    pub(super) next: Option<Address>,
    /// All these games as PGN.
    pub(super) export: Address,
    /// The report on these games.
    pub(super) report: Address,
    /// The explorer with these games.
    pub(super) explorer: Address,
}

/// A game of a list, with links to its pages.
#[derive(Debug)]
pub(super) struct ListRow {
    pub(super) game: Summary,
    pub(super) link: Address,
    /// White and Black.
    pub(super) sides: [Side; 2],
    pub(super) event: Option<Address>,
    /// The opening of the last named position, with its page.
    pub(super) opening: Option<(&'static Opening, Address)>,
}

/// A player of a game.
#[derive(Debug)]
pub(super) struct Side {
    /// For the style.
    pub(super) class: &'static str,
    pub(super) name: String,
    /// The page of the player, if there is a name.
    pub(super) link: Option<Address>,
    pub(super) elo: Option<i64>,
}

impl ListRow {
    pub(super) fn new(
        page: &Page,
        game: Summary,
        link: Address,
        opening: Option<&'static Opening>,
    ) -> ListRow {
        let known =
            |name: &Option<String>| name.clone().filter(|name| !matches!(name.as_str(), "" | "?" | "-"));
        let side = |class, name: &Option<String>, elo| Side {
            class,
            name: player(name.as_deref()),
            link: known(name).map(|name| page.name_link("player", &name)),
            elo,
        };
        ListRow {
            sides: [side("white", &game.white, game.white_elo), side("black", &game.black, game.black_elo)],
            event: known(&game.event).map(|name| page.name_link("event", &name)),
            opening: opening.map(|opening| (opening, page.name_link("opening", opening.name))),
            link,
            game,
        }
    }

    /// The row of a game that is in no list, with its opening.
    pub(super) fn with_opening(context: &RequestContext<'_>, page: &Page, game: Summary) -> ListRow {
        let (link, opening) = (page.game_link(game.id), opening(context, game.id));
        ListRow::new(page, game, link, opening)
    }

    /// The result, and its class.
    pub(super) fn result(&self) -> (&'static str, &'static str) {
        (result(self.game.result), result_class(self.game.result))
    }

    /// The known part of the date: `2023-12-30`.
    pub(super) fn date(&self) -> String {
        self.game.date.map(|day| date(&day.known())).unwrap_or_default()
    }

    pub(super) fn moves(&self) -> i64 {
        (self.game.plies + 1) / 2
    }

    /// Whether the game has a title instead of players, as a study.
    pub(super) fn is_study(&self) -> bool {
        self.sides.iter().all(|side| side.link.is_none())
    }

    /// What distinguishes a study: its chapter, or its title and round.
    pub(super) fn study_name(&self) -> String {
        let title = shown(Some(self.game.title.as_str()));
        if let Some((_, chapter)) = title.rsplit_once(": ").filter(|(_, chapter)| !chapter.is_empty()) {
            return chapter.to_owned();
        }
        let round = self.game.round.as_deref().filter(|round| !matches!(*round, "" | "?" | "-"));
        round.map_or(title.clone(), |round| format!("{title}, {}", printable::line(round)))
    }

    /// The event and its site.
    pub(super) fn full_event(&self) -> String {
        let site = self.game.site.as_deref().filter(|site| !matches!(*site, "" | "?"));
        let parts = self.game.event.as_deref().into_iter().chain(site);
        printable::line(&parts.collect::<Vec<_>>().join(", ")).into_owned()
    }
}

/// The opening of a game: only few games are on a page, so they are replayed up to the last named position.
fn opening(context: &RequestContext<'_>, id: GameId) -> Option<&'static Opening> {
    let moves = context.archive.moves_of(id).ok()??;
    Openings::standard().get(opening_of(&moves).ok()??)
}

/// The filter in a URL, whose search conditions are valid.
pub(super) fn filter(page: &Page) -> Result<FilterText> {
    let filter = api::filter(page.address.parameters(), &OWN)?;
    filter.search()?;
    Ok(filter)
}

impl List {
    /// A page of `limit` games that match a filter; `with_openings` if their openings are shown.
    pub(super) fn new(
        context: &RequestContext<'_>,
        page: &Page,
        filter: &FilterText,
        limit: usize,
        with_openings: bool,
    ) -> Result<List> {
        let address = &page.address;
        let after = api::after(address.get("after"))?;
        let found = context.page(filter, after, limit)?;
        let from = FromList::of(address, filter, context)?;
        let flip = from.is_flipped();
        let row = |game: Summary| {
            let link = from.link(page, context, game.id, flip);
            let opening = if with_openings { opening(context, game.id) } else { None };
            ListRow::new(page, game, link, opening)
        };
        let rows: Vec<ListRow> = found.games.into_iter().map(row).collect();
        let any = |has: fn(&ListRow) -> bool| rows.iter().any(has);
        let chosen = [&Filters::names()[..], &POSITION, &ORDER].concat();
        let before = after.map_or(0, Cursor::place);
        let first = after.map(|_| address.without(&["after"]));
        Ok(List {
            address: address.clone(),
            sorting: Sorting {
                address: address.without(&["after"]),
                by: filter.sort.clone().unwrap_or_else(|| "id".to_owned()),
                is_falling: filter.desc,
                parameters: SORT,
            },
            has_elo: any(|row| row.sides.iter().any(|side| side.elo.is_some())),
            has_opening: any(|row| row.opening.is_some() || row.game.eco.is_some()),
            has_event: any(|row| row.event.is_some()),
            has_date: any(|row| !row.date().is_empty()),
            rows,
            games: found.total,
            unknown: if found.total == 0 { filter.unknown_names(context.archive)? } else { Vec::new() },
            matched: context.matched_names(filter)?,
            pages: [before.div_ceil(limit) as u64 + 1, found.total.div_ceil(limit as u64)],
            previous: first.as_ref().map(|first| match Cursor::at(before.saturating_sub(limit)) {
                Some(back) => first.with("after", back),
                None => first.clone(),
            }),
            first,
            next: found.next.map(|next| address.with("after", next)),
            export: address.to("/api/v1/export", &chosen),
            explorer: address.without(&["after", "sort", "desc"]).to_path("/explorer"),
            report: address
                .to("/report", &chosen)
                .without(&ORDER)
                .with("lang", address.get("lang").unwrap_or("")),
        })
    }

    /// The headings of the columns that have a value.
    pub(super) fn heads(&self, words: &'static Messages) -> Vec<Head> {
        let heads = [
            (true, Head { label: words.result, sort: "result", class: "c-res" }),
            (true, Head { label: words.white, sort: "white", class: "n-white" }),
            (self.has_elo, Head { label: words.rating, sort: "elo", class: "num c-elo" }),
            (true, Head { label: words.black, sort: "black", class: "n-black" }),
            (self.has_elo, Head { label: words.rating, sort: "elo", class: "num c-elo" }),
            (self.has_opening, Head { label: words.opening, sort: "eco", class: "n-open" }),
            (self.has_event, Head { label: words.event, sort: "event", class: "n-event" }),
            (true, Head { label: words.moves, sort: "plies", class: "num c-moves" }),
            (self.has_date, Head { label: words.date, sort: "date", class: "num c-date" }),
        ];
        heads.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, head)| head).collect()
    }
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

/// The result of a game, with the signs of print.
pub(super) fn result(result: Outcome) -> &'static str {
    of_result(result, ["1–0", "0–1", "½–½", "*"])
}

/// A choice of a form; a result has the signs of print.
pub(super) fn choice(label: &'static str) -> &'static str {
    label.parse().map_or(label, result)
}

/// The class of the colour of a result.
pub(super) fn result_class(result: Outcome) -> &'static str {
    of_result(result, ["w", "b", "d", "open"])
}

/// The one of four texts that belongs to a result: White won, Black won, a draw, unknown.
fn of_result(result: Outcome, [white, black, draw, unknown]: [&'static str; 4]) -> &'static str {
    match result {
        Outcome::Known(KnownOutcome::Decisive { winner }) => winner.fold_wb(white, black),
        Outcome::Known(KnownOutcome::Draw) => draw,
        Outcome::Unknown => unknown,
    }
}

/// The year of a game; empty if it is unknown.
pub(super) fn year(game: &Summary) -> String {
    game.date.and_then(Date::year_text).unwrap_or_default()
}

/// A date as pages show it: the known part of `2023.12.??` is `2023-12`.
pub(super) fn date(text: &str) -> String {
    text.trim_end_matches(".??").replace('.', "-")
}

/// The name of a player as pages show it: `Carlsen,M` with a space. Links and data have it as it is.
pub(super) fn player_name(name: &str) -> String {
    let mut shown = String::with_capacity(name.len() + 1);
    let mut after_comma = false;
    for c in printable::line(name).chars() {
        if after_comma && c.is_alphabetic() {
            shown.push(' ');
        }
        after_comma = c == ',';
        shown.push(c);
    }
    shown
}

/// The same for the value of a tag, which may be missing.
pub(super) fn player(name: Option<&str>) -> String {
    name.map(player_name).filter(|name| !name.is_empty()).unwrap_or_else(|| "?".to_owned())
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
