//! The search for a game of exactly so many plies: depth first, and never into a position from which the
//! bounds of the two sides, or an earlier failure, say that the target is out of reach.

use std::time::Instant;

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position, Rank, Role, Square};

use super::{
    bounds::Bounds,
    keys,
    memory::{BoundsMemory, Failures},
    side::{Scene, Side},
    target::Target,
};

/// The time ran out.
pub(super) struct Timeout;

/// One side in a position of the search.
#[derive(Clone, Copy, Debug)]
struct Army {
    /// The key of its men and rights.
    key: u64,
    /// The captures it has still to make.
    captures: usize,
    /// What it can do on the board of its own obstacles.
    alone: Bounds,
    /// What it can do on the board of both sides' obstacles.
    bounds: Bounds,
}

#[derive(Clone, Debug)]
struct Node {
    position: Chess,
    armies: ByColor<Army>,
    key: u64,
}

/// A search, with everything it remembers.
pub(super) struct Walk<'a> {
    target: &'a Target,
    sides: ByColor<Side>,
    bounds: BoundsMemory,
    failures: Failures,
    deadline: Option<Instant>,
    on_pause: &'a mut dyn FnMut(u64),
    pub(super) nodes: u64,
    pub(super) evals: u64,
    path: Vec<Move>,
}

/// How many positions are searched between two looks at the clock.
const PAUSE: u64 = 1024;

impl<'a> Walk<'a> {
    pub(super) fn new(
        target: &'a Target,
        memory: usize,
        deadline: Option<Instant>,
        on_pause: &'a mut dyn FnMut(u64),
    ) -> Walk<'a> {
        Walk {
            target,
            sides: ByColor::new_with(|color| Side::new(target, color)),
            bounds: BoundsMemory::new(memory / 2),
            failures: Failures::new(memory / 2),
            deadline,
            on_pause,
            nodes: 0,
            evals: 0,
            path: Vec::new(),
        }
    }

    /// Whether any number of moves can be enough for both sides.
    pub(super) fn is_possible(&mut self) -> bool {
        self.root(FAR).is_some()
    }

    /// A game of exactly so many plies.
    pub(super) fn run(&mut self, plies: usize) -> Result<Option<Vec<Move>>, Timeout> {
        let last = if plies.is_multiple_of(2) { Color::White } else { Color::Black };
        if self.target.turn.is_some_and(|turn| turn != last) {
            return Ok(None);
        }
        let Some(root) = self.root(plies) else { return Ok(None) };
        self.path.clear();
        Ok(self.visit(&root, plies)?.then(|| self.path.clone()))
    }

    fn root(&mut self, plies: usize) -> Option<Node> {
        let position = Chess::new();
        let men = |color: Color| self.target.board.by_color(color).count();
        let captures = ByColor::new_with(|color: Color| 16 - men(!color));
        let mut army = |color: Color, moves: usize| {
            let key = keys::side(position.board(), color, position.castles().castling_rights());
            let captures = *captures.get(color);
            let mut army = Army { key, captures, alone: Bounds::default(), bounds: Bounds::default() };
            army.alone = self.alone(&army, color, moves, || &position)?;
            army.bounds = army.alone;
            Some(army)
        };
        let armies =
            ByColor { white: army(Color::White, plies.div_ceil(2))?, black: army(Color::Black, plies / 2)? };
        armies.white.bounds.agree(&armies.black.bounds).then_some(Node { position, armies, key: 0 })
    }

    /// Whether the target can be reached from a node in exactly `left` plies. The moves are left in `path`.
    fn visit(&mut self, node: &Node, left: usize) -> Result<bool, Timeout> {
        if left == 0 {
            return Ok(self.target.is_reached_by(&node.position));
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PAUSE) {
            self.pause()?;
        }
        for m in node.position.legal_moves() {
            let Some(child) = self.child(node, m, left - 1) else { continue };
            self.path.push(m);
            if self.visit(&child, left - 1)? {
                return Ok(true);
            }
            self.path.pop();
            self.failures.insert(child.key);
        }
        Ok(false)
    }

    fn pause(&mut self) -> Result<(), Timeout> {
        (self.on_pause)(self.nodes);
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Timeout),
            _ => Ok(()),
        }
    }

    /// The node after a legal move with `left` plies left; `None` if the target is out of reach from there.
    fn child(&mut self, node: &Node, m: Move, left: usize) -> Option<Node> {
        let us = node.position.turn();
        let (mut mover, mut other) = (*node.armies.get(us), *node.armies.get(!us));
        let change = Change::new(&node.position, m);
        if !change.castles
            && !(mover.bounds.from.contains(change.from) && mover.bounds.to.contains(change.to))
        {
            return None;
        }
        if m.is_capture() {
            mover.captures = mover.captures.checked_sub(1)?;
        }
        mover.key ^= change.mover;
        other.key ^= change.other;
        let position = std::cell::OnceCell::new();
        let after = || {
            let mut position = node.position.clone();
            position.play_unchecked(m);
            position
        };
        let after = || position.get_or_init(after);
        mover.alone = self.alone(&mover, us, left / 2, after)?;
        mover.bounds = self.among(&mover, us, left / 2, &other.bounds, after)?;
        if m.is_capture() {
            other.alone = self.alone(&other, !us, left.div_ceil(2), after)?;
        }
        if m.is_capture() || mover.bounds.frozen != node.armies.get(us).bounds.frozen {
            other.bounds = self.among(&other, !us, left.div_ceil(2), &mover.bounds, after)?;
        }
        if !mover.bounds.agree(&other.bounds) {
            return None;
        }
        let turn = us.fold_wb(0, 1);
        let key = mover.key ^ other.key ^ change.passed ^ keys::mix((1 << 40) + 2 * left as u64 + turn);
        if self.failures.contains(key) {
            return None;
        }
        let position = after().clone();
        let mut armies = node.armies;
        *armies.get_mut(us) = mover;
        *armies.get_mut(!us) = other;
        Some(Node { position, armies, key })
    }

    fn alone<'p>(
        &mut self,
        army: &Army,
        color: Color,
        moves: usize,
        position: impl Fn() -> &'p Chess,
    ) -> Option<Bounds> {
        let key = army.key ^ keys::mix((1 << 32) + 64 * moves as u64 + army.captures as u64);
        self.look_up(key, army, color, moves, [Bitboard::EMPTY; 2], position)
    }

    fn among<'p>(
        &mut self,
        army: &Army,
        color: Color,
        moves: usize,
        other: &Bounds,
        position: impl Fn() -> &'p Chess,
    ) -> Option<Bounds> {
        let obstacles = [other.frozen & army.alone.area, other.guard & army.alone.king_area];
        if obstacles.iter().all(|squares| squares.is_empty()) {
            return Some(army.alone);
        }
        let key = army.key ^ keys::mix((1 << 32) + 64 * moves as u64 + army.captures as u64);
        let key = key
            ^ keys::mix(obstacles[0].0)
            ^ keys::mix(obstacles[1].0 ^ (1 << 63 | 1 << 56 | 1 << 7 | 1)).rotate_left(17);
        self.look_up(key, army, color, moves, obstacles, position)
    }

    fn look_up<'p>(
        &mut self,
        key: u64,
        army: &Army,
        color: Color,
        moves: usize,
        [blocked, closed]: [Bitboard; 2],
        position: impl Fn() -> &'p Chess,
    ) -> Option<Bounds> {
        let bounds = self.bounds.get(key).unwrap_or_else(|| {
            let position = position();
            let rights = position.castles().castling_rights() & color.backrank();
            let scene =
                Scene { board: position.board(), rights, moves, captures: army.captures, blocked, closed };
            let bounds = self.sides.get(color).bounds(&scene);
            self.bounds.put(key, &bounds);
            self.evals += 1;
            bounds
        });
        bounds.is_possible().then_some(bounds)
    }
}

