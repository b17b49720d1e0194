//! The cheapest way to give every goal a man of its own: the assignment problem, by the Hungarian method.
//!
//! Besides the least cost it gives prices (dual values) of goals and men. With them the cost of any change is
//! bounded from below without solving again, which is what the search lives on.

use arrayvec::ArrayVec;

/// Most goals and most men of one side.
pub(super) const MEN: usize = 16;

/// A cost that forbids. Larger than any sum of allowed costs.
pub(super) const FORBIDDEN: i32 = 10_000;

/// The costs: a row a goal, a column a man.
pub(super) type Costs = [[i32; MEN]; MEN];

/// A cheapest assignment.
///
/// For every goal g and man m, `cost(g, m) - goal_price[g] - man_price[m]` is at least 0, man prices are at
/// most 0 and those of men left over are 0, and the prices add up to the total. Hence every assignment in
/// which man m goes to goal g at cost c instead costs at least `total - goal_price[g] - man_price[m] + c`,
/// and every assignment that leaves man m over costs at least `total - man_price[m]`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) total: i32,
    pub(super) goal_price: [i32; MEN],
    pub(super) man_price: [i32; MEN],
    /// The man of each goal.
    pub(super) man: [usize; MEN],
}

/// The cheapest assignment of the first `goals` rows to some of the first `men` columns; `None` if there are
/// fewer men than goals or every assignment is forbidden.
pub(super) fn cheapest(costs: &Costs, goals: usize, men: usize) -> Option<Assignment> {
    if goals > men {
        return None;
    }
    let mut work =
        Work { costs, men, goal_price: [0; MEN + 1], man_price: [0; MEN + 1], goal_of: [NONE; MEN + 1] };
    for goal in (0..goals).filter(|&goal| !work.take_nearest(goal)).collect::<ArrayVec<usize, MEN>>() {
        work.add(goal);
    }
    work.result(goals)
}

/// No goal. Also the extra column in which a goal waits for its man.
const NONE: usize = MEN;

struct Work<'a> {
    costs: &'a Costs,
    men: usize,
    goal_price: [i32; MEN + 1],
    man_price: [i32; MEN + 1],
    goal_of: [usize; MEN + 1],
}

impl Work<'_> {
    /// Gives a goal its nearest man at once, if he is free. Its price is that distance in any case: prices
    /// of men are still 0.
    fn take_nearest(&mut self, goal: usize) -> bool {
        let nearest = (0..self.men).min_by_key(|&man| self.costs[goal][man]);
        let Some(man) = nearest else { return false };
        self.goal_price[goal] = self.costs[goal][man];
        let free = self.goal_of[man] == NONE;
        if free {
            self.goal_of[man] = goal;
        }
        free
    }

    /// Adds a goal along a cheapest alternating path from it to a free man.
    fn add(&mut self, goal: usize) {
        let mut slack = [i32::MAX; MEN];
        let mut before = [NONE; MEN];
        let mut seen = [false; MEN + 1];
        let mut man = NONE;
        self.goal_of[NONE] = goal;
        while self.goal_of[man] != NONE || man == NONE {
            seen[man] = true;
            let here = self.goal_of[man];
            let (mut step, mut next) = (i32::MAX, NONE);
            for other in (0..self.men).filter(|&other| !seen[other]) {
                let reduced = self.costs[here][other] - self.goal_price[here] - self.man_price[other];
                if reduced < slack[other] {
                    (slack[other], before[other]) = (reduced, man);
                }
                if slack[other] < step {
                    (step, next) = (slack[other], other);
                }
            }
            self.shift(step, &seen, &mut slack);
            man = next;
        }
        while man != NONE {
            self.goal_of[man] = self.goal_of[before[man]];
            man = before[man];
        }
        self.goal_of[NONE] = NONE;
    }

    fn shift(&mut self, step: i32, seen: &[bool; MEN + 1], slack: &mut [i32; MEN]) {
        if step == 0 {
            return;
        }
        self.goal_price[self.goal_of[NONE]] += step;
        for man in 0..self.men {
            if seen[man] {
                self.goal_price[self.goal_of[man]] += step;
                self.man_price[man] -= step;
            } else if slack[man] != i32::MAX {
                slack[man] -= step;
            }
        }
    }

    fn result(&self, goals: usize) -> Option<Assignment> {
        let mut found = Assignment { total: 0, goal_price: [0; MEN], man_price: [0; MEN], man: [NONE; MEN] };
        found.goal_price.copy_from_slice(&self.goal_price[..MEN]);
        found.man_price.copy_from_slice(&self.man_price[..MEN]);
        for (man, &goal) in self.goal_of[..self.men].iter().enumerate().filter(|&(_, &goal)| goal != NONE) {
            found.man[goal] = man;
            found.total += self.costs[goal][man];
        }
        debug_assert!(found.man[..goals].iter().all(|&man| man != NONE));
        (found.total < FORBIDDEN).then_some(found)
    }
}
