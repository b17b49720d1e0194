//! `plybook report`: its figures equal those counted by hand, in every format.

use std::fs;

use crate::common::{Bench, data, terminal::rows, text};
use plybook::archive::WritableArchive;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// A game as PGN: White and Black with their ratings, date and result, other tags, and moves.
fn pgn(
    white: (&str, &str),
    black: (&str, &str),
    date: &str,
    result: &str,
    more: &str,
    moves: &str,
) -> String {
    let tag = |name: &str, value: &str| match value {
        "" => String::new(),
        value => format!("[{name} \"{value}\"]\n"),
    };
    let tags = [
        ("Event", "Test"),
        ("White", white.0),
        ("Black", black.0),
        ("Result", result),
        ("Date", date),
        ("WhiteElo", white.1),
        ("BlackElo", black.1),
    ];
    let tags: String = tags.map(|(name, value)| tag(name, value)).concat();
    format!("{tags}{more}\n{moves} {result}\n\n")
}

const CHESS960: &str = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n";

/// Games of two players called Tal, one of them against the other, some without rating, date, result or the usual start
/// position.
fn games_of_tal() -> Bench {
    let games = [
        pgn(
            ("Tal, Mikhail", "2600"),
            ("Smyslov", "2550"),
            "1959.01.02",
            "1-0",
            "",
            "1. e4 c6 2. d3 d5 3. Nd2",
        ),
        pgn(("Tal, Mikhail", "2610"), ("Smyslov", ""), "1959.02.??", "1/2-1/2", "", "1. e4 c6 2. d4 d5"),
        pgn(("Petrosian", "2640"), ("Tal, Mikhail", ""), "", "1-0", "", "1. c4 e6 2. Nf3 d5"),
        pgn(("Botvinnik", "2620"), ("Tal, Mikhail", ""), "1960", "0-1", "", "1. d4 Nf6 2. c4 g6"),
        pgn(("Tal, J", "0"), ("Tal, Mikhail", "2600"), "1961.05.01", "0-1", "", "1. Nf3 Nf6"),
        pgn(("Tal, J", ""), ("Keres", "2615"), "1961.05.02", "*", "", ""),
        pgn(("Tal, J", ""), ("Keres", "2615"), "1961.05.03", "0-1", CHESS960, "1. e4 e5"),
        pgn(("Talbot", "2000"), ("Keres", "2615"), "1961.05.04", "0-1", "", "1. e4 e5"),
    ];
    let bench = Bench::new();
    fs::write(bench.path("tal.pgn"), games.concat()).unwrap();
    bench.import(&["tal.pgn"]);
    bench
}

fn score(of: &Value) -> [Value; 8] {
    ["games", "wins", "draws", "losses", "other", "percent", "mean_opponent", "performance"]
        .map(|name| of[name].clone())
}

fn numbers(numbers: Value) -> [Value; 8] {
    numbers.as_array().unwrap().clone().try_into().unwrap()
}

#[test]
fn a_report_equals_a_count_by_hand() {
    let bench = games_of_tal();
    let printed = bench.json(&["report", "--player", "tal,*", "--format", "json"]);
    assert_eq!(
        printed["names"],
        json!([{"name": "Tal, Mikhail", "games": 5}, {"name": "Tal, J", "games": 3}])
    );
    // Seven games, of which one counts for both.
    assert_eq!((&printed["games"], &printed["different_names"]), (&json!(7), &json!(2)));
    assert_eq!(score(&printed["white"]), numbers(json!([5, 1, 1, 2, 1, 37.5, 2595, 2466])));
    assert_eq!(score(&printed["black"]), numbers(json!([3, 2, 0, 1, 0, 200.0 / 3.0, 2630, 2630])));
    assert_eq!(printed["total"]["games"], 8);
    let bands: Vec<_> =
        printed["opponents"].as_array().unwrap().iter().map(|of| (&of["from"], &of["games"])).collect();
    assert_eq!(json!(bands), json!([[2600, 5], [2500, 1], [null, 2]]));
    let years: Vec<_> =
        printed["years"].as_array().unwrap().iter().map(|of| (&of["year"], &of["games"])).collect();
    assert_eq!(json!(years), json!([[1959, 2], [1960, 1], [1961, 4], [null, 1]]));
    let families = |colour: &str| -> Vec<(Value, Value)> {
        let of = printed[format!("openings_as_{colour}")]["families"].as_array().unwrap().iter();
        of.map(|of| (of["family"].clone(), of["games"].clone())).collect()
    };
    assert_eq!(families("white")[0], (json!("Caro-Kann Defense"), json!(2)));
    assert_eq!(families("black").len(), 3);
    // Neither the Chess960 game nor the one without moves has first moves.
    let lines = |colour: &str| -> Vec<(Value, Value)> {
        let of = printed[format!("lines_as_{colour}")].as_array().unwrap().iter();
        of.map(|of| (of["san"].clone(), of["games"].clone())).collect()
    };
    assert_eq!(lines("white"), [(json!("e4"), json!(2)), (json!("Nf3"), json!(1))]);
    assert_eq!(lines("black"), [(json!("d4"), json!(1)), (Value::Null, json!(2))]);
    let replies: Vec<_> =
        printed["lines_as_black"][1]["lines"].as_array().unwrap().iter().map(|of| &of["san"]).collect();
    assert_eq!(json!(replies), json!(["Nf6", "e6"]));
}

