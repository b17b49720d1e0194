//! Tables: every row says what `games` and `show` say, and other programs read them.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[cfg(feature = "columns")]
mod pgn_support;

use common::{Bench, data, simple_games};
use serde_json::{Value, json};

/// An archive of games with set-ups, of Chess960 and of variants, with annotations, and of Xelto.
fn bench() -> Bench {
    let bench = Bench::new();
    let sources = ["famous.pgn", "setup.pgn", "chess960.pgn", "annotated.pgn", "xelto"].map(data);
    let sources: Vec<&str> = sources.iter().map(|path| path.to_str().unwrap()).collect();
    bench.import(&[&["--quiet"], &sources[..]].concat());
    bench
}

fn rows(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_row_of_a_game_has_what_the_list_of_games_has() {
    let bench = bench();
    let listed = rows(&bench.ok(&["games", "--format", "jsonl"]));
    let written = rows(&bench.ok(&["export", "--format", "jsonl"]));
    assert_eq!(listed.len(), written.len());
    for (listed, written) in listed.iter().zip(&written) {
        for (name, value) in listed.as_object().unwrap() {
            assert_eq!(&written[name], value, "{name} of {listed}");
        }
        let date = listed["date"].as_str();
        let year = date.and_then(|date| date[..4].parse::<i64>().ok());
        assert_eq!(written["year"], json!(year), "{listed}");
        let is_chess = listed["variant"] != "Xelto";
        assert_eq!(written["codec"], if is_chess { json!("index") } else { Value::Null });
        assert_eq!(written["moves"].is_string(), is_chess);
    }
    let filtered = rows(&bench.ok(&["export", "--format", "jsonl", "--player", "morphy", "--limit", "2"]));
    let expected = rows(&bench.ok(&["games", "--format", "jsonl", "--player", "morphy", "--limit", "2"]));
    let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&filtered), ids(&expected));
    // CSV has the same columns in the same order.
    let csv = bench.ok(&["export", "--format", "csv"]);
    let names: Vec<&str> = written[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(csv.lines().next().unwrap(), names.join(","));
}

#[test]
fn moves_are_written_as_it_is_asked_for() {
    let bench = Bench::with_games();
    let pgn = simple_games(&bench.ok(&["export"]));
    let form = |form: &str| rows(&bench.ok(&["export", "--format", "jsonl", "--moves", form]));
    let (san, uci, codes) = (form("san"), form("uci"), form("list16"));
    assert_eq!(pgn.len(), san.len());
    for (place, (_, words)) in pgn.iter().enumerate() {
        let (_, moves) = words.split_last().unwrap();
        assert_eq!(san[place]["moves"], moves.join(" "));
        let uci: Vec<&str> = uci[place]["moves"].as_str().unwrap().split_whitespace().collect();
        let codes = codes[place]["moves"].as_array().unwrap();
        assert_eq!((uci.len(), codes.len()), (moves.len(), moves.len()));
        for (uci, code) in uci.iter().zip(codes) {
            let code = code.as_u64().unwrap();
            let square = |of: u64| format!("{}{}", char::from(b'a' + (of % 8) as u8), of / 8 + 1);
            let to = square(code % 64);
            // Castling is king takes rook.
            let to = match (*uci, to.as_str()) {
                ("e1g1" | "e8g8", "h1" | "h8") => to.replace('h', "g"),
                ("e1c1" | "e8c8", "a1" | "a8") => to.replace('a', "c"),
                _ => to,
            };
            let promotion = ["", "n", "b", "r", "q"][(code >> 12) as usize];
            assert_eq!(format!("{}{to}{promotion}", square(code / 64 % 64)), *uci);
        }
    }
    assert!(bench.refused(&["export", "--moves", "san"]).contains("--format"));
    assert!(bench.refused(&["export", "--positions"]).contains("--format"));
    assert!(bench.refused(&["export", "--format", "csv", "--original"]).contains("--original"));
}

#[test]
fn a_row_of_a_position_has_what_show_and_the_comments_say() {
    let bench = Bench::new();
    let pgn = "[Event \"clocks\"]\n[Result \"1-0\"]\n\n{[%clk 1:00:00]} 1. e4 {[%eval 0.25] [%clk 0:59:58.5]} e5 {[%eval #-3]} \
               (1... c5 {[%clk 0:00:01]}) 2. O-O-O $1 {lost} 1-0\n";
    std::fs::write(bench.path("games.pgn"), pgn.replace("O-O-O", "Ke2")).unwrap();
    bench.import(&["games.pgn"]);
    let rows = rows(&bench.ok(&["export", "--format", "jsonl", "--positions"]));
    let said: Vec<Value> = rows.iter().map(|row| json!([row["clock"], row["eval"], row["mate"]])).collect();
    let none = Value::Null;
    assert_eq!(
        said,
        [
            json!([3600.0, none, none]),
            json!([3598.5, 25, none]),
            json!([none, none, -3]),
            json!([none, none, none])
        ]
    );
    for (ply, row) in rows.iter().enumerate() {
        let fen = bench.ok(&["show", "1", "--ply", &ply.to_string(), "--format", "fen"]);
        assert_eq!((&row["fen"], &row["ply"]), (&json!(fen.trim()), &json!(ply)));
        assert_eq!(row["move"], [json!("e2e4"), json!("e7e5"), json!("e1e2"), none.clone()][ply]);
    }
    assert_eq!(rows[0]["move_code"], json!(12 << 6 | 28));
}

