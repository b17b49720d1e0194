//! Archives of every version stay readable; opening one never changes anything that it should not.

use std::{fs, path::PathBuf};

use crate::common::{Bench, data, text};
use plybook::archive::{Archive, ArchiveError, LATEST_VERSION, VERSION, WritableArchive};
use rusqlite::Connection;

/// The stored archives of each version.
fn kept() -> Vec<(i64, PathBuf)> {
    let files = fs::read_dir(data("archives")).unwrap().map(|entry| entry.unwrap().path());
    let mut kept: Vec<_> =
        files.map(|path| (path.file_stem().unwrap().to_str().unwrap()[1..].parse().unwrap(), path)).collect();
    kept.sort();
    kept
}

#[test]
fn an_archive_is_kept_of_every_version_that_can_be_written() {
    let versions: Vec<i64> = kept().into_iter().map(|(version, _)| version).collect();
    assert_eq!(versions, (1..=LATEST_VERSION).collect::<Vec<_>>());
    for (version, path) in kept() {
        assert_eq!(Archive::open(path).unwrap().version().unwrap(), version);
    }
}

#[test]
fn changes_of_a_kept_archive_can_still_be_undone_and_redone() {
    let bench = Bench::new();
    fs::copy(data("archives/v5.db"), bench.path("plybook.db")).unwrap();
    let changes = bench.ok(&["log"]);
    let what = ["Edited Saavedra", "(undone)", "Removed A – B"];
    assert!(what.iter().all(|what| changes.contains(what)), "{changes}");
    let before = bench.ok(&["export"]);
    bench.ok(&["undo"]);
    assert!(bench.ok(&["show", "10"]).contains("kept?"));
    bench.ok(&["redo"]);
    assert!(bench.ok(&["export"]) == before);
    // What was removed is not imported again.
    let removed = "[Event \"Removed\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 {kept?} e5 *\n";
    fs::write(bench.path("removed.pgn"), removed).unwrap();
    assert_eq!(bench.import(&["removed.pgn"])["stored"], 0);
    assert!(bench.ok(&["verify"]).contains("9 games, 377 plies: all intact"));
}

#[test]
fn imports_of_a_kept_archive_can_still_be_undone_and_redone() {
    let bench = Bench::new();
    fs::copy(data("archives/v6.db"), bench.path("plybook.db")).unwrap();
    let before = bench.ok(&["export"]);
    assert!(before.contains("a rook") && !before.contains("Undone"), "{before}");
    bench.ok(&["redo"]);
    assert!(bench.ok(&["export"]).contains("Undone"));
    bench.ok(&["undo"]);
    bench.ok(&["undo"]);
    assert!(!bench.ok(&["export"]).contains("a rook"));
    bench.ok(&["redo"]);
    assert!(bench.ok(&["export"]) == before);
    assert!(bench.ok(&["verify"]).contains("9 games, 377 plies: all intact"));
}

#[test]
fn rejected_games_of_a_kept_archive_can_still_be_read() {
    let bench = Bench::new();
    fs::copy(data("archives/v7.db"), bench.path("plybook.db")).unwrap();
    let rejects = || text(&bench.run(&["rejects", "--format", "pgn"]).stdout);
    let both = rejects();
    let second = "% rejected.pgn: game 2, line 7, byte 59: 2.Ke3 is not a legal move\n[White \"Ke\"]\n\n1. d4 d5 2. Ke3 *\n\n";
    assert!(both.ends_with(second) && both.contains("Sf3"), "{both}");
    bench.ok(&["redo"]);
    assert_eq!(rejects(), second);
    bench.ok(&["retry", "--keep-broken"]);
    assert!(rejects().is_empty() && bench.ok(&["games", "--count"]) == "11\n");
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn an_archive_of_every_version_is_migrated_with_all_its_games() {
    for (version, kept) in kept() {
        let bench = Bench::new();
        fs::copy(&kept, bench.path("plybook.db")).unwrap();
        if version < VERSION {
            // Reading changes nothing and leaves no files.
            let games = bench.ok(&["export"]);
            assert_eq!(bench.ok(&["games"]).lines().count(), 11);
            assert!(bench.ok(&["show", "9", "--ply", "4"]).contains(" w "));
            assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 1);
            assert!(fs::read(bench.path("plybook.db")).unwrap() == fs::read(&kept).unwrap());
            let said = bench.ok(&["migrate"]);
            assert!(said.contains(&format!("from version {version} to {VERSION}")), "{said}");
            assert!(bench.ok(&["export"]) == games);
        }
        assert!(bench.ok(&["migrate"]).contains("already at version"));
        assert!(bench.ok(&["verify"]).contains("9 games, 377 plies: all intact"));
        let famous = fs::read_to_string(data("famous.pgn")).unwrap();
        let six = famous.match_indices("\n[Event ").nth(5).unwrap().0;
        assert!(bench.ok(&["export"]).starts_with(famous[..six].trim_end()));
        assert_eq!(bench.json(&["games", "--format", "json", "--id", "7"])[0]["variant"], "Chess960");
    }
}

