//! The search for a game with an exact number of plies: depth first, pruned where the bounds of the two sides or an
//! earlier failure show that the target cannot be reached.

use std::{cell::LazyCell, time::Instant};

use shakmaty::{ByColor, Chess, Color, Move, Position};

use super::{
    bounds::Bounds,
    change::Change,
    keys,
    side_state::{Judge, SideState},
    target::Target,
    transposition::FailureTable,
};

/// The time limit was reached.
pub(super) struct Timeout;

/// A position of the search.
#[derive(Clone, Debug)]
struct Node {
    position: Chess,
    sides: ByColor<SideState>,
    /// The key of the position and of the number of plies left.
    key: u64,
}

/// The state of a search.
pub(super) struct Search<'a> {
    target: &'a Target,
    judge: Judge,
    failures: FailureTable,
    deadline: Option<Instant>,
    on_pause: &'a mut dyn FnMut(u64),
    nodes: u64,
    next_pause: u64,
    path: Vec<Move>,
}

/// Number of positions searched or bounds computed between two checks of the clock.
const PAUSE: u64 = 512;

/// More moves than any bound requires.
const FAR: usize = 4000;

impl<'a> Search<'a> {
    /// Prepares a search with tables of about `memory` bytes. `on_pause` is called regularly with the number of
    /// positions searched.
    pub(super) fn new(
        target: &'a Target,
        memory: usize,
        deadline: Option<Instant>,
        on_pause: &'a mut dyn FnMut(u64),
    ) -> Search<'a> {
        Search {
            target,
            judge: Judge::new(target, memory / 2),
            failures: FailureTable::new(memory / 2),
            deadline,
            on_pause,
            nodes: 0,
            next_pause: PAUSE,
            path: Vec::new(),
        }
    }

    /// Whether both sides can succeed with any number of moves.
    pub(super) fn is_possible(&mut self) -> bool {
        self.root(FAR).is_some()
    }

    /// Whether a game with exactly this many plies is not obviously impossible.
    pub(super) fn is_open(&mut self, plies: usize) -> bool {
        let turn = if plies.is_multiple_of(2) { Color::White } else { Color::Black };
        self.target.turn.is_none_or(|asked| asked == turn) && self.root(plies).is_some()
    }

    /// Searches for a game with exactly this many plies.
    pub(super) fn run(&mut self, plies: usize) -> Result<Option<Vec<Move>>, Timeout> {
        self.pause()?;
        if !self.is_open(plies) {
            return Ok(None);
        }
        let Some(root) = self.root(plies) else { return Ok(None) };
        self.path.clear();
        Ok(self.visit(&root, plies)?.then(|| self.path.clone()))
    }

    fn root(&mut self, plies: usize) -> Option<Node> {
        let position = Chess::new();
        let mut side = |color: Color, moves: usize| {
            let key = keys::side(position.board(), color, position.castles().castling_rights());
            let lost = position.board().by_color(!color).count() - self.target.board.by_color(!color).count();
            let (alone, bounds) = (Bounds::default(), Bounds::default());
            let mut side = SideState { color, key, moves, captures: lost, alone, bounds };
            self.judge.judge_alone(&mut side, &&position).then_some(side)
        };
        let sides =
            ByColor { white: side(Color::White, plies.div_ceil(2))?, black: side(Color::Black, plies / 2)? };
        sides.white.bounds.agree(&sides.black.bounds).then_some(Node { position, sides, key: 0 })
    }

    /// Whether the target can be reached from a node in exactly `left` plies. The moves are left in `path`.
    fn visit(&mut self, node: &Node, left: usize) -> Result<bool, Timeout> {
        if left == 0 {
            return Ok(self.target.is_reached_by(&node.position));
        }
        self.nodes += 1;
        if self.nodes + self.judge.worked_out >= self.next_pause {
            self.pause()?;
        }
        for m in moves(node) {
            let Some(child) = self.child(node, m, left - 1) else { continue };
            self.path.push(m);
            if self.visit(&child, left - 1)? {
                return Ok(true);
            }
            self.path.pop();
            self.remember_failure(child.key, left - 1);
        }
        Ok(false)
    }

    fn pause(&mut self) -> Result<(), Timeout> {
        self.next_pause = self.nodes + self.judge.worked_out + PAUSE;
        (self.on_pause)(self.nodes);
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Timeout),
            _ => Ok(()),
        }
    }

    /// A key ignores an en passant square where no pawn can capture, because nothing that follows depends on it. But
    /// the target may require such a square, so a failure in the final position does not apply to others with the same
    /// key.
    fn remember_failure(&mut self, key: u64, left: usize) {
        if left > 0 {
            self.failures.insert(key);
        }
    }

    /// The node after a legal move with `left` plies left; `None` if the target cannot be reached from there.
    fn child(&mut self, node: &Node, m: Move, left: usize) -> Option<Node> {
        let us = node.position.turn();
        let (mut mover, mut other) = (*node.sides.get(us), *node.sides.get(!us));
        let change = Change::new(&node.position, m);
        let position = LazyCell::new(|| after(&node.position, m));
        mover.key ^= change.mover;
        mover.moves -= 1;
        mover.captures = mover.captures.checked_sub(usize::from(m.is_capture()))?;
        if !self.judge.judge_alone(&mut mover, &position) {
            return None;
        }
        other.key ^= change.other;
        if m.is_capture() && !self.judge.judge_alone(&mut other, &position) {
            return None;
        }
        let key = mover.key ^ other.key ^ change.passed ^ keys::left(left, !us);
        if !mover.alone.agree(&other.alone) || left > 0 && self.failures.contains(key) {
            return None;
        }
        // Obstacles remain obstacles: those of the last node are still valid, and the mover may have new ones.
        let old = &node.sides.get(us).bounds;
        let possible = self.judge.judge_among(&mut mover, &other.bounds, &position)
            && (mover.bounds.frozen == old.frozen && !m.is_capture()
                || self.judge.judge_among(&mut other, &mover.bounds, &position))
            && mover.bounds.agree(&other.bounds);
        if !possible {
            self.remember_failure(key, left);
            return None;
        }
        let sides =
            us.fold_wb(ByColor { white: mover, black: other }, ByColor { white: other, black: mover });
        Some(Node { position: LazyCell::force(&position).clone(), sides, key })
    }
}

