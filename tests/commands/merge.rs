//! Archives are merged by importing them: each of their games is stored, a duplicate or rejected; damaged data is never
//! copied silently.

use std::{fs, process::Stdio, thread::sleep, time::Duration};

use crate::common::{Bench, Random, data, many_games, text, totals, trials};
use rusqlite::Connection;

/// Two archives with games in common, and one with everything imported from their sources.
fn two_and_all(bench: &Bench) {
    let games = many_games(260);
    let half = games.match_indices("[Event ").nth(160).unwrap().0;
    let other = games.match_indices("[Event ").nth(120).unwrap().0;
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    fs::write(bench.path("b.pgn"), &games[other..]).unwrap();
    let latin1 = b"[Event \"latin\"]\n[White \"M\xfcller\"]\n\n1. e4 e5 2. Sf3 {caf\xe9} *\n";
    fs::write(bench.path("latin.pgn"), latin1).unwrap();
    let more: Vec<String> = ["annotated.pgn", "chess960.pgn", "setup.pgn", "xelto"]
        .iter()
        .map(|name| data(name).to_str().unwrap().to_owned())
        .collect();
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let (b, all) =
        (["b.pgn", "latin.pgn", "--letters", "auto"], ["a.pgn", "b.pgn", "latin.pgn", "--letters", "auto"]);
    bench.import(&["a.pgn", "-a", "a.db", "--letters", "auto"]);
    bench.import(&[&b[..], &more, &["-a", "b.db"]].concat());
    bench.import(&[&all[..], &more, &["-a", "all.db"]].concat());
}

fn exported(bench: &Bench, archive: &str, original: bool) -> Vec<u8> {
    let arguments = ["export", "-a", archive, "--original"];
    let output = bench.run(&arguments[..if original { 4 } else { 3 }]);
    // Xelto games are skipped in PGN.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    output.stdout
}

fn change(bench: &Bench, archive: &str, sql: &str) {
    let changed = Connection::open(bench.path(archive)).unwrap().execute(sql, []).unwrap();
    assert_eq!(changed, 1, "{sql}");
}

#[test]
fn a_merged_archive_has_the_games_of_its_sources() {
    let bench = Bench::new();
    two_and_all(&bench);
    for threads in ["1", "5"] {
        let name = format!("merged{threads}.db");
        let report = bench.import(&["a.db", "b.db", "-a", &name, "--threads", threads]);
        let number = |key: &str| report[key].as_i64().unwrap();
        assert_eq!(number("seen"), number("stored") + number("duplicate"));
        assert!(number("duplicate") > 20, "{report}");
        for original in [false, true] {
            let (merged, all) = (exported(&bench, &name, original), exported(&bench, "all.db", original));
            assert!(merged == all, "{name}, {original}");
        }
        let of_xelto = |archive: &str| bench.ok(&["export", "-a", archive, "--variant", "xelto"]);
        assert_eq!(of_xelto(&name), of_xelto("all.db"));
        assert!(of_xelto(&name).len() > 20);
        assert!(exported(&bench, &name, true).windows(7).any(|window| window == b"M\xfcller\""));
        bench.ok(&["verify", "-a", &name]);
        assert_eq!(totals(&bench.path(&name))[1], number("stored"));
    }
    let source: String = Connection::open(bench.path("merged1.db"))
        .unwrap()
        .query_row("SELECT group_concat(name) FROM source", [], |row| row.get(0))
        .unwrap();
    assert_eq!(source, "a.db,b.db");
}

#[test]
fn an_archive_is_recognized_by_its_content() {
    let bench = Bench::with_games();
    fs::rename(bench.path("plybook.db"), bench.path("games.pgn")).unwrap();
    let report = bench.import(&["games.pgn", "-a", "new.db"]);
    assert!(report["stored"].as_u64().unwrap() > 5 && report["rejected"] == 0, "{report}");
    for packed in [false, true] {
        let mut bytes = fs::read(bench.path("games.pgn")).unwrap();
        if packed {
            bytes = zstd::encode_all(bytes.as_slice(), 1).unwrap();
        }
        let output = bench.feed(&["import", "-", "-a", "other.db"], &bytes);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("this is a plybook archive"), "{error}");
        assert!(!bench.path("other.db").exists());
    }
}

