//! Games that are not written as the PGN standard requires: what is stored, reported and restored.

use std::fs;

use crate::common::{Bench, text};

/// Imports a text and returns the report.
fn import(bench: &Bench, pgn: &str, options: &[&str]) -> serde_json::Value {
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&[&["games.pgn", "--again"], options].concat())
}

fn numbers(report: &serde_json::Value) -> [u64; 4] {
    ["seen", "stored", "duplicate", "rejected"].map(|name| report[name].as_u64().unwrap())
}

/// Exports all games, imports the text into the same archive, and expects no new games.
fn comes_back(bench: &Bench) -> String {
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let exported = bench.ok(&["export"]);
    let again = import(bench, &exported, &["--strict"]);
    assert_eq!(again["seen"], again["duplicate"], "{exported}\n{again}");
    exported
}

#[test]
fn a_result_is_kept_wherever_it_appears_and_a_contradiction_is_reported() {
    let bench = Bench::new();
    let game = |tag: &str, result: &str| format!("[Event \"a\"]\n{tag}\n1. e4 e5 {result}\n\n");
    let pgn = [
        game("[Result \"1-0\"]\n", "0-1"),
        game("[Result \"1-0\"]\n", "1-0"),
        game("[Result \"0-1\"]\n", "0-1"),
        game("[Result \"*\"]\n", "1/2-1/2"),
    ]
    .concat();
    let report = import(&bench, &pgn, &[]);
    // The game with the contradiction is not a duplicate of one whose tag and movetext agree.
    assert_eq!(numbers(&report), [4, 4, 0, 0]);
    assert_eq!(report["notes"]["result_differs"], 2);
    let place = &report["warnings"][0];
    assert_eq!(
        (&place["game"], &place["line"], &place["byte"], &place["reason"]),
        (&1.into(), &4.into(), &37.into(), &"result_differs".into())
    );
    assert_eq!(&pgn[37..40], "0-1");
    let printed = text(&bench.run(&["import", "games.pgn", "--again"]).stdout);
    assert!(printed.contains("    games.pgn game 1, line 4, byte 37\n"), "{printed}");
    let exported = comes_back(&bench);
    assert!(exported.contains("[Result \"1-0\"]\n\n1. e4 e5 0-1\n"), "{exported}");
    assert!(exported.contains("[Result \"*\"]\n\n1. e4 e5 1/2-1/2\n"), "{exported}");
    // Lists and searches use the result of the movetext.
    assert_eq!(bench.json(&["games", "--result", "0-1", "--format", "json"]).as_array().unwrap().len(), 2);
    assert_eq!(
        bench.json(&["games", "--result", "1/2-1/2", "--format", "json"]).as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_result_unknown_to_pgn_is_not_lost() {
    let bench = Bench::new();
    let pgn =
        "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 0-0\n\n[Event \"b\"]\n[Result \"0-0\"]\n\n1. e4 e5 0-0\n";
    let report = import(&bench, pgn, &[]);
    assert_eq!((numbers(&report), &report["notes"]["odd_results"]), ([2, 2, 0, 0], &2.into()));
    let exported = comes_back(&bench);
    assert!(exported.contains("1. e4 e5 {0-0} *\n"), "{exported}");
    assert!(exported.contains("[Result \"0-0\"]\n\n1. e4 e5 *\n"), "{exported}");
    // If castling is possible, the move is castling.
    let castling = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *\n";
    assert_eq!(import(&bench, castling, &["-a", "castling.db"])["plies"], 7);
}

const NULL_MOVES: &str = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 -- 2. d4 d5 *\n\n\
    [Event \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Z0 {passes} (2. Nf3 (2. -- d6) 2... d6) 2... Nf6 $1 3. -- 1-0\n\n\
    [Event \"c\"]\n[Result \"*\"]\n\n1. e4 e5 (1... -- 2. d4 d5) 2. Nf3 *\n";

#[test]
fn moves_after_a_null_move_are_restored_in_place() {
    let bench = Bench::new();
    let report = import(&bench, NULL_MOVES, &[]);
    assert_eq!((numbers(&report), &report["plies"]), ([3, 3, 0, 0], &6.into()));
    assert_eq!(report["notes"]["null_moves"], 2);
    assert_eq!((&report["warnings"][0]["line"], &report["warnings"][0]["byte"]), (&4.into(), &32.into()));
    let exported = comes_back(&bench);
    for movetext in [
        "\n1. e4 -- 2. d4 d5 *\n",
        "\n1. e4 e5 2. -- {passes} (2. Nf3 (2. -- d6) 2... d6) 2... Nf6 $1 3. -- 1-0\n",
        "\n1. e4 e5 (1... -- 2. d4 d5) 2. Nf3 *\n",
    ] {
        assert!(exported.contains(movetext), "{movetext}{exported}");
        assert!(bench.ok(&["export", "--original"]).contains("2. Z0 {passes}") || !movetext.contains("Z0"));
    }
    // The same moves without the rest are another game.
    let shorter = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 *\n";
    assert_eq!(numbers(&import(&bench, shorter, &[])), [1, 1, 0, 0]);
}

#[test]
fn a_game_is_shown_with_the_moves_after_a_null_move() {
    let bench = Bench::new();
    import(&bench, NULL_MOVES, &[]);
    assert!(
        bench.ok(&["show", "1", "--format", "board"]).ends_with("\nafter a null move:\n1... -- 2. d4 d5\n")
    );
    let last = bench.json(&["show", "2", "--format", "json"]);
    assert_eq!((&last["plies"], &last["comments"]), (&2.into(), &serde_json::json!([])));
    assert!(last["continuation"].as_str().unwrap().starts_with("2. -- {passes} (2. Nf3"));
    assert_eq!(
        bench.json(&["show", "2", "--ply", "1", "--format", "json"])["continuation"],
        serde_json::Value::Null
    );
    assert!(bench.ok(&["show", "2", "--format", "pgn"]).contains("2... Nf6 $1 3. -- 1-0"));
    assert!(bench.ok(&["show", "2", "--ply", "1", "--format", "pgn"]).ends_with("\n1. e4 1-0\n\n"));
    // They are moves, not annotations.
    let report = import(&bench, NULL_MOVES, &["--no-annotations", "-a", "bare.db"]);
    assert_eq!((&report["stored"], &report["notes"]["comments_dropped"]), (&3.into(), &1.into()));
    let exported = bench.ok(&["export", "-a", "bare.db"]);
    assert!(exported.contains("\n1. e4 e5 2. -- Nf6 3. -- 1-0\n"), "{exported}");
}

#[test]
fn an_encoding_is_reported_to_end_before_a_null_move() {
    let bench = Bench::new();
    let number = |movetext: &[u8]| {
        let output = bench.feed(&["game", "encode"], movetext);
        assert_eq!(output.status.code(), Some(0));
        (text(&output.stdout), text(&output.stderr))
    };
    let (plain, said) = number(b"1. e4 *\n");
    assert_eq!(said, "");
    let (cut, said) = number(b"1. e4 -- 2. d4 *\n");
    assert_eq!(cut, plain);
    assert!(said.contains("game 1: encoded only up to its null move"), "{said}");
}

#[test]
fn a_game_with_text_between_its_lines_stays_one_game() {
    let bench = Bench::new();
    let pgn = "{a collection}\n; mine\n\n[Event \"a\"]\n; checked\n[White \"A\"]\n{ by\n[White \"hand\"] }\n[Result \"1-0\"]\n\n\
        1. c4 c5\n[Source \"x\"]\n2. Nf3 1-0\n";
    let report = import(&bench, pgn, &[]);
    assert_eq!(numbers(&report), [1, 1, 0, 0]);
    for (note, count) in [("comments_outside", 2), ("comments_among_tags", 1), ("stray_tags", 1)] {
        assert_eq!(report["notes"][note], count, "{note}");
    }
    let exported = comes_back(&bench);
    let movetext = "{ checked} { by\n[White \"hand\"] } 1. c4 c5 {[Source \"x\"]} 2. Nf3 1-0\n";
    assert!(exported.contains(movetext), "{exported}");
    assert!(bench.ok(&["export", "--original"]).contains("; checked\n[White \"A\"]\n{ by"));
    assert_eq!(numbers(&import(&bench, pgn, &["--strict", "-a", "strict.db"])), [1, 0, 0, 1]);
}

#[test]
fn games_without_a_variant_tag_are_read_as_the_given_variant() {
    let bench = Bench::new();
    let pgn = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n\
        [Event \"b\"]\n[Result \"*\"]\n[Variant \"Standard\"]\n\n1. e4 *\n";
    let report = import(&bench, pgn, &[]);
    assert_eq!(numbers(&report), [2, 1, 0, 1]);
    let reason = report["rejects"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("3.P@e4 drops a piece") && reason.contains("--variant crazyhouse"), "{reason}");
    let report = import(&bench, pgn, &["--variant", "crazyhouse"]);
    assert_eq!((numbers(&report), &report["notes"]["variant_given"]), ([2, 1, 1, 0], &1.into()));
    let exported = comes_back(&bench);
    assert!(exported.contains("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *\n"), "{exported}");
    assert_eq!(bench.run(&["import", "games.pgn", "--variant", "xelto"]).status.code(), Some(2));
}

#[test]
fn too_many_readings_of_a_move_are_rejected() {
    let bench = Bench::new();
    let head = "[Event \"a\"]\n[FEN \"8/6k1/8/8/8/8/K7/R6R w - - 0 1\"]\n\n";
    let moves = "Rd1 Kg6 Rd8 Kg7 ".repeat(1000);
    let report = import(&bench, &format!("{head}{moves}*\n"), &[]);
    assert_eq!(numbers(&report), [1, 0, 0, 1]);
    let reason = report["rejects"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("1.Rd1 matches several legal moves"), "{reason}");
    let braces = format!("[Event \"b\"]\n\n1. e4 {}*\n", "{{}".repeat(1_000_000));
    assert_eq!(numbers(&import(&bench, &braces, &[])), [1, 1, 0, 0]);
}