#[test]
fn filters_select_the_games_of_a_report() {
    let bench = games_of_tal();
    let games = |arguments: &[&str]| {
        let printed = bench.json(&[&["report", "--format", "json"], arguments].concat());
        (
            printed["games"].as_u64().unwrap(),
            printed["white"]["games"].as_u64().unwrap(),
            printed["black"]["games"].as_u64().unwrap(),
        )
    };
    for (arguments, found) in [
        (&["--player", "tal"][..], (7, 5, 3)),
        (&["--player", "tal*"], (8, 6, 3)),
        (&["--player", "\"Tal, J\""], (3, 3, 0)),
        (&["--player", "tal,*", "--colour", "black"], (3, 0, 3)),
        (&["--player", "tal,*", "--colour", "white"], (5, 5, 0)),
        (&["--player", "tal,*", "--opponent", "tal, mikhail"], (1, 1, 0)),
        (&["--player", "tal,*", "--colour", "white", "--opponent", "tal"], (1, 1, 0)),
        (&["--player", "tal,*", "--date", "1961.."], (3, 3, 1)),
        (&["--player", "tal,*", "--result", "draw"], (1, 1, 0)),
        (&["--player", "tal,*", "--opening", "caro-kann"], (2, 2, 0)),
        (&["--player", "tal,*", "--variant", "chess960"], (1, 1, 0)),
        (&["--player", "tal,*", "--limit", "2", "--sort", "date", "--desc"], (2, 2, 0)),
        (&["--player", "keres"], (3, 0, 3)),
        (&["--player", "*"], (8, 8, 8)),
    ] {
        assert_eq!(games(arguments), found, "{arguments:?}");
    }
}

#[test]
fn an_unknown_player_has_no_report() {
    let bench = games_of_tal();
    for (format, said) in [("text", "no games\n"), ("csv", ""), ("json", "")] {
        let output = bench.run(&["report", "--player", "nobody", "--format", format]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert!(said.is_empty() || text(&output.stdout) == said, "{format}");
    }
    WritableArchive::create_or_open(bench.path("empty.db")).unwrap().finish().unwrap();
    let output = bench.run(&["report", "--player", "tal", "-a", "empty.db"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), "no games\n"));
    assert!(bench.refused(&["report", "--player", "tal", "-a", "none.db"]).contains("none.db"));
    let twice = ["report", "--player", "tal", "--colour", "white", "--white", "tal"];
    assert!(bench.refused(&twice).contains("--white"));
}

