//! Rejected games that an archive keeps, and that are read again.

use std::fs;

use rusqlite::Connection;

use crate::common::{Bench, text};

/// A game, one with German letters, one with an illegal move, and one that is not UTF-8.
fn games() -> Vec<u8> {
    let text = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e5 2. Sf3 Sc6 1-0\n\n[White \"C\"]\n\n1. d4 d5 2. Ke3 *\n\n";
    [text.as_bytes(), b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]\n\n1. c4 *\n"].concat()
}

/// An archive that keeps the last three.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), games()).unwrap();
    let report = bench.import(&["games.pgn", "--strict", "--keep-rejects", "--rejects", "bad.pgn"]);
    assert_eq!([&report["stored"], &report["rejected"], &report["rejects_kept"]], [1, 3, 3], "{report}");
    bench
}

fn kept(bench: &Bench) -> Vec<u8> {
    bench.run(&["rejects", "--format", "pgn"]).stdout
}

fn retried(bench: &Bench, options: &[&str]) -> [u64; 4] {
    let output = bench.run(&[&["retry", "--format", "json"], options].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(i32::from(report["rejected"] != 0)), "{report}");
    ["seen", "stored", "duplicate", "rejected"].map(|count| report[count].as_u64().unwrap())
}

fn version(bench: &Bench, archive: &str) -> i64 {
    let db = Connection::open(bench.path(archive)).unwrap();
    db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

fn check(bench: &Bench) {
    let verified = text(&bench.run(&["verify"]).stdout);
    assert!(verified.contains("all intact"), "{verified}");
}

#[test]
fn rejected_games_are_kept_once_with_their_bytes_place_and_reason() {
    let bench = bench();
    let bad = fs::read(bench.path("bad.pgn")).unwrap();
    assert!(kept(&bench) == bad && bad.windows(6).any(|bytes| bytes == b"\xca\xe0\xf0\xef\xee\xe2"));
    let list = bench.json(&["rejects", "--format", "json"]);
    let second = &list[1];
    assert_eq!(
        (&second["source"], &second["game"], &second["line"]),
        (&"games.pgn".into(), &3.into(), &11.into())
    );
    assert!(second["reason"].as_str().unwrap().contains("Ke3"), "{list}");
    assert_eq!(second["beginning"], "[White \"C\"] 1. d4 d5 2. Ke3 *");
    fs::write(bench.path("copy.pgn"), games()).unwrap();
    for again in [&["games.pgn", "--again"][..], &["copy.pgn"]] {
        bench.import(&[again, &["--strict", "--keep-rejects"]].concat());
        assert!(kept(&bench) == bad, "{again:?}");
    }
    assert!(bench.ok(&["info"]).contains("rejected  3 games kept"));
    assert_eq!(bench.json(&["info", "--format", "json"])["rejects"]["games"], 3);
    assert!(bench.ok(&["stats"]).contains("rejected games"));
    check(&bench);
}

#[test]
fn an_archive_without_kept_rejects_has_no_table_and_the_version_of_before() {
    let bench = bench();
    assert_eq!(version(&bench, "plybook.db"), 7);
    for options in [&[][..], &["--keep-rejects"]] {
        let good = ["games.pgn", "--letters", "de", "--keep-broken", "-a", "good.db"];
        bench.import(&[&good, options].concat());
        bench.import(&["games.pgn", "--strict", "-a", "bad.db"]);
        for archive in ["good.db", "bad.db"] {
            let db = Connection::open(bench.path(archive)).unwrap();
            let sql = "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%reject%'";
            assert_eq!(db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
            assert_eq!(version(&bench, archive), 4);
            fs::remove_file(bench.path(archive)).unwrap();
        }
    }
}

#[test]
fn a_retry_stores_what_it_can_read_with_other_options() {
    let bench = bench();
    assert_eq!(retried(&bench, &["--strict"]), [3, 0, 0, 3]);
    assert_eq!(retried(&bench, &["--strict", "--encoding", "windows-1251"]), [3, 1, 0, 2]);
    assert_eq!(bench.ok(&["games", "--player", "Карпов", "--count"]), "1\n");
    assert_eq!(retried(&bench, &["--letters", "de"]), [2, 1, 0, 1]);
    assert_eq!(retried(&bench, &["--keep-broken"]), [1, 1, 0, 0]);
    assert!(kept(&bench).is_empty());
    assert_eq!(retried(&bench, &[]), [0; 4]);
    let game = bench.ok(&["export", "--tag", "Broken"]);
    assert!(game.contains("[Broken \"2. Ke3\"]"), "{game}");
    let origin = bench.json(&["show", "4", "--format", "json"])["source"].to_string();
    assert!(origin.contains("games.pgn (retried)"), "{origin}");
    let log = bench.ok(&["log"]);
    assert_eq!(log.matches("Imported games.pgn (retried)").count(), 3, "{log}");
    // The file is still one that was imported.
    assert_eq!(bench.import(&["games.pgn"])["met"][0]["how"], "done");
    check(&bench);
}

#[test]
fn a_text_in_a_multi_byte_encoding_is_read_in_it() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), b"[White \"\xb6\xa1\xc1\xa2\xc8\xcb\"]\n\n1. c4 *\n").unwrap();
    bench.import(&["games.pgn", "--strict", "--keep-rejects"]);
    assert_eq!(retried(&bench, &["--encoding", "utf-16le"]), [1, 0, 0, 1]);
    assert_eq!(retried(&bench, &["--encoding", "gbk"]), [1, 1, 0, 0]);
    assert_eq!(bench.ok(&["games", "--player", "丁立人", "--count"]), "1\n");
}

