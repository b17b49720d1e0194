//! Sums over games as bits. The best game is the first of those with the highest ratings, and its id is the offset in the
//! segment.

use super::{DamagedIndex, MOST_GAMES};
use plybook_chess::bits::{BitReader, Bits};
use plybook_record::{BestGame, GameSums, RatingSum, Results};

/// Whether they can be the sums of this many games of a segment.
pub(super) fn may_be_of(sums: &GameSums, games: u32) -> bool {
    let is_possible = |rating: RatingSum| {
        rating.games <= u64::from(games) && rating.sum <= rating.games * u64::from(u32::MAX)
    };
    sums.games() == u64::from(games)
        && [sums.white_elo, sums.black_elo].into_iter().all(is_possible)
        && sums.best.is_none_or(|best| best.id < MOST_GAMES.into())
}

pub(super) fn write(sums: &GameSums, bits: &mut Bits) {
    let [_, results @ ..] = sums.results.all();
    for result in results {
        bits.push_exp_golomb(result, 10);
    }
    for rating in [sums.white_elo, sums.black_elo] {
        bits.push_exp_golomb(rating.games, 12);
        bits.push_exp_golomb(rating.sum, 24);
    }
    bits.push_exp_golomb(sums.last_year.unwrap_or(0).into(), 11);
    let (elo, place) = sums.best.map_or((0, 0), |best| (best.elo, best.id as u64));
    bits.push_exp_golomb(elo.into(), 12);
    bits.push_exp_golomb(place, 16);
}

pub(super) fn read(bits: &mut BitReader<'_>) -> Result<GameSums, DamagedIndex> {
    let mut number = |order| take(bits, order);
    let [white, draws, black, other] = [number(10)?, number(10)?, number(10)?, number(10)?].map(u64::from);
    let results = Results { games: white + draws + black + other, white, draws, black, other };
    let mut rating = || -> Result<RatingSum, DamagedIndex> {
        Ok(RatingSum { games: take(bits, 12)?.into(), sum: bits.take_exp_golomb(24)? })
    };
    let (white_elo, black_elo) = (rating()?, rating()?);
    let last_year = u16::try_from(take(bits, 11)?).ok().filter(|year| *year > 0);
    let best = BestGame { elo: take(bits, 12)?, id: take(bits, 16)?.into() };
    Ok(GameSums { results, white_elo, black_elo, last_year, best: Some(best).filter(|best| best.elo > 0) })
}

/// A 32-bit number.
pub(super) fn take(bits: &mut BitReader<'_>, order: usize) -> Result<u32, DamagedIndex> {
    u32::try_from(bits.take_exp_golomb(order)?).map_err(|_| DamagedIndex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::position_index::GameColumns;

    #[test]
    fn best_game_is_the_first_with_the_highest_rating_sum() {
        let mut sums = GameSums::default();
        let mut add = |white_elo, black_elo, result, date, place| {
            let game = GameColumns { white_elo, black_elo, result, date, ..GameColumns::default() };
            sums.add(&game.metadata(place));
        };
        add(2800, 0, 0, 0, 1);
        add(2500, 2600, 1, 1999 << 9, 9);
        add(2600, 2500, 3, 2001 << 9 | 5, 4);
        add(2600, 2500, 2, 2000 << 9, 7);
        assert_eq!((sums.best, sums.last_year), (Some(BestGame { elo: 5100, id: 4 }), Some(2001)));
        assert_eq!(sums.results.all(), [4, 1, 1, 1, 1]);
        assert_eq!(sums.white_elo, RatingSum { games: 4, sum: 2800 + 2500 + 2600 + 2600 });
        assert_eq!(sums.black_elo.games, 3);
        assert!(may_be_of(&sums, 4) && !may_be_of(&sums, 5));
    }

    proptest! {
        #[test]
        fn sums_round_trip(numbers: [u32; 8], sums: [u32; 2], year: u16) {
            let [white, draws, black, other, e, f, elo, id] =
                numbers.map(|number| u64::from(number >> (number % 32)));
            let sums = GameSums {
                results: Results { games: white + draws + black + other, white, draws, black, other },
                white_elo: RatingSum { games: e, sum: sums[0].into() },
                black_elo: RatingSum { games: f, sum: sums[1].into() },
                last_year: Some(year).filter(|year| *year > 0),
                best: Some(BestGame { elo: elo as u32, id: id as i64 }).filter(|best| best.elo > 0),
            };
            let mut bits = Bits::default();
            write(&sums, &mut bits);
            prop_assert_eq!(read(&mut BitReader::new(bits.bytes())), Ok(sums));
        }

        #[test]
        fn arbitrary_bytes_are_sums_or_an_error(bytes: Vec<u8>, games: u32) {
            if let Ok(sums) = read(&mut BitReader::new(&bytes)) {
                let _ = may_be_of(&sums, games);
            }
        }
    }
}
