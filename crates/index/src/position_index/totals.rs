//! Sums over games: results, ratings, the last year, the best game.

use super::{DamagedIndex, MOST_GAMES, game_columns::GameColumns};
use plybook_chess::bits::{BitReader, Bits};

/// Sums over some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games that White won, draws, games that Black won, and others.
    pub results: [u32; 4],
    /// White's and Black's ratings.
    pub ratings: [RatingSum; 2],
    /// The last year; 0 if unknown.
    pub last_year: u32,
    /// The sum of both ratings of the best game; 0 if no game has both.
    pub best_sum: u32,
    /// The best game: the first of those with the highest sum, by its offset in the segment.
    pub best: u32,
}

/// The ratings of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingSum {
    /// Games with a rating.
    pub games: u32,
    /// Their sum.
    pub sum: u64,
}

impl Totals {
    /// The number of games.
    pub fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// Whether they can be the sums of this many games of a segment.
    pub(super) fn may_be_of(&self, games: u32) -> bool {
        let of_ratings = self.ratings.iter().all(|rating| {
            rating.games <= games && rating.sum <= u64::from(rating.games) * u64::from(u32::MAX)
        });
        let results: u64 = self.results.iter().map(|result| u64::from(*result)).sum();
        results == u64::from(games) && of_ratings && self.best < MOST_GAMES
    }

    /// Adds a game; `place` is the offset of its id in the segment.
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

/// A 32-bit number.
pub(super) fn take(bits: &mut BitReader<'_>, order: usize) -> Result<u32, DamagedIndex> {
    u32::try_from(bits.take_exp_golomb(order)?).map_err(|_| DamagedIndex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn best_game_is_the_first_with_the_highest_rating_sum() {
        let mut totals = Totals::default();
        let game = |white_elo, black_elo, result, date| GameColumns {
            white_elo,
            black_elo,
            result,
            date,
            ..GameColumns::default()
        };
        totals.add(&game(2800, 0, 0, 0), 1);
        totals.add(&game(2500, 2600, 1, 1999 << 9), 9);
        totals.add(&game(2600, 2500, 3, 2001 << 9 | 5), 4);
        totals.add(&game(2600, 2500, 2, 2000 << 9), 7);
        assert_eq!((totals.best_sum, totals.best, totals.last_year), (5100, 4, 2001));
        assert_eq!((totals.results, totals.games()), ([1, 1, 1, 1], 4));
        assert_eq!(totals.ratings[0], RatingSum { games: 4, sum: 2800 + 2500 + 2600 + 2600 });
        assert_eq!(totals.ratings[1].games, 3);
        assert!(totals.may_be_of(4) && !totals.may_be_of(5));
    }

    proptest! {
        #[test]
        fn totals_round_trip(numbers: [u32; 9], sums: [u32; 2]) {
            let [a, b, c, d, e, f, last_year, best_sum, best] = numbers.map(|number| number >> (number % 32));
            let ratings = [RatingSum { games: e, sum: sums[0].into() }, RatingSum { games: f, sum: sums[1].into() }];
            let totals = Totals { results: [a, b, c, d], ratings, last_year, best_sum, best };
            let mut bits = Bits::default();
            totals.write(&mut bits);
            prop_assert_eq!(Totals::read(&mut BitReader::new(bits.bytes())), Ok(totals));
        }

        #[test]
        fn arbitrary_bytes_are_totals_or_an_error(bytes: Vec<u8>, games: u32) {
            if let Ok(totals) = Totals::read(&mut BitReader::new(&bytes)) {
                let _ = totals.may_be_of(games);
            }
        }
    }
}
