//! The distribution of integers: mean, median, maximum.

use std::collections::BTreeMap;

/// How often each number occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    counts: BTreeMap<u32, u64>,
}

impl Spread {
    /// Adds a number.
    pub fn add(&mut self, number: u32) {
        *self.counts.entry(number).or_default() += 1;
    }

    /// Adds all numbers of another distribution.
    pub fn merge(&mut self, other: &Spread) {
        for (&number, count) in &other.counts {
            *self.counts.entry(number).or_default() += count;
        }
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The mean; 0 without values.
    pub fn average(&self) -> f64 {
        let sum: u64 = self.counts.iter().map(|(&number, count)| u64::from(number) * count).sum();
        sum as f64 / self.count().max(1) as f64
    }

    /// The smallest number that at least half of all do not exceed; 0 without values.
    pub fn median(&self) -> u32 {
        let half = self.count().div_ceil(2);
        let mut seen = 0;
        let middle = self.counts.iter().find(|&(_, count)| {
            seen += count;
            seen >= half
        });
        middle.map_or(0, |(&number, _)| number)
    }

    /// The maximum; 0 without values.
    pub fn largest(&self) -> u32 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_equal_those_of_a_list() {
        let mut spread = Spread::default();
        assert_eq!((spread.count(), spread.average(), spread.median(), spread.largest()), (0, 0.0, 0, 0));
        [3, 9, 1, 3].into_iter().for_each(|number| spread.add(number));
        assert_eq!((spread.count(), spread.average(), spread.median(), spread.largest()), (4, 4.0, 3, 9));
        spread.merge(&spread.clone());
        assert_eq!((spread.count(), spread.average(), spread.median(), spread.largest()), (8, 4.0, 3, 9));
    }
}
