//! The cheapest assignment of a piece to every goal (the assignment problem, solved by the Hungarian method), and the
//! minimum cost if one piece is assigned to one goal, or to none.

use arrayvec::ArrayVec;

/// Maximum number of goals, and of pieces of one side.
pub(super) const MEN: usize = 16;

/// The cost of a forbidden assignment. Larger than any sum of allowed costs.
pub(super) const FORBIDDEN: i32 = 10_000;

/// The costs: one row per goal, one column per piece.
pub(super) type Costs = [[i32; MEN]; MEN];

/// The costs of all assignments, separated by the use of one piece.
#[derive(Clone, Debug)]
pub(super) struct Margins {
    /// The minimum cost of all assignments.
    pub(super) total: i32,
    /// The minimum cost of everything else if this piece is assigned to this goal.
    rest: Costs,
    /// The minimum total cost if this piece is not used.
    without: [i32; MEN],
}

impl Margins {
    /// If nothing costs anything and no piece is needed.
    pub(super) const FREE: Margins = Margins { total: 0, rest: [[0; MEN]; MEN], without: [0; MEN] };

    /// The margins of the first `goals` rows and the first `men` columns; `None` if there are fewer pieces than goals
    /// or if every assignment is forbidden.
    pub(super) fn new(costs: &Costs, goals: usize, men: usize) -> Option<Margins> {
        let best = cheapest(costs, goals, men)?;
        let chains = chains(costs, &best, goals, men);
        let taken = |man: &usize| best.man[..goals].contains(man);
        let spare: ArrayVec<usize, MEN> = (0..men).filter(|man| !taken(man)).collect();
        let mut margins =
            Margins { total: best.total, rest: [[FORBIDDEN; MEN]; MEN], without: [FORBIDDEN; MEN] };
        let profit = |holder: usize| chains[..men].iter().map(|row| row[holder]).min().unwrap_or(0);
        let profits = best.man.map(|holder| if holder < men { profit(holder) } else { 0 });
        for (man, chain) in chains.iter().enumerate().take(men) {
            // The goal of this piece, if any, must be filled by a chain that ends with a spare piece …
            let freed = spare.iter().map(|&end| chain[end]).min().unwrap_or(FORBIDDEN);
            margins.without[man] = best.total + freed;
            for (goal, &holder) in best.man[..goals].iter().enumerate() {
                // … or with the piece whose goal it takes. Otherwise that piece may profitably free another one.
                let rest = chain[holder].min(freed + profits[goal]);
                margins.rest[goal][man] = best.total - costs[goal][holder] + rest;
            }
        }
        Some(margins)
    }

    /// The part of a budget left for moving a piece to a goal; `None` if everything else costs more.
    pub(super) fn left(&self, budget: i32, goal: usize, man: usize) -> Option<usize> {
        usize::try_from(budget - self.rest[goal][man]).ok()
    }

    /// The part of a budget left for an unused piece; `None` if everything else costs more.
    pub(super) fn left_without(&self, budget: i32, man: usize) -> Option<usize> {
        usize::try_from(budget - self.without[man]).ok()
    }
}

/// The minimum extra cost of removing one piece (the row) from its goal and using another (the column): the second may
/// take the first one's goal, or a third piece does and the second takes its goal, and so on. These are shortest paths
/// (Floyd and Warshall); there is no negative cycle, because the assignment is a cheapest one.
fn chains(costs: &Costs, best: &Assignment, goals: usize, men: usize) -> Costs {
    let mut chains = [[FORBIDDEN; MEN]; MEN];
    for (goal, &man) in best.man[..goals].iter().enumerate() {
        for other in 0..men {
            chains[man][other] = costs[goal][other] - costs[goal][man];
        }
    }
    (0..MEN).for_each(|man| chains[man][man] = 0);
    for middle in 0..men {
        let onward = chains[middle];
        for row in &mut chains[..men] {
            let here = row[middle];
            row.iter_mut().zip(onward).for_each(|(cost, more)| *cost = (*cost).min(here + more));
        }
    }
    chains
}

