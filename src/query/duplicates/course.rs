//! How far two games go the same way.

/// The most plies that two moves in another order may differ for: a pair of moves of each side.
const LONGEST_SWAP: usize = 4;

/// How far two games go the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    /// The last ply at which they have the same position.
    pub(super) shared: usize,
    /// Whether they differ in between, in the order of moves.
    pub(super) is_transposed: bool,
    /// The plies of each after that.
    pub(super) left: [usize; 2],
}

impl Course {
    /// Compares the positions of two games; `None` if they begin differently.
    pub(super) fn of(one: &[u64], two: &[u64]) -> Option<Course> {
        let is_same = |ply: usize| one.get(ply).is_some_and(|key| two.get(ply) == Some(key));
        let (mut shared, mut is_transposed) = (is_same(0).then_some(0)?, false);
        loop {
            while is_same(shared + 1) {
                shared += 1;
            }
            let after = (shared + 2..=shared + LONGEST_SWAP).find(|ply| is_same(*ply));
            match after.filter(|_| !is_transposed) {
                Some(ply) => (shared, is_transposed) = (ply, true),
                None => break,
            }
        }
        let left = [one, two].map(|game| game.len() - 1 - shared);
        Some(Course { shared, is_transposed, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(one: &[u64], two: &[u64]) -> Option<(usize, bool, [usize; 2])> {
        Course::of(one, two).map(|course| (course.shared, course.is_transposed, course.left))
    }

    #[test]
    fn games_are_followed_through_one_transposition() {
        let game: Vec<u64> = (0..20).collect();
        let mut swapped = game.clone();
        swapped[7..9].copy_from_slice(&[70, 80]);
        assert_eq!(course(&game, &game), Some((19, false, [0, 0])));
        assert_eq!(course(&game, &game[..12]), Some((11, false, [8, 0])));
        assert_eq!(course(&game, &swapped), Some((19, true, [0, 0])));
        swapped[13..15].copy_from_slice(&[130, 140]);
        assert_eq!(course(&game, &swapped), Some((12, true, [7, 7])));
        assert_eq!(course(&game, &[0, 1, 2, 30, 40, 50, 60, 70, 80, 90]), Some((2, false, [17, 7])));
        assert_eq!(course(&game, &[1, 2]), None);
    }
}
