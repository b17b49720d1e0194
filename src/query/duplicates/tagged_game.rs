//! What is compared of a game: its positions and its tags.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow::Continue,
};

use super::candidates::GamePair;
use crate::{
    archive::{Filter, Result, Summary},
    chess::whole_key,
    player_name::SpokenName,
    query::{Context, in_batches, scan::follow},
    record::{GameError, GameId, StoredMoves},
};

/// Games in memory at the same time. Each takes about 1 KB.
const MOST_GAMES: usize = 1 << 14;

/// A game with its tags.
#[derive(Debug)]
pub(super) struct TaggedGame {
    pub(super) tags: Summary,
    /// White and Black.
    pub(super) players: [SpokenName; 2],
    /// The key of each position, the start position first.
    pub(super) positions: Vec<u64>,
}

impl TaggedGame {
    pub(super) fn new(tags: Summary, moves: &StoredMoves) -> Result<TaggedGame, GameError> {
        let mut positions = Vec::with_capacity(moves.plies.min(crate::limits::MAX_PLIES) + 1);
        // Games of several variants have no position in common.
        let variant = moves.variant as u64;
        follow(moves, |position, _| {
            positions.push(whole_key(position.key, position.castling) ^ variant << 60);
            Continue(())
        })?;
        let players = [&tags.white, &tags.black].map(|name| SpokenName::new(name.as_deref().unwrap_or("")));
        Ok(TaggedGame { tags, players, positions })
    }
}

/// Some games, by their ids.
pub(super) struct TaggedGames(HashMap<GameId, TaggedGame>);

impl TaggedGames {
    /// Reads the games of the first pairs, as many as are held in memory. Returns also the number of those pairs.
    pub(super) fn of_first(context: Context<'_>, pairs: &[GamePair]) -> Result<(TaggedGames, usize)> {
        let (mut ids, mut size) = (BTreeSet::new(), 0);
        for pair in pairs {
            if ids.len() >= MOST_GAMES {
                break;
            }
            ids.extend(pair);
            size += 1;
        }
        let filter = Filter { among: Some(ids.into_iter().collect()), ..Filter::default() };
        let mut games = HashMap::new();
        let work = |games: Vec<(Summary, Option<StoredMoves>)>| {
            let tagged = |(tags, moves): (Summary, Option<StoredMoves>)| TaggedGame::new(tags, &moves?).ok();
            games.into_iter().filter_map(tagged).collect::<Vec<_>>()
        };
        in_batches(context, context.archive.list(&filter), work, |read: Vec<TaggedGame>| {
            games.extend(read.into_iter().map(|game| (game.tags.id, game)));
        })?;
        Ok((TaggedGames(games), size))
    }

    /// The games of a pair.
    pub(super) fn pair(&self, pair: GamePair) -> Option<[&TaggedGame; 2]> {
        Some([self.0.get(&pair[0])?, self.0.get(&pair[1])?])
    }
}
