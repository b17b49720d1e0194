//! What one side can still do in the moves it has left, whatever the other side does.
//!
//! The other side is taken to be as helpful as possible: its men are never in the way (unless they never
//! move), stand ready wherever a capture is wanted, and capture whatever is to be lost, wherever it stands.
//! So whatever is excluded here is excluded in every game. The answer depends on this side's men, castling
//! rights, moves and captures only; positions in which they are the same share it.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, CastlingSide, Color, Rank, Role, Square};

use super::{
    assign::{Assignment, Costs, FORBIDDEN, MEN, cheapest},
    reach::{Flood, Goal, MAX_STRIKES, NEVER, Reach, king_home},
    steps::{Steps, fixed},
    target::Target,
};

/// What a side can still do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The squares of the men that have a move to spare.
    pub(super) from: Bitboard,
    /// The squares that the next move may go to.
    pub(super) to: Bitboard,
    /// The squares on which pawns can capture; all if no pawn has to.
    pub(super) strike: Bitboard,
    /// The squares on which men can capture; all if no capture is due.
    pub(super) capture: Bitboard,
    /// The squares on which men can be lost; all if none is to be lost, none if the moves are too few.
    pub(super) loss: Bitboard,
}

impl Bounds {
    /// Whether the moves can be enough.
    pub(super) fn is_possible(&self) -> bool {
        self.loss.any()
    }

    /// Whether what one side has to capture can be lost by the other where it is captured.
    pub(super) fn agree(&self, other: &Bounds) -> bool {
        self.strikes_at(other) && other.strikes_at(self)
    }

    fn strikes_at(&self, other: &Bounds) -> bool {
        self.capture.intersects(other.loss) && self.strike.intersects(other.loss)
    }

    fn join(&mut self, other: &Bounds) {
        self.from |= other.from;
        self.to |= other.to;
        self.strike |= other.strike;
        self.capture |= other.capture;
        self.loss |= other.loss;
    }
}

#[derive(Clone, Copy, Debug)]
struct Man {
    role: Role,
    square: Square,
}

type Men = ArrayVec<Man, MEN>;

/// One side's men in the target and the ways to get there.
#[derive(Clone, Debug)]
pub(super) struct Side {
    color: Color,
    fixed: Bitboard,
    reach: Reach,
    goals: Vec<Goal>,
}

impl Side {
    pub(super) fn new(target: &Target, color: Color) -> Side {
        let fixed = fixed(target);
        let enemies = target.board.by_color(!color).count();
        let reach = Reach::new(&Steps::new(target, color, fixed), MEN - enemies);
        let goals =
            men(&target.board, color, fixed).iter().map(|man| reach.goal(man.role, man.square)).collect();
        Side { color, fixed, reach, goals }
    }

    /// What the side can do with exactly these moves, of which `captures` capture.
    pub(super) fn bounds(&self, board: &Board, rights: Bitboard, moves: usize, captures: usize) -> Bounds {
        let mut men = men(board, self.color, self.fixed);
        let mut bounds = self.plain(&men, moves, captures);
        if moves > 0 && rights.any() {
            for side in CastlingSide::ALL {
                self.castled(&mut men, rights, side, |men| {
                    bounds.join(&self.plain(men, moves - 1, captures))
                });
            }
        }
        bounds
    }

    /// Castling early is as good as castling late for a side that is alone on the board: king and rook stay
    /// in their places until then. So it is one move less with both in their new places.
    fn castled(&self, men: &mut Men, rights: Bitboard, side: CastlingSide, f: impl FnOnce(&Men)) {
        let corner = if side.is_king_side() { Square::H1 } else { Square::A1 };
        let rook = self.color.fold_wb(corner, corner.flip_vertical());
        let king = king_home(self.color);
        let at = |men: &Men, square| men.iter().position(|man| man.square == square);
        if let (true, Some(k), Some(r)) = (rights.contains(rook), at(men, king), at(men, rook)) {
            men[k].square = side.king_to(self.color);
            men[r].square = side.rook_to(self.color);
            f(men);
            men[k].square = king;
            men[r].square = rook;
        }
    }

    /// The bounds without castling.
    fn plain(&self, men: &Men, moves: usize, captures: usize) -> Bounds {
        let strikes = captures.min(MAX_STRIKES);
        let budget = i32::try_from(moves).unwrap_or(FORBIDDEN - 1);
        let Some(plan) = cheapest(&self.moves(men, strikes), self.goals.len(), men.len()) else {
            return Bounds::default();
        };
        let due = self.strikes_due(men, &plan, strikes);
        if plan.total > budget || due > captures {
            return Bounds::default();
        }
        let mut sum = Sum { bounds: Bounds::default(), strikes, captures };
        for (m, man) in men.iter().enumerate() {
            let flood = self.reach.flood(man.role, man.square);
            for (g, goal) in self.goals.iter().enumerate() {
                let left = budget - plan.total + plan.goal_price[g] + plan.man_price[m];
                let needed = goal.moves(man.role, man.square, strikes);
                if let Ok(left) = usize::try_from(left)
                    && needed != NEVER
                    && usize::from(needed) <= left
                {
                    sum.add_way(man, flood, goal, left);
                }
            }
            let left = budget - plan.total + plan.man_price[m];
            if let Ok(left) = usize::try_from(left)
                && man.role != Role::King
                && men.len() > self.goals.len()
            {
                sum.add_loss(man, flood, left);
                sum.bounds.loss |= self.passed(man);
            }
        }
        sum.finish(due, men.len() > self.goals.len())
    }

