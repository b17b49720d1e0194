//! Sums over games: results, ratings, the last year, the best game.

use super::{DamagedIndex, game_columns::GameColumns};
use crate::bits::{BitReader, Bits};

/// Sums over some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games that White won, drawn ones, games that Black won, and the others.
    pub results: [u32; 4],
    /// White's and Black's ratings.
    pub ratings: [RatingSum; 2],
    /// The last year; 0 if none is known.
    pub last_year: u32,
    /// The sum of both ratings of the best game; 0 if no game has both.
    pub best_sum: u32,
    /// The best game: the first of those with the highest sum, by its place in the segment.
    pub best: u32,
}

/// The ratings of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingSum {
    /// Games that give one.
    pub games: u32,
    /// Their sum.
    pub sum: u64,
}

impl Totals {
    /// The number of games.
    pub fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// Adds a game; `place` is that of its id in the segment.
    #[inline]
    pub fn add(&mut self, game: &GameColumns, place: u32) {
        if let Some(result) = self.results.get_mut(game.result as usize) {
            *result += 1;
        }
        for (sum, rating) in self.ratings.iter_mut().zip([game.white_elo, game.black_elo]) {
            sum.games += u32::from(rating > 0);
            sum.sum += u64::from(rating);
        }
        self.last_year = self.last_year.max(game.date >> 9);
        if game.white_elo > 0 && game.black_elo > 0 {
            self.add_best(game.white_elo.saturating_add(game.black_elo), place);
        }
    }

    #[inline]
    fn add_best(&mut self, sum: u32, place: u32) {
        if sum > self.best_sum || sum == self.best_sum && place < self.best {
            (self.best_sum, self.best) = (sum, place);
        }
    }

    pub(super) fn write(&self, bits: &mut Bits) {
        for result in self.results {
            bits.push_exp_golomb(result.into(), 10);
        }
        for rating in self.ratings {
            bits.push_exp_golomb(rating.games.into(), 12);
            bits.push_exp_golomb(rating.sum, 24);
        }
        bits.push_exp_golomb(self.last_year.into(), 11);
        bits.push_exp_golomb(self.best_sum.into(), 12);
        bits.push_exp_golomb(self.best.into(), 16);
    }

    pub(super) fn read(bits: &mut BitReader<'_>) -> Result<Totals, DamagedIndex> {
        let mut totals = Totals::default();
        for result in &mut totals.results {
            *result = take(bits, 10)?;
        }
        for rating in &mut totals.ratings {
            *rating = RatingSum { games: take(bits, 12)?, sum: bits.take_exp_golomb(24)? };
        }
        (totals.last_year, totals.best_sum, totals.best) =
            (take(bits, 11)?, take(bits, 12)?, take(bits, 16)?);
        Ok(totals)
    }
}

/// A number of 32 bits.
pub(super) fn take(bits: &mut BitReader<'_>, order: usize) -> Result<u32, DamagedIndex> {
    u32::try_from(bits.take_exp_golomb(order)?).map_err(|_| DamagedIndex)
}
