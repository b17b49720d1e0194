//! `plybook path`: the shortest game to a position.

use std::fs;

use crate::common::{Bench, data, text};

#[test]
fn the_shortest_game_is_found_and_verified() {
    let bench = Bench::new();
    let golden = fs::read_to_string(data("golden/proofgames.tsv")).unwrap();
    let mut found = 0;
    for row in golden.lines().skip(1) {
        let [placement, plies, status, solution] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let plies: u64 = plies.parse().unwrap();
        if plies > 10 || status != "unique" {
            continue;
        }
        let side = if plies.is_multiple_of(2) { "w" } else { "b" };
        let json = bench.json(&["path", &format!("{placement} {side}"), "--format", "json"]);
        assert_eq!((&json["plies"], &json["proved"]), (&plies.into(), &true.into()), "{placement}");
        let moves: Vec<&str> =
            json["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        let words: Vec<&str> =
            solution.split_whitespace().map(|word| word.rsplit('.').next().unwrap()).collect();
        assert_eq!(moves, words);
        let pgn = format!("{} *", moves.join(" "));
        let integer = text(&bench.feed(&["game", "encode"], pgn.as_bytes()).stdout);
        assert_eq!(integer.trim(), json["integer"].as_str().unwrap());
        found += 1;
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn an_unreachable_position_is_reported_correctly() {
    let bench = Bench::new();
    let six = "rnbqkbn1/ppppppp1/8/8/6p1/4P2r/PPPP1PPP/RNBK1BNR w";
    let output = bench.run(&["path", six, "--max-plies", "4"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("not found within 4 plies"), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("no game shorter than 5 plies exists"));
    let output =
        bench.run(&["path", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w", "--timeout", "0.2", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["found"], &json["reason"]), (&false.into(), &"timeout".into()));
    assert!(bench.refused(&["path", "nonsense"]).contains("nonsense"));
    assert!(bench.refused(&["path", "8/8/8/8/8/8/8/8 w"]).contains("8/8"));
}

#[test]
fn an_unusable_en_passant_square_is_ignored_without_exact_ep() {
    let bench = Bench::new();
    let (d3, e4) = (
        "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
    for (fen, arguments, plies) in [
        (d3, &[][..], Some(5)),
        (d3, &["--exact-ep"], Some(5)),
        (e4, &[], Some(1)),
        (e4, &["--exact-ep", "--max-plies", "3"], None),
    ] {
        let output = bench.run(&[&["path", fen, "--format", "json"], arguments].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["plies"].as_u64(), plies, "{fen} {arguments:?}");
    }
}

#[test]
fn the_shortest_stored_game_is_printed_first() {
    let bench = Bench::with_games();
    let fen = bench.ok(&["show", "3", "--ply", "6", "--format", "fen"]);
    let placement: Vec<&str> = fen.split(' ').take(2).collect();
    let json = bench.json(&["path", &placement.join(" "), "-a", "plybook.db", "--format", "json"]);
    assert!(json["stored"]["plies"].as_u64().unwrap() <= 6);
    let moves = bench.json(&["path", "1. e4 c5 2. Nf3", "--format", "json"]);
    assert_eq!(moves["plies"], 3);
    assert_eq!(bench.json(&["path", "3:2", "--format", "json"])["plies"], 2);
    let printed = bench.ok(&["path", &placement.join(" "), "-a", "plybook.db"]);
    assert!(printed.starts_with("stored: game "), "{printed}");
}
