//! An archive with packed games is used like any other: games that it has are found, it is merged, cut and repaired, and
//! damage is noticed.

use std::fs;

use crate::common::{Bench, data, engine_games, text};
use rusqlite::Connection;

const GAMES: usize = 300;

/// An archive of generated games, and the same one packed.
fn archives() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), engine_games(GAMES)).unwrap();
    bench.ok(&["import", "games.pgn", "--quiet", "-a", "plain.db"]);
    fs::copy(bench.path("plain.db"), bench.path("packed.db")).unwrap();
    bench.ok(&["recompress", "--codec", "index", "-a", "packed.db"]);
    bench
}

fn export(bench: &Bench, archive: &str) -> String {
    bench.ok(&["export", "-a", archive])
}

fn version(bench: &Bench, archive: &str) -> i64 {
    let db = Connection::open(bench.path(archive)).unwrap();
    db.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

fn check_sound(bench: &Bench, archive: &str) {
    let said = bench.ok(&["verify", "-a", archive]);
    assert!(said.contains("all intact"), "{archive}: {said}");
}

#[test]
fn games_that_another_form_of_archive_has_are_duplicates() {
    let bench = archives();
    assert!(export(&bench, "packed.db") == export(&bench, "plain.db"));
    assert_eq!((version(&bench, "plain.db"), version(&bench, "packed.db")), (4, 10));
    for [from, to] in [["games.pgn", "packed.db"], ["plain.db", "packed.db"], ["packed.db", "plain.db"]] {
        let again = format!("again-{from}");
        fs::copy(bench.path(from), bench.path(&again)).unwrap();
        let report = bench.import(&[&again, "-a", to]);
        assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &GAMES.into()), "{from} {to}");
    }
    assert_eq!(version(&bench, "plain.db"), 4);
}

#[test]
fn a_copy_of_a_packed_archive_has_its_games() {
    let bench = archives();
    bench.ok(&["import", "packed.db", "--quiet", "-a", "imported.db"]);
    bench.ok(&["import", "plain.db", "packed.db", "--quiet", "-a", "both.db"]);
    bench.ok(&["import", "games.pgn", "--codec", "model", "--quiet", "-a", "model.db"]);
    bench.ok(&["copy", "--id", "1..", "-o", "copied.db", "-a", "packed.db"]);
    bench.ok(&["backup", "backup.db", "-a", "packed.db"]);
    bench.ok(&["salvage", "packed.db", "-o", "salvaged.db"]);
    bench.ok(&["split", "packed.db", "--parts", "3", "--into", "three", "--quiet"]);
    bench.ok(&["merge", "three", "-o", "merged.db", "--quiet"]);
    let games = export(&bench, "plain.db");
    for (archive, version_of_it) in [
        ("imported.db", 10),
        ("both.db", 4),
        ("model.db", 10),
        ("copied.db", 4),
        ("backup.db", 10),
        ("salvaged.db", 4),
        ("merged.db", 4),
    ] {
        assert!(export(&bench, archive) == games, "{archive}");
        assert_eq!(version(&bench, archive), version_of_it, "{archive}");
        check_sound(&bench, archive);
        fs::copy(bench.path("games.pgn"), bench.path(&format!("{archive}.pgn"))).unwrap();
        let report = bench.import(&[&format!("{archive}.pgn"), "-a", archive]);
        assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &GAMES.into()), "{archive}");
    }
}

#[test]
fn parts_of_both_forms_have_no_game_twice() {
    for [first, second] in [["index", "model"], ["model", "index"]] {
        let bench = archives();
        let import = |source: &str, codec| {
            bench.import(&[source, "--into", "parts", "--parts-of", "100", "--codec", codec])
        };
        assert_eq!(import("games.pgn", first)["stored"], GAMES);
        fs::copy(bench.path("games.pgn"), bench.path("again.pgn")).unwrap();
        assert_eq!(import("again.pgn", second)["stored"], 0);
        for part in 1..=3 {
            check_sound(&bench, &format!("parts/part-000{part}.db"));
        }
        // A filter that is lost is made again.
        for file in fs::read_dir(bench.path("parts")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "filter") {
                fs::remove_file(path).unwrap();
            }
        }
        fs::copy(bench.path("games.pgn"), bench.path("third.pgn")).unwrap();
        assert_eq!(import("third.pgn", second)["stored"], 0);
    }
}

#[test]
fn changes_of_packed_games_can_be_undone() {
    let bench = archives();
    let before = export(&bench, "packed.db");
    bench.ok(&["tag", "7", "WhiteElo=2345", "ECO=B33", "-a", "packed.db"]);
    bench.ok(&["remove", "9,300", "--yes", "-a", "packed.db"]);
    let games = bench.json(&["games", "--id", "7", "--format", "json", "-a", "packed.db"]);
    assert_eq!((&games[0]["white_elo"], &games[0]["eco"]), (&2345.into(), &"B33".into()), "{games}");
    fs::copy(bench.path("games.pgn"), bench.path("again.pgn")).unwrap();
    let report = bench.import(&["again.pgn", "-a", "packed.db"]);
    assert_eq!(report["stored"], 0, "{report}");
    check_sound(&bench, "packed.db");
    bench.ok(&["undo", "-a", "packed.db"]);
    bench.ok(&["undo", "-a", "packed.db"]);
    assert!(export(&bench, "packed.db") == before);
    check_sound(&bench, "packed.db");
}

