//! `plybook index`: the index of positions is built, extended and taken away; other commands keep it, count it, or say
//! that it is to be built anew.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod index_support;

use std::fs;

use common::{Bench, data, many_games, text};
use index_support::{answers, indexed, positions, segments};
use plybook::archive::{Archive, ArchiveError};
use rusqlite::Connection;

/// What two archives answer is the same.
fn answer_alike(bench: &Bench, one: &str, other: &str) {
    let positions = positions(&Archive::open(bench.path(one)).unwrap());
    let answers = [one, other].map(|name| answers(&bench.path(name), &positions).unwrap());
    assert!(answers[0].iter().filter(|(games, _)| games.len() >= 16).count() > 5, "popular positions");
    assert!(answers[0].iter().filter(|(games, _)| games.is_empty()).count() > 5, "absent positions");
    for ((one, other), position) in answers[0].iter().zip(&answers[1]).zip(&positions) {
        assert_eq!(one, other, "{position:?}");
    }
}

#[test]
fn what_the_index_takes_is_told_and_given_back() {
    let bench = indexed();
    let part = || {
        let sizes = bench.json(&["stats", "--format", "json"]);
        let parts = sizes["archive"]["parts"].as_array().unwrap().clone();
        let sum: u64 = parts.iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
        assert_eq!(sum, fs::metadata(bench.path("plybook.db")).unwrap().len());
        parts.iter().find(|part| part["name"] == "index of positions").unwrap()["bytes"].as_u64().unwrap()
    };
    let (with, bytes) = (fs::metadata(bench.path("plybook.db")).unwrap().len(), part());
    assert!(bytes > 10_000, "{bytes}");
    bench.ok(&["index", "--drop"]);
    assert_eq!(part(), 0);
    assert_eq!(fs::metadata(bench.path("plybook.db")).unwrap().len(), with - bytes);
    assert!(bench.ok(&["verify"]).contains("all sound"));
    // There is nothing to drop.
    assert_eq!(bench.run(&["index", "--drop"]).status.code(), Some(1));
}

#[test]
fn a_backup_has_the_index_too() {
    let bench = indexed();
    bench.ok(&["backup", "saved.db"]);
    assert_eq!(segments(&bench.path("saved.db")), segments(&bench.path("plybook.db")));
    bench.ok(&["index", "--drop"]);
    answer_alike(&bench, "saved.db", "plybook.db");
}

#[test]
fn an_archive_with_an_index_is_merged_like_any_other() {
    let bench = indexed();
    bench.ok(&["import", "plybook.db", "--quiet", "-a", "merged.db"]);
    assert_eq!(bench.ok(&["export", "-a", "merged.db"]), bench.ok(&["export"]));
    assert_eq!(segments(&bench.path("merged.db")), []);
    bench.ok(&["index", "-a", "merged.db"]);
    answer_alike(&bench, "merged.db", "plybook.db");
}

#[test]
fn an_archive_of_any_older_version_is_brought_up_to_date_and_indexed() {
    for version in ["v1", "v2", "v3"] {
        let (bench, name) = (Bench::new(), format!("archives/{version}.db"));
        fs::copy(data(&name), bench.path("old.db")).unwrap();
        bench.ok(&["index", "-a", "old.db"]);
        assert_eq!(segments(&bench.path("old.db")).len(), 1);
        let positions = positions(&Archive::open(data(&name)).unwrap());
        let [old, new] = [&data(&name), &bench.path("old.db")].map(|path| answers(path, &positions).unwrap());
        assert_eq!(old, new);
        assert!(!text(&bench.run(&["verify", "-a", "old.db"]).stdout).contains("fault"), "{version}");
    }
}

#[test]
fn games_that_came_later_are_indexed_by_the_same_command() {
    let bench = indexed();
    assert!(bench.ok(&["index"]).contains("the index has all games already, in 1 segment"));
    let old = segments(&bench.path("plybook.db"));
    fs::write(bench.path("more.pgn"), many_games(600)).unwrap();
    bench.import(&["more.pgn"]);
    fs::copy(bench.path("plybook.db"), bench.path("partly.db")).unwrap();
    assert!(bench.ok(&["index"]).contains("indexed "));
    let new = segments(&bench.path("plybook.db"));
    assert!(new.last().unwrap().2 > old.last().unwrap().2);
    answer_alike(&bench, "plybook.db", "partly.db");
    fs::copy(bench.path("plybook.db"), bench.path("without.db")).unwrap();
    bench.ok(&["index", "--drop", "-a", "without.db"]);
    answer_alike(&bench, "plybook.db", "without.db");
}

#[test]
fn what_cannot_be_indexed_is_told_in_one_line() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), fs::read(data("setup.pgn")).unwrap()).unwrap();
    fs::create_dir(bench.path("folder.db")).unwrap();
    for (name, why) in [
        ("none.db", "no such archive"),
        ("games.pgn", "not a plybook archive"),
        ("folder.db", "this is a folder"),
    ] {
        for command in [&["index", "-a", name][..], &["index", "--drop", "-a", name]] {
            let line = bench.refused(command);
            assert!(line.contains(why), "{command:?}: {line}");
        }
    }
    assert!(!bench.path("none.db").exists());
}

#[cfg(unix)]
#[test]
fn an_archive_that_may_not_be_written_is_not_indexed_and_one_behind_a_link_is() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let guest = common::Guest::new(&bench, &temporary);
    for command in [&["index"][..], &["index", "--drop"]] {
        let output = guest.run(command);
        let line = text(&output.stderr);
        assert_eq!((output.status.code(), line.lines().count()), (Some(2), 1), "{command:?}: {line}");
        assert!(line.contains("read-only") || line.contains("cannot be written"), "{line}");
    }
    drop(guest);
    assert!(fs::read(bench.path("plybook.db")).unwrap() == before);
    let links = Bench::new();
    std::os::unix::fs::symlink(bench.path("plybook.db"), links.path("link.db")).unwrap();
    fs::set_permissions(bench.path("plybook.db"), PermissionsExt::from_mode(0o644)).unwrap();
    links.ok(&["index", "-a", "link.db"]);
    assert!(fs::symlink_metadata(links.path("link.db")).unwrap().is_symlink());
    assert_eq!(segments(&bench.path("plybook.db")).len(), 1);
}

#[test]
fn a_segment_that_is_not_as_it_was_written_is_refused_with_what_to_do() {
    let bench = indexed();
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    for change in [
        "first_game = first_game + 1",
        "last_game = last_game - 1",
        "last_game = last_game + 1",
        "last_game = 9223372036854775807",
        "games = games - 1",
        "id = id + 1",
        "id = -id",
        "parameters = replace(parameters, '\"order\":', '\"order\":1')",
        "parameters = replace(parameters, '\"popular_rows\":', '\"popular_rows\":1')",
        "parameters = '{}'",
        "parameters = ''",
    ] {
        fs::write(bench.path("plybook.db"), &whole).unwrap();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        assert_eq!(db.execute(&format!("UPDATE segment SET {change}"), []).unwrap(), 1);
        drop(db);
        let line = bench.refused(&["index"]);
        assert!(line.contains("its index of positions is damaged; to make it anew"), "{change}: {line}");
        let error = answers(&bench.path("plybook.db"), &[]).unwrap_err();
        assert!(matches!(error, ArchiveError::DamagedIndex(_)), "{change}: {error}");
        // What needs no index goes on, and the advice helps.
        bench.ok(&["export"]);
        bench.ok(&["index", "--drop"]);
        bench.ok(&["index"]);
    }
}