/// More moves than any bound asks for.
const FAR: usize = 4000;

/// What a move does to the keys of the two sides.
struct Change {
    from: Square,
    to: Square,
    castles: bool,
    mover: u64,
    other: u64,
    /// The key of the square a pawn has passed, if an enemy pawn stands ready to capture it there.
    passed: u64,
}

impl Change {
    fn new(position: &Chess, m: Move) -> Change {
        let us = position.turn();
        let rights = position.castles().castling_rights();
        let drop =
            |rooks: Bitboard| (rooks & rights).into_iter().map(keys::right).fold(0, |all, key| all ^ key);
        let mut change = Change { from: m.to(), to: m.to(), castles: false, mover: 0, other: 0, passed: 0 };
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                change.from = from;
                change.mover = keys::man(us, role, from) ^ keys::man(us, promotion.unwrap_or(role), to);
                if role == Role::King {
                    change.mover ^= drop(Bitboard::from_rank(us.backrank()));
                } else {
                    change.mover ^= drop(Bitboard::from(from));
                }
                if let Some(captured) = capture {
                    change.other = keys::man(!us, captured, to) ^ drop(Bitboard::from(to));
                }
                if role == Role::Pawn && from.file() == to.file() && from.distance(to) == 2 {
                    change.passed = passed(position, us, from, to);
                }
            }
            Move::EnPassant { from, to } => {
                change.from = from;
                change.mover = keys::man(us, Role::Pawn, from) ^ keys::man(us, Role::Pawn, to);
                change.other = keys::man(!us, Role::Pawn, Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => {
                let side = shakmaty::CastlingSide::from_king_side(king < rook);
                change.castles = true;
                change.mover = keys::man(us, Role::King, king)
                    ^ keys::man(us, Role::King, side.king_to(us))
                    ^ keys::man(us, Role::Rook, rook)
                    ^ keys::man(us, Role::Rook, side.rook_to(us))
                    ^ drop(Bitboard::from_rank(us.backrank()));
            }
            Move::Put { .. } => {}
        }
        change
    }
}

fn passed(position: &Chess, us: Color, from: Square, to: Square) -> u64 {
    let middle = Square::from_coords(from.file(), us.relative_rank(Rank::Third));
    let enemies = position.board().pawns() & position.board().by_color(!us);
    let ready = shakmaty::attacks::pawn_attacks(us, middle) & enemies;
    debug_assert_eq!(from.file(), to.file());
    if ready.any() { keys::passed(middle) } else { 0 }
}
