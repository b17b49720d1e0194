//! What one side can still do in its remaining moves, whatever the other side does.
//!
//! The other side is assumed to be as helpful as possible: its pieces are available wherever a capture is needed,
//! capture whatever is to be lost, and are in the way only where they will neither move nor be captured any more.
//! Whatever is excluded here is therefore excluded in every game. The result depends only on this side's pieces,
//! castling rights, moves and captures and on those obstacles; positions with the same values share it.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, CastlingSide, Color, Role, Square, attacks};

use super::{
    assign::{FORBIDDEN, MEN, Margins},
    bounds::{Bounds, BoundsBuilder, Man},
    distance::{Distances, MAX_STRIKES},
    moves::{Ground, fixed, guarded},
    target::Target,
    target_square::TargetSquare,
};

type Men = ArrayVec<Man, MEN>;
type Goals = ArrayVec<TargetSquare, MEN>;

/// The input for the bounds of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    /// This side's rooks that may still castle.
    pub(super) rights: Bitboard,
    /// The number of moves left, and how many of them are captures.
    pub(super) moves: usize,
    pub(super) captures: usize,
    /// The other side's obstacles and the squares they guard.
    pub(super) blocked: Bitboard,
    pub(super) closed: Bitboard,
    /// Its own pieces that are known to be obstacles.
    pub(super) frozen: Bitboard,
}

/// One side's pieces in the target and the ways to get there.
#[derive(Clone, Debug)]
pub(super) struct SideBounds {
    ground: Ground,
    reach: Distances,
    goals: Goals,
}

/// How many times the own immovable pieces are recomputed.
const ROUNDS: usize = 4;

impl SideBounds {
    pub(super) fn new(target: &Target, color: Color) -> SideBounds {
        let blocked = fixed(target);
        let (ours, theirs) = (target.board.by_color(color), target.board.by_color(!color));
        let guards = theirs & blocked & target.board.pawns();
        let closed = guarded(!color, guards, Bitboard::EMPTY, Bitboard::EMPTY);
        let ground = Ground { color, blocked, closed };
        let reach = Distances::new(&ground, MEN - theirs.count());
        let goals = men(&target.board, ours & !blocked)
            .iter()
            .map(|man| {
                TargetSquare::new(&ground, man.role, man.square, MAX_STRIKES.min(MEN - theirs.count()), true)
            })
            .collect();
        SideBounds { ground, reach, goals }
    }

    /// What the side can do with exactly these moves.
    ///
    /// Own pieces that turn out to be unable to move are obstacles, which may block others.
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
        let mut bounds = self.plain(goals, men, scene.moves, scene.captures, ground).unwrap_or_default();
        if scene.moves > 0 && scene.rights.any() {
            for side in CastlingSide::ALL {
                if let Some(castled) = castled(men, scene.rights, side, ground)
                    && let Some(mut more) =
                        self.plain(goals, &castled.men, scene.moves - 1, scene.captures, ground)
                {
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
        let open = |goal: &&TargetSquare| !ground.blocked.contains(goal.square);
        let pawn_goals = self.goals.iter().filter(open).filter(|goal| goal.role == Role::Pawn).count();
        let strikes = scene.captures.min(MAX_STRIKES);
        let goal = |goal: &TargetSquare| {
            TargetSquare::new(ground, goal.role, goal.square, strikes, pawns > pawn_goals)
        };
        self.goals.iter().filter(open).map(goal).collect()
    }

    /// The bounds without castling; `None` if the moves are not enough.
    fn plain(
        &self,
        goals: &Goals,
        men: &Men,
        moves: usize,
        captures: usize,
        ground: &Ground,
    ) -> Option<Bounds> {
        let [most_moves, most_strikes] = [moves, captures].map(|n| i32::try_from(n).unwrap_or(i32::MAX / 2));
        let strikes = match captures {
            0 => Margins::FREE,
            _ => margins(goals, men, most_strikes, |g, m| goals[g].strikes(men[m].role, men[m].square))?,
        };
        let moves = margins(goals, men, most_moves, |g, m| match strikes.left(most_strikes, g, m) {
            Some(strikes) => goals[g].moves(men[m].role, men[m].square, strikes),
            None => FORBIDDEN,
        })?;
        let mut sum = BoundsBuilder::default();
        let losing = men.len() > goals.len();
        for (m, man) in men.iter().enumerate() {
            let flood = self.reach.flood(man.role, man.square);
            for (g, goal) in goals.iter().enumerate() {
                if let (Some(left), Some(strikes)) =
                    (moves.left(most_moves, g, m), strikes.left(most_strikes, g, m))
                {
                    sum.add_way(man, flood, goal, left, strikes);
                }
            }
            if let (true, Some(left), Some(strikes)) =
                (losing, moves.left_without(most_moves, m), strikes.left_without(most_strikes, m))
            {
                sum.add_loss(man, flood, left, strikes, ground);
            }
        }
        Some(sum.finish(captures > 0, strikes.total > 0, losing, ground))
    }
}

/// The margins for a cost, if the budget is sufficient.
fn margins(goals: &Goals, men: &Men, budget: i32, cost: impl Fn(usize, usize) -> i32) -> Option<Margins> {
    let mut costs = [[FORBIDDEN; MEN]; MEN];
    let mut least = 0;
    for (g, row) in costs.iter_mut().enumerate().take(goals.len()) {
        row.iter_mut().enumerate().take(men.len()).for_each(|(m, entry)| *entry = cost(g, m));
        least += row.iter().copied().min().unwrap_or(FORBIDDEN);
    }
    if least > budget {
        return None;
    }
    Margins::new(&costs, goals.len(), men.len()).filter(|margins| margins.total <= budget)
}

/// A side that has castled: its pieces, the original squares of king and rook, and the squares they passed.
struct Castled {
    men: Men,
    homes: Bitboard,
    path: Bitboard,
}

/// For a side that is alone on the board, castling early is as good as castling late: king and rook do not move before
/// it. So it is tried as one move less with both on their new squares. Obstacles between the two, and squares closed
/// to the king, rule it out permanently.
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

/// The pieces on these squares.
fn men(board: &Board, squares: Bitboard) -> Men {
    let man = |square| Some(Man { role: board.role_at(square)?, square });
    squares.into_iter().filter_map(man).take(MEN).collect()
}
