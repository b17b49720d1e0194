//! A game counts under the last move that it played from a position, even if it returned to the position and ended
//! there: in the index, a scan, the tree, the page, the routes, opening books and the SQL function. All are compared
//! with a count that plays every game with shakmaty.
#![cfg(feature = "web")]

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    fs,
};

use crate::common::{Bench, corpus, html::Html, server::Served};
use plybook::{
    archive::{Archive, Filter},
    chess::Variant,
    functions::{Continuation, Value as SqlValue},
    query::PositionIndex,
    record::StoredMoves,
    rules::{KnownOutcome, Outcome},
};
use serde_json::Value;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Position, fen::Epd, fen::Fen, san::San, san::SanPlus,
    uci::UciMove, zobrist::Zobrist64,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const QUEEN: &str = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
const CHESS960: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";

/// The number of games of a position from which the index stores the sums of its moves.
const SUMMED: usize = 8192;

/// Games of one start position and one line. From 16 games on, a position is popular in the index.
const LINES: [(&str, &str, usize); 22] = [
    (START, "", SUMMED + 4),
    (START, "Nf3 Nf6 Ng1 Ng8", 20),
    (START, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8", 3),
    (START, "Nf3 Nf6 Ng1 Ng8 Nh3 Nh6 Ng1 Ng8 Na3 Na6", 2),
    (START, "Nf3 Nf6 Ng1 Ng8 e4 e5", 3),
    (START, "e4", 30),
    (START, "e4 Nf6 Nf3 Ng8 Ng1", 20),
    (START, "e4 Nf6 Nf3 Ng8 Ng1 c5", 2),
    (START, "e4 e5", SUMMED + 4),
    (START, "e4 e5 Nf3 Nc6 Ng1 Nb8", 5),
    (START, "e4 e5 Nf3 Nc6 Ng1 Nb8 Nc3", 2),
    (START, "e4 e5 Nf3 Nf6 Ng1 Ng8 Bc4 Bc5 Bf1 Bf8", 2),
    (START, "e4 e5 Nf3 Nc6 Ng1 Nb8 Nf3 Nf6 Ng1 Ng8", 2),
    (START, "d4 d5 Nf3 Nf6 Ng1 Ng8", 2),
    (START, "d4 d5 c4", 1),
    (START, "f3 e5 g4 Qh4#", 20),
    (QUEEN, "", 20),
    (QUEEN, "Qf7", 20),
    (QUEEN, "Qf3 Kg8 Qf2 Kh8", 20),
    (CHESS960, "", 20),
    (CHESS960, "Nc3 Ne7 Na2 Nc8", 4),
    (CHESS960, "Nc3 Ne7 Na2 Nc8 Nc3", 1),
];

/// The lines that lead to the tested positions.
const POSITIONS: [(&str, &str); 12] = [
    (START, ""),
    (START, "e4"),
    (START, "e4 e5"),
    (START, "e4 e5 Nf3"),
    (START, "e4 e5 Nf3 Nc6 Ng1"),
    (START, "Nf3 Nf6"),
    (START, "d4 d5"),
    (START, "f3 e5 g4 Qh4#"),
    (QUEEN, ""),
    (QUEEN, "Qf7"),
    (CHESS960, ""),
    (CHESS960, "Nc3"),
];

/// Games by the move that they count under, in UCI notation and in SAN (`None`: they never moved), with the numbers of
/// White's wins, draws, Black's wins and other results.
type Count = BTreeMap<Option<(String, String)>, [u64; 4]>;

/// A game: the number of its line, its players and its result.
struct Game {
    line: usize,
    white: &'static str,
    result: &'static str,
}

/// Whether a game matches a filter.
type Passes = fn(&Game) -> bool;

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
}

fn play(position: &mut Chess, san: &str) -> (String, String) {
    let m = san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap();
    let names = (UciMove::from_standard(m).to_string(), San::from_move(position, m).to_string());
    position.play_unchecked(m);
    names
}

fn after(start: &str, line: &str) -> Chess {
    let mut position = position(start);
    line.split_whitespace().for_each(|san| drop(play(&mut position, san)));
    position
}

