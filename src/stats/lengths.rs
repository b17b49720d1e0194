//! The distribution of the sizes of games and positions in bits.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::per;
use crate::{
    archive::{Archive, ArchiveError, Filter, GameLength, Result, in_batches_in_order},
    codec::CodecId,
    record::{Family, GameKind, StoredGame},
};

/// How often each number of bits occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    counts: BTreeMap<u64, u64>,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramBar {
    /// The minimum bits of its games.
    pub from: u64,
    /// The games.
    pub games: u64,
}

/// The sizes of many games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// The size of each game in bits.
    pub bits: Spread,
    /// The number of plies.
    pub plies: u64,
    /// Games that the codec cannot represent.
    pub left_out: u64,
}

/// The bits that a share of the games does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Percentile {
    /// The share, in per cent.
    pub percent: u8,
    /// The bits.
    pub bits: u64,
}

/// The estimate in the first source text for an average game of m plies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimates {
    /// The mean number of plies, m.
    pub plies: f64,
    /// (m + 1) · log2 20: 20 legal moves in every position, without the end of the game.
    pub without_end: f64,
    /// (m + 1) · log2 21: one more choice, for the end of the game.
    pub with_end: f64,
}

impl Spread {
    /// Adds a number.
    pub fn add(&mut self, bits: u64) {
        *self.counts.entry(bits).or_default() += 1;
    }

