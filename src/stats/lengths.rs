//! The distribution of game sizes in bits.

use std::collections::BTreeMap;

use serde::Serialize;

/// The sizes of many games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// The number of games of each size.
    counts: BTreeMap<u64, u64>,
    games: u64,
    plies: u64,
    bits: u64,
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

impl Lengths {
    /// Adds a game.
    pub fn add(&mut self, plies: u64, bits: u64) {
        *self.counts.entry(bits).or_default() += 1;
        self.games += 1;
        // A damaged archive may contain any number.
        self.plies = self.plies.saturating_add(plies);
        self.bits += bits;
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Lengths) {
        for (&bits, &games) in &other.counts {
            *self.counts.entry(bits).or_default() += games;
        }
        self.games += other.games;
        self.plies = self.plies.saturating_add(other.plies);
        self.bits += other.bits;
        self.left_out += other.left_out;
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of plies.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The total size of all games in bits.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Mean bits per game; 0 without games.
    pub fn bits_per_game(&self) -> f64 {
        ratio(self.bits, self.games)
    }

    /// Mean bits per ply; 0 without plies.
    pub fn bits_per_ply(&self) -> f64 {
        ratio(self.bits, self.plies)
    }

    /// The smallest number of bits that at least `percent` per cent of the games do not exceed; 0 without games.
    pub fn percentile(&self, percent: u8) -> u64 {
        let wanted = (self.games * u64::from(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        for (&bits, &games) in &self.counts {
            seen += games;
            if seen >= wanted {
                return bits;
            }
        }
        0
    }

    /// Some percentiles: 1, 5, 25, 50 (the median), 75, 95, 99 and 100 (the largest).
    pub fn percentiles(&self) -> Vec<Percentile> {
        [1, 5, 25, 50, 75, 95, 99, 100]
            .map(|percent| Percentile { percent, bits: self.percentile(percent) })
            .to_vec()
    }

    /// The estimates for this average length.
    pub fn estimates(&self) -> Estimates {
        let plies = ratio(self.plies, self.games);
        Estimates { plies, without_end: (plies + 1.0) * 20f64.log2(), with_end: (plies + 1.0) * 21f64.log2() }
    }

    /// Games by bits, in bars of equal width: the first bit of each bar and its games. The last bar also includes
    /// larger games.
    pub fn histogram(&self, bars: usize) -> Vec<(u64, u64)> {
        let most = self.percentile(99).max(1);
        let width = most.div_ceil(bars.max(1) as u64).max(1);
        let mut histogram: Vec<(u64, u64)> = (0..bars as u64).map(|bar| (bar * width, 0)).collect();
        for (&bits, &games) in &self.counts {
            let bar = usize::try_from(bits / width).unwrap_or(usize::MAX).min(bars.saturating_sub(1));
            if let Some((_, count)) = histogram.get_mut(bar) {
                *count += games;
            }
        }
        histogram
    }
}

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_bars_include_every_game() {
        let mut lengths = Lengths::default();
        for bits in 1..=200 {
            lengths.add(40, bits);
        }
        assert_eq!([1, 50, 99, 100].map(|percent| lengths.percentile(percent)), [2, 100, 198, 200]);
        assert_eq!(lengths.histogram(7).iter().map(|(_, games)| games).sum::<u64>(), 200);
        assert_eq!(lengths.bits_per_game(), 100.5);
        assert_eq!(Lengths::default().percentile(50), 0);
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