/// A modified copy of a stored archive.
fn changed(version: i64, sql: &str) -> Bench {
    let (bench, kept) = (Bench::new(), data(&format!("archives/v{version}.db")));
    fs::copy(kept, bench.path("plybook.db")).unwrap();
    Connection::open(bench.path("plybook.db")).unwrap().execute_batch(sql).unwrap();
    bench
}

#[test]
fn verify_reports_what_an_archive_without_checksums_cannot_prove() {
    let bench = changed(2, "UPDATE source SET name = 'other.pgn' WHERE id = 2");
    let verdict = || {
        let output = bench.run(&["verify"]);
        (output.status.code(), text(&output.stdout))
    };
    let (code, said) = verdict();
    assert!(said.contains("not verified: 0 original texts and 4 sources of games"), "{said}");
    assert!(said.contains("the rest is intact") && code == Some(1), "{said}");
    // From now on, but not for the past.
    bench.ok(&["migrate"]);
    let (code, said) = verdict();
    assert!(said.contains("4 sources of games, which may have changed before they got checksums"), "{said}");
    assert!(said.contains("all intact") && code == Some(0), "{said}");
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE source SET name = 'third.pgn' WHERE id = 2").unwrap();
    let (code, said) = verdict();
    assert!(said.contains("source 2: rows have changed") && code == Some(1), "{said}");
}

#[test]
fn damaged_archives_get_no_checksums() {
    for (version, sql) in [
        (1, "UPDATE game SET result = 1 WHERE id = 2"),
        (2, "UPDATE game SET result = 1 WHERE id = 2"),
        (2, "UPDATE source SET seen = seen + 1 WHERE id = 1"),
    ] {
        let bench = changed(version, sql);
        for refused in
            [bench.refused(&["migrate"]), bench.refused(&["import", data("famous.pgn").to_str().unwrap()])]
        {
            assert!(refused.contains("was not upgraded"), "{refused}");
            assert!(refused.contains("plybook salvage"), "{refused}");
        }
        // Its intact part can be salvaged.
        let saved = bench.run(&["salvage", "plybook.db", "-o", "new.db"]);
        assert!(matches!(saved.status.code(), Some(0 | 1)), "{}", text(&saved.stderr));
        assert!(bench.ok(&["verify", "-a", "new.db"]).contains("all intact"));
    }
}

