//! The number of pieces of each kind, one kind after another, each with a cost that depends on its frequency.
//!
//! ```text
//! | P | p | Q | q | R | r | B | N | b | n |
//! ```
//!
//! There are 0 to 8 pawns. For other pieces the number is 0, 1, 2 or more, and "more" is followed by one digit for
//! each further one. The weights depend on the context: for p the number P; for all other pieces a third of the number
//! of pawns, and in addition for q the number Q, for R that of Q, for r that of R, for B that of R, for N that of B,
//! for b that of B and N together, and for n how many of these Black still lacks.

use super::{coder::Coder, table};

/// Pieces by colour (white, black) and role (pawn to king).
pub type Counts = [[usize; 6]; 2];

/// More than two of a kind are counted by a series of "one more?" digits with these odds.
const STOP_OR_MORE: [u32; 2] = [3, 1];

/// Processes the numbers of pieces. Each side has one king. `goal` is used only when writing.
pub(super) fn counts(coder: &mut Coder, goal: &Counts) -> Option<Counts> {
    let [[goal_p, goal_n, goal_b, goal_r, goal_q, _], [goal_bp, goal_bn, goal_bb, goal_br, goal_bq, _]] =
        *goal;
    let white_pawns = coder.of(table::row(('W', 0, 0)), goal_p)?;
    let black_pawns = coder.of(table::row(('w', white_pawns, 0)), goal_bp)?;
    let third = (white_pawns + black_pawns) / 3;
    let mut officers = |name, situation: usize, goal| officers(coder, name, third, situation, goal);
    let white_queens = officers('D', 0, goal_q)?;
    let black_queens = officers('d', white_queens.min(3), goal_bq)?;
    let white_rooks = officers('T', white_queens.min(3), goal_r)?;
    let black_rooks = officers('t', white_rooks.min(3), goal_br)?;
    let white_bishops = officers('L', white_rooks.min(3), goal_b)?;
    let white_knights = officers('H', white_bishops.min(3), goal_n)?;
    let minors = white_bishops.min(3) + white_knights.min(3);
    let black_bishops = officers('l', minors, goal_bb)?;
    let lacking = minors.saturating_sub(black_bishops.min(3)).min(3);
    let black_knights = officers('h', lacking, goal_bn)?;
    let white = [white_pawns, white_knights, white_bishops, white_rooks, white_queens, 1];
    Some([white, [black_pawns, black_knights, black_bishops, black_rooks, black_queens, 1]])
}

fn officers(coder: &mut Coder, name: char, third: usize, situation: usize, goal: usize) -> Option<usize> {
    let mut count = coder.of(table::row((name, third, situation)), goal.min(3))?;
    while count >= 3 && coder.of(&STOP_OR_MORE, usize::from(goal > count))? == 1 {
        count += 1;
        // A board has no more squares. (A fraction may encode "one more" forever.)
        (count <= 62).then_some(())?;
    }
    Some(count)
}