#[test]
fn a_game_that_the_archive_has_by_now_leaves_the_rejected_games() {
    let bench = bench();
    bench.import(&["games.pgn", "--again", "--letters", "de"]);
    assert_eq!(retried(&bench, &["--letters", "de"]), [3, 0, 2, 1]);
    assert_eq!(bench.json(&["rejects", "--format", "json"]).as_array().unwrap().len(), 1);
}

#[test]
fn undoing_a_retry_restores_the_rejected_games() {
    let bench = bench();
    let (before, games) = (kept(&bench), bench.ok(&["export"]));
    bench.run(&["retry", "--letters", "de"]);
    let (after, more) = (kept(&bench), bench.ok(&["export"]));
    assert!(after != before && more != games);
    for _ in 0..2 {
        bench.ok(&["undo"]);
        assert!(kept(&bench) == before && bench.ok(&["export"]) == games);
        check(&bench);
        bench.ok(&["redo"]);
        assert!(kept(&bench) == after && bench.ok(&["export"]) == more);
        check(&bench);
    }
    bench.ok(&["undo"]);
    assert_eq!(retried(&bench, &["--letters", "de"]), [3, 2, 0, 1]);
    assert!(bench.ok(&["export"]) == more);
}

#[test]
fn undoing_an_import_removes_what_it_kept_and_redoing_brings_it_back() {
    let bench = bench();
    fs::write(bench.path("more.pgn"), "1. e4 Ke4 *\n\n[White \"C\"]\n\n1. d4 d5 2. Ke3 *\n").unwrap();
    let before = kept(&bench);
    bench.import(&["more.pgn", "--keep-rejects"]);
    let after = kept(&bench);
    bench.ok(&["undo", "2"]);
    assert!(kept(&bench) == before);
    bench.ok(&["redo", "2"]);
    assert!(kept(&bench) == after);
    bench.ok(&["undo", "1"]);
    // What the second import had found again belongs to the first.
    assert!(text(&kept(&bench)).ends_with("1. e4 Ke4 *\n\n"));
    bench.ok(&["redo"]);
    assert!(kept(&bench) == after);
    check(&bench);
}

#[test]
fn compact_keeps_rejected_games_unless_they_are_to_be_deleted() {
    let bench = bench();
    bench.run(&["retry", "--letters", "de"]);
    let left = kept(&bench);
    assert!(bench.ok(&["compact", "--yes"]).contains("the log of 1 change"));
    assert!(kept(&bench) == left && !left.is_empty());
    // The rejected games of the retry cannot be restored any more.
    assert!(bench.refused(&["undo", "2"]).contains("there is no change 2"));
    assert!(bench.ok(&["compact", "--yes"]).contains("the log is empty"));
    assert!(bench.ok(&["compact", "--rejects", "--yes"]).contains("deleted 1 game kept as rejected"));
    assert!(kept(&bench).is_empty());
    let list = bench.run(&["rejects"]);
    assert_eq!((list.status.code(), text(&list.stdout)), (Some(1), "no games\n".to_owned()));
    check(&bench);
}

#[test]
fn a_damaged_rejected_game_is_found_and_is_not_read() {
    for damage in ["text = x'28b52ffd00'", "reason = 'other'", "number = 7"] {
        let bench = bench();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(&format!("UPDATE plybook_reject SET {damage} WHERE number = 3")).unwrap();
        drop(db);
        let verified = bench.run(&["verify"]);
        let report = text(&verified.stdout);
        assert!(verified.status.code() == Some(1) && report.contains("of plybook_reject: "), "{report}");
        assert!(bench.refused(&["rejects", "--format", "pgn"]).contains("of plybook_reject: "));
        let refused = bench.refused(&["retry", "--letters", "de"]);
        assert!(refused.contains("rows have changed"), "{refused}");
        assert_eq!(bench.ok(&["games", "--count"]), "1\n");
        let salvaged = bench.run(&["salvage", "plybook.db", "--output", "new.db"]);
        assert_eq!(salvaged.status.code(), Some(1));
        assert_eq!(bench.json(&["rejects", "-a", "new.db", "--format", "json"]).as_array().unwrap().len(), 2);
    }
}

