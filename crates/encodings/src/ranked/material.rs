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
use plybook_chess::chess::{ByColor, ByRole};

/// Pieces by colour and role.
pub type Counts = ByColor<ByRole<usize>>;

/// More than two of a kind are counted by a series of "one more?" digits with these odds.
const STOP_OR_MORE: [u32; 2] = [3, 1];

/// Processes the numbers of pieces. Each side has one king. `goal` is used only when writing.
pub(super) fn counts(coder: &mut Coder, goal: &Counts) -> Option<Counts> {
    let mut counts = Counts::default();
    let ByColor { white, black } = &mut counts;
    (white.king, black.king) = (1, 1);
    white.pawn = coder.of(table::row(('W', 0, 0)), goal.white.pawn)?;
    black.pawn = coder.of(table::row(('w', white.pawn, 0)), goal.black.pawn)?;
    let third = (white.pawn + black.pawn) / 3;
    let mut officers = |name, situation: usize, goal| officers(coder, name, third, situation, goal);
    white.queen = officers('D', 0, goal.white.queen)?;
    black.queen = officers('d', white.queen.min(3), goal.black.queen)?;
    white.rook = officers('T', white.queen.min(3), goal.white.rook)?;
    black.rook = officers('t', white.rook.min(3), goal.black.rook)?;
    white.bishop = officers('L', white.rook.min(3), goal.white.bishop)?;
    white.knight = officers('H', white.bishop.min(3), goal.white.knight)?;
    let minors = white.bishop.min(3) + white.knight.min(3);
    black.bishop = officers('l', minors, goal.black.bishop)?;
    let lacking = minors.saturating_sub(black.bishop.min(3)).min(3);
    black.knight = officers('h', lacking, goal.black.knight)?;
    Some(counts)
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
