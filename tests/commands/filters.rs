//! Filters: names as people write them, lists, tags, comments, and empty ranges.

use crate::common::{Bench, corpus, text};

/// A game of two players, with more tag pairs and movetext.
fn game(white: &str, black: &str, more: &str, moves: &str) -> String {
    format!("[Event \"x\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{more}\n{moves} *\n\n")
}

/// An archive of these games, with ids in their order from 1.
fn archive_of(games: &[String]) -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("games.pgn"), games.concat()).unwrap();
    let report = bench.import(&["games.pgn"]);
    assert_eq!(report["stored"], games.len());
    bench
}

/// The ids of the games that pass.
fn ids(bench: &Bench, filter: &[&str]) -> Vec<u64> {
    let output = bench.run(&[&["games", "--format", "ids"], filter].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{filter:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(|id| id.parse().unwrap()).collect()
}

#[test]
fn names_are_found_as_people_write_them() {
    let bench = archive_of(&[
        game("Carlsen,M", "A", "", "1. e4"),
        game("Carlsen,Magnus", "B", "", "1. d4"),
        game("Carlsen,H", "C", "", "1. c4"),
        game("Каспаров, Гарри", "D", "", "1. f4"),
        game("Kasparov, Garry", "E", "", "1. g4"),
        game("Carlhammar,M", "F", "", "1. b4"),
        game("羽生善治", "G", "", "1. a4"),
        game("Magnusson,J", "O'Kelly de Galway, A", "", "1. h4"),
    ]);
    for (name, found) in [
        ("Carlsen, M", &[1, 2][..]),
        ("carlsen,magnus", &[1, 2]),
        ("Magnus Carlsen", &[1, 2]),
        ("magnus", &[]),
        ("*magnus*", &[2, 8]),
        ("carlsen", &[1, 2, 3]),
        ("m", &[]),
        ("kasparov", &[4, 5]),
        ("garry kasparov", &[4, 5]),
        ("Каспаров", &[4, 5]),
        ("kasp*", &[4, 5]),
        ("\"Carlsen,M\"", &[1]),
        ("羽生善治", &[7]),
        ("okelly", &[8]),
        ("tal; kasparov", &[4, 5]),
        ("*", &[1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        assert_eq!(ids(&bench, &["--player", name]), found, "{name}");
    }
    assert_eq!(ids(&bench, &["--white", "carlsen, m", "--white", "kasparov"]), [1, 2, 4, 5]);
    assert_eq!(ids(&bench, &["--player", "carlsen", "--opponent", "a"]), [1]);
}

#[test]
fn every_matching_name_is_found_and_no_other() {
    let Some(source) = corpus("lichess.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[source.to_str().unwrap()]);
    let listed = bench.ok(&["games", "--format", "jsonl"]);
    let games: Vec<serde_json::Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The words of some players' names, split independently of the program.
    let words = |name: &serde_json::Value| -> Vec<String> {
        let name = name.as_str().unwrap().to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
        name.split_whitespace().map(str::to_owned).collect()
    };
    for of in games.iter().step_by(games.len() / 12) {
        let Some(word) = words(&of["white"]).into_iter().find(|word| word.len() > 1) else { continue };
        let has = |game: &&serde_json::Value| {
            ["white", "black"].iter().any(|side| words(&game[side]).contains(&word))
        };
        let expected: Vec<u64> = games.iter().filter(has).map(|game| game["id"].as_u64().unwrap()).collect();
        assert!(!expected.is_empty());
        assert_eq!(ids(&bench, &["--player", &word]), expected, "{word}");
    }
}

#[test]
fn lists_match_any_of_their_elements() {
    let eco = |code: &str| format!("[ECO \"{code}\"]\n");
    let codes = ["B90", "B91", "C42", "A00", "B99", "E60"];
    let games: Vec<String> = (1..)
        .zip(codes)
        .map(|(number, code)| game(&format!("P{number}"), "x", &eco(code), "1. e4"))
        .collect();
    let bench = archive_of(&games);
    assert_eq!(ids(&bench, &["--eco", "B9,C4"]), [1, 2, 3, 5]);
    assert_eq!(ids(&bench, &["--eco", "B90", "--eco", "E..", "--eco", "A00"]), [1, 4, 6]);
    let every: Vec<String> =
        (0..500).map(|code| format!("{}{:02}", ["A", "B", "C", "D", "E"][code / 100], code % 100)).collect();
    assert_eq!(ids(&bench, &["--eco", &every.join(",")]).len(), 6);
    assert_eq!(
        ids(&bench, &["--eco", &[&every[1..], &every[1..], &every[1..]].concat().join(",")]),
        [1, 2, 3, 5, 6]
    );
    let many: Vec<String> = (0..1000).map(|number| format!("P{number}")).collect();
    assert_eq!(ids(&bench, &["--player", &many.join(";")]), [1, 2, 3, 4, 5, 6]);
    bench.refused(&["games", "--player", &[many, vec!["more".to_owned()]].concat().join(";")]);
    assert_eq!(ids(&bench, &["--id", "1,5..6"]), [1, 5, 6]);
    assert_eq!(ids(&bench, &["--id", "6", "--id", "2", "--sort", "white", "--desc"]), [6, 2]);
    assert_eq!(ids(&bench, &["--id", "2..9", "--eco", "B"]), [2, 5]);
    assert_eq!(ids(&bench, &["--id", "0..2,4..99999999999"]), [1, 2, 4, 5, 6]);
    let from_stdin = |input: &str| {
        let output = bench.feed(&["games", "--format", "ids", "--id", "-"], input.as_bytes());
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(from_stdin("5\n1\r\n"), (Some(0), "1\n5\n".to_owned()));
    assert_eq!(from_stdin(""), (Some(1), String::new()));
    assert_eq!(from_stdin("x\n").0, Some(2));
}

#[test]
fn tags_and_comments_are_searched() {
    let bench = archive_of(&[
        game(
            "A",
            "B",
            "[Annotator \"Tal, M\"]\n[Termination \"time forfeit\"]\n",
            "1. e4 {Best by test, as Réti said}",
        ),
        game("C", "D", "[Annotator \"Stein\"]\n", "1. d4 {best} (1. c4 {a NOVELTY})"),
        game("E", "F", "", "1. c4"),
    ]);
    for (filter, found) in [
        (&["--tag", "Annotator=mikhail tal"][..], &[1][..]),
        (&["--tag", "annotator"], &[1, 2]),
        (&["--tag", "Termination=*forfeit"], &[1]),
        (&["--tag", "White=c"], &[2]),
        (&["--tag", "NoSuchTag"], &[]),
        (&["--tag", "Annotator", "--tag", "Termination"], &[1]),
        (&["--comment", "BEST"], &[1, 2]),
        (&["--comment", "reti"], &[1]),
        (&["--comment", "novelty"], &[2]),
        (&["--comment", "best", "--comment", "novelty"], &[2]),
        (&["--comment", "best", "--tag", "Annotator=stein"], &[2]),
        (&["--comment", "worst"], &[]),
    ] {
        assert_eq!(ids(&bench, filter), found, "{filter:?}");
    }
    bench.refused_usage(&["games", "--tag", "=x"]);
    bench.refused_usage(&["games", "--comment", ""]);
}

#[test]
fn an_empty_range_is_an_error() {
    let bench = Bench::with_games();
    for (option, backward) in [
        ("--date", "1990..1980"),
        ("--elo", "2500..2400"),
        ("--white-elo", "2..1"),
        ("--black-elo", "2..1"),
        ("--plies", "60..20"),
        ("--eco", "B99..B90"),
    ] {
        assert!(bench.refused(&["games", option, backward]).contains("before it begins"), "{option}");
        for empty in ["", ".."] {
            bench.refused(&["games", option, empty]);
        }
    }
    for id in ["9..2", "", "..", "1,,x"] {
        bench.refused_usage(&["games", "--id", id]);
    }
}

/// White has a rook and a pawn against a rook, and Black has: the start of a game, and its moves. The third one has
/// neither.
const WHITE_HAS_MORE: (&str, &str) = ("8/5r2/4k3/8/2R5/3K4/3P4/8 w - - 0 1", "1. Ke3 Ke5");
const BLACK_HAS_MORE: (&str, &str) = ("8/3p4/3k4/2r5/8/4K3/5R2/8 w - - 0 1", "1. Ke4 Ke6");
const FULL_BOARD: (&str, &str) = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1. e4 e5");

/// Games of these three types.
fn endings() -> [String; 8] {
    [
        ("Tal", "Spassky", WHITE_HAS_MORE, "1-0"),
        ("Tal", "Petrosian", WHITE_HAS_MORE, "0-1"),
        ("Petrosian", "Tal", BLACK_HAS_MORE, "0-1"),
        ("Spassky", "Tal", BLACK_HAS_MORE, "1-0"),
        ("Tal", "Spassky", BLACK_HAS_MORE, "1/2-1/2"),
        ("Spassky", "Petrosian", WHITE_HAS_MORE, "*"),
        ("Tal", "Petrosian", FULL_BOARD, "1-0"),
        ("Spassky", "Tal", FULL_BOARD, "0-1"),
    ]
    .map(|(white, black, (fen, moves), result)| {
        let players = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n");
        format!("[Event \"x\"]\n{players}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n")
    })
}

/// The same archive without an index, with an index, and with an index of only the first games.
fn with_and_without_index(games: &[String]) -> [Bench; 3] {
    let [bare, indexed, partly] =
        [archive_of(games), archive_of(games), archive_of(&games[..games.len() / 2])];
    indexed.ok(&["index", "--quiet"]);
    partly.ok(&["index", "--quiet"]);
    std::fs::write(partly.path("more.pgn"), games[games.len() / 2..].concat()).unwrap();
    partly.import(&["more.pgn"]);
    [bare, indexed, partly]
}

#[test]
fn won_and_lost_refer_to_the_player_with_either_colour() {
    for bench in with_and_without_index(&endings()) {
        for (filter, found) in [
            (&["--player", "tal", "--result", "won"][..], &[1, 3, 7, 8][..]),
            (&["--player", "tal", "--result", "lost"], &[2, 4]),
            (&["--player", "tal", "--result", "drawn"], &[5]),
            (&["--player", "tal", "--opponent", "petrosian", "--result", "won"], &[3, 7]),
            (&["--player", "petrosian", "--opponent", "tal", "--result", "lost"], &[3, 7]),
            (&["--player", "tal", "--colour", "black", "--result", "won"], &[3, 8]),
            (&["--white", "tal", "--result", "lost"], &[2]),
            (&["--black", "tal", "--result", "lost"], &[4]),
            // Either of the two has won.
            (&["--player", "tal; spassky", "--result", "won"], &[1, 3, 4, 7, 8]),
            (&["--player", "tal; spassky", "--result", "lost"], &[1, 2, 4, 8]),
            (&["--player", "tal", "--position", "1. e4", "--result", "won"], &[7, 8]),
        ] {
            assert_eq!(ids(&bench, filter), found, "{filter:?}");
        }
        let won = ["--player", "tal", "--result", "won", "--format", "json"];
        assert_eq!(bench.json(&[&["report"], &won[..]].concat())["total"]["wins"], 4);
        assert_eq!(bench.json(&[&["explore"], &won[..]].concat())["games"], 2);
        let exported = bench.ok(&["export", "--player", "tal", "--result", "lost"]);
        assert_eq!(exported.matches("[Event ").count(), 2);
    }
}

#[test]
fn won_and_lost_refer_to_the_first_side_of_the_material_with_either_colour() {
    for bench in with_and_without_index(&endings()) {
        for (filter, found) in [
            (&["--material", "KRP KR", "--result", "won"][..], &[1, 3][..]),
            (&["--material", "KRP KR", "--result", "lost"], &[2, 4]),
            (&["--material", "KR KRP", "--result", "won"], &[2, 4]),
            (&["--material", "KRP KR", "--result", "draw"], &[5]),
            (&["--material", "w:KRP KR", "--result", "won"], &[1]),
            (&["--material", "KRP w:KR", "--result", "won"], &[3]),
            (&["--material", "w:KRP KR", "--result", "won", "--mirror"], &[1, 3]),
            (&["--material", "KRP KR", "--min-plies", "2", "--result", "won"], &[1, 3]),
            (&["--material", "KRP KR", "--min-plies", "9", "--result", "won"], &[]),
            (&["--material", "KRP KR", "--pattern", "*/*/*/*/*/*/*P*/*", "--result", "won"], &[1]),
            (&["--material", "KRP KR", "--material", "KR* KRP{0,1}", "--result", "won"], &[1, 3]),
            (&["--material", "KRP KR", "--opponent", "spassky", "--result", "won"], &[1]),
        ] {
            assert_eq!(ids(&bench, filter), found, "{filter:?}");
            let find = bench.run(&[&["find", "--format", "ids"], filter].concat());
            assert_eq!(text(&find.stdout).lines().count(), found.len(), "{filter:?}");
        }
    }
}

/// After a capture only White can be the first side; after the next one it can be either.
#[test]
fn a_game_is_found_at_the_ply_at_which_the_winner_has_the_material() {
    let game = |result: &str| {
        format!(
            "[Event \"x\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/2p5/3p4/4P3/8/7P/4K3 w - - 0 1\"]\n\n1. exd5 cxd5 {result}\n\n"
        )
    };
    for bench in with_and_without_index(&[game("1-0"), game("0-1")]) {
        let found = |result| {
            let material = ["--material", "KP{1,2} KP{0,1}", "--result", result];
            bench.ok(&[&["find", "--format", "lines"], &material[..]].concat())
        };
        assert_eq!((found("won"), found("lost")), ("1:1\n2:2\n".to_owned(), "1:2\n2:1\n".to_owned()));
    }
}

#[test]
fn won_without_a_side_or_with_two_is_an_error_that_explains_the_choice() {
    let bench = Bench::with_games();
    for (filter, why) in [
        (&["--result", "won"][..], "give one of these"),
        (&["--result", "lost", "--opponent", "tal"], "give one of these"),
        (&["--result", "won", "--pattern", "*/*/*/*/*/*/*/*"], "give one of these"),
        (&["--result", "won", "--player", "tal", "--material", "KR K"], "omit one"),
        (&["--result", "won", "--white", "tal", "--material", "KR K"], "omit one"),
        (&["--result", "won", "--white", "tal", "--black", "spassky"], "use 1-0 or 0-1"),
    ] {
        for command in ["games", "find", "export", "report"] {
            let line = bench.refused(&[&[command], filter].concat());
            assert!(line.contains("the player, or to the first side of the material"), "{command}: {line}");
            assert!(line.contains(why), "{command}: {line}");
        }
    }
    assert!(bench.refused(&["games", "--result", "win"]).contains("won or lost"));
}

#[test]
fn the_games_of_a_filter_are_counted() {
    let games: Vec<String> =
        (0..30).map(|n| game(&format!("W{}", n % 3), &format!("B{n}"), "", "1. e4")).collect();
    let bench = archive_of(&games);
    assert_eq!(bench.ok(&["games", "--count"]), "30\n");
    assert_eq!(bench.ok(&["games", "--white", "w1", "--count"]), "10\n");
    assert_eq!(bench.ok(&["games", "--white", "w1", "--count", "--limit", "4", "--format", "json"]), "4\n");
    let none = bench.run(&["games", "--white", "x", "--count"]);
    assert_eq!((text(&none.stdout), none.status.code()), ("0\n".to_owned(), Some(1)));
    assert!(bench.refused(&["games", "--count", "--format", "csv"]).contains("--format json"));
}

#[test]
fn a_sample_is_spread_evenly_over_the_filtered_games() {
    let games: Vec<String> =
        (0..30).map(|n| game(&format!("W{}", n % 3), &format!("B{n}"), "", "1. e4")).collect();
    let bench = archive_of(&games);
    assert_eq!(ids(&bench, &["--sample", "3"]), [10, 20, 30]);
    assert_eq!(ids(&bench, &["--white", "w0", "--sample", "2"]), [13, 28]);
    assert_eq!(ids(&bench, &["--sample", "3", "--desc"]), [21, 11, 1]);
    assert_eq!(ids(&bench, &["--sample", "2", "--offset", "10", "--limit", "10"]), [15, 20]);
    assert_eq!(ids(&bench, &["--sample", "100"]).len(), 30);
    assert!(ids(&bench, &["--sample", "0"]).is_empty());
    assert_eq!(bench.ok(&["games", "--sample", "4", "--count"]), "4\n");
    assert_eq!(bench.ok(&["export", "--sample", "4"]).matches("[White ").count(), 4);
    assert_eq!(bench.json(&["stats", "--sample", "5", "--format", "json"])["games"], 5);
    assert_eq!(bench.json(&["report", "--sample", "6", "--format", "json"])["results"]["games"], 6);
    assert_eq!(bench.json(&["explore", "--sample", "7", "--format", "json"])["games"], 7);
    // A sample of the player's games, not the player's games of a sample.
    let prepared = ["prepare", "--against", "w1", "--as", "black", "--sample", "8", "--format", "json"];
    assert_eq!(bench.json(&prepared)["games"], 8);
    assert_eq!(
        bench.ok(&["find", "--material", "KQRRBBNNPPPPPPPP KQRRBBNNPPPPPPPP", "--sample", "9", "--count"]),
        "9\n"
    );
}

#[test]
fn lists_have_the_requested_columns_in_that_order() {
    let bench = Bench::with_games();
    let whole = bench.json(&["games", "--format", "json"]);
    let csv = bench.ok(&["games", "--format", "csv", "--columns", "black,white,plies"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("black,white,plies"));
    assert_eq!(lines.count(), whole.as_array().unwrap().len());
    let some = bench.json(&["games", "--format", "json", "--columns", "plies,id"]);
    for (game, all) in some.as_array().unwrap().iter().zip(whole.as_array().unwrap()) {
        assert_eq!(game.as_object().unwrap().len(), 2);
        assert_eq!((&game["plies"], &game["id"]), (&all["plies"], &all["id"]));
    }
    let found = bench.ok(&["find", "1. e4", "--format", "markdown", "--columns", "ply,id"]);
    assert!(found.starts_with("| ply | id |"), "{found}");
    let named = bench.ok(&["games", "--opening-names", "--format", "csv", "--columns", "opening"]);
    assert!(named.starts_with("opening\n"), "{named}");
    assert!(bench.refused(&["games", "--columns", "whiet"]).contains("its columns are id, white, black"));
    bench.refused(&["games", "--count", "--columns", "id"]);
    bench.refused(&["find", "1. e4", "--format", "pgn", "--columns", "id"]);
}
