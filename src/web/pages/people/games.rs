//! The games of an edition of an event by round, and its openings.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    super::{
        address::Address,
        layout::Page,
        list::{ListRow, shown},
    },
    rows::{ScoreCard, ScoreRow},
};
use crate::{
    archive::{Filter, GameSet},
    openings::Openings,
    query::{Results, openings_of_games},
    rules::Outcome,
    web::{RequestContext, Result},
};

/// The maximum number of games shown at once.
const GAMES: usize = 100;

/// Rounds with links and whether it is the shown one; the shown one; its games; and all openings.
type EventGames = (Vec<(String, Address, bool)>, String, Vec<ListRow>, Option<ScoreCard>);

/// What a page shows of the games of an edition; `all` leads to all of them.
pub(super) fn event_games(
    context: &RequestContext<'_>,
    page: &Page,
    all: &Address,
    ids: GameSet,
) -> Result<EventGames> {
    let filter = Filter { among: Some(ids), ..Filter::default() };
    let mut rounds: BTreeMap<(Vec<u32>, String), Vec<ListRow>> = BTreeMap::new();
    let mut families: BTreeMap<&str, Results> = BTreeMap::new();
    let mut games = Vec::new();
    for game in openings_of_games(context.archive, context.index.if_any(), &filter)? {
        let (game, opening) = game?;
        games.push((game, opening.and_then(|id| Openings::standard().get(id))));
    }
    games.sort_by_key(|(game, _)| (place(game.round.as_deref()), game.id));
    for (game, opening) in games {
        if let Some(opening) = opening {
            let family = opening.name.split(':').next().unwrap_or_default();
            families
                .entry(family)
                .or_default()
                .add(Outcome::from_ascii(game.result.as_bytes()).unwrap_or(Outcome::Unknown));
        }
        let label = round(game.round.as_deref());
        let key = place(Some(&label));
        let link = page.game_link(game.id);
        rounds.entry((key, label)).or_default().push(ListRow::new(page, game, link, opening));
    }
    let wanted = page.address.get("round").map(str::to_owned);
    let chosen = wanted.filter(|wanted| rounds.keys().any(|(_, label)| label == wanted));
    let chosen =
        chosen.or_else(|| rounds.keys().next_back().map(|(_, label)| label.clone())).unwrap_or_default();
    let links = rounds.keys().map(|(_, label)| {
        let link = page.address.with("round", label);
        (label.clone(), link, *label == chosen)
    });
    let links = if rounds.len() > 1 { links.collect() } else { Vec::new() };
    let shown = rounds.into_iter().find(|((_, label), _)| *label == chosen);
    let mut shown = shown.map_or_else(Vec::new, |(_, games)| games);
    shown.truncate(GAMES);
    let round = if links.is_empty() { String::new() } else { chosen };
    Ok((links, round, shown, openings(page, all, families)))
}

fn openings(page: &Page, all: &Address, families: BTreeMap<&str, Results>) -> Option<ScoreCard> {
    let mut families: Vec<_> = families.into_iter().collect();
    families.sort_by_key(|(_, results)| Reverse(results.games));
    let rows = families.iter().map(|(name, results)| {
        ScoreRow::of_games(page, (name, Some(all.with("opening", name))), results.games, results.known())
    });
    let heads = vec![page.words.opening, page.words.results];
    Some(ScoreCard::new(page.words.all_openings, heads, rows)).filter(|card| !card.rows.is_empty())
}

/// The round of a tag such as `14.3`: the part before the board.
fn round(tag: Option<&str>) -> String {
    let round = tag.unwrap_or_default().split('.').next().unwrap_or_default();
    shown(Some(round).filter(|round| !matches!(*round, "" | "-" | "?")))
}

/// Sorts rounds by their numbers; those without one come first.
fn place(tag: Option<&str>) -> Vec<u32> {
    tag.unwrap_or_default().split('.').map(|part| part.parse().unwrap_or(0)).collect()
}
