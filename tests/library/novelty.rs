//! The first new move of games, compared with two independent ways: every position of every game as text, and
//! python-chess.

use std::{collections::HashMap, fs, process::Command};

use crate::{
    common::{Bench, corpus, data, python, text},
    pgn_support::real_games,
};
use plybook::{
    archive::{Archive, Filter},
    chess::{Date, Variant},
    record::GameId,
};
use serde_json::Value;
use shakmaty::{EnPassantMode, fen::Epd};

/// What a game is compared with, and what is found.
type Found = (GameId, Option<u64>, u64);

/// Ids, new plies and numbers of games in the output of the command.
fn printed(bench: &Bench, arguments: &[&str]) -> Vec<Found> {
    let output = bench.run(&[&["novelty", "--format", "jsonl"], arguments].concat());
    let rows = text(&output.stdout);
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = rows
        .map(|row| (row["id"].as_i64().unwrap(), row["ply"].as_u64(), row["known_games"].as_u64().unwrap()));
    found.collect()
}

/// A game with its place in chronological order, and its positions as text.
struct Game {
    id: GameId,
    date: (bool, u32),
    positions: Vec<String>,
}

/// Every game of chess of an archive.
fn games(bench: &Bench) -> Vec<Game> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = archive.games(&Filter { chess: true, ..Filter::default() });
    games
        .map(|game| {
            let game = game.unwrap();
            let date = game.tags.date().map_or(0, Date::packed);
            let variant = match game.variant().unwrap() {
                Variant::Chess960 => Variant::Standard,
                variant => variant,
            };
            let text =
                |position| format!("{variant:?} {}", Epd::from_position(&position, EnPassantMode::Legal));
            let positions = game.positions().unwrap().map(|position| text(position.unwrap())).collect();
            Game { id: game.id, date: (date == 0, date), positions }
        })
        .collect()
}

/// The expected result, from comparing all positions.
fn expected(games: &[Game], any_date: bool) -> Vec<Found> {
    let mut reached: HashMap<&str, Vec<&Game>> = HashMap::new();
    for game in games {
        let mut positions: Vec<&str> = game.positions.iter().map(String::as_str).collect();
        positions.sort_unstable();
        positions.dedup();
        positions.into_iter().for_each(|position| reached.entry(position).or_default().push(game));
    }
    let found = games.iter().map(|game| {
        let counts = |other: &&&Game| match any_date {
            true => other.id != game.id,
            false => (other.date, other.id) < (game.date, game.id),
        };
        let having = |ply: usize| reached[game.positions[ply].as_str()].iter().filter(counts).count() as u64;
        let new = (1..game.positions.len()).find(|&ply| having(ply) == 0);
        (game.id, new.map(|ply| ply as u64), having(new.unwrap_or(game.positions.len()) - 1))
    });
    found.collect()
}

/// Games of all kinds: real ones, other variants, set-up positions, games without moves, dates of all kinds.
fn bench_with_all() -> Bench {
    let bench = Bench::new();
    let names = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn"];
    let mut all: String = names.iter().map(|name| fs::read_to_string(data(name)).unwrap() + "\n\n").collect();
    if let Some(variants) = corpus("variants.pgn") {
        all += &fs::read_to_string(variants).unwrap();
    }
    for (number, date) in ["", "????.??.??", "1999.??.??", "1999.05.??", "1999.05.01"].iter().enumerate() {
        for line in [
            "1. e4 e5 2. Nf3",
            "1. Nf3 e5 2. e4",
            "1. h4 h5 2. a4",
            "",
            "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3",
        ] {
            all += &format!("[White \"{number}\"]\n[Date \"{date}\"]\n\n{line} *\n\n");
        }
    }
    fs::write(bench.path("all.pgn"), all).unwrap();
    bench.import(&["all.pgn"]);
    bench
}

#[test]
fn the_first_new_move_equals_that_of_comparing_all_positions() {
    let bench = bench_with_all();
    let games = games(&bench);
    let twins = [expected(&games, false), expected(&games, true)];
    assert!(twins.iter().flatten().filter(|found| found.1.is_none()).count() > 10);
    let same = || {
        for (twin, arguments) in twins.iter().zip([&[][..], &["--any-date"]]) {
            assert_eq!(&printed(&bench, arguments), twin);
        }
    };
    same();
    bench.ok(&["index", "--quiet"]);
    same();
    // Games selected by id have the same results, in the order of the ids.
    let ids: Vec<String> = twins[0].iter().rev().step_by(7).map(|found| found.0.to_string()).collect();
    let named: Vec<&str> = ids.iter().map(String::as_str).collect();
    let expected: Vec<Found> = twins[0].iter().rev().step_by(7).copied().collect();
    assert_eq!(printed(&bench, &named), expected);
}

