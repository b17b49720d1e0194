//! Checks whether a game reaches a position whose full key is known.

use std::ops::ControlFlow::{Break, Continue};

use crate::{
    chess::{Board, Chess, Position, RunningKey, VariantPosition, whole_key},
    record::StoredMoves,
};

/// Whether a chess game reaches a position with these pieces and this key. A game that is damaged before that does not.
pub(super) fn stands_at(game: &StoredMoves, board: &Board, whole: u64) -> bool {
    let Ok(VariantPosition::Chess(start)) = game.start() else { return false };
    let men = board.occupied().count();
    let (mut key, mut found) = (RunningKey::of(&start), false);
    let Ok(replay) = game.replay(start) else { return false };
    let _ = replay.run(|position: &Chess, m| {
        if let Some(m) = m {
            key.advance(m, position);
        }
        found = *position.board() == *board
            && whole_key(key.get(), position.castles().castling_rights()) == whole;
        if found || position.board().occupied().count() < men { Break(()) } else { Continue(()) }
    });
    found
}
