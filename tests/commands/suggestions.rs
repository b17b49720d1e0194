//! Misspelt names: suggestions are printed, and nothing else changes.

use std::fs;

use crate::common::{Bench, server::Served, text};
use serde_json::{Value, json};

/// Games of players with similar names.
fn bench() -> Bench {
    let bench = Bench::new();
    let game = |number: usize, white: &str, year: &str| {
        format!(
            "[Event \"Wijk aan Zee\"]\n[Site \"Netherlands\"]\n[Date \"{year}.??.??\"]\n[Round \"{number}\"]\n[White \"{white}\"]\n[Black \"Tal,M\"]\n\n1. e4 c5 2. Nf3 1-0\n\n"
        )
    };
    let names = [
        ("Carlsen,M", 40, "2001"),
        ("Carlson,P", 2, "1990"),
        ("Carlsten,A", 1, "????"),
        ("Karlsson,L", 50, "1980"),
        ("Van Wely,L", 1, "1999"),
    ];
    let mut all = String::new();
    for (name, games, year) in names {
        all.extend((0..games).map(|number| game(number, name, year)));
    }
    fs::write(bench.path("a.pgn"), all + &game(1, "Carlsen,M", "2023")).unwrap();
    fs::write(bench.path("lines.pgn"), "1. e4 e5 *\n").unwrap();
    bench.import(&["a.pgn"]);
    bench
}

const CARLSEN: &str = "no player is called \"Carlsn\"; did you mean Carlsen,M (41 games, 2001–2023), Carlson,P (2 games, 1990) or Carlsten,A (1 game)?";

/// The messages about names of a command, and its exit code.
fn said(bench: &Bench, command: &[&str]) -> (Vec<String>, Option<i32>) {
    let output = bench.run(command);
    let error = text(&output.stderr);
    let lines = error.lines().filter(|line| line.contains(" is called "));
    let lines = lines.map(|line| line.trim_start_matches("plybook: ").to_owned()).collect();
    (lines, output.status.code())
}

#[test]
fn every_command_suggests_a_name_for_a_misspelt_player() {
    let bench = bench();
    let commands: [(&[&str], i32); 13] = [
        (&["games"], 1),
        (&["games", "--format", "json"], 1),
        (&["games", "--colour", "white"], 1),
        (&["find", "1. e4"], 1),
        (&["find", "1. e4", "--count"], 1),
        (&["explore"], 1),
        (&["report"], 1),
        (&["novelty"], 1),
        (&["annotate"], 1),
        (&["repertoire", "lines.pgn", "--as", "white"], 1),
        (&["export"], 1),
        (&["export", "--format", "csv"], 1),
        (&["stats"], 1),
    ];
    for is_indexed in [false, true] {
        for (command, code) in commands {
            let command = [command, &["--player", "Carlsn"]].concat();
            assert_eq!(said(&bench, &command), (vec![CARLSEN.to_owned()], Some(code)), "{command:?}");
        }
        let prepare = ["prepare", "--against", "Carlsn", "--as", "white"];
        assert_eq!(said(&bench, &prepare), (vec![CARLSEN.to_owned()], Some(1)));
        let book = ["book", "-o", "book.bin", "--white", "Carlsn"];
        assert_eq!(said(&bench, &book), (vec![CARLSEN.to_owned()], Some(1)));
        if !is_indexed {
            bench.ok(&["index", "--quiet"]);
        }
    }
}

#[test]
fn standard_output_is_not_affected() {
    let bench = bench();
    let out = |format: &str| bench.run(&["games", "--player", "Carlsn", "--format", format]).stdout;
    assert_eq!(serde_json::from_slice::<Value>(&out("json")).unwrap(), json!([]));
    assert_eq!(out("csv"), bench.run(&["games", "--date", "1700", "--format", "csv"]).stdout);
}

#[test]
fn events_and_sites_are_suggested_too_and_each_wrong_name_has_its_line() {
    let bench = bench();
    let (lines, _) =
        said(&bench, &["games", "--event", "wik aan zee", "--site", "Netherland", "--black", "tall"]);
    assert_eq!(
        lines,
        [
            "no player is called \"tall\"; did you mean Tal,M (95 games, 1980–2023)?",
            "no event is called \"wik aan zee\"; did you mean Wijk aan Zee (95 games, 1980–2023)?",
            "no site is called \"Netherland\"; did you mean Netherlands (95 games, 1980–2023)?",
        ]
    );
}

