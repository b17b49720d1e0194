//! The moves that games played in a range of keys, counted in limited memory: if there are too many, the range shrinks.

use std::{cmp::Reverse, ops::ControlFlow};

use rayon::slice::ParallelSliceMut;
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

use super::PolyglotEntry;
use crate::{
    chess::{Move, RunningKey, VariantPosition},
    position_index::MoveCode,
    record::{GameMetadata, StoredMoves},
    rules::{Color, KnownOutcome, Outcome},
};

/// The results of a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayedMove {
    pub key: u64,
    pub code: MoveCode,
    pub games: u32,
    /// Twice the wins of the side to move, plus the draws.
    pub points: u32,
}

/// The moves of the positions from one key on, up to as high a key as memory allows.
#[derive(Debug)]
pub(super) struct KeyRange {
    first: u64,
    last: u64,
    most: usize,
    moves: Vec<PlayedMove>,
}

impl KeyRange {
    /// The positions from a key on. At most `most` moves are kept, unless a single position has more.
    pub(super) fn new(first: u64, most: usize) -> KeyRange {
        KeyRange { first, last: u64::MAX, most, moves: Vec::new() }
    }

    /// Adds the moves of some games.
    pub(super) fn add(&mut self, moves: Vec<PlayedMove>) {
        let range = self.first..=self.last;
        self.moves.extend(moves.into_iter().filter(|played| range.contains(&played.key)));
        if self.moves.len() > self.most {
            self.sum_up();
            // Leaves space for as much again, so that merging stays rare.
            if self.moves.len() > self.most / 2 {
                self.shrink();
            }
        }
    }

    /// Merges equal moves, in the order of keys and moves.
    fn sum_up(&mut self) {
        self.moves.par_sort_unstable_by_key(|played| (played.key, played.code));
        self.moves.dedup_by(|next, kept| {
            let is_same = (next.key, next.code) == (kept.key, kept.code);
            if is_same {
                kept.games = kept.games.saturating_add(next.games);
                kept.points = kept.points.saturating_add(next.points);
            }
            is_same
        });
    }

    /// Leaves the upper half of the keys to later parts.
    fn shrink(&mut self) {
        let Some([lowest, cut]) =
            self.moves.first().zip(self.moves.get(self.most / 2)).map(|(a, b)| [a.key, b.key])
        else {
            return;
        };
        self.last = if lowest < cut { cut - 1 } else { lowest };
        let kept = self.moves.partition_point(|played| played.key <= self.last);
        self.moves.truncate(kept);
    }

    /// The entries of a book, and the first key of the next part, if there is one. Moves of fewer games, and those that
    /// never scored, are omitted.
    pub(super) fn into_entries(mut self, min_games: u32) -> (Vec<PolyglotEntry>, Option<u64>) {
        self.sum_up();
        let next = self.last.checked_add(1);
        self.moves.retain(|played| played.points > 0 && played.games >= min_games);
        self.moves.sort_unstable_by_key(|played| (played.key, Reverse(played.points), played.code));
        let of_position = self.moves.chunk_by(|one, next| one.key == next.key);
        (of_position.flat_map(weighted).collect(), next)
    }
}

/// The moves of a position, the best first, with their weights.
fn weighted(moves: &[PlayedMove]) -> impl Iterator<Item = PolyglotEntry> {
    const MOST: u64 = u16::MAX as u64;
    let best = moves.first().map_or(0, |best| u64::from(best.points)).max(MOST);
    moves.iter().map(move |played| {
        let weight = (u64::from(played.points) * MOST / best).max(1);
        PolyglotEntry {
            key: played.key,
            code: played.code,
            weight: u16::try_from(weight).unwrap_or(u16::MAX),
        }
    })
}

/// The last move that a game played from each of the positions in its first plies. `None` if the game does not count.
pub(super) fn moves_of(game: &StoredMoves, facts: &GameMetadata, max_ply: usize) -> Option<Vec<PlayedMove>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_points_unless_one_of_the_position_is_too_large() {
        let played = |points| PlayedMove { key: 1, code: MoveCode::ENDED, games: points, points };
        for (points, weights) in [
            (vec![65_535, 7, 1], vec![65_535, 7, 1]),
            (vec![131_070, 8, 1], vec![65_535, 4, 1]),
            (vec![u32::MAX, u32::MAX / 2, 5], vec![65_535, 32_767, 1]),
            (vec![3], vec![3]),
        ] {
            let moves: Vec<PlayedMove> = points.iter().map(|points| played(*points)).collect();
            assert_eq!(weighted(&moves).map(|entry| entry.weight).collect::<Vec<_>>(), weights, "{points:?}");
        }
    }
}
