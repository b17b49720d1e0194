//! The progress of a game's trail through the steps of a line.

use super::{condition::Step, pattern::Match};
use crate::{chess::Color, trail::Moment};

/// What the moments of a trail so far say about the steps of a line.
///
/// A moment is a stretch of the game of unknown length, of one position or more. Its last position is one ply before
/// the first of the next moment; from its last position to the first of a later moment there are at least as many plies
/// as moments.
pub(super) struct LineProgress<'a> {
    steps: &'a [Step],
    /// The progress of each step.
    progress: Vec<StepProgress>,
    /// The number of the last moment.
    moment: usize,
    /// The side that made the move before it.
    by: Color,
}

#[derive(Clone, Copy, Default)]
struct StepProgress {
    /// The last moment that may have matched it after the steps before it.
    possible: Option<usize>,
    /// Whether some position so far certainly matches.
    is_sure: bool,
    /// Whether all positions of the last moment certainly match.
    is_held: bool,
    /// The least number of consecutive positions, up to the first of the last moment, that certainly match.
    positions: usize,
}

impl<'a> LineProgress<'a> {
    pub fn new(steps: &'a [Step]) -> LineProgress<'a> {
        let progress = vec![StepProgress::default(); steps.len()];
        LineProgress { steps, progress, moment: 0, by: Color::White }
    }

    /// Starts another game.
    pub fn restart(&mut self) {
        self.progress.fill(StepProgress::default());
        self.moment = 0;
    }

    /// Processes the next moment.
    #[inline]
    pub fn to(&mut self, moment: &Moment) {
        self.moment += 1;
        // If the same side moved before and after the previous moment, the other one moved in between. Whose turn it is in
        // the first moment is unknown.
        let least = if self.moment > 2 && moment.by == self.by { 2 } else { 1 };
        self.by = moment.by;
        let mut previous = None;
        for (number, step) in self.steps.iter().enumerate() {
            let before = self.progress[number];
            // Then the time of the match is irrelevant.
            let is_settled =
                before.is_sure && self.steps.get(number + 1).is_none_or(|next| next.within.is_none());
            let may_match = step.may_match(moment.pawns);
            // Without a match nothing changes, unless the moment before it matched.
            if !is_settled && (may_match || before.is_held || before.positions > 0) {
                let matched = if may_match { step.matches(moment) } else { Match::No };
                let positions = match (matched, before.positions) {
                    (Match::Yes, 0) => 1,
                    (Match::Yes, positions) => positions + least,
                    _ => 0,
                };
                let is_short = matched == Match::Yes && positions < step.positions;
                let matched = if is_short { Match::Maybe } else { matched };
                let after = before.after(matched, step.within, previous, self.moment);
                self.progress[number] = StepProgress { positions, ..after };
            }
            if self.progress[number].possible.is_none() {
                break;
            }
            previous = Some((before, self.progress[number]));
        }
    }

    /// Whether all steps may have been matched.
    pub fn is_possible(&self) -> bool {
        self.progress.last().is_none_or(|last| last.possible.is_some())
    }

    /// Whether all steps have certainly been matched.
    pub fn is_sure(&self) -> bool {
        self.progress.last().is_none_or(|last| last.is_sure)
    }
}

impl StepProgress {
    /// Updates a step after a moment that matches it on its own, or does not; given the progress of the previous step
    /// before and after this moment.
    #[inline]
    fn after(
        self,
        matched: Match,
        within: Option<usize>,
        previous: Option<(StepProgress, StepProgress)>,
        moment: usize,
    ) -> StepProgress {
        let (is_possible, is_sure, is_held) = match (previous, within) {
            (None, _) => (true, true, true),
            // All positions of this moment are later than any of an earlier moment.
            (Some((before, after)), None) => (after.possible.is_some(), before.is_sure, before.is_sure),
            // The first position of this moment is one ply after the last of the previous moment.
            (Some((before, after)), Some(plies)) => (
                after.possible.is_some_and(|last| moment - last <= plies),
                before.is_held && plies > 0,
                before.is_held && after.is_held && plies > 0,
            ),
        };
        StepProgress {
            possible: if matched != Match::No && is_possible { Some(moment) } else { self.possible },
            is_sure: self.is_sure || matched == Match::Yes && is_sure,
            is_held: matched == Match::Yes && is_held,
            positions: self.positions,
        }
    }
}