#[test]
fn a_name_without_similar_ones_is_reported_as_unknown() {
    let bench = bench();
    let (lines, code) = said(&bench, &["report", "--player", "nobodyhere"]);
    assert_eq!((lines, code), (vec!["no player is called \"nobodyhere\"".to_owned()], Some(1)));
    let (lines, _) = said(&bench, &["games", "--player", "vanwelly"]);
    assert!(lines[0].ends_with("did you mean Van Wely,L (1 game, 1999)?"), "{lines:?}");
}

#[test]
fn no_name_is_suggested_if_other_conditions_exclude_all_games() {
    let bench = bench();
    for conditions in
        [&["--player", "carlsen", "--date", "1950"][..], &["--player", "carlsn; karlsson", "--date", "1950"]]
    {
        assert_eq!(said(&bench, &[&["games"], conditions].concat()), (Vec::new(), Some(1)));
    }
    // A URL is stored in two parts, neither of which is the name.
    let game =
        "[Event \"x\"]\n[Site \"https://lichess.org/abcd1234\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 *\n";
    fs::write(bench.path("b.pgn"), game).unwrap();
    bench.import(&["b.pgn"]);
    assert_eq!(said(&bench, &["games", "--site", "https://lichess.org/abcd1234"]), (Vec::new(), Some(0)));
}

#[test]
fn the_games_of_a_name_in_several_archives_are_added_up() {
    let bench = bench();
    bench.ok(&["split", "plybook.db", "--parts", "3", "--into", "parts", "--quiet"]);
    let (lines, code) = said(&bench, &["games", "-a", "parts", "--player", "Carlsn"]);
    assert_eq!((lines, code), (vec![CARLSEN.to_owned()], Some(1)));
}

#[test]
fn a_misspelt_opening_is_rejected_with_a_suggestion() {
    let bench = bench();
    for command in [
        &["find", "sicillian"][..],
        &["explore", "sicillian"],
        &["games", "--opening", "sicillian"],
        &["board", "sicillian"],
    ] {
        let refused = bench.refused(command);
        let expected = "unknown opening \"sicillian\"; did you mean \"Sicilian Defense\"?";
        assert!(refused.contains(expected), "{command:?}: {refused}");
    }
    let refused = bench.refused(&["find", "sicilian najdorff"]);
    assert!(refused.contains("did you mean \"Sicilian Defense: Najdorf Variation\"?"), "{refused}");
    assert!(!bench.refused(&["find", "1. e4 e9"]).contains("did you mean"));
}

#[test]
fn a_page_links_to_the_suggested_name() {
    let bench = bench();
    let served = Served::new(&bench, &[]);
    let address = "player=%22Carlsen,M%22";
    let moved = served.get("/report?player=Carlsn&lang=en");
    assert_eq!((moved.status, moved.header("location")), (303, Some("/player/Carlsn?lang=en")));
    let unknown = served.get("/player/Carlsn?lang=en");
    assert!(unknown.status == 404 && unknown.text().contains("/player/Carlsen%2CM?lang=en"));
    for page in ["games", "explorer"] {
        let html = served.get(&format!("/{page}?player=Carlsn&lang=en")).text();
        assert!(html.contains(address), "{page}: {html}");
        let html = html.replace("<bdi>", "").replace("</bdi>", "");
        assert!(
            html.contains("No player is called “Carlsn”") && html.contains("Carlsen, M</"),
            "{page}: {html}"
        );
        assert!(html.contains("41 games") && html.contains("2001–2023"), "{page}: {html}");
        assert!(
            !served.get(&format!("/{page}?player=carlsen&date=1950")).text().contains("is called"),
            "{page}"
        );
    }
    assert!(served.get("/explorer?player=Carlsn&lang=de").text().contains("Meinten Sie <a href="));
    let failed = served.get("/games?opening=sicillian&player=tal&lang=en");
    let html = text(&failed.body);
    assert_eq!(failed.status, 400);
    assert!(html.contains("opening=Sicilian+Defense") && html.contains(">Sicilian Defense</a>?"), "{html}");
    // If games are found, there are no suggestions.
    assert_eq!(served.json("/api/v1/games?player=carlsen").get("unknown_names"), None);
    for path in ["games", "report"] {
        let answer = served.json(&format!("/api/v1/{path}?player=Carlsn"));
        let unknown = &answer["unknown_names"][0];
        assert_eq!((&unknown["parameter"], &unknown["name"]), (&"player".into(), &"Carlsn".into()), "{path}");
        let carlsen = json!({"name": "Carlsen,M", "games": 41, "first_year": 2001, "last_year": 2023});
        assert_eq!(unknown["similar"][0], carlsen, "{path}");
    }
}