/// The legal moves that are within the mover's bounds.
fn moves(node: &Node) -> Vec<Move> {
    let bounds = &node.sides.get(node.position.turn()).bounds;
    node.position.legal_moves().into_iter().filter(|&m| bounds.allows(m)).collect()
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut position = position.clone();
    position.play_unchecked(m);
    position
}

#[cfg(test)]
mod tests {
    //! No game may be pruned on the way to its own final position: along known games, every bound must allow the next
    //! move. Long games test this as well as short ones, since nothing is searched.

    use shakmaty::{EnPassantMode, fen::Fen};

    use super::*;

    fn admits(game: &[Move]) {
        let end = game.iter().fold(Chess::new(), |position, &m| after(&position, m));
        let fen = Fen::from_position(&end, EnPassantMode::Always).to_string();
        let bare = format!("{} {}", end.board().board_fen(), end.turn().char());
        for target in [bare.parse().unwrap(), fen.parse().unwrap(), Target::as_written(&fen).unwrap()] {
            let mut on_pause = |_| ();
            let mut walk = Search::new(&target, 1 << 20, None, &mut on_pause);
            let mut node =
                walk.root(game.len()).unwrap_or_else(|| panic!("{target:?} is excluded from the start"));
            for (ply, &m) in game.iter().enumerate() {
                let context = || format!("ply {ply}, {m} on the way to {}", end.board());
                assert!(moves(&node).contains(&m), "{}", context());
                node = walk.child(&node, m, game.len() - ply - 1).unwrap_or_else(|| panic!("{}", context()));
            }
            assert!(walk.target.is_reached_by(&node.position));
        }
    }

    fn solutions() -> Vec<Vec<Move>> {
        let text = include_str!("../../../data/golden/proofgames.tsv");
        let games = text.lines().skip(1).filter_map(|row| row.split('\t').nth(3));
        games
            .flat_map(|games| games.split(" // "))
            .map(|game| plybook_chess::chess::move_list(game).unwrap().1)
            .collect()
    }

    #[test]
    fn known_shortest_games_are_never_pruned() {
        for game in solutions() {
            admits(&game);
        }
    }

    #[test]
    fn beginnings_of_known_games_are_never_pruned() {
        for game in solutions() {
            (1..game.len()).step_by(3).for_each(|plies| admits(&game[..plies]));
        }
    }

    /// A game of random moves that prefers captures, promotions and castling.
    fn random_game(random: &mut u64, plies: usize) -> Vec<Move> {
        let (mut position, mut game) = (Chess::new(), Vec::new());
        for _ in 0..plies {
            let legal = position.legal_moves();
            let mut pick = |n: usize| {
                *random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from(*random >> 33).unwrap() % n
            };
            if legal.is_empty() {
                break;
            }
            let sharp = |m: &&Move| m.is_capture() || m.is_promotion() || m.is_castle();
            let sharp: Vec<Move> = legal.iter().filter(sharp).copied().collect();
            let m = if pick(3) == 0 && !sharp.is_empty() {
                sharp[pick(sharp.len())]
            } else {
                legal[pick(legal.len())]
            };
            position.play_unchecked(m);
            game.push(m);
        }
        game
    }

    #[test]
    fn random_games_are_never_pruned() {
        let mut random = 1;
        let long = std::env::var("PLYBOOK_TRIALS").is_ok_and(|form| form == "long");
        for n in 0..if long { 20_000 } else { 120 } {
            admits(&random_game(&mut random, [4, 7, 10, 16, 25, 60, 150, 300][n % 8]));
        }
    }

    #[test]
    fn keys_follow_the_moves() {
        let mut random = 2;
        for _ in 0..40 {
            let game = random_game(&mut random, 80);
            let mut position = Chess::new();
            for &m in &game {
                let key = |position: &Chess, color| {
                    keys::side(position.board(), color, position.castles().castling_rights())
                };
                let (us, change, next) = (position.turn(), Change::new(&position, m), after(&position, m));
                assert_eq!(key(&position, us) ^ change.mover, key(&next, us), "{m}");
                assert_eq!(key(&position, !us) ^ change.other, key(&next, !us), "{m}");
                let passed = next.pseudo_legal_ep_square().map_or(0, keys::passed);
                assert_eq!(change.passed, passed, "{m}");
                position = next;
            }
        }
    }
}
