//! The shortest stored game through a position.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::{
    archive::{Archive, ArchiveError, Filter, Result},
    chess::{Chess, Move, Position, Variant},
    proofgame::Target,
    record::{GameId, GameKind, StoredGame},
};

/// Games replayed per batch.
const BATCH: usize = 4096;

/// A stored game that passes through a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReaching {
    /// The game.
    pub game: GameId,
    /// Its moves up to the position.
    pub moves: Vec<Move>,
}

/// The stored game of standard chess that reaches a position in the fewest plies; of several, the first. Games are
/// replayed on all cores, each only as far as it can still be the shortest.
///
/// # Errors
/// An SQLite error. Damaged games are skipped; `verify` finds them.
pub fn shortest_through(archive: &Archive, target: &Target) -> Result<Option<GameReaching>> {
    let mut best: Option<GameReaching> = None;
    let mut batch = Vec::with_capacity(BATCH);
    let filter = Filter { kind: Some(GameKind::Chess(Variant::Standard)), ..Filter::default() };
    for game in archive.games(&filter) {
        match game {
            Ok(game) => batch.extend(Some(game).filter(|game| game.setup.is_none())),
            Err(ArchiveError::Damaged { .. }) => continue,
            Err(error) => return Err(error),
        }
        if batch.len() == BATCH {
            search_batch(&batch, target, &mut best);
            batch.clear();
        }
        if best.as_ref().is_some_and(|best| best.moves.is_empty()) {
            break;
        }
    }
    search_batch(&batch, target, &mut best);
    Ok(best)
}

fn search_batch(games: &[StoredGame], target: &Target, best: &mut Option<GameReaching>) {
    let limit = best.as_ref().map_or(usize::MAX, |best| best.moves.len());
    let found = games.par_iter().filter_map(|game| through(game, target, limit));
    if let Some(found) = found.min_by_key(|found| (found.moves.len(), found.game)) {
        *best = Some(found);
    }
}

/// The moves of a game up to a position, if it is reached before `limit` plies.
fn through(game: &StoredGame, target: &Target, limit: usize) -> Option<GameReaching> {
    let men = target.board().occupied().count();
    let (mut moves, mut is_reached) = (Vec::new(), false);
    let replayed = game.replay(Chess::new()).ok()?.run(|position, m| {
        moves.extend(m);
        if moves.len() >= limit || position.board().occupied().count() < men {
            return ControlFlow::Break(());
        }
        is_reached = target.is_reached_by(position);
        if is_reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    replayed.ok()?;
    is_reached.then_some(GameReaching { game: game.id, moves })
}