#[test]
fn a_word_that_is_not_a_command_suggests_the_right_command() {
    let bench = Bench::with_games();
    for (word, named) in [
        ("search", "plybook find"),
        ("list", "plybook games"),
        ("view", "plybook show 1"),
        ("tree", "plybook explore"),
        ("opening", "plybook explore"),
        ("query", "plybook sql"),
        ("check", "plybook verify"),
        ("vacuum", "plybook stats"),
        ("dump", "plybook export"),
        ("players", "plybook names adams"),
        ("events", "plybook names --events"),
        ("append", "plybook add"),
        ("Open", "plybook serve"),
        ("count", "plybook info"),
        ("count", "plybook games --player adams --count"),
        ("delete", "plybook remove"),
        ("rename", "plybook tag"),
        ("update", "plybook import"),
        ("compare", "sha256sum"),
        ("restore", "backup"),
    ] {
        for command in [&[word][..], &["help", word], &["-a", "plybook.db", word]] {
            let error = bench.refused_usage(command);
            assert!(error.contains("tip: ") && error.contains(named), "{command:?}: {error}");
            assert!(!error.contains("similar"), "{command:?}: {error}");
        }
    }
    assert!(bench.refused_usage(&["gmaes"]).contains("'games'"));
    for word in ["deletion", "zugzwang"] {
        assert!(!bench.refused_usage(&[word]).contains("tip: "), "{word}");
    }
}

#[test]
fn a_word_without_an_option_suggests_the_option() {
    let bench = Bench::with_games();
    for (command, advice) in [
        (&["verify", "plybook.db"][..], "-a plybook.db"),
        (&["games", "plybook.db"], "-a plybook.db"),
        (&["info", "other.db"], "-a other.db"),
        (&["games", "Adams, Michael"], "--player \"Adams, Michael\""),
        (&["report", "morphy"], "--player \"morphy\""),
        (&["games", "--since", "2000"], "--date 2000.."),
        (&["games", "--name", "adams"], "--player adams"),
        (&["find", "--material", "KR K", "--min-moves", "20"], "two per move"),
        (&["board", "1. e4", "--arrow", "e2e4"], "--shape"),
        (&["games", "player", "adams"], "options begin with two dashes: --player"),
    ] {
        let error = bench.refused_usage(command);
        assert!(error.contains("tip: ") && error.contains(advice), "{command:?}: {error}");
    }
}

#[test]
fn a_name_in_place_of_an_id_and_an_option_without_dashes_are_explained() {
    let bench = Bench::with_games();
    for command in
        [&["show", "adams"][..], &["game", "encode", "adams"], &["game", "prefix", "adams", "--ply", "3"]]
    {
        let error = bench.refused_usage(command);
        assert!(error.contains("expected a number, the first column of: plybook games"), "{error}");
    }
    let error = bench.refused_usage(&["show", "3:12w"]);
    assert!(error.contains("plybook show 3 --ply 12w"), "{error}");
    for command in [
        &["report", "player", "adams"][..],
        &["games", "player", "adams"],
        &["-a", "plybook.db", "games", "player"],
    ] {
        let error = bench.refused_usage(command);
        assert!(error.contains("tip: options begin with two dashes: --player <NAME>"), "{error}");
    }
}

#[test]
fn moves_given_as_an_opening_and_a_missing_position_suggest_the_right_option() {
    let bench = Bench::with_games();
    let error = bench.refused(&["games", "--opening", "1. d4"]);
    assert!(error.contains("games that begin with these moves: --position MOVES"), "{error}");
    let error = bench.refused(&["find", "--player", "adams"]);
    assert!(error.contains("give a position") && error.contains("plybook games"), "{error}");
}

#[test]
fn an_unsupported_sample_option_is_rejected_with_commands_that_support_it() {
    let bench = Bench::with_games();
    for command in [&["sql", "--sample", "5", "SELECT 1"][..], &["info", "--sample", "5"]] {
        let error = bench.refused_usage(command);
        assert!(error.contains("plybook games --sample 20") && !error.contains("similar"), "{error}");
    }
    let error = bench.refused(&["find", "1. e4", "--sample", "5"]);
    assert!(error.contains("plybook games --position"), "{error}");
    let error = bench.refused(&["position", "huffman", "--sample", "5"]);
    assert!(error.contains("--train"), "{error}");
}
