//! Real games: searches and explorations give the same results as comparing complete positions, without keys.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use crate::{
    common::{corpus, trials},
    index_support::{
        bare_and_indexed, found,
        other_reader::{Game, beginning, games_of},
        printed, some_positions,
    },
};
use pgn_reader::SanPlus;
use plybook::{
    archive::{Archive, Filter, GameNumber},
    chess::VariantPosition,
    query::{Context, PositionIndex, explore_with_transpositions},
};
use serde_json::{Value, json};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Position, Square, uci::UciMove};

/// The properties that two equal positions share.
type Whole = (Board, Color, Bitboard, Option<Square>);

fn whole(position: &Chess) -> Whole {
    let castling = position.castles().castling_rights();
    (position.board().clone(), position.turn(), castling, position.ep_square(EnPassantMode::Legal))
}

/// The games that reach a position, each with the ply of its first visit and of the last one from which it moved (of
/// the first one if it never did).
type Visits = BTreeMap<i64, (usize, usize)>;

/// The games that reach each of some positions.
fn visits(games: &[Game], wanted: impl Iterator<Item = Chess>) -> HashMap<Whole, Visits> {
    let mut visits: HashMap<Whole, Visits> =
        wanted.map(|position| (whole(&position), Visits::default())).collect();
    for (id, game) in (1..).zip(games) {
        game.each(|ply, position| {
            if let Some(visits) = visits.get_mut(&whole(position)) {
                let (_, last) = visits.entry(id).or_insert((ply, ply));
                if ply < game.moves.len() {
                    *last = ply;
                }
            }
        });
    }
    visits
}

/// Whether a game matches a filter.
type Passes = fn(&Game) -> bool;

/// The filters, in the form of the program and as functions.
fn filters() -> [(Filter, Passes); 3] {
    let years = Filter::default()
        .in_range(GameNumber::Date, Filter::dates("1990..2010").unwrap())
        .in_range(GameNumber::WhiteElo, 2300..=2700)
        .in_range(GameNumber::BlackElo, 2300..=2700);
    let drawn = Filter::default().with_result("1/2-1/2".parse().unwrap());
    [
        (Filter::default(), |_| true),
        (years, |game| {
            let is_rated = game.elo.iter().all(|elo| elo.is_some_and(|elo| (2300..=2700).contains(&elo)));
            is_rated && game.year.is_some_and(|year| (1990..=2010).contains(&year))
        }),
        (drawn, |game| game.result == "1/2-1/2"),
    ]
}

/// The expected result of `explore`, without opening names.
fn explored(games: &[Game], passes: Passes, visits: &HashMap<Whole, Visits>, position: &Chess) -> Value {
    let that_pass = |position: &Chess| -> Vec<(i64, usize, &Game)> {
        let visits = visits[&whole(position)].iter();
        let played = visits.map(|(id, (_, last))| (*id, *last, &games[usize::try_from(*id).unwrap() - 1]));
        played.filter(|(.., game)| passes(game)).collect()
    };
    let all = that_pass(position);
    let mut by_move: BTreeMap<String, Vec<(i64, &Game)>> = BTreeMap::new();
    for (id, last, game) in &all {
        let m = game.moves.get(*last).map(|m| UciMove::from_move(*m, CastlingMode::Standard).to_string());
        by_move.entry(m.unwrap_or_default()).or_default().push((*id, game));
    }
    let ended = by_move.remove("").unwrap_or_default().len();
    let mut rows: Vec<(String, Vec<(i64, &Game)>)> = by_move.into_iter().collect();
    rows.sort_by_key(|(_, games)| Reverse(games.len()));
    let row = |(uci, played): (String, Vec<(i64, &Game)>)| {
        let m = uci.parse::<UciMove>().unwrap().to_move(position).unwrap();
        let mut after = position.clone();
        after.play_unchecked(m);
        let san = SanPlus::from_move(position.clone(), m).to_string();
        let (head, numbers) = (json!({ "uci": uci, "san": san }), of_a_side(position.turn(), &played));
        joined([head, results(&played), numbers, json!({ "reached": that_pass(&after).len() })])
    };
    let moves: Vec<Value> = rows.into_iter().map(row).collect();
    let all: Vec<(i64, &Game)> = all.into_iter().map(|(id, _, game)| (id, game)).collect();
    joined([results(&all), json!({ "ended_here": ended, "moves": moves })])
}

/// Moves that were not played but lead to positions reached by other games, and the numbers of these games.
fn reached_otherwise(
    games: &[Game],
    passes: Passes,
    visits: &HashMap<Whole, Visits>,
    position: &Chess,
    played: &Value,
) -> Vec<(String, u64)> {
    let mut reached: Vec<(String, u64)> = Vec::new();
    for m in position.legal_moves() {
        let uci = UciMove::from_move(m, CastlingMode::Standard).to_string();
        let after = &visits[&whole(&position.clone().play(m).unwrap())];
        let count = after.keys().filter(|id| passes(&games[usize::try_from(**id).unwrap() - 1])).count();
        if count > 0 && played.as_array().unwrap().iter().all(|m| m["uci"] != uci) {
            reached.push((uci, count as u64));
        }
    }
    reached.sort_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    reached
}

/// The result of the program.
fn transpositions(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &Chess,
    filter: &Filter,
) -> Vec<(String, u64)> {
    let position = VariantPosition::Chess(position.clone());
    let printed = explore_with_transpositions(Context::new(archive).with_index(index), &position, filter);
    printed.unwrap().transpositions.into_iter().map(|m| (m.uci, m.reached)).collect()
}

fn joined<const N: usize>(parts: [Value; N]) -> Value {
    parts.into_iter().flat_map(|part| part.as_object().unwrap().clone()).collect()
}

