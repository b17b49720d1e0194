//! Values and searches that follow what the writer meant.

use std::fs;

use crate::common::Bench;

fn imported(pgn: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.ok(&["import", "games.pgn"]);
    bench
}

/// The number of games that options find, which is the same with an index.
fn found(bench: &Bench, options: &[&str]) -> String {
    let count = || bench.ok(&[&["games", "--count"], options].concat()).trim().to_owned();
    let without = count();
    bench.ok(&["index"]);
    assert_eq!(count(), without, "{options:?}");
    bench.ok(&["index", "--drop"]);
    without
}

#[test]
fn phrases_are_found_across_line_ends_and_double_spaces() {
    let bench = imported(
        "1. e4 {White aims at\nthe blockade of an isolated pawn, which\r\n  has  double \t blanks} e5 *",
    );
    for phrase in ["aims at the blockade", "Which has double blanks", "double  blanks", "blockade"] {
        assert_eq!(found(&bench, &["--comment", phrase]), "1", "{phrase}");
    }
}

#[test]
fn a_numbered_namesake_is_found_by_the_name() {
    let white = |name: &str| format!("[White \"{name}\"]\n\n1. e4 *\n\n");
    let names = ["Li Chao2", "Li, Chao b", "Stockfish 16", "Stockfish 16.1", "Ivanov10"];
    let bench = imported(&names.map(white).concat());
    for (name, games) in
        [("Li Chao", "2"), ("Li, Chao", "2"), ("Li Chao2", "2"), ("ivanov", "1"), ("Stockfish 16", "2")]
    {
        assert_eq!(found(&bench, &["--white", name]), games, "{name}");
    }
}

#[test]
fn a_mate_by_the_hundredth_move_is_not_the_fifty_move_rule() {
    let game = |m: &str| format!("[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 99 80\"]\n\n80. {m} *\n\n");
    let bench = imported(&["Ra8#", "Ra7"].map(game).concat());
    assert_eq!(found(&bench, &["--ends-in", "fifty"]), "1");
    assert_eq!(found(&bench, &["--ends-in", "mate"]), "1");
}

#[test]
fn wild_fr_is_chess960() {
    let bench = imported(
        "[Variant \"wild/fr\"]\n[SetUp \"1\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n\n1. e4 *\n",
    );
    assert_eq!(found(&bench, &["--variant", "chess960"]), "1");
}

#[test]
fn evaluations_in_centipawns_and_mates_with_a_depth_are_for_white() {
    let game = "1. e4 {[%eval 17,23]} e5 {[%eval -16,13]} 2. Nf3 {[%eval\n13,32]} Nc6 {[%eval #-3,12]} *";
    let bench = imported(game);
    let values: Vec<(serde_json::Value, serde_json::Value)> = bench
        .ok(&["export", "--positions", "--format", "jsonl"])
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|row| (row["eval"].clone(), row["mate"].clone()))
        .collect();
    let null = serde_json::Value::Null;
    let pawns = |eval: i64| (eval.into(), null.clone());
    let expected =
        [(null.clone(), null.clone()), pawns(17), pawns(16), pawns(13), (null.clone(), (-3).into())];
    assert_eq!(values, expected);
    let shown: serde_json::Value =
        serde_json::from_str(&bench.ok(&["show", "1", "--format", "json"])).unwrap();
    assert!(shown.to_string().contains("\"eval\":\"0.16,13\""), "{shown}");
    assert!(bench.ok(&["export"]).contains("[%eval -16,13]"));
}

#[test]
fn speeds_follow_every_notation_of_a_time_control_and_clocks_in_minutes() {
    let game =
        |control: &str, rest: &str| format!("[Event \"x\"]\n[TimeControl \"{control}\"]\n{rest}\n*\n\n");
    let bench = imported(
        &[
            game("5+0.05", ""),
            game("1/86400", ""),
            game("40/300", ""),
            game("*60", ""),
            game("3min + 2s", ""),
            game("90+30", "\n1. e4"),
            game("90+30", "\n1. e4 {[%clk 1:30:25]}"),
            game("15+10", "\n1. d4 {[%clk 0:15:08]}"),
            game("3+2", "[BroadcastName \"Open\"]\n"),
        ]
        .concat(),
    );
    let speeds = [
        ("ultraBullet", "1"),
        ("correspondence", "1"),
        ("blitz", "3"),
        ("bullet", "1"),
        ("classical", "1"),
        ("rapid", "2"),
    ];
    for (speed, games) in speeds {
        assert_eq!(found(&bench, &["--speed", speed]), games, "{speed}");
    }
    // A clock that is added later shows what the time control means.
    bench.ok(&["comment", "6", "1", "[%clk 1:30:20]"]);
    assert_eq!(found(&bench, &["--speed", "classical"]), "2");
}