    /// The square on which a pawn that has made a double step can be captured en passant. A pawn that has
    /// not yet made it can be lost there as well: it could stop there.
    fn passed(&self, man: &Man) -> Bitboard {
        let stepped = man.role == Role::Pawn && man.square.rank() == self.color.relative_rank(Rank::Fourth);
        let back = self.color.fold_wb(-8, 8);
        man.square.offset(back).filter(|_| stepped).map_or(Bitboard::EMPTY, Bitboard::from)
    }

    fn moves(&self, men: &Men, strikes: usize) -> Costs {
        self.costs(men, |goal, man| goal.moves(man.role, man.square, strikes))
    }

    fn costs(&self, men: &Men, cost: impl Fn(&Goal, &Man) -> u8) -> Costs {
        let mut costs = [[0; MEN]; MEN];
        for (row, goal) in costs.iter_mut().zip(&self.goals) {
            for (entry, man) in row.iter_mut().zip(men) {
                let cost = cost(goal, man);
                *entry = if cost == NEVER { FORBIDDEN } else { i32::from(cost) };
            }
        }
        costs
    }

    /// The least number of captures that pawns have to make.
    fn strikes_due(&self, men: &Men, plan: &Assignment, strikes: usize) -> usize {
        let strikes_of = |(goal, &m): (&Goal, &usize)| goal.strikes(men[m].role, men[m].square);
        if strikes == 0 || self.goals.iter().zip(&plan.man).all(|pair| strikes_of(pair) == 0) {
            return 0;
        }
        let costs = self.costs(men, |goal, man| goal.strikes(man.role, man.square));
        let least = cheapest(&costs, self.goals.len(), men.len());
        least.and_then(|least| usize::try_from(least.total).ok()).unwrap_or(usize::MAX)
    }
}

/// The men of a side that move.
fn men(board: &Board, color: Color, fixed: Bitboard) -> Men {
    let squares = board.by_color(color) & !fixed;
    squares
        .into_iter()
        .filter_map(|square| Some(Man { role: board.role_at(square)?, square }))
        .take(MEN)
        .collect()
}

/// Gathers bounds man by man.
struct Sum {
    bounds: Bounds,
    strikes: usize,
    captures: usize,
}

impl Sum {
    /// A man that may go to this goal in at most `left` moves.
    fn add_way(&mut self, man: &Man, flood: &Flood, goal: &Goal, left: usize) {
        if left == 0 {
            return;
        }
        let first = flood.after(1, self.strikes);
        let next = first.enter.common(goal.back(left - 1, self.strikes))
            | first.within.common(goal.back(left - 1, self.strikes)).without(man.square)
            | self.first_strike(flood).common(goal.back(left - 1, self.strikes.saturating_sub(1)));
        if next.any() {
            self.bounds.from.add(man.square);
            self.bounds.to |= next;
        }
        if self.captures == 0 {
            return;
        }
        for moves in 1..=left.min(flood.depth()) {
            let back = |strikes| goal.back(left - moves, strikes);
            // One of the captures is the piece's own.
            let enter = &flood.after(moves, self.strikes.min(self.captures - 1)).enter;
            self.bounds.capture |= enter.common(back(0));
            if man.role == Role::Pawn {
                for strikes in 1..=self.strikes {
                    let strike = &flood.after(moves, strikes).strike;
                    self.bounds.strike |= strike.common(back(self.strikes - strikes));
                }
            }
        }
    }

    fn first_strike<'a>(&self, flood: &'a Flood) -> &'a super::steps::Places {
        &flood.after(1, self.strikes).strike
    }

    /// A man that may be lost after at most `left` moves of its own.
    fn add_loss(&mut self, man: &Man, flood: &Flood, left: usize) {
        let reach = flood.after(left, self.strikes);
        self.bounds.loss |= reach.within.squares();
        if left == 0 {
            return;
        }
        self.bounds.from.add(man.square);
        self.bounds.to |= flood.after(1, self.strikes).within.squares().without(man.square);
        if self.captures > 0 {
            self.bounds.capture |= flood.after(left, self.strikes.min(self.captures - 1)).enter.squares();
            self.bounds.strike |= reach.strike.squares();
        }
    }

    fn finish(self, due: usize, losing: bool) -> Bounds {
        let Sum { mut bounds, captures, .. } = self;
        // If pawns have to make all captures, no piece makes one.
        bounds.capture = if captures == 0 {
            Bitboard::FULL
        } else if captures == due {
            bounds.strike
        } else {
            bounds.capture | bounds.strike
        };
        if due == 0 {
            bounds.strike = Bitboard::FULL;
        }
        if !losing {
            bounds.loss = Bitboard::FULL;
        }
        bounds
    }
}
