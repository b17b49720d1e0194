//! Games that reach a position, summed up by their next move, regardless of where they come from.

use serde::Serialize;

use super::performance::rounded;

use crate::{
    record::{GameId, GameMetadata},
    rules::{Color, KnownOutcome, Outcome},
};

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

/// The games that reach a position. Each counts once, under the last move that it played from there, or separately if
/// it never moved. Parts can be tallied separately and merged in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    ended: GameSums,
    /// By the index of the move among the legal moves in canonical order.
    moves: Vec<GameSums>,
}

impl Tally {
    /// Adds a game and the last move that it played from the position: the 0-based index among the legal moves in
    /// [canonical order](crate::chess::MoveKey), or `None` if the game never moved from there.
    #[inline]
    pub fn add(&mut self, game: &GameMetadata, played: Option<u16>) {
        self.of(played).add(game);
    }

    /// Adds games that were summed up elsewhere and all count under one move (or under none).
    pub fn add_sums(&mut self, games: &GameSums, played: Option<u16>) {
        self.of(played).merge(games);
    }

    /// Adds the counts of another tally, of other games.
    pub fn merge(&mut self, other: &Tally) {
        self.ended.merge(&other.ended);
        for (index, games) in (0..).zip(&other.moves) {
            self.of(Some(index)).merge(games);
        }
    }

    /// The games that never moved from the position.
    pub fn ended(&self) -> &GameSums {
        &self.ended
    }

    /// The games that continued, by the index of their move; moves beyond the end have no games.
    pub fn moves(&self) -> &[GameSums] {
        &self.moves
    }

    /// All games.
    pub fn total(&self) -> GameSums {
        let mut total = self.ended;
        self.moves.iter().for_each(|games| total.merge(games));
        total
    }

    #[inline]
    fn of(&mut self, played: Option<u16>) -> &mut GameSums {
        let Some(index) = played.map(usize::from) else { return &mut self.ended };
        if index >= self.moves.len() {
            self.moves.resize(index + 1, GameSums::default());
        }
        &mut self.moves[index]
    }
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
        self.last_year = self.last_year.max(game.year());
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
    pub(crate) fn add(&mut self, rating: Option<u32>) {
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
