//! The moves that one game played in its positions.

use std::ops::ControlFlow;

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

use super::collect::PlayedMove;
use crate::{
    chess::{Move, RunningKey, VariantPosition},
    position_index::MoveCode,
    record::{GameMetadata, StoredMoves},
    rules::{Color, KnownOutcome, Outcome},
};

/// The last move that a game played from each of the positions in its first plies. `None` if the game does not count.
pub(super) fn of(game: &StoredMoves, facts: &GameMetadata, max_ply: usize) -> Option<Vec<PlayedMove>> {
    let Outcome::Known(outcome) = facts.result else { return None };
    let VariantPosition::Chess(start) = game.start().ok()? else { return None };
    let points = |turn: Color| match outcome {
        KnownOutcome::Draw => 1,
        KnownOutcome::Decisive { winner } if winner == turn => 2,
        KnownOutcome::Decisive { .. } => 0,
    };
    let mut running = RunningKey::of(&start);
    let (mut key, mut turn) = (key_of(running, &start), start.turn());
    let mut moves: Vec<PlayedMove> = Vec::with_capacity(max_ply.min(game.plies));
    let play = |position: &Chess, m: Option<Move>| {
        if moves.len() == max_ply {
            return ControlFlow::Break(());
        }
        if let Some(m) = m {
            moves.push(PlayedMove { key, code: MoveCode::of(m), games: 1, points: points(turn) });
            running.advance(m, position);
            (key, turn) = (key_of(running, position), position.turn());
        }
        ControlFlow::Continue(())
    };
    game.replay(start).ok()?.run(play).ok()?;
    // The last move of each position counts.
    moves.reverse();
    moves.sort_by_key(|played| played.key);
    moves.dedup_by_key(|played| played.key);
    Some(moves)
}

/// The key in the Polyglot format: with the en passant square even if the capturing pawn is pinned.
fn key_of(running: RunningKey, position: &Chess) -> u64 {
    match position.maybe_ep_square() {
        None => running.get(),
        Some(_) => position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0,
    }
}
