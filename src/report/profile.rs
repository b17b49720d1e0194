//! What pages show: of a player in addition to the report, ratings over time, opponents, and scores by year and colour;
//! of the games that reach a position, their results by year, who plays it, and the best games.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::results::{Results, Score, ScoreTally, Tallied};
use crate::{
    archive::{Archive, Filter, NameKind, PlayedGame, Result},
    chess::Date,
    query::{self, Context, NamedGame, Top, each_game},
    record::{GameId, GameMetadata},
    rules::Color,
};

/// Further figures of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerProfile {
    /// The last rating of each month, earliest first.
    pub ratings: Vec<MonthRating>,
    /// The number of different opponents.
    pub different_opponents: u64,
    /// The opponents with the most games.
    pub against: Vec<NamedScore>,
    /// By year with White, earliest first; games without a year are omitted.
    pub years_as_white: Vec<YearScore>,
    /// The same with Black.
    pub years_as_black: Vec<YearScore>,
}

/// The games of a year.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct YearScore {
    /// The year; `None` if it is unknown.
    pub year: Option<u16>,
    /// The player's results.
    #[serde(flatten)]
    pub score: Score,
}

/// A rating in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MonthRating {
    /// The year.
    pub year: u16,
    /// The month; `None` if the games of that time give only a year.
    pub month: Option<u8>,
    /// The rating.
    pub rating: u32,
}

/// The games of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedScore {
    /// The name.
    pub name: String,
    /// The latest year, if known.
    pub last_year: Option<u16>,
    /// The score: of a player against this name, or of this player.
    #[serde(flatten)]
    pub score: Score,
}

/// The games of each name.
#[derive(Debug, Default)]
struct NameTallies(HashMap<i64, (ScoreTally, Option<u16>), RandomState>);

impl NameTallies {
    /// Adds a game of a name, with the score of `side`.
    pub(super) fn add(&mut self, name: Option<i64>, game: &GameMetadata, side: Color) {
        let Some(name) = name else { return };
        let (tally, last) = self.0.entry(name).or_default();
        tally.add(game, side);
        *last = (*last).max(game.date.year());
    }

    /// The number of names, and those with the most games; of equal ones, the one that was added to an archive first.
    fn most_games(self, archive: &Archive, most: usize) -> Result<(u64, Vec<NamedScore>)> {
        let mut names: Vec<_> = self.0.into_iter().collect();
        names.sort_unstable_by_key(|(id, (tally, _))| (Reverse(tally.games()), *id));
        let different = names.len() as u64;
        let named = |(id, (tally, last_year)): (i64, (ScoreTally, Option<u16>))| {
            let name = archive.names().of(NameKind::Player, id)?.unwrap_or_default();
            Ok(NamedScore { name, last_year, score: tally.answer() })
        };
        Ok((different, names.into_iter().take(most).map(named).collect::<Result<_>>()?))
    }
}

/// The sums of a profile.
#[derive(Debug, Default)]
pub(super) struct ProfileTally {
    /// By year and month: the date and the id of the last game, and the rating in it.
    ratings: BTreeMap<(u16, Option<u8>), (Date, GameId, u32)>,
    against: NameTallies,
    years: [BTreeMap<u16, ScoreTally>; 2],
}

impl ProfileTally {
    /// Adds a game of the player with a colour.
    pub(super) fn add(&mut self, game: &PlayedGame, side: Color) {
        let facts = &game.facts;
        let (rating, opponent) = side.fold_wb((facts.white_elo, game.black), (facts.black_elo, game.white));
        self.against.add(opponent, facts, side);
        let Some(year) = facts.date.year() else { return };
        let years = &mut self.years[side.fold_wb(0, 1)];
        years.entry(year).or_default().add(facts, side);
        if let Some(rating) = rating {
            // The order in which games come is not that of their ids.
            let last = self.ratings.entry((year, facts.date.month())).or_default();
            *last = (*last).max((facts.date, facts.id, rating));
        }
    }

