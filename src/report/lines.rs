//! The first moves of games as a tree, with the score of one side.

use std::{
    cmp::Reverse,
    ops::ControlFlow::{Break, Continue},
};

use serde::Serialize;
use shakmaty::{san::SanPlus, uci::UciMove};

use super::results::{Score, ScoreTally, Tallied};
use crate::{
    chess::{Chess, Color, Move, Position, Role, Square, Variant},
    record::{GameMetadata, StoredMoves},
    rules::Rules,
};

/// The length of a line in plies.
pub(super) const PLIES: usize = 4;

/// The minimum share of a move, in percent of the games of its colour.
const PERCENT: u64 = 4;

/// A move of a line, and the games in which it was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineScore {
    /// The move in SAN; `None` for all first moves of White except e4 and d4.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The player's results in these games.
    #[serde(flatten)]
    pub score: Score,
    /// The next moves.
    pub lines: Vec<LineScore>,
}

impl LineScore {
    /// All lines, each as its moves. A line comes before those that continue it.
    pub fn paths(lines: &[LineScore]) -> Vec<Vec<&LineScore>> {
        let paths = lines.iter().flat_map(|line| {
            let further = LineScore::paths(&line.lines).into_iter();
            [vec![line]].into_iter().chain(further.map(move |rest| [vec![line], rest].concat()))
        });
        paths.collect()
    }
}

/// Games by their first moves.
#[derive(Debug, Default)]
pub(super) struct Lines {
    tally: ScoreTally,
    moves: Vec<(Option<Move>, Lines)>,
}

/// The first moves of a game from the start position of standard chess; empty for other and for damaged games.
pub(super) fn first_moves(game: &StoredMoves) -> Vec<Move> {
    let mut moves = Vec::with_capacity(PLIES);
    if game.setup.is_some() || game.variant != Variant::Standard {
        return moves;
    }
    let Ok(replay) = game.replay(Chess::new()) else { return moves };
    let _ = replay.run(|_, m| {
        moves.extend(m);
        if moves.len() < PLIES { Continue(()) } else { Break(()) }
    });
    moves
}

impl Lines {
    /// Adds a game of a side. For games as Black, all first moves except e4 and d4 count as one, and only the reply
    /// follows.
    pub(super) fn add(&mut self, game: &GameMetadata, side: Color, moves: &[Move]) {
        if moves.is_empty() {
            return;
        }
        let is_other = side == Color::Black && moves.first().is_some_and(|m| !is_main(*m));
        let mut at = self;
        at.tally.add(game, side);
        let plies = if is_other { 2 } else { PLIES };
        for (ply, m) in moves.iter().take(plies).enumerate() {
            at = at.after(Some(*m).filter(|_| !is_other || ply > 0));
            at.tally.add(game, side);
        }
    }

    fn after(&mut self, m: Option<Move>) -> &mut Lines {
        let place = self.moves.iter().position(|(known, _)| *known == m);
        let place = place.unwrap_or_else(|| {
            self.moves.push((m, Lines::default()));
            self.moves.len() - 1
        });
        &mut self.moves[place].1
    }

    /// The frequent moves, most games first.
    pub(super) fn scores(self) -> Vec<LineScore> {
        let least = (self.tally.games() * PERCENT).div_ceil(100).max(1);
        self.often(&Chess::new(), least)
    }

    fn often(self, from: &Chess, least: u64) -> Vec<LineScore> {
        let mut scores: Vec<LineScore> = Vec::new();
        for (m, lines) in self.moves.into_iter().filter(|(_, lines)| lines.tally.games() >= least) {
            let san = m.map(|m| SanPlus::from_move(from.clone(), m).to_string());
            let score = lines.tally.answer();
            let uci = m.map(|m| UciMove::from_standard(m).to_string());
            scores.push(LineScore { san, uci, score, lines: lines.often(&after(from, m), least) });
        }
        let order = |score: &LineScore| (score.san.is_none(), Reverse(score.score.games), score.san.clone());
        scores.sort_by_cached_key(order);
        scores
    }
}

/// The position after a move. After all other first moves of White, Black has the same replies with the same names.
fn after(from: &Chess, m: Option<Move>) -> Chess {
    let Some(m) = m else { return from.clone().swap_turn().unwrap_or_else(|_| from.clone()) };
    let mut after = from.clone();
    after.make(m);
    after
}

/// Whether a first move of White is e4 or d4.
fn is_main(m: Move) -> bool {
    m.role() == Role::Pawn && matches!(m.to(), Square::E4 | Square::D4)
}