/// Names with wide letters, combining marks and terminal control sequences.
#[test]
fn a_report_fits_a_terminal_whatever_the_names() {
    let names =
        ["王皓王皓王皓王皓王皓王皓王皓", "Ёё, Ъъ\u{202e}", "\u{1b}[31mRed", &"e\u{301}".repeat(90), "Tal"];
    let games: Vec<String> = (0..40)
        .map(|n| {
            pgn(
                (names[n % 5], "2500"),
                (names[(n + 1) % 5], "2400"),
                "2001",
                "1-0",
                "",
                "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3",
            )
        })
        .collect();
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    bench.import(&["games.pgn"]);
    for name in names.into_iter().chain(["*"]) {
        let Some(rows) = rows(&bench, 80, &["report", "--player", name]) else { return };
        for line in rows.iter().filter(|line| !line.contains("e\u{301}")) {
            assert!(line.width() <= 80, "{} columns: {line}", line.width());
        }
        let printed = bench.ok(&["report", "--player", name]);
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{printed}");
    }
}

#[test]
fn every_format_has_the_same_numbers() {
    let bench = Bench::with_games();
    let printed = bench.json(&["report", "--player", "anderssen", "--format", "json"]);
    let csv = bench.ok(&["report", "--player", "anderssen", "--format", "csv"]);
    let lines = bench.ok(&["report", "--player", "anderssen", "--format", "jsonl"]);
    assert_eq!(csv.lines().count(), lines.lines().count() + 1);
    let both: Value = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .find(|row: &Value| row["of"] == "both")
        .unwrap();
    assert_eq!(score(&both), score(&printed["total"]));
    let table = bench.ok(&["report", "--player", "anderssen"]);
    assert_eq!(bench.ok(&["report", "--player", "anderssen", "--format", "table"]), table);
    assert!(table.contains("By colour") && table.contains("First moves as White"), "{table}");
    assert_eq!(
        bench
            .ok(&["report", "--player", "anderssen", "--lines", "0", "--format", "json"])
            .matches("\"eco\"")
            .count(),
        0
    );
}

#[test]
fn a_report_as_markdown_has_tables_under_headings() {
    let bench = Bench::new();
    let games = pgn(("Pipe|Star*, A", "2500"), ("B", "2400"), "1990", "1-0", "", "1. e4 e5 2. Nf3");
    fs::write(bench.path("a.pgn"), games).unwrap();
    bench.import(&["a.pgn"]);
    let player = bench.ok(&["report", "--player", "pipe*", "--format", "markdown"]);
    assert!(player.starts_with("# Pipe\\|Star\\*, A: 1 game\n\n## By colour\n\n| as | games |"), "{player}");
    assert!(player.contains("\n## First moves as White\n") && player.contains("| \u{a0}\u{a0}1... e5 |"));
    let overview = bench.ok(&["report", "--format", "markdown"]);
    assert!(overview.starts_with("# 1 game\n\n## Results\n"), "{overview}");
    let event = bench.ok(&["report", "--event", "test", "--format", "markdown"]);
    assert!(event.starts_with("# Test, 1990\n\n2 players, 1 game\n\n|  | player | elo |"), "{event}");
    assert!(event.contains("| 1 | Pipe\\|Star\\*, A | 2500 | x | 1 |"), "{event}");
    for text in [player, overview, event] {
        // No bars, and as many cells in each row of a table as in its heading.
        assert!(!text.contains(['█', '▒', '░']), "{text}");
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
            assert_eq!(bars(pair[0]), bars(pair[1]), "{pair:?}");
        }
    }
}

#[test]
fn first_moves_come_from_games_from_the_usual_start() {
    let set_up = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
    let games = [
        pgn(("A", ""), ("B", ""), "1950", "1/2-1/2", set_up, "1. e4 Kd7"),
        pgn(("A", ""), ("B", ""), "1999", "1-0", "", "1. d4 d5 2. c4"),
    ];
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    bench.import(&["games.pgn"]);
    let printed = bench.json(&["report", "--player", "a", "--format", "json"]);
    let lines: Vec<_> = printed["lines_as_white"].as_array().unwrap().iter().map(|of| &of["san"]).collect();
    assert_eq!(json!(lines), json!(["d4"]));
    // The games span more years than are listed one by one.
    let printed = bench.json(&["report", "--format", "json"]);
    let periods = printed["periods"].as_array().unwrap().iter();
    let periods: Vec<_> =
        periods.map(|of| json!([of["from"], of["to"], of["white"], of["draws"], of["black"]])).collect();
    assert_eq!(json!(periods), json!([[1950, 1959, 0, 1, 0], [1990, 1999, 1, 0, 0]]));
    let lengths: Vec<_> = printed["lengths"]["bands"].as_array().unwrap().iter().collect();
    assert_eq!((lengths.len(), &lengths[0]["white"], &lengths[0]["draws"]), (1, &json!(1), &json!(1)));
}

