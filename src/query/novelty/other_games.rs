//! The positions of one game in the other games of an indexed archive.

use std::collections::HashMap;

use super::{
    ComparedGame, EarlierGames, GameOrder, Novelty, Others, by_scan::visitors, compared::SamePosition, scope,
};
use crate::{
    archive::Result,
    chess::Board,
    query::{Context, PositionIndex, indexed::Walk},
    record::GameMetadata,
};

/// The maximum number of games to replay because they are not indexed, or have been changed since.
const MAX_REPLAYED: usize = 1 << 10;

/// Looks up the positions of a game in other games, nearly all of them with the index.
pub struct OtherGames<'a> {
    walk: Walk<'a>,
    boards: Vec<Board>,
    game: &'a ComparedGame,
    others: Others,
    /// The games that are not in the index, by the positions of the game that they reach.
    replayed: HashMap<SamePosition, Vec<GameMetadata>>,
}

impl<'a> OtherGames<'a> {
    /// The other games, or only earlier ones; `None` unless nearly all games that can share a position are indexed.
    pub fn new(
        context: Context<'a>,
        game: &'a ComparedGame,
        any_date: bool,
    ) -> Result<Option<OtherGames<'a>>> {
        let is_able =
            |index: &PositionIndex| index.has_positions() && index.most_not_indexed() <= MAX_REPLAYED;
        if !game.is_chess() || !context.index.is_some_and(is_able) {
            return Ok(None);
        }
        let others = game.others(any_date);
        let replayed = match scope(context, &[game]) {
            Some(scope) => visitors(&scope, game)?,
            None => HashMap::new(),
        };
        let walk = Walk::new(context, game, others)?;
        Ok(Some(OtherGames { walk, boards: game.boards().collect(), game, others, replayed }))
    }

    /// Whether one of them reaches the position after some plies of the game.
    pub fn reach(&mut self, ply: usize) -> Result<bool> {
        let Some(board) = self.boards.get(ply) else { return Ok(false) };
        Ok(self.replayed_at(ply).next().is_some() || self.walk.knows(ply, board)?)
    }

    /// The ply of the first move to a position that none of them reaches, among the first `plies`.
    pub fn first_new(&mut self, plies: usize) -> Result<Option<usize>> {
        for ply in 1..self.boards.len().min(plies.saturating_add(1)) {
            if !self.reach(ply)? {
                return Ok(Some(ply));
            }
        }
        Ok(None)
    }

    /// Those that reach the position after some plies, of which `most` are named.
    pub fn at(&mut self, ply: usize, most: usize) -> Result<Novelty> {
        let mut known = EarlierGames::naming(most);
        if let Some(board) = self.boards.get(ply) {
            self.walk.add_known(ply, board, &mut known)?;
            self.replayed_at(ply).for_each(|game| known.add(game));
        }
        Ok(Novelty { ply: None, games: known.games, best: known.best() })
    }

    /// Those that are not in the index and reach the position after some plies.
    fn replayed_at(&self, ply: usize) -> impl Iterator<Item = &GameMetadata> {
        let of_ply = self.game.spots.get(ply).and_then(|spot| self.replayed.get(&spot.same));
        of_ply.into_iter().flatten().filter(|game| self.others.has(GameOrder::of(game)))
    }
}