    /// The profile, with at most `most` opponents.
    pub(super) fn profile(self, archive: &Archive, most: usize) -> Result<PlayerProfile> {
        let of_years = |years: BTreeMap<u16, ScoreTally>| {
            let year =
                |(year, tally): (u16, ScoreTally)| YearScore { year: Some(year), score: tally.answer() };
            years.into_iter().map(year).collect()
        };
        let (different_opponents, against) = self.against.most_games(archive, most)?;
        let [years_as_white, years_as_black] = self.years.map(of_years);
        let ratings = self.ratings.into_iter();
        let ratings =
            ratings.map(|((year, month), (.., rating))| MonthRating { year, month, rating }).collect();
        Ok(PlayerProfile { ratings, different_opponents, against, years_as_white, years_as_black })
    }
}

/// The report on the games of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PositionReport {
    /// By year, earliest first; games without a year are omitted.
    pub years: Vec<YearResults>,
    /// The players with the most games as White.
    pub specialists_as_white: Vec<NamedScore>,
    /// The players with the most games as Black.
    pub specialists_as_black: Vec<NamedScore>,
    /// The games with the highest sum of ratings.
    pub best_games: Vec<GameId>,
}

/// The games of a year.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct YearResults {
    /// The year.
    pub year: u16,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

/// The report on the games that match a filter, with at most `most` specialists of each colour and games. The watch
/// receives the number of games read from the archive, because the index does not have them.
pub fn position_report(context: Context<'_>, filter: &Filter, most: usize) -> Result<PositionReport> {
    let PositionTally { years, players, best } = context.or_without_index(|context| {
        let mut tally =
            PositionTally { years: BTreeMap::new(), players: Default::default(), best: Top::new(most) };
        each_game(context, filter, &mut |game: &NamedGame| tally.add(game))?;
        Ok(tally)
    })?;
    let [white, black] = players.map(|of| of.most_games(context.archive, most));
    let year = |(year, results): (u16, query::Results)| YearResults { year, results: results.answer() };
    Ok(PositionReport {
        years: years.into_iter().map(year).collect(),
        specialists_as_white: white?.1,
        specialists_as_black: black?.1,
        best_games: best.values().iter().map(|(_, Reverse(id))| *id).collect(),
    })
}

/// The games read so far.
struct PositionTally {
    years: BTreeMap<u16, query::Results>,
    players: [NameTallies; 2],
    best: Top<(u32, Reverse<GameId>)>,
}

impl PositionTally {
    fn add(&mut self, game: &NamedGame) {
        let facts = &game.facts;
        facts.date.year().into_iter().for_each(|year| self.years.entry(year).or_default().add(facts.result));
        self.players[0].add(game.white, facts, Color::White);
        self.players[1].add(game.black, facts, Color::Black);
        if let (Some(white), Some(black)) = (facts.white_elo, facts.black_elo) {
            self.best.offer((white.saturating_add(black), Reverse(facts.id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rating_of_a_month_is_that_of_the_game_with_the_highest_id_in_whatever_order_games_come() {
        let date = Date::parse("1994.??.??").unwrap();
        let game = |id: GameId, rating: u32| PlayedGame {
            facts: GameMetadata {
                id,
                result: "*".parse().unwrap(),
                white_elo: Some(rating),
                black_elo: None,
                date,
            },
            white: Some(1),
            black: Some(2),
            event: None,
            site: None,
            plies: 1,
        };
        for order in [[(1, 2500), (2, 2400), (3, 2450)], [(3, 2450), (1, 2500), (2, 2400)]] {
            let mut tally = ProfileTally::default();
            order.iter().for_each(|(id, rating)| tally.add(&game(*id, *rating), Color::White));
            assert_eq!(tally.ratings.values().copied().collect::<Vec<_>>(), [(date, 3, 2450)], "{order:?}");
        }
    }
}
