//! Sums over games: results, ratings, the last year, the best game; and the performance rating of a score against
//! rated opponents.

use serde::Serialize;

use super::{GameId, GameMetadata};
use plybook_chess::rules::{Color, KnownOutcome, Outcome};

/// The results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games with any other result.
    pub other: u64,
}

impl Results {
    /// Adds a game.
    #[inline]
    pub fn add(&mut self, result: Outcome) {
        self.games += 1;
        *match result {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => &mut self.white,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => &mut self.black,
            Outcome::Known(KnownOutcome::Draw) => &mut self.draws,
            Outcome::Unknown => &mut self.other,
        } += 1;
    }

    /// Adds other games.
    pub fn merge(&mut self, more: &Results) {
        self.games += more.games;
        self.white += more.white;
        self.draws += more.draws;
        self.black += more.black;
        self.other += more.other;
    }

    /// The numbers of games that White won, drew and lost.
    pub fn known(&self) -> [u64; 3] {
        [self.white, self.draws, self.black]
    }

    /// The numbers of games that a side won, drew and lost.
    pub fn of(&self, side: Color) -> [u64; 3] {
        let [white, draws, black] = self.known();
        side.fold_wb([white, draws, black], [black, draws, white])
    }

    /// All numbers, in the order of list columns.
    pub fn all(&self) -> [u64; 5] {
        [self.games, self.white, self.draws, self.black, self.other]
    }
}

/// Games that played the same move, or ended: all their sums, without the games themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSums {
    /// The results.
    pub results: Results,
    /// The ratings of White.
    pub white_elo: RatingSum,
    /// The ratings of Black.
    pub black_elo: RatingSum,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The game with the highest ratings.
    pub best: Option<BestGame>,
}

/// Ratings of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingSum {
    /// The number of games that give one.
    pub games: u64,
    /// The sum of their ratings.
    pub sum: u64,
}

/// The game with the highest sum of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestGame {
    /// The sum of both ratings.
    pub elo: u32,
    /// The game; of several with this sum, the one with the lowest id.
    pub id: GameId,
}

impl GameSums {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.games
    }

    /// The ratings of a colour.
    pub fn elo(&self, colour: Color) -> RatingSum {
        colour.fold_wb(self.white_elo, self.black_elo)
    }

    /// Adds a game.
    #[inline]
    pub fn add(&mut self, game: &GameMetadata) {
        self.results.add(game.result);
        self.white_elo.add(game.white_elo);
        self.black_elo.add(game.black_elo);
        self.last_year = self.last_year.max(game.date.year());
        if let (Some(white), Some(black)) = (game.white_elo, game.black_elo) {
            self.best = better(self.best, Some(BestGame { elo: white.saturating_add(black), id: game.id }));
        }
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &GameSums) {
        self.results.merge(&other.results);
        self.white_elo.merge(other.white_elo);
        self.black_elo.merge(other.black_elo);
        self.last_year = self.last_year.max(other.last_year);
        self.best = better(self.best, other.best);
    }
}

impl RatingSum {
    /// The mean, rounded half up; `None` without ratings.
    pub fn mean(self) -> Option<i64> {
        rounded(self.sum.into(), self.games.into())
    }

    /// Adds the rating of a game, if it gives one.
    #[inline]
    pub fn add(&mut self, rating: Option<u32>) {
        if let Some(rating) = rating {
            self.games += 1;
            self.sum += u64::from(rating);
        }
    }

    fn merge(&mut self, other: RatingSum) {
        self.games += other.games;
        self.sum += other.sum;
    }
}

#[inline]
fn better(one: Option<BestGame>, other: Option<BestGame>) -> Option<BestGame> {
    // Of equal ones, the lowest id.
    let order = |best: BestGame| (best.elo, std::cmp::Reverse(best.id));
    if other.map(order) > one.map(order) { other } else { one }
}

/// The rating difference for a score of 50, 51 ... 100 percent (FIDE Handbook B.02, 8.1.1). Scores below 50 mirror
/// those above.
const ABOVE: [i128; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
];

/// The performance of a side: the mean rating of its opponents plus FIDE's difference for its score, interpolated
/// linearly between whole percents and rounded half up. `None` if no opponent is rated, or no game has a result.
pub fn performance([wins, draws, losses]: [u64; 3], opponents: RatingSum) -> Option<i64> {
    let games = i128::from(wins) + i128::from(draws) + i128::from(losses);
    let rated = i128::from(opponents.games);
    if games == 0 || rated == 0 {
        return None;
    }
    // The score in percent is `percent` plus `rest` / `games`.
    let score = 50 * (2 * i128::from(wins) + i128::from(draws));
    let (percent, rest) = (score / games, score % games);
    let difference = above(percent) * games + (above(percent + 1) - above(percent)) * rest;
    rounded(i128::from(opponents.sum) * games + difference * rated, games * rated)
}

/// The difference for a whole percentage; constant beyond 100.
fn above(percent: i128) -> i128 {
    let of = |place: i128| usize::try_from(place).ok().and_then(|place| ABOVE.get(place)).copied();
    match percent - 50 {
        place @ 0.. => of(place.min(50)).unwrap_or(0),
        place => -of(-place).unwrap_or(0),
    }
}

/// A fraction, rounded half up. `None` if the denominator is 0.
fn rounded(sum: i128, count: i128) -> Option<i64> {
    (count > 0).then(|| i64::try_from((2 * sum + count).div_euclid(2 * count)).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(wins: u64, draws: u64, losses: u64, rating: u64) -> Option<i64> {
        let games = wins + draws + losses;
        performance([wins, draws, losses], RatingSum { games, sum: games * rating })
    }

    #[test]
    fn a_performance_follows_the_fide_table() {
        for (wins, draws, losses, rating, worth) in [
            (1, 0, 0, 1500, 2300),
            (0, 0, 1, 1500, 700),
            (0, 1, 0, 1500, 1500),
            (5, 0, 95, 0, -470),
            (3, 0, 1, 2000, 2193),
            // 87.5 percent: half way from 322 to 336. 12.5: the same downwards, -329.
            (7, 0, 1, 2000, 2329),
            (1, 0, 7, 2000, 1671),
            // 2/3: two thirds of the way from 117 to 125, 122.33.
            (2, 0, 1, 2000, 2122),
        ] {
            assert_eq!(against(wins, draws, losses, rating), Some(worth), "+{wins} ={draws} -{losses}");
        }
        assert_eq!((against(0, 0, 0, 1500), performance([1, 0, 0], RatingSum::default())), (None, None));
    }

    #[test]
    fn both_sides_of_a_score_get_the_same_difference() {
        for wins in 0..=200 {
            let [one, other] = [(wins, 200 - wins), (200 - wins, wins)].map(|(wins, losses)| {
                // Twice the rating would be 4000: halves are rounded up on both sides.
                against(wins, 0, losses, 2000).unwrap()
            });
            assert!((4000..=4001).contains(&(one + other)), "{wins}: {one} {other}");
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        for (sum, count, whole) in [(5, 2, 3), (-5, 2, -2), (4, 3, 1), (-4, 3, -1), (7, 1, 7), (0, 5, 0)] {
            assert_eq!(rounded(sum, count), Some(whole), "{sum} / {count}");
        }
        assert_eq!(rounded(1, 0), None);
    }
}