/// A cheapest assignment.
struct Assignment {
    total: i32,
    /// The piece of each goal.
    man: [usize; MEN],
}

/// The cheapest assignment of the first `goals` rows to some of the first `men` columns; `None` if there are fewer
/// pieces than goals or every assignment is forbidden.
fn cheapest(costs: &Costs, goals: usize, men: usize) -> Option<Assignment> {
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

/// No goal. Also the extra column for the goal that is being assigned.
const NONE: usize = MEN;

struct Work<'a> {
    costs: &'a Costs,
    men: usize,
    goal_price: [i32; MEN + 1],
    man_price: [i32; MEN + 1],
    goal_of: [usize; MEN + 1],
}

impl Work<'_> {
    /// Assigns the nearest piece to a goal if it is free. The goal's price is that distance in any case, because the
    /// prices of pieces are still 0.
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

    /// Adds a goal along a cheapest alternating path to a free piece.
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
        let mut found = Assignment { total: 0, man: [NONE; MEN] };
        for (man, &goal) in self.goal_of[..self.men].iter().enumerate().filter(|&(_, &goal)| goal != NONE) {
            found.man[goal] = man;
            found.total += self.costs[goal][man];
        }
        debug_assert!(found.man[..goals].iter().all(|&man| man != NONE));
        (found.total < FORBIDDEN).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: all assignments, with the minimum cost for each use of a piece.
    fn all(costs: &Costs, goals: usize, men: usize) -> (i32, Costs, [i32; MEN]) {
        let (mut total, mut rest, mut without) = (i32::MAX, [[i32::MAX; MEN]; MEN], [i32::MAX; MEN]);
        let mut stack: Vec<Vec<usize>> = vec![vec![]];
        while let Some(plan) = stack.pop() {
            if plan.len() < goals {
                let next = (0..men).filter(|man| !plan.contains(man));
                stack.extend(next.map(|man| [plan.clone(), vec![man]].concat()));
                continue;
            }
            let cost: i32 = plan.iter().enumerate().map(|(goal, &man)| costs[goal][man]).sum();
            total = total.min(cost);
            for man in 0..men {
                match plan.iter().position(|&other| other == man) {
                    Some(goal) => rest[goal][man] = rest[goal][man].min(cost - costs[goal][man]),
                    None => without[man] = without[man].min(cost),
                }
            }
        }
        (total, rest, without)
    }

    #[test]
    fn margins_are_lower_bounds_of_all_assignments() {
        let mut random = 1u64;
        for n in 0..3000 {
            let (goals, men) = ([2, 3, 4, 4, 5][n % 5], [2, 4, 4, 6, 6][n % 5]);
            let mut costs = [[FORBIDDEN; MEN]; MEN];
            for row in &mut costs[..goals] {
                for cost in &mut row[..men] {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *cost = [0, 1, 2, 3, 5, 8, FORBIDDEN][usize::try_from(random >> 40).unwrap() % 7];
                }
            }
            let (total, rest, without) = all(&costs, goals, men);
            let Some(margins) = Margins::new(&costs, goals, men) else {
                assert!(total >= FORBIDDEN);
                continue;
            };
            assert_eq!(margins.total, total);
            let same = |mine: i32, twin: i32| mine == twin || mine > 1000 && twin > 1000;
            for man in 0..men {
                assert!(same(margins.without[man], without[man]));
                for (mine, twin) in margins.rest.iter().zip(&rest).take(goals) {
                    assert!(same(mine[man], twin[man]) || mine[man] <= twin[man]);
                }
            }
        }
    }

    #[test]
    fn too_few_pieces_give_no_assignment() {
        assert!(Margins::new(&[[0; MEN]; MEN], 3, 2).is_none());
        assert!(Margins::new(&[[FORBIDDEN; MEN]; MEN], 2, 2).is_none());
        assert!(Margins::new(&[[FORBIDDEN; MEN]; MEN], 0, 2).is_some());
    }
}