fn key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The last move that a game plays from each of its positions.
fn last_moves((start, line, _): &(&str, &str, usize)) -> HashMap<String, Option<(String, String)>> {
    let (mut position, mut last) = (position(start), HashMap::new());
    for san in line.split_whitespace() {
        let here = key(&position);
        last.insert(here, Some(play(&mut position, san)));
    }
    last.entry(key(&position)).or_insert(None);
    last
}

/// The games, at most `most` of each line.
fn games(most: usize) -> Vec<Game> {
    let lines = LINES.iter().enumerate();
    let lines = lines.flat_map(|(line, (.., copies))| (0..most.min(*copies)).map(move |copy| (line, copy)));
    let game = |(line, copy): (usize, usize)| Game {
        line,
        white: ["Anna", "Bob", "Anna"][copy % 3],
        // The moves decide the result if they end in mate or stalemate.
        result: match LINES[line].1 {
            "f3 e5 g4 Qh4#" => "0-1",
            "Qf7" => "1/2-1/2",
            _ => ["1-0", "1/2-1/2", "0-1", "1-0", "*"][copy % 5],
        },
    };
    lines.map(game).collect()
}

fn pgn(games: &[Game]) -> String {
    let mut pgn = String::new();
    for (round, Game { line, white, result }) in games.iter().enumerate() {
        let (start, moves, _) = LINES[*line];
        writeln!(pgn, "[Event \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Result \"{result}\"]")
            .unwrap();
        if start != START {
            writeln!(pgn, "[SetUp \"1\"]\n[FEN \"{start}\"]").unwrap();
        }
        if start == CHESS960 {
            writeln!(pgn, "[Variant \"Chess960\"]").unwrap();
        }
        writeln!(pgn, "\n{moves} {result}\n").unwrap();
    }
    pgn
}

/// The expected counts of the games that match a filter.
fn expected(games: &[Game], position: &Chess, passes: impl Fn(&Game) -> bool) -> Count {
    let (last, here, mut count) = (LINES.each_ref().map(last_moves), key(position), Count::new());
    for game in games.iter().filter(|game| passes(game)) {
        let Some(played) = last[game.line].get(&here) else { continue };
        let results = ["1-0", "1/2-1/2", "0-1", "*"];
        let result = results.iter().position(|result| *result == game.result).unwrap();
        count.entry(played.clone()).or_default()[result] += 1;
    }
    count
}

/// The moves in a JSON answer, and the number of games that ended.
fn counted(answer: &Value, moves: &str) -> (Count, u64) {
    let text = |m: &Value, name: &str| m[name].as_str().unwrap().to_owned();
    let results = |m: &Value| ["white", "draws", "black", "other"].map(|name| m[name].as_u64().unwrap_or(0));
    let of_move = |m: &Value| (Some((text(m, "uci"), text(m, "san").replace(['+', '#'], ""))), results(m));
    let count = answer[moves].as_array().unwrap().iter().map(of_move).collect();
    (count, answer["ended_here"].as_u64().unwrap_or(0))
}

/// The same for the expected counts.
fn split(mut count: Count) -> (Count, u64) {
    let ended = count.remove(&None).unwrap_or_default();
    (count, ended.iter().sum())
}

/// The expected counts of routes and books: games with a result and a move.
fn with_results(mut count: Count) -> Count {
    count.retain(|played, [.., other]| {
        *other = 0;
        played.is_some()
    });
    count.retain(|_, results| results.iter().any(|games| *games > 0));
    count
}

/// Compares `explore` and its tree.
fn assert_explored(bench: &Bench, games: &[Game], at: &Chess) {
    let fen = Fen::from_position(at, EnPassantMode::Legal).to_string();
    let filters: [(&[&str], Passes); 4] = [
        (&[], |_| true),
        // The archive is scanned, whether there is an index or not.
        (&["--limit", "100000"], |_| true),
        (&["--player", "Bob"], |game| game.white == "Bob"),
        (&["--result", "1-0"], |game| game.result == "1-0"),
    ];
    for (filter, passes) in filters {
        let ask = |more: &[&str]| -> Value {
            let arguments = [&["explore", &fen, "--format", "json"], filter, more].concat();
            serde_json::from_slice(&bench.run(&arguments).stdout).unwrap()
        };
        let expected = split(expected(games, at, passes));
        let explored = ask(&[]);
        assert_eq!(counted(&explored, "moves"), expected, "{fen} {filter:?}");
        let sum: u64 = expected.0.values().flatten().sum();
        assert_eq!(explored["games"], sum + expected.1, "{fen} {filter:?}");
        let tree = ask(&["--tree", "2", "--min-share", "0"]);
        assert_eq!(counted(&tree, "lines"), expected, "tree: {fen} {filter:?}");
    }
}