#[test]
fn games_of_xelto_count_and_have_no_opening() {
    let bench = Bench::new();
    let xelto = fs::read_dir(data("xelto")).unwrap().map(|entry| entry.unwrap().path());
    let xelto: Vec<String> = xelto.map(|path| path.to_str().unwrap().to_owned()).collect();
    let all: Vec<&str> = ["import", "--quiet"].into_iter().chain(xelto.iter().map(String::as_str)).collect();
    bench.run(&all);
    let printed = bench.json(&["report", "--player", "*", "--variant", "xelto", "--format", "json"]);
    assert!(printed["games"].as_u64().unwrap() > 0, "{printed}");
    for colour in ["white", "black"] {
        let openings = &printed[format!("openings_as_{colour}")]["most_played"];
        assert_eq!((openings.as_array().unwrap().len(), &openings[0]["opening"]), (1, &Value::Null));
        assert_eq!(printed[format!("lines_as_{colour}")], json!([]));
    }
}

#[test]
fn a_report_without_a_player_is_about_all_games() {
    let bench = games_of_tal();
    let printed = bench.json(&["report", "--format", "json"]);
    let results = |of: &Value| {
        ["games", "white", "draws", "black", "other", "percent", "drawn_percent"].map(|name| of[name].clone())
    };
    let percent = 100.0 * 2.5 / 7.0;
    assert_eq!(json!(results(&printed["results"])), json!([8, 2, 1, 4, 1, percent, 100.0 / 7.0]));
    let bands = |name: &str| -> Value {
        let rows = printed[name].as_array().unwrap().iter();
        rows.map(|of| json!([of["from"], of["to"], of["games"]])).collect()
    };
    // 2600 to 2550, and 2000 to 2615.
    assert_eq!(bands("rating_differences"), json!([[null, -401, 1], [0, 99, 1], [null, null, 6]]));
    assert_eq!(bands("periods"), json!([[1959, 1959, 2], [1960, 1960, 1], [1961, 1961, 4], [null, null, 1]]));
    assert_eq!(
        printed["periods"][0]["families"],
        json!([{"family": "Caro-Kann Defense", "games": 2, "percent": 100.0}])
    );
    assert_eq!(
        (&printed["lengths"]["median_plies"], &printed["lengths"]["most_plies"]),
        (&json!(2), &json!(5))
    );
    assert_eq!(
        printed["endings"],
        json!([{"ending": null, "games": 8, "white": 2, "draws": 1, "black": 4, "other": 1,
        "percent": percent, "drawn_percent": 100.0 / 7.0}])
    );
    assert_eq!(bench.json(&["report", "--format", "json", "--white", "tal"])["results"]["games"], 5);
    assert_eq!(text(&bench.run(&["report", "--date", "1800"]).stdout), "no games\n");
}

#[test]
fn an_index_changes_no_report() {
    let bench = Bench::new();
    let games = [data("famous.pgn"), data("annotated.pgn"), data("chess960.pgn"), data("setup.pgn")];
    let games = games.each_ref().map(|path| path.to_str().unwrap());
    bench.run(&[&["import", "--quiet"], &games[..]].concat());
    let questions: [&[&str]; 4] = [
        &["--lines", "999"],
        &["--player", "*", "--lines", "999"],
        &["--date", "..1900"],
        &["--limit", "9", "--desc"],
    ];
    let ask = || questions.map(|question| bench.ok(&[&["report", "--format", "json"], question].concat()));
    let before = ask();
    bench.ok(&["index", "--only", "positions"]);
    assert_eq!(ask(), before);
    bench.ok(&["index"]);
    assert_eq!(ask(), before);
    assert!(before[0].contains("\"ending\": \"KR KR\""), "{}", before[0]);
}