#[test]
fn games_that_are_not_indexed_count_as_well() {
    let bench = bench_with_all();
    bench.ok(&["index", "--quiet"]);
    let later: String = (1..20)
        .map(|year| {
            format!(
                "[Date \"19{year:02}.??.??\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. {} *\n\n",
                ["O-O", "d3", "Qe2"][year % 3]
            )
        })
        .collect();
    fs::write(bench.path("later.pgn"), later).unwrap();
    bench.import(&["later.pgn"]);
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    let segments = "FROM segment WHERE first_game > 1";
    assert_eq!(
        db.query_row(&format!("SELECT count(*) {segments}"), [], |row| row.get::<_, i64>(0)).unwrap(),
        2
    );
    db.execute_batch(&format!(
        "DELETE FROM segment_block WHERE id >> 32 IN (SELECT id {segments}); DELETE {segments}"
    ))
    .unwrap();
    let games = games(&bench);
    assert_eq!(printed(&bench, &[]), expected(&games, false));
    assert_eq!(printed(&bench, &["--any-date"]), expected(&games, true));
}

#[test]
fn python_chess_finds_the_same_new_moves() {
    let (Some(python), Some(pgn)) = (python(), real_games(1_500)) else { return };
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn", "--index"]);
    fs::write(bench.path("written.pgn"), bench.ok(&["export"])).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/novelty.py");
    let output = Command::new(python).arg(script).arg(bench.path("written.pgn")).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    type Answer = (Option<u64>, Vec<GameId>);
    let answers: Vec<(GameId, Answer, Answer)> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answers.len() > 2_500);
    let rows = |arguments: &[&str]| -> HashMap<GameId, Value> {
        let rows = bench.ok(&[&["novelty", "--format", "jsonl", "--games", "100"], arguments].concat());
        let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| (row["id"].as_i64().unwrap(), row)).collect()
    };
    let [before, all] = [rows(&[]), rows(&["--any-date"])];
    for (id, one, other) in answers {
        for ((ply, known), rows) in [(one, &before), (other, &all)] {
            let row = &rows[&id];
            assert_eq!(
                (row["ply"].as_u64(), row["known_games"].as_u64().unwrap()),
                (ply, known.len() as u64),
                "{id}"
            );
            let mut named: Vec<GameId> =
                row["known"].as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect();
            named.sort_unstable();
            assert!(if known.len() <= 100 { named == known } else { named.len() == 100 }, "{id}");
        }
    }
}