/// Compares the page and the routes.
fn assert_served(served: &Served, games: &[Game], at: &Chess) {
    let fen = Fen::from_position(at, EnPassantMode::Legal).to_string().replace(' ', "_");
    let all = expected(games, at, |_| true);
    let (moves, ended) = split(all.clone());
    let html = Html::new(&served.get(&format!("/explorer?fen={fen}")).text());
    let digits = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let counts = html.texts(|tag| tag.name == "td" && tag.has_class("c-games"));
    let rows: BTreeMap<String, u64> = html
        .rows("moves")
        .iter()
        .zip(&counts)
        .map(|(row, count)| (row[0].replace(['+', '#'], ""), digits(count)))
        .collect();
    let of_move = |(played, results): (Option<(String, String)>, [u64; 4])| {
        (played.unwrap().1, results.iter().sum::<u64>())
    };
    assert_eq!(rows, moves.into_iter().map(of_move).collect(), "{fen}");
    let notes = html.texts(|tag| tag.has_class("ended"));
    let said = notes.iter().find_map(|note| match note.strip_suffix(" games ended here.") {
        None => (note == "One game ended here.").then_some(1),
        Some(games) => Some(digits(games)),
    });
    assert_eq!(said.unwrap_or(0), ended, "{fen}: {notes:?}");

    let of_bob = expected(games, at, |game| game.white == "Bob");
    for (route, expected) in
        [("masters?", &all), ("lichess?", &all), ("player?player=bob&color=white&", &of_bob)]
    {
        let answer = served.json(&format!("/{route}fen={fen}&moves=500"));
        assert_eq!(counted(&answer, "moves").0, with_results(expected.clone()), "{route} {fen}");
    }
}

/// The moves of a position in a book in Polyglot's format, with their weights.
fn book_moves(book: &[u8], at: &Chess) -> BTreeMap<String, u64> {
    let key = at.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
    let entry = |bytes: &[u8]| {
        let code = usize::from(u16::from_be_bytes([bytes[8], bytes[9]]));
        let square = |code: usize| {
            format!("{}{}", ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'][code & 7], 1 + (code >> 3 & 7))
        };
        (square(code >> 6) + &square(code), u64::from(u16::from_be_bytes([bytes[10], bytes[11]])))
    };
    let entries = book.chunks_exact(16).filter(|bytes| bytes[..8] == key.to_be_bytes());
    entries.map(entry).collect()
}

fn assert_in_book(book: &[u8], games: &[Game], at: &Chess) {
    let moves = with_results(expected(games, at, |_| true)).into_iter();
    let weight = |[white, draws, black, _]: [u64; 4]| 2 * at.turn().fold_wb(white, black) + draws;
    let moves = moves.map(|(played, results)| (played.unwrap().0, weight(results)));
    let expected: BTreeMap<String, u64> = moves.filter(|(_, weight)| *weight > 0).collect();
    assert_eq!(book_moves(book, at), expected, "{}", key(at));
}

/// Compares the SQL function, over all games of an archive.
fn assert_continued(stored: &[StoredMoves], games: &[Game], at: &Chess) {
    let fen = Fen::from_position(at, EnPassantMode::Legal).to_string();
    let (mut count, mut known) = (Count::new(), HashMap::new());
    for game in stored {
        let continuation = known.entry((&game.moves, &game.setup, game.variant)).or_insert_with(|| {
            let start = game.setup.as_deref().map_or(SqlValue::Null, SqlValue::Text);
            let variant = if game.variant == Variant::Chess960 { "chess960" } else { "standard" };
            let values = [SqlValue::Blob(&game.moves), SqlValue::Text(&fen), start, SqlValue::Text(variant)];
            Continuation::new(&values).unwrap()
        });
        let Some(continuation) = continuation else { continue };
        let result = match continuation.outcome {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => 0,
            Outcome::Known(KnownOutcome::Draw) => 1,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => 2,
            Outcome::Unknown => 3,
        };
        let san = continuation.san.as_ref().map(|san| san.replace(['+', '#'], ""));
        count.entry(continuation.uci.clone().zip(san)).or_default()[result] += 1;
    }
    assert_eq!(count, expected(games, at, |_| true), "{fen}");
}

#[test]
fn a_game_counts_under_its_last_move_from_a_position_wherever_games_are_counted() {
    let positions = POSITIONS.map(|(start, line)| after(start, line));
    for is_indexed in [true, false] {
        // Without an index no sums are stored, and fewer games take less time.
        let games = games(if is_indexed { usize::MAX } else { 20 });
        let bench = Bench::new();
        fs::write(bench.path("games.pgn"), pgn(&games)).unwrap();
        let report = bench.import(&["games.pgn"]);
        assert_eq!(report["stored"], games.len());
        if is_indexed {
            bench.ok(&["index"]);
        }
        bench.ok(&["book", "--min-games", "1", "-o", "book.bin"]);
        let book = fs::read(bench.path("book.bin")).unwrap();
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        assert_eq!(PositionIndex::open(&archive).unwrap().is_some(), is_indexed);
        let stored: Vec<StoredMoves> = archive.moves(&Filter::default()).map(Result::unwrap).collect();
        let served = Served::new(&bench, &[]);
        for at in &positions {
            assert_explored(&bench, &games, at);
            assert_served(&served, &games, at);
            assert_in_book(&book, &games, at);
            assert_continued(&stored, &games, at);
        }
    }
}

/// The index has both in one run, since nothing is sorted between them.
#[test]
fn empty_games_are_separated_from_those_that_returned_to_the_start() {
    let mut games = games(20);
    games.retain(|game| ["", "Nf3 Nf6 Ng1 Ng8"].contains(&LINES[game.line].1) && LINES[game.line].0 == START);
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn(&games)).unwrap();
    bench.import(&["--index", "games.pgn"]);
    let ended = split(expected(&games, &position(START), |_| true)).1;
    assert_eq!((games.len(), ended), (40, 20));
    assert_explored(&bench, &games, &position(START));
}

