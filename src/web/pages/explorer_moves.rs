//! The moves of a position on a page, with their results as White's or as a player's.

use std::cmp::Reverse;

use super::{
    Address, Bar, Page, RequestContext, Result,
    bar::{is_telling, score},
    board,
    line::ExplorerLine,
};
use crate::{
    chess::VariantPosition,
    present::{FilterText, explore::new_part},
    query::{self, Exploration, ExploredMove, OpeningName},
};

/// The number of moves that the board shows as arrows, and the smallest share of such a move.
const ARROWS: usize = 4;
const ARROW_SHARE: f64 = 0.04;

/// The moves of a position.
pub(super) struct MoveTable {
    pub(super) rows: Vec<MoveRow>,
    pub(super) answer: Exploration,
    /// The number of games that continued from the position.
    pub(super) went_on: u64,
    /// The results of the games that continued.
    pub(super) total: Bar,
    /// The score in percent of White, or of the player whose games are shown.
    pub(super) score: Option<f64>,
    /// Whether the results are those of a player.
    pub(super) is_of_player: bool,
    /// The columns that have values.
    pub(super) has_names: bool,
    pub(super) has_ratings: bool,
    pub(super) has_years: bool,
    /// By what the rows are sorted, and the address of the page.
    order: Order,
    address: Address,
}

/// A move.
pub(super) struct MoveRow {
    pub(super) played: ExploredMove,
    /// The part of the opening's name that the move adds.
    pub(super) name: &'static str,
    /// The complete name.
    pub(super) whole_name: &'static str,
    pub(super) bar: Bar,
    pub(super) score: Option<f64>,
    /// The width of the bar that shows its share, in percent of the column: that of the most played move leaves room for its number.
    pub(super) width: String,
}

/// By what the moves are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Games,
    Score,
    Performance,
    Last,
}

impl Order {
    /// The order that a URL names, or by games.
    fn of(name: Option<&str>) -> Order {
        let mut others = [Order::Score, Order::Performance, Order::Last].into_iter();
        others.find(|order| Some(order.name()) == name).unwrap_or(Order::Games)
    }

    /// Its name in a URL.
    fn name(self) -> &'static str {
        match self {
            Order::Games => "",
            Order::Score => "score",
            Order::Performance => "performance",
            Order::Last => "last",
        }
    }

    fn sort(self, rows: &mut [MoveRow]) {
        match self {
            Order::Games => {}
            Order::Score => {
                rows.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
            }
            Order::Performance => rows.sort_by_key(|row| Reverse(row.played.performance)),
            Order::Last => rows.sort_by_key(|row| Reverse(row.played.last_year)),
        }
    }
}

impl MoveTable {
    /// The moves that games matching a filter played at the end of a line.
    pub(super) fn new(
        context: &RequestContext<'_>,
        page: &Page,
        line: &ExplorerLine,
        filter: &FilterText,
    ) -> Result<MoveTable> {
        let answer = explored(context, line.position(), filter)?;
        let as_white = AsWhite::new(context, line.position(), filter, &answer)?;
        let known = |m: &ExploredMove| match &as_white {
            Some(white) => white.results(m),
            None => m.results.known(),
        };
        let is_of_player = as_white.is_some();
        let most = answer.moves.first().map_or(1, |m| m.results.games.max(1));
        let above = OpeningName::of(&line.positions).map_or("", |opening| opening.name);
        let mut sum = [0; 3];
        let mut rows = Vec::new();
        for m in &answer.moves {
            let parts = known(m);
            sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            let next = board::played(line.position(), &m.uci);
            let whole_name = next.and_then(|(_, next)| OpeningName::of([&next]));
            let whole_name = whole_name.map_or("", |opening| opening.name);
            rows.push(MoveRow {
                name: new_part(whole_name, above),
                whole_name,
                bar: Bar::new(page.language, is_of_player, parts),
                score: score(parts),
                width: format!("{:.1}", 46.0 * m.results.games as f64 / most as f64),
                played: ExploredMove {
                    performance: m.performance.filter(|_| is_telling(m.results.known())),
                    ..m.clone()
                },
            });
        }
        let order = Order::of(page.address.get("by"));
        order.sort(&mut rows);
        Ok(MoveTable {
            has_names: rows.iter().any(|row| !row.name.is_empty()),
            has_ratings: answer.moves.iter().any(|m| m.mean_rating.is_some()),
            has_years: answer.moves.iter().any(|m| m.last_year.is_some()),
            rows,
            went_on: answer.results.games - answer.ended_here,
            total: Bar::new(page.language, is_of_player, sum),
            score: score(sum),
            is_of_player,
            order,
            address: page.address.without(&["after"]),
            answer,
        })
    }

    /// The most played moves with their weights, for arrows on the board.
    pub(super) fn arrows(&self) -> Vec<(&str, f64)> {
        let mut played: Vec<&ExploredMove> = self.rows.iter().map(|row| &row.played).collect();
        played.sort_by_key(|m| Reverse(m.results.games));
        let weight = |m: &ExploredMove| m.results.games as f64 / self.went_on.max(1) as f64;
        let shown = played.into_iter().take(ARROWS).map(|m| (m.uci.as_str(), weight(m)));
        shown.filter(|(_, weight)| *weight >= ARROW_SHARE).collect()
    }

    /// The link that sorts by a column, and whether the rows are sorted by it.
    pub(super) fn head(&self, by: Order) -> (Address, bool) {
        (self.address.with("by", by.name()), by == self.order)
    }
}

/// The games whose White is the player whose results are shown; in the others the player is Black.
struct AsWhite(Option<Exploration>);

impl AsWhite {
    /// `None` if the filter names no player; `all` are the moves of all its games.
    fn new(
        context: &RequestContext<'_>,
        position: &VariantPosition,
        filter: &FilterText,
        all: &Exploration,
    ) -> Result<Option<AsWhite>> {
        if filter.get("player").is_none() {
            return Ok(None);
        }
        Ok(Some(AsWhite(match filter.get("colour") {
            Some("white") => Some(all.clone()),
            Some(_) => None,
            None => {
                let mut filter = filter.clone();
                filter.set("colour", "white")?;
                Some(explored(context, position, &filter)?)
            }
        })))
    }

    /// Won, drawn and lost with a move.
    fn results(&self, m: &ExploredMove) -> [u64; 3] {
        let white = self.0.as_ref().and_then(|white| white.moves.iter().find(|of| of.uci == m.uci));
        of_player(m.results.known(), white.map_or([0; 3], |of| of.results.known()))
    }
}

/// The results of a player, from all results by colour and those of the games in which the player is White.
pub(super) fn of_player([won, drawn, lost]: [u64; 3], white: [u64; 3]) -> [u64; 3] {
    [
        white[0] + lost.saturating_sub(white[2]),
        white[1] + drawn.saturating_sub(white[1]),
        white[2] + won.saturating_sub(white[0]),
    ]
}

/// The moves that games matching a filter played in a position.
fn explored(
    context: &RequestContext<'_>,
    position: &VariantPosition,
    filter: &FilterText,
) -> Result<Exploration> {
    let filter = context.filter(&filter.without_position())?;
    Ok(query::explore_with_transpositions(context.query, position, &filter)?)
}
