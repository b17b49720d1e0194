//! Searches for material, patterns and sequences in real games, compared with python-chess on every board.

use std::{fs, process::Command};

use crate::{
    common::{Bench, python, text},
    pgn_support::real_games,
};

/// Number of master games; with long trials twice as many.
const GAMES: usize = 2_500;

#[test]
fn python_chess_finds_the_same_material_patterns_and_sequences() {
    let (Some(python), Some(pgn)) = (python(), real_games(GAMES)) else { return };
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn", "--index"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/conditions.py");
    let output = Command::new(python)
        .args([script, env!("CARGO_BIN_EXE_plybook")])
        .args([bench.path("plybook.db"), bench.path("games.pgn")])
        .arg("5")
        .output()
        .unwrap();
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    println!("{printed}");
    assert!(output.status.success(), "{printed}");
}