#[test]
fn a_variant_without_an_index_counts_the_same() {
    let bench = Bench::new();
    let game = |round, moves: &str| {
        format!("[Variant \"King of the Hill\"]\n[Round \"{round}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let moves = ["", "Nf3 Nf6 Ng1 Ng8", "Nf3 Nf6 Ng1 Ng8 e4", "e4 e5"];
    fs::write(
        bench.path("games.pgn"),
        (1..).zip(moves).map(|(round, moves)| game(round, moves)).collect::<String>(),
    )
    .unwrap();
    bench.import(&["--index", "games.pgn"]);
    let explored = bench.json(&["explore", "--variant", "kingOfTheHill", "--format", "json"]);
    let (count, ended) = counted(&explored, "moves");
    let moves: Vec<_> = count.into_iter().map(|(played, results)| (played.unwrap().1, results[0])).collect();
    assert_eq!((moves, ended), (vec![("e4".to_owned(), 2), ("Nf3".to_owned(), 1)], 1));
}

/// Korneev–Sakaev (1998) played 6... Ng4 7. Bc1 Nf6 8. Be3 and was drawn there. python-chess counts the same games.
#[test]
fn a_masters_game_that_returned_to_the_english_attack_counts_under_its_move() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let text = zstd::decode_all(fs::File::open(otb).unwrap()).unwrap();
    // Without rounds, no two of them are versions of one game.
    let text = String::from_utf8_lossy(&text).replace("[Round \"", "[Table \"");
    // No other game can reach the position and play this move.
    let may_play = |game: &&str| ["Be3", "Ng4", "Nf6", "xd4", "a6", "d6"].iter().all(|m| game.contains(m));
    let games: Vec<&str> = text.split("[Event ").filter(may_play).collect();
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), format!("[Event {}", games.join("[Event "))).unwrap();
    let report = bench.import(&["--index", "games.pgn"]);
    assert_eq!(report["stored"], games.len());
    let line = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3";
    for scan in [&[][..], &["--limit", "1000000"]] {
        let explored = bench.json(&[&["explore", line, "--format", "json"], scan].concat());
        let ng4 = explored["moves"].as_array().unwrap().iter().find(|m| m["san"] == "Ng4").unwrap();
        assert_eq!((&ng4["games"], &explored["ended_here"]), (&434.into(), &0.into()));
    }
}
