//! Real games: reports say what a count of the same PGN by python-chess says.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod pgn_support;

use std::{fs, process::Command};

use common::{Bench, data, python, text};
use pgn_support::real_games;

/// Games of masters; with long trials twice as many.
const GAMES: usize = 2_500;

#[test]
fn python_chess_counts_the_same_for_ten_players_and_for_all_games() {
    let (Some(python), Some(pgn)) = (python(), real_games(GAMES)) else { return };
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn", "--index"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/reports.py");
    let output = Command::new(python)
        .args([script, env!("CARGO_BIN_EXE_plybook")])
        .args([bench.path("plybook.db"), bench.path("games.pgn"), data("openings")])
        .arg("10")
        .output()
        .unwrap();
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    println!("{told}");
    assert!(output.status.success(), "{told}");
}
