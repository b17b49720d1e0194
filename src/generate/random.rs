//! Pseudorandom numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood, 2014), without floating
//! point.

/// The increment of SplitMix64: the golden ratio in 64 bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The sequence for a number under a seed.
    pub(super) fn new(seed: u64, number: u64) -> Random {
        Random(mix(seed.wrapping_add(STEP)) ^ mix(number.wrapping_mul(STEP) ^ 0x5851_f42d_4c95_7f2d))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number less than `n`; 0 if `n` is 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        (u128::from(self.next()) * u128::from(n) >> 64) as u64
    }

    /// True with this probability, in percent.
    pub(super) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A random element.
    pub(super) fn one_of<T: Copy + Default>(&mut self, things: &[T]) -> T {
        things.get(self.below(things.len() as u64) as usize).copied().unwrap_or_default()
    }

    /// A number from a distribution given by equidistant quantiles.
    pub(super) fn quantile(&mut self, quantiles: &[u64]) -> u64 {
        let cell = self.below(quantiles.len().saturating_sub(1) as u64) as usize;
        let at = |place: usize| quantiles.get(place).copied().unwrap_or_default();
        let (low, high) = (at(cell), at(cell + 1));
        low + self.below(high.saturating_sub(low).max(1))
    }

    /// A number without an upper bound, larger ones more rarely. The first group is the first `head` numbers; each
    /// following group is twice as large and drawn 3/4 times as often as the previous one. So n draws give about n^0.7
    /// different numbers, much as players recur in real collections.
    pub(super) fn unbounded(&mut self, head: u64) -> u64 {
        let mut group = 0;
        while group < 24 && self.below(4) < 3 {
            group += 1;
        }
        (head << group) - head + self.below(head << group)
    }
}

/// The output function of SplitMix64: each bit of the result depends on every bit of the number.
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn different_numbers_grow_more_slowly_than_draws() {
        let different = |draws: u64| {
            let mut random = Random::new(1, 2);
            let mut numbers: Vec<u64> = (0..draws).map(|_| random.unbounded(64)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        let (few, many) = (different(10_000), different(100_000));
        assert!((3 * few..6 * few).contains(&many), "{few} and {many}");
    }
}
