//! Results of games from White's point of view, and the score of one side: of a player, regardless of colour.

use std::cmp::Reverse;

use serde::Serialize;

use crate::{
    archive::GameSet,
    query::{self, RatingSum, performance},
    record::{GameId, GameMetadata},
    rules::{Color, KnownOutcome, Outcome},
};

/// The results of some games for one side, and its opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// Games that it won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Games without a result; they do not count in percentages.
    pub other: u64,
    /// Points (half a point for a draw) in percent of the games with a result; `None` if there are none.
    pub percent: Option<f64>,
    /// The mean rating of the opponents, over the games that give one, rounded half up.
    pub mean_opponent: Option<i64>,
    /// The performance rating by FIDE's table, from the games with a result against rated opponents.
    pub performance: Option<i64>,
}

impl Score {
    /// Games that it won, drew and lost.
    pub fn known(&self) -> [u64; 3] {
        [self.wins, self.draws, self.losses]
    }
}

/// Sums of games.
pub(super) trait Tallied: Copy + Default {
    /// What a report says of the games.
    type Answer;

    /// The number of games.
    fn games(&self) -> u64;

    /// The answer, with percentages.
    fn answer(&self) -> Self::Answer;
}

/// Games of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScoreTally {
    /// The results as if the side always had White.
    all: query::Results,
    opponents: RatingSum,
    /// Games with a result against rated opponents, and the ratings of these.
    rated: query::Results,
    rated_opponents: RatingSum,
}

/// The rating of the opponent.
pub(super) fn opponent_elo(game: &GameMetadata, side: Color) -> Option<u32> {
    side.fold_wb(game.black_elo, game.white_elo)
}

impl ScoreTally {
    /// Adds a game of a side.
    pub(super) fn add(&mut self, game: &GameMetadata, side: Color) {
        // As if the side had White.
        let result = match game.result {
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                Outcome::Known(KnownOutcome::Decisive { winner: Color::from_white(winner == side) })
            }
            other => other,
        };
        let elo = opponent_elo(game, side);
        self.all.add(result);
        self.opponents.add(elo);
        if elo.is_some() && result != Outcome::Unknown {
            self.rated.add(result);
            self.rated_opponents.add(elo);
        }
    }
}

impl Tallied for ScoreTally {
    type Answer = Score;

    fn games(&self) -> u64 {
        self.all.games
    }

    fn answer(&self) -> Score {
        let [wins, draws, losses] = self.all.known();
        Score {
            games: self.all.games,
            wins,
            draws,
            losses,
            other: self.all.other,
            percent: percent(2 * wins + draws, 2 * (wins + draws + losses)),
            mean_opponent: self.opponents.mean(),
            performance: performance(self.rated.known(), self.rated_opponents),
        }
    }
}

/// The results of some games, with percentages of those that have a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Results {
    /// The games. Those without a result do not count in percentages.
    #[serde(flatten)]
    pub counts: query::Results,
    /// White's points (half a point for a draw) in percent of the games with a result; `None` if there are none.
    pub percent: Option<f64>,
    /// Draws in percent of the games with a result.
    pub drawn_percent: Option<f64>,
}

impl Tallied for query::Results {
    type Answer = Results;

    fn games(&self) -> u64 {
        self.games
    }

    fn answer(&self) -> Results {
        let [white, draws, black] = self.known();
        let ended = white + draws + black;
        let (percent, drawn_percent) = (percent(2 * white + draws, 2 * ended), percent(draws, ended));
        Results { counts: *self, percent, drawn_percent }
    }
}

/// Games in a range of ratings or rating differences.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Band<T> {
    /// The minimum; `None` if there is none.
    pub from: Option<i64>,
    /// The maximum; `None` if there is none. Both are `None` if a rating is unknown.
    pub to: Option<i64>,
    /// The results of these games.
    #[serde(flatten)]
    pub results: T,
}

/// The results of games by their ids.
pub(super) struct ResultsById {
    pub(super) games: GameSet,
    results: Vec<Outcome>,
}

impl ResultsById {
    pub(super) fn new(mut games: Vec<(GameId, Outcome)>) -> ResultsById {
        games.sort_unstable_by_key(|(id, _)| *id);
        games.dedup_by_key(|(id, _)| *id);
        let (ids, results): (Vec<_>, _) = games.into_iter().unzip();
        ResultsById { games: ids.into_iter().collect(), results }
    }

    /// A function that finds the result of a game, if it is one of them: in constant time for ids in order.
    pub(super) fn finder(&self) -> impl FnMut(GameId) -> Option<Outcome> {
        let mut place = self.games.finder();
        move |id| self.results.get(place(id)?).copied()
    }
}

/// Most games first; of equal ones in the order of keys, and the empty key last.
pub(super) fn ranked<K: Ord, T: Tallied>(
    all: impl IntoIterator<Item = (Option<K>, T)>,
) -> Vec<(Option<K>, T)> {
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable_by(|(a, one), (b, other)| {
        (Reverse(one.games()), a.is_none(), a).cmp(&(Reverse(other.games()), b.is_none(), b))
    });
    all
}

/// A share in percent; `None` of zero.
pub(super) fn percent(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| 100.0 * part as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Date;

    #[test]
    fn games_without_a_result_or_rating_do_not_count_in_percentages_or_performance() {
        let mut tally = ScoreTally::default();
        for (result, black_elo) in [("1-0", Some(2400)), ("1-0", None), ("0-1", None), ("*", Some(2700))] {
            let result = Outcome::from_ascii(result.as_bytes()).unwrap();
            let date = Date::default();
            let game = GameMetadata { id: 1, result, white_elo: Some(1), black_elo, date };
            tally.add(&game, Color::White);
        }
        let score = tally.answer();
        assert_eq!((score.games, score.wins, score.draws, score.losses, score.other), (4, 2, 0, 1, 1));
        assert_eq!(score.percent.map(f64::round), Some(67.0));
        assert_eq!((score.mean_opponent, score.performance), (Some(2550), Some(3200)));
        assert_eq!(ScoreTally::default().answer(), Score::default());
    }
}