#[test]
fn a_changed_number_of_a_packed_game_is_damage() {
    for (change, what) in [
        ("header = header + (1 << 39)", "plies"),
        ("header = header + (1 << 25)", "rows 0 to 4095 of game: rows have changed"),
        ("header = header | (1 << 62)", "rows 0 to 4095 of game: rows have changed"),
        ("round = 99", "game 8"),
    ] {
        let bench = archives();
        let db = Connection::open(bench.path("packed.db")).unwrap();
        db.execute(&format!("UPDATE game SET {change} WHERE id = 8"), []).unwrap();
        drop(db);
        let output = bench.run(&["verify", "-a", "packed.db"]);
        let said = text(&output.stdout);
        assert!(output.status.code() == Some(1) && said.contains(what), "{change}: {said}");
    }
}

#[test]
fn a_packed_archive_is_read_with_sql_like_any_other() {
    let bench = Bench::new();
    bench.ok(&["import", "--quiet", data("").to_str().unwrap()]);
    fs::copy(bench.path("plybook.db"), bench.path("packed.db")).unwrap();
    bench.ok(&["recompress", "--codec", "index", "-a", "packed.db"]);
    let rows = |archive| {
        let sql = "SELECT id, plies, result, section, white, black, round, hex(moves), white_elo, black_elo, eco, tags
                   FROM game ORDER BY id";
        bench.ok(&["sql", sql, "-a", archive])
    };
    assert_eq!(rows("packed.db"), rows("plybook.db"));
}

#[test]
fn games_that_pass_conditions_are_packed_with_their_comments() {
    let bench = Bench::new();
    let games = "[WhiteElo \"2400\"]\n\n1. e4 {best by test} e5 *\n\n[WhiteElo \"1400\"]\n\n1. d4 *\n";
    fs::write(bench.path("games.pgn"), games).unwrap();
    bench.ok(&[
        "import",
        "games.pgn",
        "--codec",
        "model",
        "--white-elo",
        "2000..",
        "--quiet",
        "-a",
        "model.db",
    ]);
    bench.ok(&["import", "model.db", "--white-elo", "2000..", "--quiet", "-a", "again.db"]);
    for archive in ["model.db", "again.db"] {
        assert_eq!(version(&bench, archive), 10);
        assert!(export(&bench, archive).contains("{best by test}"), "{archive}");
        check_sound(&bench, archive);
    }
}

#[test]
fn games_of_a_recompressed_part_are_not_imported_again() {
    let bench = Bench::new();
    // So small a part has the same size afterwards, so that the catalogue does not notice.
    let games: String = (1..=3).map(|number| format!("[Round \"{number}\"]\n\n1. e4 *\n\n")).collect();
    fs::write(bench.path("games.pgn"), &games).unwrap();
    fs::write(bench.path("again.pgn"), &games).unwrap();
    bench.ok(&["import", "games.pgn", "--into", "parts", "--parts-of", "100", "--quiet"]);
    bench.ok(&["recompress", "--codec", "index", "-a", "parts/part-0001.db"]);
    let report = bench.import(&["again.pgn", "--into", "parts", "--parts-of", "100"]);
    assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &3.into()), "{report}");
}

#[test]
fn a_table_of_a_user_with_any_name_does_not_stop_packing() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), engine_games(3)).unwrap();
    bench.ok(&["import", "games.pgn", "--quiet"]);
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(
        "CREATE TABLE Unpacked_Game (id INTEGER); INSERT INTO Unpacked_Game VALUES (7);
         CREATE UNIQUE INDEX mine ON game (section, id)",
    )
    .unwrap();
    drop(db);
    bench.ok(&["recompress", "--codec", "index"]);
    check_sound(&bench, "plybook.db");
    assert_eq!(bench.ok(&["sql", "SELECT id FROM Unpacked_Game", "--format", "csv"]), "id\n7\n");
}

#[test]
fn a_number_that_cannot_be_packed_is_named_with_its_game() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), engine_games(3)).unwrap();
    bench.ok(&["import", "games.pgn", "--quiet"]);
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute("UPDATE game SET white_elo = 1 << 20 WHERE id = 2", []).unwrap();
    drop(db);
    let before = export(&bench, "plybook.db");
    let output = bench.run(&["recompress", "--codec", "index"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a rating or the ECO code of game 2 is out of range"), "{said}");
    assert_eq!((version(&bench, "plybook.db"), export(&bench, "plybook.db")), (4, before));
}
