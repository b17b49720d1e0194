//! Exports of irregular files: python-chess reads the same games and moves.

use std::{fs, path::PathBuf, process::Command};

use crate::common::{Bench, corpus, python};
use serde_json::{Value, json};

/// Games whose FEN tag python-chess cannot read, by file and number: castling rights in the order `qkQK`, and an empty one.
const UNREAD: [(&str, usize); 2] = [("fens.pgn", 10), ("fens.pgn", 15)];

/// The PGN files of folders, in the order of their names.
fn files(folders: [PathBuf; 2]) -> Vec<PathBuf> {
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    files.sort();
    files
}

/// A line of JSON: the name of a file, the number of games stored from it, their export, and their moves in UCI.
fn exported(path: PathBuf) -> String {
    let bench = Bench::new();
    let stored = &bench.import(&[path.to_str().unwrap()])["stored"];
    let (pgn, uci) = (bench.ok(&["export"]), bench.ok(&["export", "--format", "uci"]));
    json!({ "name": path.file_name().unwrap().to_str(), "stored": stored, "pgn": pgn, "uci": uci })
        .to_string()
}

#[test]
fn python_chess_reads_the_games_and_moves_of_all_case_files_in_the_export() {
    let (Some(python), Some(cases), Some(others)) =
        (python(), corpus("../cases/pgn"), corpus("../cases/turn4"))
    else {
        return;
    };
    let lines: Vec<String> = files([cases, others]).into_iter().map(exported).collect();
    assert!(lines.len() > 60, "{}", lines.len());
    let bench = Bench::new();
    fs::write(bench.path("exports.jsonl"), lines.join("\n")).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/exports.py");
    let output = Command::new(python).arg(script).arg(bench.path("exports.jsonl")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&read["different"], &read["unread"]), (&json!([]), &json!(UNREAD)));
    assert!(read["same"].as_u64() > Some(200), "{read}");
}