/// Games from a file of which the archive has earlier ones.
#[test]
fn games_of_a_file_are_compared_with_those_up_to_the_same_day() {
    let bench = Bench::new();
    let game =
        |date: &str, moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n\n{moves} *\n\n");
    let stored = game("1999.05.01", "1. e4 e5 2. Nf3 Nc6") + &game("2001.01.01", "1. e4 e5 2. f4 exf4");
    fs::write(bench.path("old.pgn"), stored).unwrap();
    bench.import(&["old.pgn"]);
    let asked = ["1998.01.01", "1999.05.01", "2020.??.??", "????.??.??"]
        .map(|date| game(date, "1. Nf3 e5 2. e4 Nc6 3. d4"));
    fs::write(bench.path("new.pgn"), asked.concat() + &game("2020.01.01", "1. e4 e5 2. f4")).unwrap();
    for index in [false, true] {
        if index {
            bench.ok(&["index", "--quiet"]);
        }
        let rows = bench.json(&["novelty", "new.pgn", "--format", "json"]);
        let rows: Vec<_> = rows.as_array().unwrap().iter().collect();
        let plies: Vec<Option<u64>> = rows.iter().map(|row| row["ply"].as_u64()).collect();
        // 1. Nf3 e5 2. e4 transposes to a known position, but its first move is new.
        assert_eq!(plies, [Some(1), Some(1), Some(1), Some(1), None]);
        let any = bench.json(&["novelty", "new.pgn", "--format", "json", "--any-date"]);
        assert_eq!(any[0]["ply"], 1);
        assert_eq!(rows[4]["known_games"], 1);
        assert_eq!(rows[4]["known"][0]["id"], 2);
        assert_eq!((&rows[0]["source"], &rows[4]["source"]), (&"new.pgn:1".into(), &"new.pgn:5".into()));
        assert_eq!(rows[1]["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(
            (&rows[0]["known_games"], &rows[1]["known_games"], &rows[2]["known_games"]),
            (&0.into(), &1.into(), &2.into())
        );
        assert_eq!(rows[1]["move"], "1.Nf3");
    }
}

#[test]
fn the_best_games_are_listed_first_then_the_latest() {
    let bench = Bench::new();
    let game = |white: &str, date: &str, elo: Option<u32>, moves: &str| {
        let elo = elo.map_or(String::new(), |elo| format!("[WhiteElo \"{elo}\"]\n[BlackElo \"2500\"]\n"));
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n{elo}\n{moves} *\n\n")
    };
    let stored = [
        game("Old", "1990.01.01", None, "1. b3"),
        game("Strong", "1991.01.01", Some(2700), "1. b3"),
        game("Weak", "1992.01.01", Some(2000), "1. b3"),
        game("Late", "1993.01.01", None, "1. b3"),
        game("New", "1994.01.01", Some(2700), "1. b3 g5"),
    ];
    fs::write(bench.path("a.pgn"), stored.concat()).unwrap();
    bench.import(&["a.pgn"]);
    let names = |games: &str| -> Vec<String> {
        let rows = bench.json(&["novelty", "5", "--games", games, "--format", "json"]);
        assert_eq!(
            (&rows[0]["ply"], &rows[0]["known_games"], &rows[0]["move"]),
            (&2.into(), &4.into(), &"1...g5".into())
        );
        rows[0]["known"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["white"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("9"), ["Strong", "Weak", "Late", "Old"]);
    assert_eq!(names("2"), ["Strong", "Weak"]);
    assert!(names("0").is_empty());
    assert!(bench.ok(&["novelty", "5"]).contains("1...g5"));
    assert_eq!(bench.ok(&["novelty", "5", "--format", "csv"]).lines().count(), 2);
}

#[test]
fn invalid_input_is_reported_with_its_position_and_the_rest_is_processed() {
    let bench = Bench::with_games();
    let failed = |arguments: &[&str], code: i32, words: &[&str]| {
        let output = bench.run(&[&["novelty"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
        text(&output.stdout)
    };
    fs::write(
        bench.path("bad.pgn"),
        "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e4 *\n\n[White \"C\"]\n\n1. d4 *\n",
    )
    .unwrap();
    let rows = failed(&["bad.pgn", "--format", "jsonl"], 1, &["bad.pgn game 2, line 7", "e4"]);
    assert_eq!(rows.lines().count(), 2);
    let rows = failed(&["3", "999999", "4", "--format", "jsonl"], 1, &["no game 999999"]);
    assert_eq!(rows.lines().count(), 2);
    fs::write(bench.path("words.pgn"), "There is nothing here that is a game of chess.\n").unwrap();
    failed(&["words.pgn"], 1, &["words.pgn game 1, line 1"]);
    fs::write(bench.path("empty.pgn"), "").unwrap();
    failed(&["empty.pgn"], 2, &["empty.pgn", "no game"]);
    failed(&["absent.pgn"], 2, &["absent.pgn"]);
    // The games before an unreadable file have their rows; without any, nothing is printed.
    let rows = failed(&["3", "absent.pgn", "4", "--format", "jsonl"], 2, &["absent.pgn"]);
    assert_eq!(rows.lines().count(), 1);
    assert_eq!(failed(&["absent.pgn", "3"], 2, &["absent.pgn"]), "");
    failed(&["plybook.db"], 2, &["plybook.db", "archive", "export its games"]);
    failed(&["3", "--player", "fischer"], 2, &["filters"]);
    failed(&["--player", "nobody"], 1, &["no chess game"]);
    failed(&["-a", "absent.db"], 2, &["absent.db"]);
    bench.import(&[data("xelto").to_str().unwrap()]);
    let xelto = bench.json(&["games", "--variant", "xelto", "--limit", "1", "--format", "json"]);
    failed(&[&xelto[0]["id"].to_string(), "1"], 1, &["Xelto"]);
    failed(&["--variant", "xelto"], 2, &["chess"]);
    // All chess games; the others are silently skipped.
    let printed = printed(&bench, &[]);
    assert_eq!(
        printed.len() as u64,
        bench
            .json(&["games", "--format", "json"])
            .as_array()
            .unwrap()
            .iter()
            .filter(|game| game["variant"] != "Xelto")
            .count() as u64
    );
    let fed = bench.feed(&["novelty", "-", "--format", "jsonl"], b"1. e4 e5 2. Ke2 Ke7 3. a3 *");
    let row: Value = serde_json::from_slice(&fed.stdout).unwrap();
    assert_eq!(row["source"], "-:1");
    assert!(text(&fed.stderr).contains("index"));
}
