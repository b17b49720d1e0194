//! Reports on real games, compared with counts of the same PGN by python-chess.

use std::{fs, process::Command};

use crate::{
    common::{Bench, data, python, text},
    pgn_support::real_games,
};

/// Number of master games; with long trials twice as many.
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
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    println!("{printed}");
    assert!(output.status.success(), "{printed}");
}

#[test]
fn python_chess_finds_the_same_deviations_and_preparations() {
    let (Some(python), Some(pgn)) = (python(), real_games(GAMES / 2)) else { return };
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn", "--index"]);
    fs::write(bench.path("written.pgn"), bench.ok(&["export"])).unwrap();
    // Lines from games that are not among them: their first moves, one game after another.
    let lines: String = fs::read_to_string(data("famous.pgn"))
        .unwrap()
        .split("\n\n")
        .filter(|part| part.starts_with("1."))
        .map(|moves| moves.split_whitespace().take(20).collect::<Vec<_>>().join(" ") + " *\n\n")
        .collect();
    let more = "1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4 cxd4 4. Nxd4) 3. d4 cxd4 4. Nxd4 Nf6) 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) a6 *\n\n1. d4 Nf6 (1... d5 2. c4 e6 3. Nc3 Nf6) 2. c4 e6 3. Nc3 Bb4 *\n\n";
    fs::write(bench.path("lines.pgn"), lines + more).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/lines.py");
    let output = Command::new(python)
        .args([script, env!("CARGO_BIN_EXE_plybook")])
        .args(["plybook.db", "written.pgn", "lines.pgn"].map(|name| bench.path(name)))
        .arg("2")
        .output()
        .unwrap();
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    println!("{printed}");
    assert!(output.status.success(), "{printed}");
}