#[test]
#[cfg(not(feature = "columns"))]
fn without_parquet_it_is_said_how_to_get_it() {
    let bench = Bench::with_games();
    let why = bench.refused(&["export", "--format", "parquet", "-o", "games.parquet"]);
    assert!(why.contains("cargo install --path . --features columns"), "{why}");
    assert!(!bench.path("games.parquet").exists());
}

#[cfg(feature = "columns")]
mod parquet_files {
    use std::{path::Path, process::Command};

    use super::*;
    use common::{loudly, text};

    /// A Python that has what reads Parquet; where there is none, it is said loudly, and CI fails.
    fn python() -> Option<std::path::PathBuf> {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("python-columns/bin/python");
        let found = [made, "python3".into()].into_iter().find(|python| {
            let imports = "import chess.pgn, duckdb, pyarrow.parquet, pandas";
            Command::new(python).args(["-c", imports]).output().is_ok_and(|output| output.status.success())
        });
        if found.is_none() {
            let how = "duckdb, pyarrow, pandas or python-chess is absent; to get them: python3 -m venv \
                       target/python-columns && target/python-columns/bin/pip install -r tests/requirements-columns.txt";
            assert!(std::env::var_os("CI").is_none_or(|ci| ci == "false"), "{how}");
            loudly(&format!("SKIPPED: {how}"));
        }
        found
    }

    #[test]
    fn duckdb_pandas_and_pyarrow_read_what_the_archive_has() {
        let Some(python) = python() else { return };
        let bench = bench();
        if let Some(pgn) = pgn_support::real_games(600) {
            std::fs::write(bench.path("real.pgn"), pgn).unwrap();
            bench.import(&["real.pgn"]);
        }
        let (lines, pgn) =
            (bench.ok(&["games", "--format", "jsonl"]), bench.ok(&["export", "--format", "pgn"]));
        std::fs::write(bench.path("games.jsonl"), lines).unwrap();
        std::fs::write(bench.path("games.pgn"), pgn).unwrap();
        for form in ["stored", "san", "uci", "list16"] {
            bench.ok(&["export", "--format", "parquet", "--moves", form, "-o", &format!("{form}.parquet")]);
        }
        let positions =
            bench.run(&["export", "--format", "parquet", "--positions", "-o", "positions.parquet"]);
        assert_eq!(positions.status.code(), Some(1), "games of Xelto are left out");
        let stored =
            bench.ok(&["sql", "SELECT id, hex(moves) AS moves FROM game ORDER BY id", "--format", "jsonl"]);
        std::fs::write(bench.path("stored.jsonl"), stored).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/columns.py");
        let output = Command::new(python).args([script.as_ref(), bench.folder.path()]).output().unwrap();
        let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
        println!("{told}");
        assert!(output.status.success(), "{told}");
    }

    #[test]
    fn a_file_of_many_groups_of_rows_has_them_all_in_their_order() {
        use parquet::file::reader::{FileReader, SerializedFileReader};
        use parquet::record::RowAccessor;
        let bench = Bench::new();
        bench.ok(&["generate", "--games", "2000", "-o", "games.pgn"]);
        bench.import(&["games.pgn"]);
        bench.ok(&["export", "--format", "parquet", "--positions", "-o", "positions.parquet"]);
        let file = std::fs::File::open(bench.path("positions.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert!(reader.num_row_groups() > 1);
        let (mut expected, mut count) = ((1, 0), 0_i64);
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let place = (row.get_long(0).unwrap(), row.get_long(1).unwrap());
            assert!(place == expected || place == (expected.0 + 1, 0), "{place:?} after {expected:?}");
            expected = (place.0, place.1 + 1);
            count += 1;
        }
        let plies: i64 = rows(&bench.ok(&["games", "--format", "jsonl"]))
            .iter()
            .map(|row| row["plies"].as_i64().unwrap())
            .sum();
        assert_eq!(count, plies + 2000);
    }

    #[test]
    fn what_exists_is_not_replaced_and_a_terminal_gets_no_parquet() {
        let bench = Bench::with_games();
        bench.ok(&["export", "--format", "parquet", "-o", "games.parquet"]);
        let bytes = std::fs::read(bench.path("games.parquet")).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let again = &["export", "--format", "parquet", "--moves", "san", "-o", "games.parquet"];
        assert!(bench.refused(again).contains("--force"));
        assert_eq!(std::fs::read(bench.path("games.parquet")).unwrap(), bytes);
        // A pipe gets the same bytes.
        assert_eq!(bench.run(&["export", "--format", "parquet"]).stdout, bytes);
    }
}
