//! What other games of the archive know of a game: its first new move, and the games with the position that is shown.
//! Only with an index, since the page must not wait for a scan.

use std::collections::HashMap;

use super::{Address, Page, RequestContext, Result, board::played, from_list::FromList, movetext::named};
use crate::{
    archive::{Filter, Summary},
    chess::Move,
    openings::{Opening, Openings},
    present::movetext::{Movetext, MovetextMove},
    query::{ComparedGame, Novelty, OtherGames},
    record::{StoredGame, fen},
};

/// Games that are listed.
const GAMES: usize = 5;

/// The most positions of a game that are named as known, and the plies that are looked back for them.
const MAX_SEEN: usize = 3;
const MAX_LOOKED_BACK: usize = 30;

/// The first ply of these positions, and the number of games from which no more are sought: counting more takes long.
const MIN_SEEN: usize = 4;
const MANY: u64 = 1000;

/// The mainline of a game, compared with the archive.
pub(super) struct KnownGround {
    compared: ComparedGame,
    /// The first move to a position that no earlier game reached.
    pub(super) new_move: Option<NewMove>,
}

/// The first new move of a game.
#[derive(Debug)]
pub(super) struct NewMove {
    pub(super) ply: usize,
    /// The move with its number.
    pub(super) name: String,
    /// The number of earlier games that reached the position before it, and the link to all games with it.
    pub(super) games: u64,
    pub(super) link: Address,
}

/// The games with the shown position, or with the last one before it that other games reached.
#[derive(Debug)]
pub(super) struct GamesHere {
    /// Whether they reached the shown position.
    pub(super) is_here: bool,
    /// The number of these games; not counted at the start.
    pub(super) games: u64,
    /// If the shown position is new: moves of the game, the last one first, with the games that reached the position
    /// after them.
    pub(super) seen: Vec<(String, Address, u64)>,
    pub(super) best: Vec<(Summary, Address)>,
    pub(super) explorer: Address,
    pub(super) all: Address,
}

impl KnownGround {
    /// # Errors
    /// The game is damaged, or the archive cannot be read.
    pub(super) fn new(
        context: &RequestContext<'_>,
        page: &Page,
        game: &StoredGame,
        text: &Movetext,
    ) -> Result<Option<KnownGround>> {
        let Some(moves) = context.archive.moves_of(game.id)? else { return Ok(None) };
        let date = game.tags.date();
        let Ok(compared) = ComparedGame::of_stored(&moves, date) else { return Ok(None) };
        let new_move = new_move(context, page, &compared, text)?;
        Ok(Some(KnownGround { compared, new_move }))
    }

    pub(super) fn opening(&self) -> Option<&'static Opening> {
        Openings::standard().get(self.compared.opening?.1)
    }

    /// The ply at which the opening has its final name.
    pub(super) fn opening_ply(&self) -> Option<usize> {
        Some(self.compared.opening?.0)
    }

    /// The games with the position after `path`.
    pub(super) fn here(
        &self,
        context: &RequestContext<'_>,
        page: &Page,
        text: &Movetext,
        path: &[&MovetextMove],
        links: &Address,
    ) -> Result<Option<GamesHere>> {
        let Some(moves) = moves_of(text, path) else { return Ok(None) };
        let is_mainline = self.compared.moves.starts_with(&moves);
        let mut of_path = ComparedGame::of_moves(self.compared.variant, text.start.clone(), &moves, None);
        of_path.id = self.compared.id;
        let game = if is_mainline { &self.compared } else { &of_path };
        let Some(mut others) = OtherGames::new(context.query, game, true)? else {
            return Ok(None);
        };
        let shown = moves.len();
        let is_here = others.reach(shown)?;
        let ply = if is_here { shown } else { others.first_new(shown)?.map_or(shown, |new| new - 1) };
        // Nearly all games begin with the start position: which of them are best takes long, and says nothing.
        let found = if ply > 0 { others.at(ply, GAMES)? } else { Novelty::default() };
        let at = fen(&game.position(ply));
        let all = page.link("/games").with("fen", &at);
        let list = FromList::named(&all.with("sort", "elo").with("desc", "yes"), context);
        let among = found.best.iter().copied().collect();
        let summaries = context.archive.list::<Summary>(&Filter { among: Some(among), ..Filter::default() });
        let mut summaries: HashMap<_, _> =
            summaries.map(|game| game.map(|game| (game.id, game))).collect::<Result<_, _>>()?;
        let linked = |game: Summary| {
            let link = list.as_ref().map(|list| list.link(page, context, game.id, list.is_flipped()));
            (link.unwrap_or_else(|| page.game_link(game.id)), game)
        };
        let seen = if is_here { Vec::new() } else { seen(&mut others, (ply, found.games))? };
        let named_seen = seen.into_iter().filter_map(|(ply, games)| {
            let m = path.get(ply.checked_sub(1)?)?;
            Some((named(m), super::movetext::link(m, links), games))
        });
        let best = found.best.iter().filter_map(|id| summaries.remove(id)).map(linked);
        Ok(Some(GamesHere {
            is_here,
            games: found.games,
            seen: named_seen.collect(),
            best: best.map(|(link, game)| (game, link)).collect(),
            explorer: page.link("/explorer").with("fen", &at),
            all,
        }))
    }
}

/// Positions before the first new one that clearly more games reached, with their plies and numbers of games.
fn seen(others: &mut OtherGames<'_>, last: (usize, u64)) -> Result<Vec<(usize, u64)>> {
    let mut seen = vec![last];
    for ply in (MIN_SEEN..last.0).rev().take(MAX_LOOKED_BACK) {
        let least = seen.last().map_or(0, |(_, games)| games.saturating_mul(3).max(GAMES as u64));
        if seen.len() == MAX_SEEN || least > MANY {
            break;
        }
        let games = others.at(ply, 0)?.games;
        if games >= least {
            seen.push((ply, games));
        }
    }
    Ok(seen)
}

/// The moves of a path; `None` if there is a null move.
fn moves_of(text: &Movetext, path: &[&MovetextMove]) -> Option<Vec<Move>> {
    let mut position = text.start.clone();
    let play = |m: &&MovetextMove| {
        let (played, after) = played(&position, &m.uci)?;
        position = after;
        Some(played)
    };
    path.iter().map(play).collect()
}

fn new_move(
    context: &RequestContext<'_>,
    page: &Page,
    compared: &ComparedGame,
    text: &Movetext,
) -> Result<Option<NewMove>> {
    let Some(mut earlier) = OtherGames::new(context.query, compared, false)? else {
        return Ok(None);
    };
    let Some(ply) = earlier.first_new(compared.moves.len())? else { return Ok(None) };
    let games = earlier.at(ply - 1, 0)?.games;
    let link = page.link("/games").with("fen", fen(&compared.position(ply - 1)));
    let name = text.moves().find(|m| m.ply == ply && !m.is_variation).map(named).unwrap_or_default();
    // Everything is new in the first game of an archive.
    Ok((games > 0).then_some(NewMove { ply, name, games, link }))
}
