//! What one side can still do in the moves it has left, whatever the other side does.
//!
//! The other side is taken to be as helpful as possible: its men stand ready wherever a capture is wanted,
//! capture whatever is to be lost, wherever it stands, and are in the way only where they will neither move
//! nor be captured any more. So whatever is excluded here is excluded in every game. The answer depends on
//! this side's men, castling rights, moves and captures and on those obstacles only; positions in which they
//! are the same share it.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, CastlingSide, Color, Role, Square, attacks};

use super::{
    assign::{Assignment, Costs, FORBIDDEN, MEN, cheapest},
    bounds::{Bounds, Sum},
    goal::Goal,
    reach::{MAX_STRIKES, Reach},
    steps::{Ground, fixed, guarded},
    target::Target,
};

/// A man that is not fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) role: Role,
    pub(super) square: Square,
}

type Men = ArrayVec<Man, MEN>;
type Goals = ArrayVec<Goal, MEN>;

/// What the bounds of a side depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    /// This side's rooks that can still castle.
    pub(super) rights: Bitboard,
    /// The moves it has left, and how many of them capture.
    pub(super) moves: usize,
    pub(super) captures: usize,
    /// The other side's obstacles and what they guard.
    pub(super) blocked: Bitboard,
    pub(super) closed: Bitboard,
    /// Its own men that are known to be obstacles.
    pub(super) frozen: Bitboard,
}

/// One side's men in the target and the ways to get there.
#[derive(Clone, Debug)]
pub(super) struct Side {
    ground: Ground,
    reach: Reach,
    goals: Goals,
}

/// How often the own men that cannot move any more are looked for anew.
const ROUNDS: usize = 4;

impl Side {
    pub(super) fn new(target: &Target, color: Color) -> Side {
        let blocked = fixed(target);
        let (ours, theirs) = (target.board.by_color(color), target.board.by_color(!color));
        let guards = theirs & blocked & target.board.pawns();
        let closed = guarded(!color, guards, Bitboard::EMPTY, Bitboard::EMPTY);
        let ground = Ground { color, blocked, closed };
        let reach = Reach::new(&ground, MEN - theirs.count());
        let goals = men(&target.board, ours & !blocked)
            .iter()
            .map(|man| Goal::new(&ground, man.role, man.square, MAX_STRIKES.min(MEN - theirs.count()), true))
            .collect();
        Side { ground, reach, goals }
    }

    /// What the side can do with exactly these moves.
    ///
    /// Men of its own that turn out unable to move are obstacles, which may make others unable to move.
    pub(super) fn bounds(&self, scene: &Scene<'_>) -> Bounds {
        let ours = scene.board.by_color(self.ground.color);
        let mut ground = self.ground;
        ground.blocked |= scene.blocked | scene.frozen;
        ground.closed |= scene.closed;
        let mut bounds = self.with_castling(&men(scene.board, ours & !ground.blocked), scene, &ground);
        for _ in 1..ROUNDS {
            if bounds.frozen.is_disjoint(bounds.area) || !bounds.is_possible() {
                break;
            }
            ground.blocked |= bounds.frozen;
            bounds = self.with_castling(&men(scene.board, ours & !ground.blocked), scene, &ground);
        }
        bounds.frozen |= ours & ground.blocked;
        let board = scene.board;
        let frozen = |men: Bitboard| men & bounds.frozen;
        bounds.guard =
            guarded(self.ground.color, frozen(board.pawns()), frozen(board.knights()), frozen(board.kings()));
        bounds
    }

    fn with_castling(&self, men: &Men, scene: &Scene<'_>, ground: &Ground) -> Bounds {
        let fresh = if *ground == self.ground { None } else { Some(self.measure(men, scene, ground)) };
        let goals = fresh.as_ref().unwrap_or(&self.goals);
        let mut bounds = self.plain(goals, men, scene.moves, scene.captures, ground);
        if scene.moves > 0 && scene.rights.any() {
            for side in CastlingSide::ALL {
                if let Some(castled) = castled(men, scene.rights, side, ground) {
                    let mut more = self.plain(goals, &castled.men, scene.moves - 1, scene.captures, ground);
                    if more.is_possible() {
                        more.from |= castled.homes;
                        more.area |= castled.path;
                        more.king_area |= castled.path;
                    }
                    bounds.join(&more);
                }
            }
        }
        bounds.frozen = men.iter().map(|man| man.square).collect::<Bitboard>() & !bounds.from & !bounds.lost;
        bounds
    }