#[test]
fn copies_of_an_archive_keep_its_rejected_games() {
    let bench = bench();
    let all = kept(&bench);
    let of = |archive: &str| bench.run(&["rejects", "--format", "pgn", "-a", archive]).stdout;
    bench.ok(&["backup", "backup.db"]);
    bench.ok(&["salvage", "plybook.db", "--output", "salvaged.db"]);
    bench.ok(&["merge", "plybook.db", "backup.db", "-o", "merged.db"]);
    bench.ok(&["split", "plybook.db", "--parts", "1", "--into", "parts"]);
    bench.ok(&["copy", "1", "-o", "some.db"]);
    for copy in ["backup.db", "salvaged.db", "merged.db", "parts/part-0001.db"] {
        assert!(of(copy) == all, "{copy}: {}", String::from_utf8_lossy(&of(copy)));
        assert!(text(&bench.run(&["verify", "-a", copy]).stdout).contains("all intact"), "{copy}");
    }
    assert!(of("some.db").is_empty());
    assert_eq!(version(&bench, "some.db"), 4);
    // The merged archive can be retried, and its import undone.
    bench.run(&["retry", "--letters", "de", "-a", "merged.db"]);
    bench.ok(&["undo", "-a", "merged.db"]);
    assert!(of("merged.db") == all);
    bench.ok(&["undo", "1", "-a", "merged.db"]);
    assert!(of("merged.db").is_empty());
}

#[test]
fn what_has_no_text_or_too_much_is_counted_as_not_kept() {
    let bench = Bench::new();
    let comment = format!("{{{}}} ", "x".repeat(400_000));
    fs::write(bench.path("games.pgn"), format!("1. e4 {0} e5 {0} 2. Nf3 {0} Ke4 *\n\n1. Ke3 *\n", comment))
        .unwrap();
    let report = bench.import(&["games.pgn", "--keep-rejects"]);
    assert_eq!([&report["rejects_kept"], &report["rejects_not_kept"]], [1, 1], "{report}");
    let said = text(&bench.run(&["import", "games.pgn", "--again", "--keep-rejects"]).stdout);
    assert!(said.contains("not kept     1 of the rejected games: "), "{said}");
    assert!(
        bench.refused_usage(&["import", "games.pgn", "--keep-rejects", "--into", "parts"]).contains("--into")
    );
}

#[test]
fn a_text_that_two_imports_had_is_kept_again_after_the_first_is_undone() {
    let bench = Bench::new();
    let bad = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n";
    std::fs::write(bench.path("one.pgn"), bad).unwrap();
    std::fs::write(bench.path("two.pgn"), format!("[White \"B\"]\n\n1. d4 *\n\n{bad}")).unwrap();
    let import =
        |name| bench.json(&["import", name, "--keep-rejects", "--allow-rejects", "--format", "json"]);
    import("one.pgn");
    import("two.pgn");
    bench.ok(&["undo", "1"]);
    assert!(!text(&bench.run(&["rejects"]).stdout).contains("Ke3"));
    assert_eq!(import("two.pgn")["met"][0]["how"], serde_json::Value::Null);
    assert!(bench.ok(&["rejects"]).contains("two.pgn"));
    // One that kept none lets nobody read anything again.
    std::fs::write(bench.path("three.pgn"), "[White \"C\"]\n\n1. c4 *\n").unwrap();
    std::fs::write(bench.path("four.pgn"), format!("[White \"D\"]\n\n1. f4 *\n\n{bad}")).unwrap();
    bench.import(&["three.pgn"]);
    import("four.pgn");
    bench.ok(&["undo", &bench.ok(&["log"]).lines().find(|row| row.contains("three")).unwrap()[..1]]);
    assert_eq!(import("four.pgn")["met"][0]["how"], "done");
}

#[test]
fn the_texts_are_written_to_a_file_that_an_import_reads() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), games()).unwrap();
    bench.json(&["import", "games.pgn", "--keep-rejects", "--allow-rejects", "--format", "json"]);
    bench.ok(&["rejects", "-o", "bad.pgn"]);
    assert_eq!(fs::read(bench.path("bad.pgn")).unwrap(), bench.run(&["rejects", "--format", "pgn"]).stdout);
    let again = ["import", "bad.pgn", "--letters", "auto", "--keep-broken", "-a", "b.db", "--format", "json"];
    let report = bench.json(&again);
    assert_eq!((&report["stored"], &report["rejected"]), (&2.into(), &0.into()), "{report}");
}