fn results(games: &[(i64, &Game)]) -> Value {
    let count = |result| games.iter().filter(|(_, game)| game.result == result).count();
    let (white, draws, black) = (count("1-0"), count("1/2-1/2"), count("0-1"));
    let other = games.len() - white - draws - black;
    json!({ "games": games.len(), "white": white, "draws": draws, "black": black, "other": other })
}

/// The performance of one side in some games.
fn of_a_side(side: Color, games: &[(i64, &Game)]) -> Value {
    let (own, other) = side.fold_wb((0, 1), (1, 0));
    let ratings = |side: usize| -> Vec<i64> {
        games.iter().filter_map(|(_, game)| Some(game.elo[side]? as i64)).collect()
    };
    let mean = |ratings: &[i64]| rounded(ratings.iter().sum(), ratings.len() as i64);
    let won = side.fold_wb("1-0", "0-1");
    let points = games.iter().map(|(_, game)| match game.result.as_str() {
        "1/2-1/2" => Some(1),
        "1-0" | "0-1" => Some(2 * i64::from(game.result == won)),
        _ => None,
    });
    let points: Vec<i64> = points.flatten().collect();
    let opponents = ratings(other);
    let (scored, rated) = (points.len() as i64, opponents.len() as i64);
    // The score in percent, in fractions.
    let above = difference(50 * points.iter().sum::<i64>(), scored);
    let performance = rounded(opponents.iter().sum::<i64>() * scored + above * rated, rated * scored);
    let best = games.iter().filter_map(|(id, game)| Some((game.elo[0]? + game.elo[1]?, Reverse(*id))));
    json!({
        "mean_rating": mean(&ratings(own)),
        "mean_opponent": mean(&opponents),
        "performance": performance,
        "last_year": games.iter().filter_map(|(_, game)| game.year).max(),
        "best_game": best.max().map(|(_, Reverse(id))| id),
    })
}

fn rounded(sum: i64, count: i64) -> Option<i64> {
    (count > 0).then(|| (2 * sum + count).div_euclid(2 * count))
}

/// FIDE Handbook B.02, 8.1.1: the rating difference for 50, 51 ... 100 percent.
const FIDE: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
];

/// The difference for a fractional percentage, interpolated linearly between whole percents.
fn difference(parts: i64, of: i64) -> i64 {
    match parts {
        _ if of == 0 => 0,
        parts if parts < 50 * of => -difference(100 * of - parts, of),
        parts => {
            let percent = (parts / of) as usize - 50;
            FIDE[percent] * of + (FIDE[(percent + 1).min(50)] - FIDE[percent]) * (parts % of)
        }
    }
}

#[test]
fn real_games_are_found_and_explored_like_complete_positions() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    // Without rounds, no two of them are versions of one game.
    let text = beginning(&otb, trials(20_000, 86_000)).replace("[Round \"", "[Table \"");
    let games = games_of(&text);
    let benches = bare_and_indexed(&text);
    let [bare, indexed] = benches.each_ref().map(|bench| Archive::open(bench.path("plybook.db")).unwrap());
    let index = PositionIndex::open(&indexed).unwrap();

    let [asked, lines] = [(500, 7), (60, 8)]
        .map(|(count, seed)| some_positions(count, seed, games.len(), |game| games[game].positions()));
    let after = lines.iter().chain(&asked).flat_map(|position| {
        let play = |m| position.clone().play(m).unwrap();
        position.legal_moves().into_iter().map(play).collect::<Vec<_>>()
    });
    let visits = visits(&games, asked.iter().chain(&lines).cloned().chain(after));
    let expected = |position| -> Vec<(i64, usize)> {
        visits[&whole(position)].iter().map(|(game, (first, _))| (*game, *first)).collect()
    };
    for (number, position) in asked.iter().enumerate() {
        assert_eq!(found(&indexed, index.as_ref(), position), expected(position), "{position:?}");
        if number % 12 == 0 {
            assert_eq!(found(&bare, None, position), expected(position), "{position:?}");
        }
    }
    for (filter, passes) in filters() {
        let by_index = printed(&indexed, index.as_ref(), &lines, &filter);
        assert_eq!(printed(&bare, None, &lines, &filter), by_index);
        for (position, printed) in lines.iter().zip(by_index) {
            assert_eq!(printed, explored(&games, passes, &visits, position), "{position:?}");
        }
        let mut others = 0;
        for (number, position) in asked.iter().enumerate() {
            let played = &explored(&games, passes, &visits, position)["moves"];
            let expected = reached_otherwise(&games, passes, &visits, position, played);
            others += expected.len();
            assert_eq!(transpositions(&indexed, index.as_ref(), position, &filter), expected, "{position:?}");
            if number % 50 == 0 {
                assert_eq!(transpositions(&bare, None, position, &filter), expected, "{position:?}");
            }
        }
        assert!(others >= 10, "{others}");
    }

    // The positions are of every kind.
    let counts: Vec<usize> = asked.iter().map(|position| expected(position).len()).collect();
    let count = |is: &dyn Fn(usize) -> bool| counts.iter().filter(|games| is(**games)).count();
    let kinds = [count(&|games| games == 0), count(&|games| games == 1), count(&|games| games > 100)];
    let black = asked.iter().filter(|position| position.turn().is_black()).count();
    println!("{} games; positions in none, one and many: {kinds:?}; Black to move: {black}", games.len());
    assert!(kinds.iter().all(|count| *count > 40) && (150..350).contains(&black));
    let moves: usize = lines.iter().map(|position| visits[&whole(position)].len()).sum();
    assert!(moves > 10_000, "{moves}");
}
