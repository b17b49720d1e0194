//! What becomes of games that are not written as PGN wants them: what is stored, said and given back.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;

use common::{Bench, text};

/// Imports a text; gives the report.
fn import(bench: &Bench, pgn: &str, options: &[&str]) -> serde_json::Value {
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&[&["games.pgn", "--again"], options].concat())
}

fn numbers(report: &serde_json::Value) -> [u64; 4] {
    ["seen", "stored", "duplicate", "rejected"].map(|name| report[name].as_u64().unwrap())
}

/// Exports all games, imports the text into the same archive, and expects nothing new.
fn comes_back(bench: &Bench) -> String {
    assert!(bench.ok(&["verify"]).contains("all sound"));
    let exported = bench.ok(&["export"]);
    let again = import(bench, &exported, &["--strict"]);
    assert_eq!(again["seen"], again["duplicate"], "{exported}\n{again}");
    exported
}

#[test]
fn a_result_is_kept_wherever_it_stands_and_a_contradiction_is_told() {
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
    // The contradiction is no duplicate of a game in which tag and movetext agree.
    assert_eq!(numbers(&report), [4, 4, 0, 0]);
    assert_eq!(report["notes"]["result_differs"], 2);
    let place = &report["warnings"][0];
    assert_eq!(
        (&place["game"], &place["line"], &place["byte"], &place["reason"]),
        (&1.into(), &4.into(), &37.into(), &"result_differs".into())
    );
    assert_eq!(&pgn[37..40], "0-1");
    let told = text(&bench.run(&["import", "games.pgn", "--again"]).stdout);
    assert!(told.contains("    games.pgn game 1, line 4, byte 37\n"), "{told}");
    let exported = comes_back(&bench);
    assert!(exported.contains("[Result \"1-0\"]\n\n1. e4 e5 0-1\n"), "{exported}");
    assert!(exported.contains("[Result \"*\"]\n\n1. e4 e5 1/2-1/2\n"), "{exported}");
    // Lists and searches count what the movetext says.
    assert_eq!(bench.json(&["games", "--result", "0-1", "--format", "json"]).as_array().unwrap().len(), 2);
    assert_eq!(
        bench.json(&["games", "--result", "1/2-1/2", "--format", "json"]).as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_result_that_pgn_does_not_have_is_not_lost() {
    let bench = Bench::new();
    let pgn =
        "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 0-0\n\n[Event \"b\"]\n[Result \"0-0\"]\n\n1. e4 e5 0-0\n";
    let report = import(&bench, pgn, &[]);
    assert_eq!((numbers(&report), &report["notes"]["odd_results"]), ([2, 2, 0, 0], &2.into()));
    let exported = comes_back(&bench);
    assert!(exported.contains("1. e4 e5 {0-0} *\n"), "{exported}");
    assert!(exported.contains("[Result \"0-0\"]\n\n1. e4 e5 *\n"), "{exported}");
    // Where castling is possible, it is castling.
    let castling = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *\n";
    assert_eq!(import(&bench, castling, &["-a", "castling.db"])["plies"], 7);
}