    fn measure(&self, men: &Men, scene: &Scene<'_>, ground: &Ground) -> Goals {
        let pawns = men.iter().filter(|man| man.role == Role::Pawn).count();
        let open = |goal: &&Goal| !ground.blocked.contains(goal.square);
        let pawn_goals = self.goals.iter().filter(open).filter(|goal| goal.role == Role::Pawn).count();
        let strikes = scene.captures.min(MAX_STRIKES);
        let goal = |goal: &Goal| Goal::new(ground, goal.role, goal.square, strikes, pawns > pawn_goals);
        self.goals.iter().filter(open).map(goal).collect()
    }

    /// The bounds without castling.
    fn plain(&self, goals: &Goals, men: &Men, moves: usize, captures: usize, ground: &Ground) -> Bounds {
        let strikes = captures.min(MAX_STRIKES);
        let budget = i32::try_from(moves).unwrap_or(FORBIDDEN - 1);
        let costs = costs(goals, men, |goal, man| goal.moves(man.role, man.square, strikes));
        if least(&costs, goals.len(), men.len()) > budget {
            return Bounds::default();
        }
        let Some(plan) = cheapest(&costs, goals.len(), men.len()) else { return Bounds::default() };
        let due = strikes_due(goals, men, &plan, strikes);
        if plan.total > budget || due > captures {
            return Bounds::default();
        }
        let mut sum = Sum::new(strikes, captures);
        let losing = men.len() > goals.len();
        for (m, man) in men.iter().enumerate() {
            let flood = self.reach.flood(man.role, man.square);
            let spare = budget - plan.total + plan.man_price[m];
            for (g, goal) in goals.iter().enumerate() {
                let left = spare + plan.goal_price[g];
                if left >= costs[g][m] {
                    let left = usize::try_from(left).unwrap_or(0);
                    match man.role {
                        Role::Pawn => sum.add_pawn(man, flood, goal, left),
                        _ => sum.add_piece(man, flood, goal, left),
                    }
                }
            }
            if let (true, Ok(left)) = (losing && man.role != Role::King, usize::try_from(spare)) {
                sum.add_loss(man, flood, left, ground);
            }
        }
        sum.finish(due, losing, ground)
    }
}

/// A side that has castled: its men, the squares king and rook came from, and those they went over.
struct Castled {
    men: Men,
    homes: Bitboard,
    path: Bitboard,
}

/// Castling early is as good as castling late for a side that is alone on the board: king and rook stay in
/// their places until then. So it is tried as one move less with both in their new places. Obstacles between
/// the two, and squares that are closed to the king, forbid it for ever.
fn castled(men: &Men, rights: Bitboard, side: CastlingSide, ground: &Ground) -> Option<Castled> {
    let color = ground.color;
    let corner = if side.is_king_side() { Square::H1 } else { Square::A1 };
    let rook = color.fold_wb(corner, corner.flip_vertical());
    let king = color.fold_wb(Square::E1, Square::E8);
    if !rights.contains(rook) || ground.blocked.intersects(Bitboard::from(king).with(rook)) {
        return None;
    }
    let mut men = men.clone();
    let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
    let path = attacks::between(king, rook);
    let walk = attacks::between(king, king_to).with(king).with(king_to);
    if path.intersects(ground.blocked) || walk.intersects(ground.closed) {
        return None;
    }
    for man in &mut men {
        match man.square {
            square if square == king => man.square = king_to,
            square if square == rook => man.square = rook_to,
            _ => {}
        }
    }
    Some(Castled { men, homes: Bitboard::from(king).with(rook), path: path | walk })
}

fn costs(goals: &Goals, men: &Men, cost: impl Fn(&Goal, &Man) -> i32) -> Costs {
    let mut costs = [[0; MEN]; MEN];
    for (row, goal) in costs.iter_mut().zip(goals) {
        row.iter_mut().zip(men).for_each(|(entry, man)| *entry = cost(goal, man));
    }
    costs
}

/// What the assignment costs at least: every goal by its nearest man.
fn least(costs: &Costs, goals: usize, men: usize) -> i32 {
    costs[..goals].iter().map(|row| row[..men].iter().copied().min().unwrap_or(FORBIDDEN)).sum()
}

/// The least number of captures that pawns have to make.
fn strikes_due(goals: &Goals, men: &Men, plan: &Assignment, strikes: usize) -> usize {
    let strikes_of = |(goal, &m): (&Goal, &usize)| goal.strikes(men[m].role, men[m].square);
    if strikes == 0 || goals.iter().zip(&plan.man).all(|pair| strikes_of(pair) == 0) {
        return 0;
    }
    let costs = costs(goals, men, |goal, man| goal.strikes(man.role, man.square));
    let least = cheapest(&costs, goals.len(), men.len());
    least.and_then(|least| usize::try_from(least.total).ok()).unwrap_or(usize::MAX)
}

/// The men on these squares.
fn men(board: &Board, squares: Bitboard) -> Men {
    let man = |square| Some(Man { role: board.role_at(square)?, square });
    squares.into_iter().filter_map(man).take(MEN).collect()
}
