//! Whether a game stands at a position of which the whole key is known.

use std::ops::ControlFlow::{Break, Continue};

use crate::{
    chess::{Board, Chess, Position, RunningKey, VariantPosition, whole_key},
    record::StoredMoves,
};

/// Whether a game of chess has a position with these pieces and this key. One that is damaged before it has not.
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