    /// Adds all numbers of another distribution.
    pub fn merge(&mut self, other: &Spread) {
        for (&bits, &count) in &other.counts {
            *self.counts.entry(bits).or_default() += count;
        }
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The sum of all values.
    pub fn sum(&self) -> u64 {
        self.counts.iter().map(|(bits, count)| bits * count).sum()
    }

    /// The mean; 0 without values.
    pub fn mean(&self) -> f64 {
        per(self.sum(), self.count())
    }

    /// The smallest number that at least `percent` per cent of the values do not exceed; 0 without values.
    pub fn percentile(&self, percent: u8) -> u64 {
        let wanted = (self.count() * u64::from(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        let found = self.counts.iter().find(|&(_, count)| {
            seen += count;
            seen >= wanted
        });
        found.map_or(0, |(&bits, _)| bits)
    }

    /// Some percentiles: 1, 5, 25, 50 (the median), 75, 95, 99 and 100 (the largest).
    pub fn percentiles(&self) -> Vec<Percentile> {
        [1, 5, 25, 50, 75, 95, 99, 100]
            .map(|percent| Percentile { percent, bits: self.percentile(percent) })
            .to_vec()
    }

    /// The values in bars of equal width: the first number of each bar and its values. The last bar also includes
    /// larger ones.
    pub fn histogram(&self, bars: usize) -> Vec<HistogramBar> {
        let most = self.percentile(99).max(1);
        let width = most.div_ceil(bars.max(1) as u64).max(1);
        let mut histogram: Vec<HistogramBar> =
            (0..bars as u64).map(|bar| HistogramBar { from: bar * width, games: 0 }).collect();
        for (&bits, &count) in &self.counts {
            let bar = usize::try_from(bits / width).unwrap_or(usize::MAX).min(bars.saturating_sub(1));
            if let Some(bar) = histogram.get_mut(bar) {
                bar.games += count;
            }
        }
        histogram
    }
}

impl Lengths {
    /// Adds a game.
    pub fn add(&mut self, plies: u64, bits: u64) {
        self.bits.add(bits);
        // A damaged archive may contain any number.
        self.plies = self.plies.saturating_add(plies);
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Lengths) {
        self.bits.merge(&other.bits);
        self.plies = self.plies.saturating_add(other.plies);
        self.left_out += other.left_out;
    }

    /// Mean bits per ply; 0 without plies.
    pub fn bits_per_ply(&self) -> f64 {
        per(self.bits.sum(), self.plies)
    }

    /// The estimates for this average length.
    pub fn estimates(&self) -> Estimates {
        let plies = per(self.plies, self.bits.count());
        Estimates { plies, without_end: (plies + 1.0) * 20f64.log2(), with_end: (plies + 1.0) * 21f64.log2() }
    }
}

/// The sizes of games as they are stored.
#[derive(Debug)]
pub struct StoredLengths {
    /// Each kind of game, in the order of the stored numbers.
    pub kinds: Vec<(GameKind, Lengths)>,
    /// Their encodings, in the order of the stored numbers.
    pub codecs: Vec<CodecId>,
}

/// The sizes of the games that match a filter, as they are stored.
///
/// # Errors
/// An SQLite error.
pub fn measure_stored(archive: &Archive, filter: &Filter) -> Result<StoredLengths> {
    let mut kinds: Vec<_> = GameKind::all().map(|kind| (kind, Lengths::default())).collect();
    let mut codecs = HashSet::new();
    for length in archive.list::<GameLength>(filter) {
        let GameLength { kind, codec, plies, bits } = length?;
        codecs.insert(codec);
        if let Some((_, lengths)) = kinds.iter_mut().find(|(other, _)| *other == kind) {
            lengths.add(plies, bits);
        }
    }
    kinds.retain(|(_, lengths)| lengths.bits.count() > 0);
    let codecs = CodecId::ALL.iter().copied().filter(|codec| codecs.contains(codec)).collect();
    Ok(StoredLengths { kinds, codecs })
}

/// The sizes that the games of a family would have in some of its encodings; games of other families are skipped. Every
/// game is decoded and encoded again, on all cores; `progress` receives the number of games processed.
///
/// # Errors
/// An SQLite error, or a damaged game.
pub fn measure_codecs(
    archive: &Archive,
    filter: &Filter,
    family: Family,
    codecs: &[&'static str],
    progress: impl FnMut(u64),
) -> Result<Vec<Lengths>> {
    let add = |all: &mut Vec<Lengths>, game: &StoredGame| {
        let bits = match game.kind.family() == family {
            true => family.bits(game, codecs).map_err(|error| ArchiveError::damaged(game.id, error))?,
            false => vec![None; codecs.len()],
        };
        for (lengths, bits) in all.iter_mut().zip(bits) {
            match bits {
                Some(bits) => lengths.add(game.plies as u64, bits),
                // The encoding cannot represent it.
                None => lengths.left_out += 1,
            }
        }
        Ok(())
    };
    let merge = |all: &mut Vec<Lengths>, more: Vec<Lengths>| {
        all.iter_mut().zip(&more).for_each(|(lengths, more)| lengths.merge(more));
    };
    sum_up(archive, filter, vec![Lengths::default(); codecs.len()], add, merge, progress)
}

/// Sums up the games that match a filter on all cores, each batch from an empty sum. `progress` receives the number of
/// games processed.
pub(super) fn sum_up<T: Clone + Send + Sync>(
    archive: &Archive,
    filter: &Filter,
    empty: T,
    add: impl Fn(&mut T, &StoredGame) -> Result<()> + Sync,
    merge: impl Fn(&mut T, T),
    mut progress: impl FnMut(u64),
) -> Result<T> {
    let (mut total, mut done) = (empty.clone(), 0);
    let work = |games: Vec<StoredGame>| -> Result<_> {
        let mut sum = empty.clone();
        games.iter().try_for_each(|game| add(&mut sum, game))?;
        Ok((games.len() as u64, sum))
    };
    in_batches_in_order(archive.games(filter), StoredGame::memory, work, |result| -> Result<_> {
        let (games, sum) = result?;
        merge(&mut total, sum);
        done += games;
        progress(done);
        Ok(())
    })?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_bars_include_every_game() {
        let mut spread = Spread::default();
        (1..=200).for_each(|bits| spread.add(bits));
        assert_eq!([1, 50, 99, 100].map(|percent| spread.percentile(percent)), [2, 100, 198, 200]);
        assert_eq!(spread.histogram(7).iter().map(|bar| bar.games).sum::<u64>(), 200);
        assert_eq!(spread.mean(), 100.5);
        assert_eq!(Spread::default().percentile(50), 0);
    }

    #[test]
    fn figures_equal_those_of_a_list() {
        let mut spread = Spread::default();
        let figures =
            |spread: &Spread| (spread.count(), spread.mean(), spread.percentile(50), spread.percentile(100));
        assert_eq!(figures(&spread), (0, 0.0, 0, 0));
        [3, 9, 1, 3].into_iter().for_each(|number| spread.add(number));
        assert_eq!(figures(&spread), (4, 4.0, 3, 9));
        spread.merge(&spread.clone());
        assert_eq!(figures(&spread), (8, 4.0, 3, 9));
    }

    /// The figures of the source: m = 80, 400, 55 and 40.
    #[test]
    fn the_estimates_equal_those_of_the_source() {
        let of = |plies| {
            let mut lengths = Lengths::default();
            lengths.add(plies, 1);
            let Estimates { without_end, with_end, .. } = lengths.estimates();
            (without_end.ceil(), with_end.ceil())
        };
        assert_eq!(of(80), (351.0, 356.0));
        assert_eq!(of(400), (1734.0, 1762.0));
        assert_eq!(of(55).0, 243.0);
        assert_eq!(of(40).0, 178.0);
        assert_eq!(1734.0 / 400.0, 4.335);
    }
}
