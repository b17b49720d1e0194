//! What was played in a position, against slow twins.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{collections::BTreeMap, fs, ops::ControlFlow};

use common::{Bench, data};
use plybook::{
    archive::{Archive, Filter},
    chess::{Color, Move, Outcome, Position, VariantPosition},
    query::{Exploration, explore_by_scan},
    rules::{KnownOutcome, Rules},
};
use shakmaty::{EnPassantMode, san::SanPlus, uci::UciMove};

/// Games that come by positions more than once, with and without ratings and years.
const REPEATED: &str = "\
[White \"A\"]
[Black \"B\"]
[Date \"1990.05.01\"]
[WhiteElo \"2500\"]
[BlackElo \"2401\"]
[Result \"1/2-1/2\"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[White \"C\"]
[Black \"A\"]
[Date \"????.??.??\"]
[WhiteElo \"2450\"]
[BlackElo \"2451\"]
[Result \"0-1\"]

1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 0-1

[White \"D\"]
[Black \"E\"]
[Date \"2001.??.??\"]
[WhiteElo \"0\"]
[BlackElo \"2300\"]
[Result \"*\"]

1. e4 Nf6 2. Nf3 Ng8 3. Ng1 e5 *

[White \"E\"]
[Black \"F\"]
[Date \"2001.13.41\"]
[Result \"1-0\"]

1. d4 1-0
";

/// An archive of bundled games and of those above, and all that is known of them.
fn bench() -> (Bench, Vec<Known>) {
    let bench = Bench::new();
    fs::write(bench.path("repeated.pgn"), REPEATED).unwrap();
    let files = ["famous.pgn", "setup.pgn", "chess960.pgn"].map(|name| data(name).display().to_string());
    bench.import(&[&files.each_ref().map(String::as_str)[..], &["repeated.pgn"]].concat());
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = archive.games(&Filter::default()).map(|game| {
        let game = game.unwrap();
        let number =
            |name: &str| game.tags.get(name).and_then(|text| text.parse().ok()).filter(|elo| *elo > 0);
        Known {
            id: game.id,
            positions: game.positions().unwrap().collect::<Result<_, _>>().unwrap(),
            moves: game.line().unwrap().moves,
            result: game.result,
            elo: [number("WhiteElo"), number("BlackElo")],
            year: game.tags.get("Date").and_then(|date| date.get(..4)?.parse().ok()),
        }
    });
    let games = games.collect();
    (bench, games)
}

struct Known {
    id: i64,
    positions: Vec<VariantPosition>,
    moves: Vec<Move>,
    result: Outcome,
    elo: [Option<i64>; 2],
    year: Option<u16>,
}

/// Whether two positions are equal but for their counters and an en passant square that nobody can use.
fn is_same(a: &VariantPosition, b: &VariantPosition) -> bool {
    a.variant() == b.variant()
        && a.board() == b.board()
        && Position::turn(a) == Position::turn(b)
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.ep_square(EnPassantMode::Legal) == b.ep_square(EnPassantMode::Legal)
}

impl Known {
    fn comes_by(&self, position: &VariantPosition) -> bool {
        self.positions.iter().any(|other| is_same(other, position))
    }
}

/// The games of each move by its UCI notation (empty for those that ended there), each question asked by itself.
fn recount<'a>(games: &'a [Known], position: &VariantPosition) -> BTreeMap<String, Vec<&'a Known>> {
    let mut by_move: BTreeMap<String, Vec<&Known>> = BTreeMap::new();
    for game in games {
        let Some(last) = game.positions.iter().rposition(|other| is_same(other, position)) else { continue };
        let played =
            game.moves.get(last).map(|m| UciMove::from_move(*m, position.castles().mode()).to_string());
        by_move.entry(played.unwrap_or_default()).or_default().push(game);
    }
    by_move
}

fn won(games: &[&Known], winner: Option<Color>) -> u64 {
    let result = Outcome::Known(KnownOutcome::from_winner(winner));
    games.iter().filter(|game| game.result == result).count() as u64
}

fn mean(games: &[&Known], side: usize) -> Option<i64> {
    let ratings: Vec<i64> = games.iter().filter_map(|game| game.elo[side]).collect();
    let (sum, count) = (ratings.iter().sum::<i64>() as f64, ratings.len() as f64);
    (!ratings.is_empty()).then(|| (sum / count + 0.5).floor() as i64)
}

fn assert_is_recount(told: &Exploration, games: &[Known], position: &VariantPosition) {
    let mut by_move = recount(games, position);
    let ended = by_move.remove("").unwrap_or_default();
    assert_eq!(told.ended_here, ended.len() as u64, "{}", told.position);
    let all: Vec<&Known> = by_move.values().flatten().copied().chain(ended).collect();
    assert_eq!((told.games, told.draws), (all.len() as u64, won(&all, None)), "{}", told.position);
    assert_eq!(told.white, won(&all, Some(Color::White)), "{}", told.position);
    assert_eq!(told.moves.len(), by_move.len(), "{}", told.position);
    for m in &told.moves {
        let games_of = &by_move[&m.uci];
        let own = Position::turn(position).fold_wb(0, 1);
        assert_eq!(m.games, games_of.len() as u64, "{} {}", told.position, m.san);
        assert_eq!(m.black, won(games_of, Some(Color::Black)));
        assert_eq!(m.white + m.draws + m.black + m.other, m.games);
        assert_eq!([m.mean_rating, m.mean_opponent], [mean(games_of, own), mean(games_of, 1 - own)]);
        assert_eq!(m.last_year, games_of.iter().filter_map(|game| game.year).max());
        let rated = games_of.iter().filter_map(|game| Some((game.elo[0]? + game.elo[1]?, -game.id)));
        assert_eq!(m.best_game, rated.max().map(|(_, id)| -id));
        let mut after = position.clone();
        after.make(m.san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap());
        let reached = games.iter().filter(|game| game.comes_by(&after)).count() as u64;
        assert_eq!(m.reached, reached, "{} {}", told.position, m.san);
    }
}

#[test]
fn what_a_scan_tells_of_a_position_is_what_a_recount_finds() {
    let (bench, games) = bench();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let mut asked = 0;
    for game in games.iter().rev().step_by(3) {
        let plies = (0..game.positions.len()).filter(|ply| ply % 7 == 0 || *ply < 6);
        for position in plies.chain([game.positions.len() - 1]).map(|ply| &game.positions[ply]) {
            let told = explore_by_scan(&archive, position, &Filter::default(), |_| ControlFlow::Continue(()));
            assert_is_recount(&told.unwrap().unwrap(), &games, position);
            asked += 1;
        }
    }
    assert!(asked > 200, "{asked}");
}

#[test]
fn whoever_watches_may_break_a_scan_off() {
    let (bench, games) = bench();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let mut seen = 0;
    let watch = |games| {
        seen = games;
        ControlFlow::Break(())
    };
    let start = &games[0].positions[0];
    assert_eq!(explore_by_scan(&archive, start, &Filter::default(), watch).unwrap(), None);
    assert!(seen > 0);
}
