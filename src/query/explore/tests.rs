use proptest::prelude::*;

use super::*;
use crate::{
    chess::{Date, Fen, Variant, VariantPosition},
    record::{GameId, GameMetadata},
    rules::{Color, KnownOutcome, Outcome},
};

/// A game and the move it played.
type Played = (GameMetadata, Option<u16>);

fn without_tags(id: GameId) -> GameMetadata {
    let (result, date) = (Outcome::Unknown, Date::default());
    GameMetadata { id, result, white_elo: None, black_elo: None, date }
}

fn result() -> impl Strategy<Value = Outcome> {
    let known = |winner| Outcome::Known(KnownOutcome::from_winner(winner));
    let [white, draw, black] = [Some(Color::White), None, Some(Color::Black)].map(known);
    prop_oneof![Just(white), Just(draw), Just(black), Just(Outcome::Unknown)]
}

/// Games with few different ratings, so that several have the same sum.
fn games() -> impl Strategy<Value = Vec<Played>> {
    let rating = || proptest::option::of((1..5_u32).prop_map(|rating| 2000 + 100 * rating));
    let date = proptest::option::of(1990..2020_u16);
    let date = date.prop_map(|year| Date::new(year.unwrap_or(0), 0, 0).unwrap());
    let game = (result(), rating(), rating(), date, proptest::option::of(0..20_u16));
    let list = proptest::collection::vec(game, 0..60);
    list.prop_map(|list| {
        let facts = |(id, (result, white_elo, black_elo, date, played))| {
            (GameMetadata { id, result, white_elo, black_elo, date }, played)
        };
        (1..).zip(list).map(facts).collect()
    })
}

fn tally(games: &[Played]) -> Tally {
    let mut tally = Tally::default();
    games.iter().for_each(|(game, played)| tally.add(game, *played));
    tally
}

fn position(fen: &str) -> VariantPosition {
    Variant::Standard.position(&fen.parse::<Fen>().unwrap()).unwrap()
}

fn start() -> VariantPosition {
    Variant::Standard.start()
}

/// The games of a move, counted separately for each figure.
struct Recount<'a>(Vec<&'a GameMetadata>);

impl Recount<'_> {
    fn won_by(&self, winner: Option<Color>) -> u64 {
        let result = Outcome::Known(KnownOutcome::from_winner(winner));
        self.0.iter().filter(|game| game.result == result).count() as u64
    }

    fn mean(&self, rating: impl Fn(&GameMetadata) -> Option<u32>) -> Option<i64> {
        let ratings: Vec<f64> = self.0.iter().filter_map(|game| rating(game)).map(f64::from).collect();
        let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
        (!ratings.is_empty()).then(|| (mean + 0.5).floor() as i64)
    }

    fn best(&self) -> Option<i64> {
        let mut rated: Vec<_> =
            self.0.iter().filter_map(|game| Some((game.white_elo? + game.black_elo?, -game.id))).collect();
        rated.sort_unstable();
        rated.last().map(|(_, id)| -id)
    }
}

proptest! {
    #[test]
    fn an_exploration_equals_a_recount(games in games()) {
        let answer = Exploration::new(&start(), &tally(&games), &(0..20).collect::<Vec<u64>>());
        let all = Recount(games.iter().map(|(game, _)| game).collect());
        prop_assert_eq!(answer.results.games, games.len() as u64);
        prop_assert_eq!((answer.results.white, answer.results.draws), (all.won_by(Some(Color::White)), all.won_by(None)));
        prop_assert_eq!(answer.results.black, all.won_by(Some(Color::Black)));
        prop_assert_eq!(answer.results.white + answer.results.draws + answer.results.black + answer.results.other, answer.results.games);
        prop_assert_eq!(answer.ended_here + answer.moves.iter().map(|m| m.results.games).sum::<u64>(), answer.results.games);
        for m in &answer.moves {
            let of = |played: &Option<u16>| played.is_some_and(|index| u64::from(index) == m.reached);
            let these = Recount(games.iter().filter(|(_, played)| of(played)).map(|(game, _)| game).collect());
            prop_assert_eq!(m.results.games, these.0.len() as u64);
            prop_assert_eq!(m.results.black, these.won_by(Some(Color::Black)));
            prop_assert_eq!(m.mean_rating, these.mean(|game| game.white_elo));
            prop_assert_eq!(m.mean_opponent, these.mean(|game| game.black_elo));
            prop_assert_eq!(m.last_year, these.0.iter().filter_map(|game| game.date.year()).max());
            prop_assert_eq!(m.best_game, these.best());
        }
        let order: Vec<_> = answer.moves.iter().map(|m| (u64::MAX - m.results.games, m.uci.clone())).collect();
        prop_assert!(order.is_sorted());
    }

    #[test]
    fn games_may_be_tallied_in_parts_and_in_any_order(games in games(), parts in 1..5_usize) {
        let whole = tally(&games);
        let mut merged = Tally::default();
        for part in (0..parts).rev() {
            let of_part: Vec<Played> = games.iter().skip(part).step_by(parts).rev().copied().collect();
            merged.merge(&tally(&of_part));
        }
        prop_assert_eq!(&merged.total(), &whole.total());
        let mut summed = Tally::default();
        summed.add_sums(merged.ended(), None);
        (0..).zip(merged.moves()).for_each(|(index, games)| summed.add_sums(games, Some(index)));
        for tally in [merged, summed] {
            let answer = |tally| Exploration::new(&start(), tally, &[]);
            prop_assert_eq!(answer(&tally), answer(&whole));
        }
    }
}

#[test]
fn mean_ratings_are_those_of_the_side_to_move() {
    let (white, result) = (Some(2500), Outcome::Known(KnownOutcome::from_winner(Some(Color::White))));
    let game = GameMetadata { result, white_elo: white, black_elo: Some(2000), ..without_tags(7) };
    let answer = |fen: &str| {
        let explored = Exploration::new(&position(fen), &tally(&[(game, Some(0))]), &[]);
        let m = &explored.moves[0];
        (m.mean_rating, m.mean_opponent, m.performance)
    };
    assert_eq!(answer("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), (white.map(i64::from), Some(2000), Some(2800)));
    assert_eq!(answer("4k3/8/8/8/8/8/8/4K2R b K - 0 1"), (Some(2000), Some(2500), Some(1700)));
}

#[test]
fn castling_is_the_kings_move_unless_the_king_or_the_rook_began_elsewhere() {
    let game = without_tags(1);
    let castling = |fen: &str| -> Vec<String> {
        let games: Vec<Played> = (0..60).map(|index| (game, Some(index))).collect();
        let moves = Exploration::new(&position(fen), &tally(&games), &[]).moves.into_iter();
        moves.filter(|m| m.san.starts_with("O-O")).map(|m| m.uci).collect()
    };
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ["e1c1", "e1g1"]);
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), ["e8c8", "e8g8"]);
    assert_eq!(castling("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"), ["f1b1", "f1g1"]);
    assert_eq!(castling("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1"), ["e1b1", "e1g1"]);
}

#[test]
fn a_move_of_a_tally_that_does_not_exist_is_left_out() {
    let game = without_tags(1);
    let answer = Exploration::new(&start(), &tally(&[(game, Some(19)), (game, Some(20))]), &[]);
    assert_eq!(answer.moves.len(), 1);
}