#[test]
fn an_import_migrates_an_older_archive() {
    let bench = Bench::new();
    fs::copy(&kept()[0].1, bench.path("plybook.db")).unwrap();
    let report = bench.import(&[data("famous.pgn").to_str().unwrap()]);
    assert_eq!((&report["duplicate"], &report["stored"]), (&6.into(), &56.into()));
    assert_eq!((&report["migrated_from"], report["met"].as_array().unwrap().len()), (&1.into(), 0));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn a_backup_of_an_older_archive_keeps_its_version() {
    let bench = Bench::new();
    fs::copy(data("archives/v2.db"), bench.path("plybook.db")).unwrap();
    bench.ok(&["backup", "saved.db"]);
    let version = |name: &str| {
        let db = Connection::open(bench.path(name)).unwrap();
        db.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!((version("plybook.db"), version("saved.db")), (2, 2));
    assert_eq!(bench.ok(&["export", "-a", "saved.db"]), bench.ok(&["export"]));
}

#[test]
fn an_empty_file_is_not_migrated() {
    let bench = Bench::new();
    fs::write(bench.path("plybook.db"), "").unwrap();
    assert!(bench.refused(&["migrate"]).contains("the file is empty"));
    assert_eq!(fs::metadata(bench.path("plybook.db")).unwrap().len(), 0);
}

#[test]
fn failed_migrations_print_one_line_and_change_nothing() {
    let bench = Bench::new();
    let path = bench.path("plybook.db");
    for harm in [
        "DROP TABLE fingerprint",
        "PRAGMA foreign_keys = OFF; DROP TABLE player",
        "ALTER TABLE game RENAME COLUMN plies TO p",
    ] {
        fs::copy(&kept()[0].1, &path).unwrap();
        Connection::open(&path).unwrap().execute_batch(harm).unwrap();
        let before = fs::read(&path).unwrap();
        assert!(bench.refused(&["migrate"]).starts_with("plybook: plybook.db: "), "{harm}");
        assert_eq!(fs::read(&path).unwrap(), before, "{harm}");
    }
}

#[test]
fn an_older_archive_with_foreign_objects_is_refused_and_left_alone() {
    let bench = Bench::new();
    let path = bench.path("plybook.db");
    for (_, archive) in kept().iter().skip(1) {
        fs::copy(archive, &path).unwrap();
        let db = Connection::open(&path).unwrap();
        db.execute_batch("CREATE TRIGGER evil AFTER INSERT ON game BEGIN DELETE FROM game; END").unwrap();
        drop(db);
        let before = fs::read(&path).unwrap();
        assert!(matches!(WritableArchive::migrate(&path), Err(ArchiveError::Foreign(..))));
        assert!(matches!(Archive::open(&path), Err(ArchiveError::Foreign(..))));
        assert!(fs::read(&path).unwrap() == before);
    }
}

#[test]
fn an_older_archive_with_foreign_views_is_read_and_salvaged() {
    for sql in [
        "CREATE VIEW mine AS SELECT white, count(*) FROM games GROUP BY 1",
        "CREATE VIEW mine AS SELECT no_such_column FROM form",
    ] {
        let bench = changed(3, sql);
        assert_eq!(bench.ok(&["games"]).lines().count(), 11, "{sql}");
        bench.ok(&["salvage", "plybook.db", "-o", "new.db"]);
        assert_eq!(bench.ok(&["export", "-a", "new.db"]), bench.ok(&["export"]));
    }
    let bench = changed(3, "CREATE VIEW mine AS SELECT white FROM games");
    bench.ok(&["migrate"]);
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let named: i64 = db.query_row("SELECT count(white) FROM mine", [], |row| row.get(0)).unwrap();
    assert_eq!(named, 9);
}

#[test]
fn a_view_name_that_is_already_in_use_does_not_prevent_writing() {
    for sql in ["CREATE TABLE GAMES (a)", "CREATE VIEW Games AS SELECT 1", "CREATE INDEX games ON game (eco)"]
    {
        let bench = Bench::with_games();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(&format!("DROP VIEW games; {sql}")).unwrap();
        drop(db);
        bench.ok(&["import", "--quiet", data("setup.pgn").to_str().unwrap()]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{sql}");
    }
}

#[test]
fn an_archive_left_in_write_ahead_mode_is_read_without_creating_a_file() {
    let bench = Bench::with_games();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("PRAGMA journal_mode = WAL; UPDATE game SET plies = plies WHERE id = 1").unwrap();
    drop(db);
    let files = || fs::read_dir(bench.folder.path()).unwrap().count();
    assert_eq!((files(), bench.ok(&["games"]).is_empty(), files()), (1, false, 1));
    // The control: SQLite itself creates a log to read it.
    let plain =
        Connection::open_with_flags(bench.path("plybook.db"), rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
            .unwrap();
    plain.query_row("SELECT count(*) FROM game", [], |_| Ok(())).unwrap();
    assert!(files() > 1);
}

#[test]
fn large_games_get_small_pages() {
    let bench = Bench::new();
    let page = |name: &str, source: Option<u64>, game: u64| -> u32 {
        let path = bench.path(name);
        WritableArchive::create_or_open_for(&path, source, game).unwrap().finish().unwrap();
        Connection::open(&path).unwrap().query_row("PRAGMA page_size", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(page("small.db", Some(1 << 20), 100), 4096);
    assert_eq!(page("large.db", Some(1 << 30), 4095), 16384);
    assert_eq!(page("unknown.db", None, 100), 8192);
    assert_eq!(page("comments.db", Some(1 << 30), 4096), 4096);
    assert_eq!(page("piped comments.db", None, 9_000), 4096);
}

#[test]
fn a_version_older_than_the_tables_is_a_plain_message_and_the_games_are_salvaged() {
    let mut files = kept();
    let bench = changed(4, "");
    bench.ok(&["tag", "1", "Site=Q"]);
    files.push((5, bench.path("plybook.db")));
    for (version, archive) in &files {
        // Version 6 has the tables of version 5, and version 9 those of any before it.
        let tables = match *version {
            6 => 5,
            9 => 4,
            version => version,
        };
        for wrong in 1..tables {
            let bench = Bench::new();
            fs::copy(archive, bench.path("plybook.db")).unwrap();
            let db = Connection::open(bench.path("plybook.db")).unwrap();
            db.pragma_update(None, "user_version", wrong).unwrap();
            drop(db);
            let before = fs::read(bench.path("plybook.db")).unwrap();
            fs::copy(archive, bench.path("sound.db")).unwrap();
            for command in [
                &["games"][..],
                &["verify"],
                &["migrate"],
                &["index"],
                &["tag", "1", "Site=X"],
                &["undo"],
                &["backup", "saved.db"],
                &["import", "sound.db", "-a", "plybook.db"],
            ] {
                let said = bench.refused(command);
                let what = format!("its format version is {wrong}, but it has tables of version {tables}");
                assert!(said.contains(&what) && said.contains("plybook salvage"), "{command:?}: {said}");
            }
            assert!(fs::read(bench.path("plybook.db")).unwrap() == before);
            bench.ok(&["salvage", "plybook.db", "-o", "new.db"]);
            assert_eq!(bench.ok(&["export", "-a", "new.db"]), bench.ok(&["export", "-a", "sound.db"]));
        }
    }
}

#[test]
fn an_archive_of_a_later_version_is_refused_by_name_by_every_command() {
    for version in [LATEST_VERSION + 1, 99, i32::MAX.into()] {
        let bench = changed(4, &format!("PRAGMA user_version = {version}"));
        for command in
            [&["games"][..], &["verify"], &["tag", "1", "Site=X"], &["salvage", "plybook.db", "-o", "new.db"]]
        {
            let said = bench.refused(command);
            assert!(said.contains(&format!("format version {version}")), "{command:?}: {said}");
            assert!(said.contains("update plybook"), "{command:?}: {said}");
        }
        assert!(!bench.path("new.db").exists());
    }
}

#[test]
fn a_sound_backup_is_not_replaced_by_a_copy_with_a_fault() {
    let bench = Bench::with_games();
    bench.ok(&["index", "-q"]);
    bench.ok(&["backup", "saved.db"]);
    let sound = fs::read(bench.path("saved.db")).unwrap();
    for (damage, what) in [
        ("UPDATE game SET moves = x'0102' WHERE id = 9", "game 9"),
        ("UPDATE game SET plies = plies + 1 WHERE id = 9", "game 9"),
        ("UPDATE player SET name = 'X' WHERE id = 1", "game 1"),
        ("UPDATE segment_block SET data = x'00' WHERE id & 1 = 0", "index"),
    ] {
        let damaged = bench.twin();
        Connection::open(damaged.path("plybook.db")).unwrap().execute_batch(damage).unwrap();
        assert_eq!(damaged.run(&["verify"]).status.code(), Some(1), "{damage}");
        let said = damaged.refused(&["backup", "saved.db", "--force"]);
        assert!(said.contains("saved.db: the copy is damaged: ") && said.contains(what), "{damage}: {said}");
        assert!(said.contains("plybook verify -a plybook.db"), "{damage}: {said}");
        assert!(fs::read(damaged.path("saved.db")).unwrap() == sound, "{damage}");
        assert_eq!(fs::read_dir(damaged.folder.path()).unwrap().count(), 2, "{damage}");
        // Nothing is lost if the copy is a new file.
        damaged.ok(&["backup", "new.db"]);
    }
    bench.ok(&["tag", "1", "Site=Q"]);
    bench.ok(&["backup", "saved.db", "--force"]);
    assert_eq!(bench.ok(&["export", "-a", "saved.db"]), bench.ok(&["export"]));
    assert!(bench.ok(&["backup", "--help"]).contains("as \"plybook verify\" does"));
}

#[test]
fn games_of_a_kept_archive_stay_marked_as_different() {
    let different = Archive::open(data("archives/v8.db")).unwrap().different_games().unwrap();
    assert!(different.has([1, 2]) && different.has([2, 1]) && !different.has([1, 3]));
}