#[test]
fn merged_games_are_not_merged_again() {
    let bench = Bench::new();
    let games = many_games(120);
    let half = games.match_indices("[Event ").nth(60).unwrap().0;
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    bench.import(&["a.pgn", "-a", "a.db"]);
    let first = bench.import(&["a.db", "-a", "all.db"]);
    let again = bench.import(&["a.db", "-a", "all.db"]);
    assert_eq!((&again["seen"], &again["met"][0]["how"]), (&0.into(), &"done".into()));
    let twice = bench.import(&["a.db", "-a", "all.db", "--again"]);
    assert_eq!((&twice["seen"], &twice["duplicate"]), (&first["stored"], &first["stored"]));

    fs::write(bench.path("b.pgn"), &games[half..]).unwrap();
    bench.import(&["b.pgn", "-a", "a.db"]);
    fs::remove_file(bench.path("all.db")).unwrap();
    fs::copy(bench.path("a.db"), bench.path("whole.db")).unwrap();
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    fs::remove_file(bench.path("a.db")).unwrap();
    bench.import(&["a.pgn", "-a", "a.db"]);
    bench.import(&["a.db", "-a", "all.db"]);
    bench.import(&["b.pgn", "-a", "a.db"]);
    let grown = bench.import(&["a.db", "-a", "all.db"]);
    assert_eq!(grown["met"][0]["how"], "grown", "{grown}");
    assert_eq!(grown["duplicate"], 0);
    assert!(exported(&bench, "all.db", false) == exported(&bench, "whole.db", false));
    bench.ok(&["verify", "-a", "all.db"]);

    // An archive of other games with the same file name.
    fs::copy(bench.path("whole.db"), bench.path("a.db")).unwrap();
    change(&bench, "a.db", "UPDATE game SET round = 77 WHERE id = 3");
    let changed = bench.import(&["a.db", "-a", "all.db"]);
    assert_eq!(changed["met"][0]["how"], "changed", "{changed}");
    assert_eq!((&changed["stored"], &changed["rejected"]), (&0.into(), &1.into()));
}

#[test]
fn a_damaged_game_is_rejected_with_its_location_and_the_others_are_merged() {
    let bench = Bench::new();
    two_and_all(&bench);
    let annotated = "(SELECT game FROM annotation ORDER BY game LIMIT 1 OFFSET 1)";
    for (sql, what) in [
        ("UPDATE game SET moves = x'01020304' WHERE id = 5".to_owned(), "damaged"),
        ("UPDATE game SET plies = plies + 1 WHERE id = 5".to_owned(), "plies"),
        ("UPDATE game SET white = black WHERE id = 5".to_owned(), "fingerprint"),
        (
            "UPDATE original SET game = game + 1 WHERE game = (SELECT max(game) FROM original)".to_owned(),
            "original",
        ),
        ("DELETE FROM game WHERE id = 5".to_owned(), "missing"),
        (format!("UPDATE annotation SET marks = x'00' WHERE game = {annotated}"), ""),
    ] {
        fs::copy(bench.path("b.db"), bench.path("bad.db")).unwrap();
        let whole = bench.import(&["bad.db", "-a", "whole.db"]);
        change(&bench, "bad.db", &sql);
        let report = bench.import(&["bad.db", "-a", "part.db", "--rejects", "bad.pgn"]);
        let rejected = report["rejected"].as_u64().unwrap();
        assert!((1..=2).contains(&rejected), "{sql}: {report}");
        assert_eq!(report["seen"], whole["seen"], "{sql}");
        assert_eq!(report["stored"].as_u64().unwrap() + rejected, whole["stored"].as_u64().unwrap(), "{sql}");
        let reason = report["rejects"][0]["reason"].as_str().unwrap();
        assert!(reason.contains(what), "{sql}: {reason}");
        assert!(fs::read_to_string(bench.path("bad.pgn")).unwrap().contains("bad.db"), "{sql}");
        bench.ok(&["verify", "-a", "part.db"]);
        for name in ["bad.db", "whole.db", "part.db", "bad.pgn"] {
            fs::remove_file(bench.path(name)).unwrap();
        }
    }
}