/// Four players, twice each against each, except for one game that was not played and one without a result.
fn tournament() -> Bench {
    let results = [
        ("A", "B", "1-0"),
        ("A", "C", "1/2-1/2"),
        ("A", "D", "0-1"),
        ("B", "C", "1-0"),
        ("B", "D", "1-0"),
        ("C", "D", "1/2-1/2"),
        ("B", "A", "1/2-1/2"),
        ("C", "A", "0-1"),
        ("D", "A", "*"),
        ("C", "B", "1/2-1/2"),
        ("D", "B", "0-1"),
    ];
    let game = |(white, black, result): &(&str, &str, &str)| {
        pgn((white, "2500"), (black, ""), "1961.12.28", result, "[Site \"Hastings\"]\n", "1. e4")
    };
    let winter = pgn(("D", ""), ("C", ""), "1962.01.04", "1/2-1/2", "[Site \"Hastings\"]\n", "1. e4");
    let later = pgn(("D", ""), ("C", ""), "1963.07.04", "1-0", "[Site \"Hastings\"]\n", "1. e4");
    let elsewhere = pgn(("D", ""), ("王皓", ""), "1961.12.30", "0-1", "[Site \"Bonn\"]\n", "1. e4");
    let bench = Bench::new();
    let games: String = results.iter().map(game).collect();
    fs::write(bench.path("event.pgn"), games + &winter + &later + &elsewhere).unwrap();
    bench.import(&["event.pgn"]);
    bench
}

