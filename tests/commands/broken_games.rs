//! Games with an illegal move that are kept up to it.

use std::fs;

use crate::common::{Bench, text};

/// The second game has an illegal move, and comments with braces and lines after it.
const GAMES: &str = "\
[White \"A\"]
[Black \"B\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 1-0

[White \"C\"]
[Black \"D\"]
[Result \"0-1\"]

1. d4 d5 2. c4 Ke6 {a {b}
c} (2... e6 3. Nc3) 3. Nc3 0-1

[White \"E\"]
[Black \"F\"]
[Result \"*\"]

1. Ke3 *
";

fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), GAMES).unwrap();
    bench
}

#[test]
fn a_broken_game_is_rejected_unless_its_beginning_is_to_be_kept() {
    for options in [&[][..], &["--strict"], &["--strict", "--keep-broken"]] {
        let report = bench().import(&[&["games.pgn"], options].concat());
        let counts = ["seen", "stored", "rejected"].map(|count| report[count].as_u64().unwrap());
        assert_eq!(counts, [3, 1, 2], "{options:?}");
        assert!(report["rejects"][0]["reason"].as_str().unwrap().contains("Ke6"), "{report}");
    }
    let report = bench().import(&["games.pgn", "--keep-broken"]);
    assert_eq!([&report["stored"], &report["rejected"], &report["notes"]["broken_games"]], [2, 1, 1]);
    let place = &report["warnings"][0];
    assert_eq!([&place["game"], &place["line"]], [2, 11], "{place}");
    assert!(place["detail"].as_str().unwrap().contains("Ke6"), "{place}");
}

#[test]
fn a_report_counts_games_that_are_kept_up_to_a_fault_and_names_the_first() {
    let bench = bench();
    let output = bench.run(&["import", "games.pgn", "--keep-broken"]);
    let report = text(&output.stdout);
    assert!(report.contains("note: 1 game with a move that cannot be played, kept up to it"), "{report}");
    assert!(report.contains("games.pgn game 2, line 11, byte"), "{report}");
}

#[test]
fn a_broken_game_keeps_its_result_and_is_found_by_its_tag() {
    let bench = bench();
    bench.import(&["games.pgn", "--keep-broken"]);
    let found = bench.json(&["games", "--tag", "Broken", "--format", "json"]);
    let [game] = &found.as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&game["white"], &game["result"], &game["plies"]), (&"C".into(), &"0-1".into(), &3.into()));
    assert_eq!(bench.ok(&["games", "--tag", "Broken=2... Ke6", "--count"]), "1\n");
    assert_eq!(bench.ok(&["games", "--comment", "2... e6 3. Nc3", "--count"]), "1\n");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let original = bench.ok(&["export", "--tag", "Broken", "--original"]);
    assert!(GAMES.contains(original.trim_end()), "{original}");
}

#[test]
fn a_broken_game_survives_export_and_import_and_is_stored_once() {
    let bench = bench();
    bench.import(&["games.pgn", "--keep-broken"]);
    let exported = bench.ok(&["export"]);
    assert!(exported.contains("[Broken \"2... Ke6\"]"), "{exported}");
    fs::copy(bench.path("games.pgn"), bench.path("copy.pgn")).unwrap();
    fs::write(bench.path("exported.pgn"), &exported).unwrap();
    for (again, seen) in [
        (&["copy.pgn", "--keep-broken"][..], 3),
        (&["exported.pgn"], 2),
        (&["games.pgn", "--again", "--keep-broken"], 3),
    ] {
        let report = bench.import(again);
        assert_eq!([&report["seen"], &report["stored"], &report["duplicate"]], [seen, 0, 2], "{again:?}");
    }
    assert_eq!(bench.ok(&["export"]), exported);
    bench.import(&["exported.pgn", "-a", "other.db", "--strict"]);
    assert_eq!(bench.ok(&["export", "-a", "other.db"]), exported);
}

#[test]
fn an_added_game_is_kept_up_to_an_illegal_move() {
    let bench = Bench::with_games();
    let game = "1. e4 e5 2. Ke3 Nc6 *";
    assert!(bench.refused(&["add", game]).contains("Ke3"));
    let output = bench.run(&["add", game, "--keep-broken"]);
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output.stderr);
    assert!(told.contains("kept up to it") && told.contains("line 1: 2.Ke3"), "{told}");
    let added = bench.ok(&["export", "--source", "added"]);
    assert!(added.contains("1. e4 e5 {2. Ke3 Nc6} *") && added.contains("[Broken \"2. Ke3\"]"), "{added}");
}

#[test]
fn a_whole_version_replaces_a_game_that_was_kept_up_to_an_illegal_move() {
    let tags = "[Event \"Rapid\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[White \"A\"]\n[Black \"B\"]\n\n";
    let broken = format!("{tags}1. e4 e5 2. Ke3 Nc6 3. Nf3 1-0\n");
    let whole = format!("{tags}1. e4 e5 2. Ke2 Nc6 3. Nf3 1-0\n");
    for is_edited in [false, true] {
        let bench = Bench::new();
        std::fs::write(bench.path("broken.pgn"), &broken).unwrap();
        std::fs::write(bench.path("whole.pgn"), &whole).unwrap();
        bench.import(&["broken.pgn", "--keep-broken"]);
        if is_edited {
            bench.ok(&["tag", "1", "Annotator=Me"]);
        }
        let before = bench.ok(&["export"]);
        let report = bench.import(&["whole.pgn"]);
        assert_eq!(report["updated"], 1, "{report}");
        let after = bench.ok(&["export"]);
        assert!(after.contains("1. e4 e5 2. Ke2 Nc6 3. Nf3 1-0") && !after.contains("Broken"), "{after}");
        assert_eq!(after.contains("[Annotator \"Me\"]"), is_edited);
        // The broken one says nothing new.
        assert_eq!(
            bench.import(&["broken.pgn", "--keep-broken", "--again"])["updated"],
            serde_json::Value::Null
        );
        assert_eq!(bench.ok(&["export"]), after);
        bench.ok(&["undo"]);
        assert_eq!(bench.ok(&["export"]), before);
        assert!(bench.ok(&["verify"]).contains("all intact"));
    }
}

#[test]
fn an_update_with_an_illegal_move_is_rejected_and_the_stored_game_stays() {
    let bench = Bench::new();
    let game =
        |moves: &str| format!("[Link \"https://www.chess.com/game/daily/77\"]\n[White \"A\"]\n\n{moves} *\n");
    std::fs::write(bench.path("one.pgn"), game("1. e4 e5 2. Nf3")).unwrap();
    std::fs::write(bench.path("two.pgn"), game("1. e4 e5 2. Nf3 Nc6 3. Ke3")).unwrap();
    bench.import(&["one.pgn"]);
    let before = bench.ok(&["export"]);
    let report = bench.json(&["import", "two.pgn", "--format", "json", "--allow-rejects"]);
    assert_eq!((&report["rejected"], &report["stored"]), (&1.into(), &0.into()), "{report}");
    assert_eq!(bench.ok(&["export"]), before);
    // The moves before the fault are an update.
    let report = bench.import(&["two.pgn", "--keep-broken", "--again"]);
    assert_eq!(report["updated"], 1, "{report}");
    let after = bench.ok(&["export"]);
    assert!(after.contains("1. e4 e5 2. Nf3 Nc6 {3. Ke3} *") && after.contains("[Broken"), "{after}");
    std::fs::write(bench.path("three.pgn"), game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")).unwrap();
    assert_eq!(bench.import(&["three.pgn"])["updated"], 1);
    let exported = bench.ok(&["export"]);
    assert!(
        exported.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *") && !exported.contains("Broken"),
        "{exported}"
    );
}
