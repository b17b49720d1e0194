//! Tables: every row agrees with `games` and `show`, and other programs can read them.

use crate::common::{Bench, data, installed, simple_games, text};
#[cfg(feature = "columns")]
use crate::pgn_support;
use serde_json::{Value, json};

/// An archive of games with set-up positions, Chess960 and other variants, annotations, and Xelto.
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

/// The rows of all files below a folder, with the values from the folder names.
fn rows_below(folder: &std::path::Path, of_folders: &[(String, String)]) -> Vec<Value> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
            let (key, value) = name.split_once('=').unwrap();
            let all = [of_folders, &[(key.to_owned(), value.to_owned())]].concat();
            found.extend(rows_below(&entry, &all));
            continue;
        }
        for mut row in rows(&std::fs::read_to_string(&entry).unwrap()) {
            for (key, value) in of_folders {
                let number = value.parse::<i64>().map_or_else(|_| json!(value), |number| json!(number));
                let value = if value.starts_with("__") { Value::Null } else { number };
                assert!(row.as_object_mut().unwrap().insert(key.clone(), value).is_none(), "{key}");
            }
            found.push(row);
        }
    }
    found
}

#[test]
fn partitions_contain_every_game_once() {
    let bench = bench();
    bench.ok(&["generate", "--games", "300", "-o", "made.pgn"]);
    bench.import(&["--quiet", "made.pgn"]);
    let keys = "year,elo_band,eco_volume,speed";
    let export =
        ["export", "--format", "jsonl", "--date", "1990..", "--partition-by", keys, "--sort", "plies"];
    bench.ok(&[&export[..], &["-o", "lake/"]].concat());
    let mut divided = rows_below(&bench.path("lake"), &[]);
    divided.sort_by_key(|row| row["id"].as_i64());
    let expected = rows(&bench.ok(&["export", "--format", "jsonl", "--date", "1990.."]));
    assert_eq!(divided.len(), expected.len());
    for (divided, expected) in divided.iter().zip(&expected) {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&divided[name], value, "{name} of {expected}");
        }
        let known: Vec<i64> =
            ["white_elo", "black_elo"].iter().filter_map(|elo| expected[elo].as_i64()).collect();
        let band = (!known.is_empty()).then(|| known.iter().sum::<i64>() / known.len() as i64 / 200 * 200);
        assert_eq!(divided["elo_band"], json!(band), "{expected}");
        assert_eq!(divided["eco_volume"], json!(expected["eco"].as_str().map(|eco| &eco[..1])), "{expected}");
    }
    // The same command fails because the files exist; with another name it succeeds.
    assert_eq!(bench.run(&[&export[..], &["-o", "lake/"]].concat()).status.code(), Some(2));
    bench.ok(&[&export[..], &["-o", "lake/", "--name", "again"]].concat());
    assert_eq!(rows_below(&bench.path("lake"), &[]).len(), 2 * expected.len());
    for wrong in [
        &["--partition-by", "year"][..],
        &["--name", "x", "-o", "x/"],
        &["--partition-by", "year,year", "-o", "x/"],
        &["--name", "../x", "--shards", "2", "-o", "x/"],
    ] {
        let output = bench.run(&[&["export", "--format", "csv"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(!bench.path("x").exists(), "{wrong:?}");
    }
}

#[test]
fn position_keys_match_those_of_sql() {
    let bench = bench();
    let output = bench.run(&["export", "--format", "jsonl", "--positions", "--keys", "--id", "1..3"]);
    let rows = rows(&text(&output.stdout));
    assert!(rows.len() > 100);
    let fens: Vec<String> = rows.iter().map(|row| row["fen"].as_str().unwrap().to_owned()).collect();
    let sql = format!("SELECT position_key(value) AS key FROM json_each('{}')", json!(fens));
    let asked = bench.ok(&["sql", &sql, "--format", "jsonl"]);
    let asked: Vec<Value> =
        asked.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["key"].clone()).collect();
    assert_eq!(rows.iter().map(|row| row["key"].clone()).collect::<Vec<_>>(), asked);
}

#[test]
fn a_row_of_a_game_matches_the_list_of_games() {
    let bench = bench();
    let listed = rows(&bench.ok(&["games", "--format", "jsonl"]));
    let written = rows(&bench.ok(&["export", "--format", "jsonl"]));
    assert_eq!(listed.len(), written.len());
    for (listed, written) in listed.iter().zip(&written) {
        // The title combines other columns, so tables do not have it.
        for (name, value) in listed.as_object().unwrap().iter().filter(|(name, _)| *name != "title") {
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

/// Tables of an archive that was changed without plybook: which games are reported, and that they have no row.
fn assert_reported(bench: &Bench, sql: &str, damaged: &[i64]) {
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(sql).unwrap();
    drop(db);
    let pgn = bench.run(&["export", "--id", &damaged[0].to_string()]);
    assert_eq!(pgn.status.code(), Some(1), "{sql}");
    let forms = ["stored", "san", "uci", "list16"].map(|form| ["--moves", form].to_vec());
    for more in forms.into_iter().chain([vec!["--positions"]]) {
        let output = bench.run(&[&["export", "--format", "jsonl"], &more[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{sql} {more:?}");
        let (written, printed) = (rows(&text(&output.stdout)), text(&output.stderr));
        for id in damaged {
            assert!(
                printed.lines().any(|line| line.contains(&format!("game {id}"))),
                "{sql} {more:?}: {printed}"
            );
            let is_of = |row: &Value| row["id"] == *id || row["game_id"] == *id;
            assert!(!written.iter().any(is_of), "{sql} {more:?}");
        }
        assert!(!written.is_empty(), "{sql} {more:?}");
    }
}

#[test]
fn a_game_with_a_damaged_layout_or_start_is_reported_and_has_no_row() {
    let with_start = bench();
    let ids = with_start.json(&["sql", "SELECT id FROM games WHERE fen IS NOT NULL", "--format", "json"]);
    let ids: Vec<i64> = ids.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    assert!(ids.len() > 1);
    assert_reported(&with_start, "UPDATE game SET tags = NULL", &ids);
    assert_reported(
        &bench(),
        "PRAGMA foreign_keys = OFF; INSERT INTO section SELECT 99999, 99999, event, site, date, tags FROM section LIMIT 1;
         UPDATE game SET section = 99999 WHERE id = 3",
        &[3],
    );
    // Version 2 had no checksums of layouts.
    let old = Bench::new();
    std::fs::copy(data("archives/v2.db"), old.path("plybook.db")).unwrap();
    assert_reported(&old, "UPDATE form SET variant = 77 WHERE id = 2", &[6]);
}

#[test]
fn moves_are_written_in_the_requested_notation() {
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
            // Castling is written as king takes rook.
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
fn a_row_of_a_position_matches_show_and_the_comments() {
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
    let csv = bench.ok(&["export", "--format", "csv", "--positions"]);
    assert!(csv.contains(",3600.0,") && csv.contains(",3598.5,"), "{csv}");
    for (ply, row) in rows.iter().enumerate() {
        let fen = bench.ok(&["show", "1", "--ply", &ply.to_string(), "--format", "fen"]);
        assert_eq!((&row["fen"], &row["ply"]), (&json!(fen.trim()), &json!(ply)));
        assert_eq!(row["move"], [json!("e2e4"), json!("e7e5"), json!("e1e2"), none.clone()][ply]);
    }
    assert_eq!(rows[0]["move_code"], json!(12 << 6 | 28));
}

/// The files of a folder with their contents.
fn folder(bench: &Bench, name: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(bench.path(name)).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn shards_have_the_rows_of_a_single_file_in_equal_runs() {
    let bench = Bench::with_games();
    let whole = bench.ok(&["export", "--format", "jsonl", "--sort", "date"]);
    let games = whole.lines().count();
    for count in [1, 3, games] {
        let (name, number) = (format!("parts{count}"), count.to_string());
        // An existing folder needs no trailing slash.
        let to = if count == 3 { name.clone() } else { format!("{name}/") };
        if count == 3 {
            std::fs::create_dir(bench.path(&name)).unwrap();
        }
        bench.ok(&["export", "--format", "jsonl", "--sort", "date", "--shards", &number, "-o", &to]);
        let files = folder(&bench, &name);
        let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
        let expected: Vec<String> =
            (1..=count).map(|file| format!("games-{file:05}-of-{count:05}.jsonl")).collect();
        assert_eq!(names, expected);
        assert_eq!(files.iter().map(|(_, lines)| &lines[..]).collect::<String>(), whole);
        let sizes: Vec<usize> = files.iter().map(|(_, lines)| lines.lines().count()).collect();
        assert!(sizes.iter().all(|size| (games / count..=games.div_ceil(count)).contains(size)), "{sizes:?}");
    }
    // Each file is complete: CSV has a header. The positions of a game stay together.
    bench.ok(&[
        "export",
        "--format",
        "csv",
        "--positions",
        "--limit",
        "5",
        "--shards",
        "2",
        "-o",
        "positions/",
    ]);
    let files = folder(&bench, "positions");
    let ids = |text: &str| {
        let mut ids: Vec<String> =
            text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
        ids.dedup();
        ids
    };
    assert_eq!(files[0].0, "positions-00001-of-00002.csv");
    assert!(files.iter().all(|(_, text)| text.starts_with("game_id,ply,fen")));
    assert_eq!(files.iter().map(|(_, text)| ids(text).len()).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn existing_files_stay_and_a_failed_export_leaves_none() {
    let bench = Bench::with_games();
    fn export<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["export", "--format", "csv", "-o", "table"], more].concat()
    }
    std::fs::create_dir(bench.path("table")).unwrap();
    std::fs::write(bench.path("table/notes.txt"), "mine").unwrap();
    std::fs::write(bench.path("table/games-00002-of-00002.csv"), "mine").unwrap();
    let before = folder(&bench, "table");
    assert!(bench.refused(&export(&["--shards", "2"])).contains("--force"));
    for refused in [&["--shards", "3"][..], &["--shards", "3", "--force"], &["--force"]] {
        assert!(bench.refused(&export(refused)).contains("games-00002-of-00002.csv"), "{refused:?}");
    }
    assert_eq!(folder(&bench, "table"), before);
    bench.ok(&export(&["--shards", "2", "--force"]));
    let after = folder(&bench, "table");
    assert_eq!(after.len(), 3);
    assert_eq!(after[2], before[1]);
    assert!(after[1].1.starts_with("id,"));
    // A rejected command leaves no folder.
    let to = |format: &'static str, shards: &'static str, out: &'static str| {
        bench.refused(&["export", "--format", format, "--shards", shards, "-o", out])
    };
    assert!(to("csv", "4", "games.csv").contains("directory"));
    assert!(to("csv", "4", "-").contains("directory"));
    assert!(to("csv", "200", "new/").contains("--shards 200 is larger than the number of games: 62 games"));
    assert!(to("csv", "4", "no/new/").contains("no/new/"));
    assert!(to("pgn", "4", "new/").contains("--shards"));
    assert!(bench.refused(&["export", "--format", "csv", "--shards", "2"]).contains("directory"));
    for wrong in ["0", "201", "x"] {
        let output = bench.run(&["export", "--format", "csv", "--shards", wrong, "-o", "new/"]);
        assert_eq!(output.status.code(), Some(2));
    }
    let nothing =
        bench.run(&["export", "--format", "csv", "--player", "nobody", "--shards", "2", "-o", "new/"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(!bench.path("new").exists());
}

#[test]
fn tags_without_a_column_are_written_on_request() {
    let bench = Bench::new();
    let pgn = "[Event \"Open\"]\n[Site \"?\"]\n[Date \"last spring\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\
               [WhiteElo \"2500\"]\n[BlackElo \"strong\"]\n[ECO \"C20\"]\n[TimeControl \"40/7200:3600\"]\n\
               [Annotator \"\u{e9}\"]\n\n1. e4 e5 1-0\n\n[White \"C\"]\n[Result \"*\"]\n\n1. d4 *\n";
    std::fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn"]);
    let rows = rows(&bench.ok(&["export", "--format", "jsonl", "--tags"]));
    let tags: Value = serde_json::from_str(rows[0]["tags"].as_str().unwrap()).unwrap();
    assert_eq!(
        tags,
        json!({"Date": "last spring", "BlackElo": "strong", "TimeControl": "40/7200:3600", "Annotator": "\u{e9}"})
    );
    assert_eq!(rows[1]["tags"], Value::Null);
    // Everything else is unchanged.
    let with = bench.ok(&["export", "--format", "csv", "--tags"]);
    let without = bench.ok(&["export", "--format", "csv"]);
    assert!(without.lines().zip(with.lines()).all(|(without, with)| with.starts_with(without)));
    assert!(with.starts_with(&format!("{},tags\n", without.lines().next().unwrap())));
}

/// The start position, packed by hand with the table of the page: White to move; rook with castling rights 15, knight
/// 2, bishop 3, queen 5, king with castling rights 14 …; one bit for the side to move before them, and seven zero bits
/// after them.
const START: &str = "791af19788888888800000000000000000000000000000003bbbbbbbfc4df4c780";

#[test]
fn the_ten_lines_of_the_page_read_a_packed_position() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/columns.md")).unwrap();
    let reader = page.split("```python packed\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(reader.lines().count() <= 12, "{reader}");
    let bench = bench();
    let export = |form: &str| {
        let export = ["export", "--format", "jsonl", "--positions", "--position-as", form];
        text(&bench.run(&export).stdout)
    };
    let (packed, fens) = (export("packed"), export("fen"));
    for (packed, fen) in rows(&packed).iter().zip(rows(&fens)) {
        let is_start =
            fen["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq");
        // Variants have no packed positions.
        assert!(!is_start || packed["position"].is_null() || packed["position"] == START, "{packed}");
        assert!(packed.get("fen").is_none());
    }
    assert!(packed.contains(START));
    std::fs::write(bench.path("packed.jsonl"), packed).unwrap();
    std::fs::write(bench.path("fens.jsonl"), fens).unwrap();
    let script = format!("{reader}\n{}", include_str!("../pgn_support/packed.py"));
    if installed("python3") {
        let mut python = std::process::Command::new("python3");
        let output = python.args(["-c", &script]).current_dir(&bench.folder).output().unwrap();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    }
    for wrong in [&["--positions", "--tags"][..], &["--position-as", "packed"]] {
        let output = bench.run(&[&["export", "--format", "csv"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_help_lists_parquet_and_arrow_if_built_in_and_the_readme_tells_how_to_get_them() {
    let bench = Bench::new();
    for words in [&["export", "--help"][..], &["export", "-h"], &["completions", "bash"]] {
        let shown = bench.ok(words).to_lowercase();
        for format in ["parquet", "arrow"] {
            assert_eq!(shown.contains(format), cfg!(feature = "columns"), "{words:?}: {format}");
        }
        assert!(shown.contains("jsonl"));
    }
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    assert!(readme.contains("`cargo install --path . --locked --features columns`"));
}

#[test]
#[cfg(not(feature = "columns"))]
fn without_parquet_and_arrow_the_error_tells_how_to_get_them() {
    let bench = Bench::with_games();
    for format in ["parquet", "arrow"] {
        let why = bench.refused(&["export", "--format", format, "-o", "games"]);
        assert!(why.contains("cargo install --path . --locked --features columns"), "{why}");
        assert!(!bench.path("games").exists());
    }
}

#[cfg(feature = "columns")]
mod parquet_files {
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::common::python_that;

    /// A Python with packages that read Parquet.
    fn python() -> Option<std::path::PathBuf> {
        let imports = "import chess.pgn, datafusion, duckdb, pandas, polars, pyarrow.parquet";
        python_that("python-columns", "requirements-columns.txt", imports)
    }

    #[test]
    fn duckdb_pandas_and_pyarrow_read_the_same_data() {
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
            for format in ["parquet", "arrow"] {
                let file = format!("{form}.{format}");
                bench.ok(&["export", "--format", format, "--tags", "--moves", form, "-o", &file]);
            }
        }
        for (form, name) in [("fen", "positions"), ("packed", "packed")] {
            for format in ["parquet", "arrow"] {
                let (file, export) =
                    (format!("{name}.{format}"), ["export", "--format", format, "--positions"]);
                let positions = bench.run(&[&export[..], &["--position-as", form, "-o", &file]].concat());
                assert_eq!(positions.status.code(), Some(1), "games of Xelto are left out");
            }
        }
        bench.ok(&["export", "--format", "parquet", "--shards", "3", "-o", "shards/"]);
        let divided = ["--partition-by", "year,eco_volume", "--sort", "elo", "-o", "divided/"];
        bench.ok(&[&["export", "--format", "parquet"], &divided[..]].concat());
        let keys = ["--positions", "--keys", "--variant", "chess", "-o", "keys.parquet"];
        bench.ok(&[&["export", "--format", "parquet"], &keys[..]].concat());
        let stored =
            bench.ok(&["sql", "SELECT id, hex(moves) AS moves FROM games ORDER BY id", "--format", "jsonl"]);
        std::fs::write(bench.path("stored.jsonl"), stored).unwrap();
        assert_passes(&python, "columns.py", &bench);
    }

    /// Runs a script of `tests/pgn_support` on the files of an archive.
    fn assert_passes(python: &Path, script: &str, bench: &Bench) {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pgn_support");
        let output =
            Command::new(python).arg(scripts.join(script)).arg(bench.folder.path()).output().unwrap();
        let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
        println!("{printed}");
        assert!(output.status.success(), "{printed}");
    }

    #[test]
    fn readers_guess_rounds_and_years_as_documented() {
        let (Some(python), bench) = (python(), Bench::new()) else { return };
        let pgn = "[Date \"1984.??.??\"]\n[Round \"1.1\"]\n\n1. e4 *\n\n[Round \"1.10\"]\n\n1. d4 *\n";
        std::fs::write(bench.path("rounds.pgn"), pgn).unwrap();
        bench.import(&["rounds.pgn"]);
        for file in ["rounds.csv", "rounds.jsonl"] {
            let (_, format) = file.split_once('.').unwrap();
            bench.ok(&["export", "--format", format, "-o", file]);
        }
        for format in ["csv", "parquet"] {
            let folder = format!("{format}/");
            bench.ok(&["export", "--format", format, "--partition-by", "year", "-o", &folder]);
        }
        assert_passes(&python, "readers.py", &bench);
    }

    /// Opens both tables in two programs, and counts their rows.
    const OLDER_READERS: &str = "
import datafusion, polars
for table in ['games.parquet', 'positions.parquet']:
    rows = datafusion.SessionContext().read_parquet(table).count()
    assert rows == polars.read_parquet(table).height > 0, table
assert polars.read_parquet('positions.parquet')['clock'].to_list()[:2] == [3600.0, 3598.5]
";

    #[test]
    fn older_readers_open_both_tables() {
        let (Some(python), bench) = (python(), Bench::new()) else { return };
        std::fs::write(bench.path("clocks.pgn"), "{[%clk 1:00:00]} 1. e4 {[%clk 0:59:58.5]} *\n").unwrap();
        bench.import(&["clocks.pgn"]);
        bench.ok(&["export", "--format", "parquet", "-o", "games.parquet"]);
        bench.ok(&["export", "--format", "parquet", "--positions", "-o", "positions.parquet"]);
        let mut command = Command::new(python);
        let output = command.args(["-c", OLDER_READERS]).current_dir(bench.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    #[test]
    fn a_file_of_many_row_groups_has_all_rows_in_order() {
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
    fn existing_files_are_not_replaced_and_a_terminal_gets_no_parquet() {
        let bench = Bench::with_games();
        bench.ok(&["export", "--format", "parquet", "-o", "games.parquet"]);
        let bytes = std::fs::read(bench.path("games.parquet")).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let again = &["export", "--format", "parquet", "--moves", "san", "-o", "games.parquet"];
        assert!(bench.refused(again).contains("--force"));
        assert_eq!(std::fs::read(bench.path("games.parquet")).unwrap(), bytes);
        // A pipe gets the same bytes.
        assert_eq!(bench.run(&["export", "--format", "parquet"]).stdout, bytes);
        bench.ok(&["export", "--format", "arrow", "-o", "games.arrow"]);
        let bytes = std::fs::read(bench.path("games.arrow")).unwrap();
        assert!(bytes.starts_with(b"ARROW1") && bytes.ends_with(b"ARROW1"));
        assert_eq!(bench.run(&["export", "--format", "arrow"]).stdout, bytes);
    }
}
