//! Where a pattern may match: as written, and with `any_file` also on other files and mirrored.

use crate::query::{RankContent, SquareContent};

/// A placement of a pattern on the board.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    /// Mirrored left to right: the a file becomes the h file.
    is_mirrored: bool,
    /// The number of files by which it is shifted to the right.
    files: isize,
}

/// A rank of a pattern: the layouts that it matches.
#[derive(Default)]
pub(super) struct Rank {
    pub(super) ways: Vec<RankContent>,
    /// Whether it begins and ends with `*`, so that it matches the same positions at any placement.
    pub(super) is_anywhere: bool,
}

impl Placement {
    /// The placement as written.
    pub(super) const WRITTEN: Placement = Placement { is_mirrored: false, files: 0 };

    pub(super) fn is_written(self) -> bool {
        !self.is_mirrored && self.files == 0
    }

    /// All other placements.
    pub(super) fn others() -> impl Iterator<Item = Placement> {
        let places = |is_mirrored| (-7..=7).map(move |files| Placement { is_mirrored, files });
        [false, true].into_iter().flat_map(places).filter(|place| !place.is_written())
    }
}

impl Rank {
    /// The layouts at another placement; empty if the pattern would leave the board.
    pub(super) fn placed(&self, place: Placement) -> Vec<RankContent> {
        let mut ways = self.ways.clone();
        if place.is_mirrored {
            ways.iter_mut().for_each(|way| way.reverse());
            // Mirrored twice, a symmetric pattern becomes equal to the original, in the same order.
            ways.reverse();
        }
        match self.is_anywhere {
            true => ways,
            false => ways.into_iter().filter_map(|way| shifted(way, place.files)).collect(),
        }
    }
}

/// Shifts a layout; `None` if a square other than `?` would leave the board.
fn shifted(content: RankContent, files: isize) -> Option<RankContent> {
    let mut shifted = [SquareContent::ANY; 8];
    for (file, content) in (0usize..).zip(content).filter(|(_, content)| *content != SquareContent::ANY) {
        *shifted.get_mut(file.checked_add_signed(files)?)? = content;
    }
    Some(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::pattern::placed;
    use crate::query::StepWay;

    /// The number of placements of a pattern.
    fn places(text: &str) -> usize {
        let mut all: Vec<StepWay> = Vec::new();
        for place in std::iter::once(Placement::WRITTEN).chain(Placement::others()) {
            all.extend(placed(text, place).unwrap().filter(|way| !all.contains(way)));
        }
        all.len()
    }

    #[test]
    fn a_pattern_is_moved_as_far_as_it_is_on_the_board() {
        for (text, expected) in [
            ("*/*/*/*/???P*/*/*/*", 8),
            ("*/*/*/*/???PP*/*/*/*", 7),
            ("*/*/*/*/???Pp*/*/*/*", 14),
            ("*/*/*/*/????????/*/*/*", 1),
            ("*/*/*/*/*P*/*/*/*", 1),
            ("*/*/*/*/*Pp*/*/*/*", 2),
            ("[^k]K[^k]*/*P*/*/*/*/*/*/*", 6),
            // Fixed to a file at the edge.
            ("R*/*[k.][k.]/P*r*/*/*/*/*/*", 2),
            ("*/*/*/*/P*P/*/*/*", 1),
            ("*/*/*/*/3P4/*/*/*", 2),
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }
}