#[test]
fn a_crosstable_ranks_by_points_then_by_sonneborn_berger() {
    let bench = tournament();
    let printed = bench.json(&["report", "--event", "test", "--format", "json"]);
    let events: Vec<_> = printed["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| json!([of["site"], of["year"], of["games"]]))
        .collect();
    assert_eq!(json!(events), json!([["Bonn", 1961, 1], ["Hastings", 1961, 12], ["Hastings", 1963, 1]]));
    // B: 1 + 1 + ½ + ½ + 1 = 4; A: 1 + ½ + 0 + ½ + 1 = 3; C: ½ + 0 + ½ + 0 + ½ + ½ = 2; D: 1 + 0 + ½ + 0 + ½ = 2.
    let players: Vec<_> = printed["events"][1]["players"].as_array().unwrap().iter().collect();
    let seen: Vec<_> = players
        .iter()
        .map(|of| json!([of["place"], of["player"], of["points"], of["sonneborn_berger"], of["rating"]]))
        .collect();
    // B: 0 + 3/2 of A, 2 + 2/2 of C, 2 + 2 of D; C: 3/2 + 0 of A, 0 + 4/2 of B, 2/2 + 2/2 of D; D: 3 of A, and as C of C.
    assert_eq!(
        json!(seen),
        json!([
            [1, "B", 4.0, 8.5, 2500],
            [2, "A", 3.0, 9.0, 2500],
            [3, "C", 2.0, 5.5, 2500],
            [4, "D", 2.0, 5.0, 2500]
        ])
    );
    assert_eq!(players[1]["against"][0], json!({"opponent": 0, "results": "1½"}));
    assert_eq!(players[1]["against"][2], json!({"opponent": 3, "results": "0*"}));
}

/// Games of an event that are stored in no particular order, and one of a player against himself.
#[test]
fn games_in_a_crosstable_are_in_the_order_of_their_dates() {
    let games = [
        pgn(("A", ""), ("B", ""), "1990.01.03", "1-0", "", "1. e4"),
        pgn(("A", ""), ("B", ""), "1990.01.01", "0-1", "", "1. d4"),
        pgn(("A", ""), ("A", ""), "1990.01.04", "1-0", "", "1. Nf3"),
        pgn(("B", ""), ("A", ""), "1990.01.02", "1/2-1/2", "", "1. c4"),
    ];
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    bench.import(&["games.pgn"]);
    let printed = bench.json(&["report", "--event", "test", "--format", "json"]);
    let [event] = printed["events"].as_array().unwrap().as_slice() else { panic!("{printed}") };
    assert_eq!(event["games"], 3);
    let against: Vec<_> = event["players"].as_array().unwrap().iter().map(|of| &of["against"]).collect();
    assert_eq!(
        json!(against),
        json!([[{"opponent": 1, "results": "0½1"}], [{"opponent": 0, "results": "1½0"}]])
    );
}

#[test]
fn crosstables_have_every_format_and_fit_a_terminal() {
    let bench = tournament();
    let table = bench.ok(&["report", "--event", "test", "--site", "hastings", "--date", "..1962"]);
    let expected = "Test, Hastings, 1961\n4 players, 12 games\n\n";
    assert!(table.starts_with(expected), "{table}");
    assert!(table.lines().nth(4).unwrap().contains("B"), "{table}");
    let csv = bench.ok(&["report", "--event", "test", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 2 + 4 + 2);
    assert!(csv.contains("Test,Hastings,1961,1,1,B,2500,6,3,2,1,0,4.0,8.50,2:0½ 3:1½ 4:11"), "{csv}");
    assert!(bench.refused(&["report", "--event", "test", "--format", "svg"]).contains("--format"));
    assert_eq!(
        bench.json(&["report", "--event", "test", "--overview", "--format", "json"])["results"]["games"],
        14
    );
    assert_eq!(bench.run(&["report", "--event", "nothing"]).status.code(), Some(1));
    // A long match in a cell, and more players than a terminal has columns.
    for (players, rounds) in [(2, 60), (12, 3), (30, 1), (99, 1)] {
        let mut games = String::new();
        for (white, black) in (0..players).flat_map(|white| (0..white).map(move |black| (white, black))) {
            for round in 0..rounds {
                let [white, black] = [white, black].map(|player| format!("王皓 {player}, with a long name"));
                games += &pgn(
                    (&white, "2500"),
                    (&black, ""),
                    "1990",
                    "1/2-1/2",
                    &format!("[Round \"{round}\"]\n"),
                    "1. e4",
                );
            }
        }
        fs::write(bench.path("large.pgn"), games.replace("\"Test\"", &format!("\"Large {players}\"")))
            .unwrap();
        bench.import(&["large.pgn", "-a", "large.db"]);
        let command = ["report", "--event", &format!("large {players}"), "-a", "large.db"];
        let Some(table) = rows(&bench, 80, &command) else { return };
        assert!(table.iter().all(|line| line.width() <= 80), "{table:?}");
        assert_eq!(table.len(), 3 + players, "{table:?}");
        // A file has every result.
        let whole = bench.ok(&command);
        assert_eq!(whole.matches('½').count() / (players * (players - 1)), rounds, "{whole}");
    }
}

#[test]
fn too_many_players_or_events_are_refused() {
    let bench = Bench::new();
    let game = |number: u32, event: u32| {
        pgn((&format!("P{number}"), ""), ("Q", ""), "2001", "1-0", "", "1. e4")
            .replace("Test", &format!("Event {event}"))
    };
    let games: String =
        (0..100).map(|number| game(number, 0)).chain((1..=50).map(|event| game(1, event))).collect();
    fs::write(bench.path("many.pgn"), games).unwrap();
    bench.import(&["many.pgn"]);
    assert!(bench.refused(&["report", "--event", "event 0"]).contains("Event 0, 2001 has 101 players"));
    assert!(bench.refused(&["report", "--event", "event*"]).contains("51 events match"));
    bench.ok(&["report", "--event", "event 7"]);
}

#[test]
fn charts_are_complete_and_escape_names() {
    let bench = Bench::new();
    let games = [("A & <b>", "2500"), ("\u{1b}[31m", "")]
        .map(|white| pgn(white, ("B", "2400"), "1990", "1-0", "", "1. e4 e5"));
    fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    bench.import(&["games.pgn"]);
    for arguments in [&["--player", "a*"][..], &["--player", "*"], &["--player", "nobody"], &[]] {
        let output = bench.run(&[&["report", "--format", "svg"], arguments].concat());
        let svg = text(&output.stdout);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!svg.contains(['\u{1b}']) && !svg.contains("<b>") && !svg.contains("NaN"), "{svg}");
        for tag in ["g", "text", "title"] {
            let count = |text: &str| svg.matches(text).count();
            assert_eq!(
                count(&format!("<{tag}>")) + count(&format!("<{tag} ")),
                count(&format!("</{tag}>")),
                "{svg}"
            );
        }
    }
    assert!(bench.ok(&["report", "--player", "a*", "--format", "svg"]).contains("A &amp; &lt;b>"));
}