#[test]
fn missing_games_are_reported() {
    let bench = Bench::with_games();
    change(&bench, "plybook.db", "DELETE FROM game WHERE id = (SELECT max(id) FROM game)");
    let output = bench.run(&["import", "plybook.db", "-a", "new.db"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("plybook.db: it has fingerprints of"), "{error}");

    // Values that no intact archive has: nothing is merged.
    change(&bench, "plybook.db", "UPDATE key_run SET keys = 1 << 33 WHERE kind = 1");
    let output = bench.run(&["import", "plybook.db", "-a", "other.db"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("plybook salvage"), "{}", text(&output.stderr));
    assert!(!bench.path("other.db").exists());
}

#[test]
fn an_archive_is_never_merged_into_itself() {
    let bench = Bench::with_games();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let mut names = vec!["plybook.db", "./plybook.db"];
    fs::hard_link(bench.path("plybook.db"), bench.path("hard.db")).unwrap();
    names.push("hard.db");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("plybook.db", bench.path("soft.db")).unwrap();
        names.push("soft.db");
    }
    for name in names {
        let error = bench.refused(&["import", name]);
        assert!(error.contains("archive"), "{error}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{name}");
    }
}

#[test]
fn older_archives_are_merged_or_the_error_tells_what_to_do() {
    let bench = Bench::new();
    for entry in fs::read_dir(data("archives")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "db") {
            continue;
        }
        let output = bench.run(&["import", path.to_str().unwrap(), "-a", "new.db"]);
        let error = text(&output.stderr);
        match output.status.code() {
            Some(0) => bench.ok(&["verify", "-a", "new.db"]),
            Some(2) => {
                assert!(error.contains("plybook migrate"), "{error}");
                continue;
            }
            other => panic!("{path:?}: {other:?} {error}"),
        };
        let whole = bench.run(&["export", "-a", path.to_str().unwrap()]).stdout;
        assert!(exported(&bench, "new.db", false) == whole, "{path:?}");
        fs::remove_file(bench.path("new.db")).unwrap();
    }
}

#[test]
fn a_killed_merge_continues() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), many_games(1500)).unwrap();
    bench.import(&["a.pgn", "-a", "a.db"]);
    let expected = exported(&bench, "a.db", false);
    let mut random = Random(5);
    for trial in 0..trials(6, 300) {
        let archive = format!("{trial}.db");
        let arguments = ["import", "a.db", "-a", &archive, "--commit-every", "50"];
        let mut merge = bench.command(&arguments).stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.below(120) as u64));
        let _ = merge.kill();
        merge.wait().unwrap();
        let report = bench.import(&arguments[1..]);
        assert_eq!(report["rejected"], 0, "{report}");
        assert!(exported(&bench, &archive, false) == expected, "{report}");
        bench.ok(&["verify", "-a", &archive]);
        totals(&bench.path(&archive));
    }
}

#[cfg(unix)]
#[test]
fn games_in_the_log_of_an_archive_behind_a_link_are_not_treated_as_imported() {
    let bench = Bench::new();
    fs::create_dir(bench.path("folder")).unwrap();
    std::os::unix::fs::symlink("folder/a.db", bench.path("link.db")).unwrap();
    let games = many_games(60);
    let half = games.match_indices("[Event ").nth(20).unwrap().0;
    for (text, archive) in [(&games[..half], "folder/a.db"), (&games[half..], "folder/a.db")] {
        // An open reader prevents a checkpoint of the log.
        let reader = (text.len() > half).then(|| {
            let db = rusqlite::Connection::open(bench.path(archive)).unwrap();
            db.execute_batch("PRAGMA journal_mode = WAL; BEGIN; SELECT count(*) FROM game").unwrap();
            db
        });
        fs::write(bench.path("games.pgn"), text).unwrap();
        bench.import(&["games.pgn", "-a", archive]);
        bench.import(&["link.db", "-a", "merged.db"]);
        assert_eq!(bench.ok(&["export", "-a", "merged.db"]), bench.ok(&["export", "-a", archive]));
        drop(reader);
    }
}
