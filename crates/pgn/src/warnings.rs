//! The irregularities of a stored game, counted, with their first places.

use std::ops::AddAssign;

use super::{
    reject::{Reject, RejectReason},
    warning::Warning,
};

/// How often each kind of irregularity was found, and where first, in the order of the kinds. Most games have none,
/// and then this takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings(Vec<Counted>);

/// A kind of irregularity that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counted {
    warning: Warning,
    times: u64,
    /// The byte offset in the game of the first occurrence, if known.
    at: Option<usize>,
    /// What exactly is irregular there, if the kind does not say it.
    why: Option<Box<RejectReason>>,
}

impl Warnings {
    /// Adds one occurrence.
    pub fn add(&mut self, warning: Warning) {
        self.add_many(warning, 1);
    }

    /// Adds several occurrences.
    pub fn add_many(&mut self, warning: Warning, times: u64) {
        self.count_in(Counted { warning, times, at: None, why: None });
    }

    /// Counts a kind once, however often it is found, with the byte offset of its first occurrence.
    pub fn mark(&mut self, warning: Warning, at: usize) {
        self.count_once(Counted { warning, times: 1, at: Some(at), why: None });
    }

    /// The same, with what exactly is irregular there.
    pub fn mark_with(&mut self, warning: Warning, at: usize, why: RejectReason) {
        self.count_once(Counted { warning, times: 1, at: Some(at), why: Some(Box::new(why)) });
    }

    fn count_once(&mut self, first: Counted) {
        if self.count(first.warning) == 0 {
            self.count_in(first);
        }
    }

    /// Where and what exactly the first occurrence of this kind is, if the kind does not say it.
    pub fn detail(&self, warning: Warning) -> Option<Reject> {
        let Counted { at, why, .. } = self.of(warning)?;
        Some(Reject { reason: why.as_deref()?.clone(), at: (*at)? })
    }

    fn of(&self, warning: Warning) -> Option<&Counted> {
        self.0.iter().find(|counted| counted.warning == warning)
    }

    fn count_in(&mut self, more: Counted) {
        match self.0.binary_search_by_key(&(more.warning as usize), |counted| counted.warning as usize) {
            _ if more.times == 0 => {}
            Ok(place) => self.0[place].times += more.times,
            Err(place) => self.0.insert(place, more),
        }
    }

    /// The first repair in the game, and its byte offset.
    pub fn repair(&self) -> Option<(Warning, usize)> {
        let repairs = self.0.iter().filter(|counted| counted.warning.is_repair());
        repairs.map(|counted| (counted.warning, counted.at.unwrap_or(0))).min_by_key(|&(_, at)| at)
    }

    /// Whether the stored text differs from a plain reading of the source bytes, so that the bytes are worth keeping.
    pub fn keep_bytes(&self) -> bool {
        // The tags with these values are stored as they were written.
        let is_kept = |warning| matches!(warning, Warning::OddDate | Warning::OddRating);
        let is_changed = |warning: Warning| warning.is_repair() && !is_kept(warning);
        self.0.iter().any(|counted| is_changed(counted.warning)) || self.count(Warning::NamedEncoding) > 0
    }

    /// The number of occurrences of this kind.
    pub fn count(&self, warning: Warning) -> u64 {
        self.of(warning).map_or(0, |counted| counted.times)
    }

    /// The kinds that were found, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Warning, u64)> + '_ {
        self.0.iter().map(|counted| (counted.warning, counted.times))
    }

    /// The kinds with a known location in the game and their byte offsets, in order of offset.
    pub fn places(&self) -> Vec<(Warning, usize)> {
        let placed = self.0.iter().filter_map(|counted| Some((counted.warning, counted.at?)));
        let mut placed: Vec<(Warning, usize)> = placed.collect();
        placed.sort_by_key(|&(_, at)| at);
        placed
    }

    /// The kinds that concern the entire game.
    pub fn without_place(&self) -> impl Iterator<Item = Warning> + '_ {
        self.0.iter().filter(|counted| counted.at.is_none()).map(|counted| counted.warning)
    }

    /// Converts the byte offsets.
    pub(super) fn replace(&mut self, place: impl Fn(usize) -> usize) {
        for counted in &mut self.0 {
            counted.at = counted.at.map(&place);
        }
    }
}

impl AddAssign for Warnings {
    fn add_assign(&mut self, other: Warnings) {
        for counted in other.0 {
            self.count_in(counted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_counted_and_listed_in_the_order_of_reports() {
        let mut warnings = Warnings::default();
        for warning in Warning::ALL.into_iter().rev() {
            warnings.mark(warning, 7);
            warnings.mark(warning, 3);
            warnings.add_many(warning, 0);
        }
        let all = Warning::ALL.map(|warning| (warning, 1));
        assert_eq!(warnings.iter().collect::<Vec<_>>(), all);
        warnings += warnings.clone();
        assert!(warnings.iter().all(|(warning, times)| times == 2 && warnings.count(warning) == 2));
        assert_eq!(
            warnings.repair().map(|(warning, _)| warning),
            Warning::ALL.into_iter().find(|warning| warning.is_repair())
        );
    }

    #[test]
    fn the_first_repair_of_a_game_is_reported_with_its_offset() {
        let mut warnings = Warnings::default();
        warnings.mark(Warning::NullMoves, 1);
        warnings.mark(Warning::GluedMoves, 9);
        warnings.mark(Warning::LongMoves, 5);
        warnings.replace(|at| at + 100);
        assert_eq!(warnings.repair(), Some((Warning::LongMoves, 105)));
        assert_eq!(warnings.places().len(), 3);
        assert_eq!(warnings.places()[1], (Warning::LongMoves, 105));
        warnings.add(Warning::OddTag);
        assert_eq!(warnings.repair(), Some((Warning::OddTag, 0)));
        assert_eq!(warnings.without_place().collect::<Vec<_>>(), [Warning::OddTag]);
    }
}
