//! Commands that change games: what they change, what they refuse, and that nothing comes back by itself.

use std::fs;

use crate::common::{Bench, data, installed, text};
use rusqlite::Connection;

fn verified(bench: &Bench, archive: &str) {
    let output = bench.run(&["verify", "-a", archive]);
    assert!(text(&output.stdout).contains("all intact"), "{}", text(&output.stdout));
}

/// What the games of an archive are, without their ids.
fn games(bench: &Bench, archive: &str) -> String {
    bench.ok(&["export", "-a", archive])
}

#[test]
fn a_removed_or_edited_game_does_not_come_back_by_an_import() {
    let bench = Bench::with_games();
    let source = data("famous.pgn");
    let source = source.to_str().unwrap();
    bench.ok(&["remove", "3", "62"]);
    bench.ok(&["tag", "5", "Annotator=Me"]);
    let changed = games(&bench, "plybook.db");
    let report = bench.ok(&["import", source, "--codec", "index"]);
    assert!(report.contains("already imported"), "{report}");
    // The same games from another source.
    fs::copy(source, bench.path("other.pgn")).unwrap();
    let report = bench.ok(&["import", "other.pgn"]);
    assert!(report.contains("62, of which 3 were removed or edited in this archive"), "{report}");
    assert_eq!(games(&bench, "plybook.db"), changed);
    verified(&bench, "plybook.db");
    let report = bench.import(&["other.pgn", "--again"]);
    assert_eq!((report["stored"].as_i64(), report["duplicate"].as_i64()), (Some(3), Some(59)));
    // The id of the last game is not used again.
    assert_eq!(bench.json(&["games", "--format", "json", "--id", "62.."])[0]["id"], 63);
    verified(&bench, "plybook.db");
    let error = bench.refused(&["undo", "2"]);
    assert!(error.contains("imported again since; remove that game first"), "{error}");
    // Without the new games, the old ones come back.
    bench.ok(&["remove", "63.."]);
    bench.ok(&["undo", "3"]);
    bench.ok(&["undo", "2"]);
    verified(&bench, "plybook.db");
    assert!(bench.refused(&["undo", "6"]).contains("imported again"));
    bench.ok(&["redo", "2"]);
    bench.ok(&["redo", "3"]);
    bench.ok(&["undo", "6"]);
    verified(&bench, "plybook.db");
    assert_eq!(bench.json(&["info", "--format", "json"])["games"], 63);
}

#[test]
fn a_game_that_was_undone_is_imported_as_new() {
    let bench = Bench::with_games();
    bench.ok(&["add", "1. e4 e5 2. Ke2 *"]);
    bench.ok(&["undo"]);
    assert!(bench.refused(&["show", "63"]).contains("no game 63: it has been removed"));
    fs::write(bench.path("new.pgn"), "1. e4 e5 2. Ke2 *\n").unwrap();
    assert_eq!(bench.import(&["new.pgn"])["stored"], 1);
    verified(&bench, "plybook.db");
    assert!(bench.refused(&["redo"]).contains("imported again"));
    assert!(bench.ok(&["show", "64", "--ply", "3"]).contains(" b "));
}

#[test]
fn a_change_can_be_undone_for_some_of_its_games() {
    let bench = Bench::with_games();
    let before = games(&bench, "plybook.db");
    bench.ok(&["remove", "3", "10..12"]);
    assert_eq!(
        bench.ok(&["undo", "--games", "1..3,12"]),
        "restored 2 games (change 3; to undo it: plybook undo)\n"
    );
    let listed = bench.json(&["games", "--format", "json", "--id", "3..12"]);
    let ids = Vec::from_iter(listed.as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()));
    assert_eq!(ids, [3, 4, 5, 6, 7, 8, 9, 12]);
    verified(&bench, "plybook.db");
    let listed = bench.ok(&["log", "--games", "2"]);
    let marks = Vec::from_iter(
        listed.lines().map(|line| (line.split(' ').next().unwrap(), line.ends_with("(changed since)"))),
    );
    assert_eq!(marks, [("3", true), ("10", false), ("11", false), ("12", true)], "{listed}");
    let log = bench.json(&["log", "--format", "json"]);
    let last = log.as_array().unwrap().last().unwrap();
    assert!(last["text"].as_str().unwrap().starts_with("Brought back 2 games ("), "{last}");
    assert_eq!(last["command"], "plybook undo --games 1..3,12");
    // What has come back does not count as removed any more.
    fs::copy(data("famous.pgn"), bench.path("other.pgn")).unwrap();
    let report = bench.ok(&["import", "other.pgn"]);
    assert!(report.contains("62, of which 2 were removed or edited in this archive"), "{report}");
    let conflict = bench.refused(&["undo", "2"]);
    assert!(conflict.contains("change 2 cannot be undone: game 12 has been changed since"), "{conflict}");
    for (games, why) in [("50", "changed none of these games"), ("x", "not a valid range")] {
        let refused = bench.refused(&["undo", "2", "--games", games]);
        assert!(refused.contains(why), "{refused}");
    }
    // Games that are back already are left alone.
    assert!(bench.ok(&["undo", "2", "--games", "3..11"]).starts_with("restored 2 games (change 5;"));
    bench.ok(&["undo"]);
    let trial = bench.ok(&["remove", "3", "--dry-run"]);
    assert!(trial.starts_with("game 3: ") && trial.contains(", "), "{trial}");
    bench.ok(&["undo"]);
    bench.ok(&["undo"]);
    assert_eq!(games(&bench, "plybook.db"), before);
    verified(&bench, "plybook.db");
}

#[test]
fn what_was_undone_for_some_games_can_be_undone_for_some_games() {
    let bench = Bench::with_games();
    let before = games(&bench, "plybook.db");
    bench.ok(&["tag", "3", "4", "Annotator=a"]);
    bench.ok(&["remove", "5"]);
    let removed = games(&bench, "plybook.db");
    bench.ok(&["undo", "2", "--games", "3,4"]);
    bench.ok(&["undo", "3", "--games", "5"]);
    assert_eq!(games(&bench, "plybook.db"), before);
    verified(&bench, "plybook.db");
    bench.ok(&["undo", "4", "--games", "4"]);
    verified(&bench, "plybook.db");
    bench.ok(&["undo", "4", "--games", "3"]);
    bench.ok(&["undo", "5", "--games", "5"]);
    assert_eq!(games(&bench, "plybook.db"), removed);
    verified(&bench, "plybook.db");
    bench.ok(&["undo", "7", "--games", "3"]);
    bench.ok(&["undo", "6", "--games", "4"]);
    bench.ok(&["undo", "8", "--games", "5"]);
    assert_eq!(games(&bench, "plybook.db"), before);
    verified(&bench, "plybook.db");
}

#[test]
fn trials_and_refused_changes_leave_every_byte() {
    let bench = Bench::with_games();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    fs::write(bench.path("two.pgn"), "1. e4 *\n\n1. d4 *\n").unwrap();
    for (command, why) in [
        (&["remove", "99"][..], "no game 99; it has games 1 to 62"),
        (&["remove"], "write their ids"),
        (&["remove", "1", "--player", "tal"], "cannot be combined"),
        (&["remove", "--player", "nobody"], "no game matches"),
        (&["tag", "1", "Result=2-0"], "1-0, 0-1, 1/2-1/2 or *"),
        (&["tag", "1", "Whi te=x"], "not the name of a tag"),
        (&["tag", "1", "FEN=8/8/8/8/8/8/8/8 w - - 0 1"], "game 1"),
        (&["tag", "1"], "Name=Value"),
        (&["comment", "1", "99w", "x"], "game 1 has no ply"),
        (&["comment", "1", "3", "a } b"], "}"),
        (&["glyph", "1", "0", "!"], "no move at ply 0"),
        (&["add", "1. e4 e5 2. Ke5 *"], "line 1: 2.Ke5"),
        (&["add", "two.pgn"], "more than one game; several are added by an import"),
        (&["tag", "--player", "morphy", "White=Morphy"], "would also rename opponents; add --colour white"),
        (
            &["tag", "--player", "morphy", "Event=X", "Black="],
            "would also rename opponents; add --colour black",
        ),
        (&["undo", "7"], "no change 7"),
        (&["redo"], "no change to redo"),
        (&["remove", "1", "-a", "none.db"], "not found"),
    ] {
        let output = bench.run(command);
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(why), "{command:?}: {error}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{command:?}");
    }
    for (command, answer) in [
        (&["remove", "1..5", "--dry-run"][..], "would remove 5 games"),
        (&["tag", "--player", "tal", "Event=X", "-n"], "would change"),
        (&["tag", "--player", "tal", "--colour", "white", "White=X", "-n"], "would change"),
        (&["comment", "1", "3", "x", "-n"], "would comment 1 game"),
        (&["add", "1. e4 *", "-n"], "would add 1 game"),
        (&["tag", "1", "White=Anderssen, Adolf"], "nothing to change"),
    ] {
        let said = bench.ok(command);
        assert!(said.contains(answer), "{command:?}: {said}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{command:?}");
    }
    // The control: a change does change the file, which an earlier release then refuses.
    bench.ok(&["remove", "1"]);
    assert!(fs::read(bench.path("plybook.db")).unwrap() != before);
    assert_eq!(bench.json(&["info", "--format", "json"])["version"], 5);
}

#[test]
fn two_games_never_become_equal() {
    let bench = Bench::with_games();
    fs::write(bench.path("a.pgn"), "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 *\n").unwrap();
    bench.ok(&["import", "a.pgn", "-q"]);
    let error = bench.refused(&["tag", "64", "White=A"]);
    assert!(error.contains("game 64") && error.contains("game 63"), "{error}");
    assert!(bench.refused(&["add", "a.pgn"]).contains("more than one"));
    let error = bench.refused(&["add", "[White \"A\"]\n\n1. e4 *\n"]);
    assert!(error.contains("equal to game 63"), "{error}");
}

#[test]
fn a_change_that_breaks_a_unique_index_of_the_user_is_refused_and_no_game_is_lost() {
    let bench = Bench::new();
    let pgn =
        "[White \"A\"]\n[WhiteElo \"2400\"]\n\n1. e4 *\n\n[White \"B\"]\n[WhiteElo \"2500\"]\n\n1. d4 *\n";
    fs::write(bench.path("a.pgn"), pgn).unwrap();
    bench.import(&["a.pgn"]);
    let own = "CREATE UNIQUE INDEX mine ON game (white_elo)";
    Connection::open(bench.path("plybook.db")).unwrap().execute_batch(own).unwrap();
    let before = bench.ok(&["export"]);
    let error = bench.refused(&["tag", "1", "WhiteElo=2500"]);
    assert!(error.contains("\"mine\""), "{error}");
    assert_eq!(bench.ok(&["export"]), before);
    bench.ok(&["tag", "1", "WhiteElo=2600"]);
    verified(&bench, "plybook.db");
}

#[test]
fn many_games_are_changed_only_when_that_is_confirmed() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "1001", "-o", "games.pgn"]);
    bench.ok(&["import", "games.pgn", "-q"]);
    assert!(bench.refused(&["remove", "1.."]).contains("add --yes"));
    assert!(bench.refused(&["tag", "1..", "Event=X"]).contains("add --yes"));
    assert!(bench.ok(&["remove", "1..", "--dry-run"]).contains("would remove 1,001 games"));
    bench.ok(&["remove", "1..", "--yes"]);
    assert_eq!(bench.json(&["info", "--format", "json"])["games"], 0);
    verified(&bench, "plybook.db");
    assert!(bench.refused(&["compact"]).contains("add --yes"));
    bench.ok(&["undo"]);
    assert_eq!(bench.json(&["info", "--format", "json"])["games"], 1001);
    bench.ok(&["compact", "--yes"]);
    assert!(bench.refused(&["undo", "2"]).contains("no change 2"));
    verified(&bench, "plybook.db");
}

#[test]
fn a_collection_in_parts_is_not_changed() {
    let bench = Bench::with_games();
    bench.ok(&["split", "plybook.db", "--parts", "2", "--into", "parts"]);
    for command in [&["remove", "1"][..], &["tag", "1", "A=b"], &["undo"], &["add", "1. e4 *"]] {
        let error = bench.refused(&[command, &["-a", "parts"]].concat());
        assert!(error.contains("plybook merge parts"), "{error}");
    }
}

/// An editor that replaces a word, and another one that also changes the game behind its back.
#[cfg(unix)]
#[test]
fn an_editor_changes_a_game_unless_it_was_changed_meanwhile() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with_games();
    let script = |name: &str, text: &str| {
        fs::write(bench.path(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        bench.path(name).to_str().unwrap().to_owned()
    };
    let edit = |editor: &str| {
        bench.command(&["edit", "1"]).env("EDITOR", editor).env_remove("VISUAL").output().unwrap()
    };
    assert!(installed("sed"));
    let renames = script("renames", "sed -i s/Anderssen/Andersen/ \"$1\"");
    assert!(text(&edit(&renames).stdout).contains("edited 1 game"));
    assert!(games(&bench, "plybook.db").contains("[White \"Andersen, Adolf\"]"));
    assert!(text(&edit(&renames).stdout).contains("was not edited"));
    let breaks = script("breaks", "sed -i 's/1. e4/1. e5/' \"$1\"");
    let error = text(&edit(&breaks).stderr);
    let kept = error.trim().rsplit(' ').next().unwrap();
    assert!(
        error.contains("nothing has been stored") && fs::read_to_string(kept).unwrap().contains("1. e5"),
        "{error}"
    );
    fs::remove_file(kept).unwrap();
    let program = env!("CARGO_BIN_EXE_plybook");
    let meddles =
        script("meddles", &format!("sed -i s/Andersen/X/ \"$1\"; {program} tag 1 Round=9 > /dev/null"));
    let error = text(&edit(&meddles).stderr);
    assert!(error.contains("changed in the meantime"), "{error}");
    fs::remove_file(error.trim().rsplit(' ').next().unwrap()).unwrap();
    assert!(games(&bench, "plybook.db").contains("[Round \"9\"]"));
    verified(&bench, "plybook.db");
}

#[test]
fn an_edited_copy_that_is_merged_back_gives_no_game_twice() {
    let bench = Bench::with_games();
    bench.ok(&["backup", "copy.db"]);
    bench.ok(&["tag", "5", "Annotator=Me", "-a", "copy.db"]);
    bench.ok(&["remove", "7", "-a", "copy.db"]);
    for archives in [["plybook.db", "copy.db"], ["copy.db", "plybook.db"]] {
        let _ = fs::remove_file(bench.path("all.db"));
        bench.run(&["merge", archives[0], archives[1], "-o", "all.db", "-q"]);
        verified(&bench, "all.db");
        let games = bench.json(&["info", "--format", "json", "-a", "all.db"])["games"].clone();
        // The removed game is there only if the first archive still has it.
        assert_eq!(games, if archives[0] == "copy.db" { 61 } else { 62 }, "{archives:?}");
    }
    bench.ok(&["import", "copy.db"]);
    assert_eq!(bench.json(&["info", "--format", "json"])["games"], 62);
    verified(&bench, "plybook.db");
    bench.ok(&["import", "plybook.db", "-a", "copy.db"]);
    assert_eq!(bench.json(&["info", "--format", "json", "-a", "copy.db"])["games"], 61);
    verified(&bench, "copy.db");
}

#[test]
fn copies_of_a_changed_archive_are_complete_and_remember_what_was_removed() {
    let bench = Bench::with_games();
    bench.ok(&["remove", "1", "30..33", "62"]);
    bench.ok(&["tag", "5", "Annotator=Me"]);
    let all = games(&bench, "plybook.db");
    let said = bench.run(&["split", "plybook.db", "--parts", "3", "--into", "parts"]);
    assert!(text(&said.stderr).contains("the log of changes of plybook.db was not copied"));
    assert_eq!(games(&bench, "parts"), all);
    bench.ok(&["merge", "parts", "-o", "merged.db", "-q"]);
    bench.ok(&["copy", "1..", "-o", "copied.db"]);
    bench.ok(&["backup", "saved.db"]);
    bench.ok(&["salvage", "plybook.db", "-o", "salvaged.db"]);
    for archive in
        ["merged.db", "copied.db", "saved.db", "salvaged.db", "parts/part-0001.db", "parts/part-0003.db"]
    {
        verified(&bench, archive);
    }
    let source = data("famous.pgn");
    for archive in ["merged.db", "copied.db", "saved.db", "salvaged.db"] {
        assert_eq!(games(&bench, archive), all, "{archive}");
        if archive != "salvaged.db" {
            bench.ok(&["import", source.to_str().unwrap(), "-a", archive, "-q"]);
            assert_eq!(games(&bench, archive), all, "{archive}");
        }
    }
}

#[test]
fn names_and_dates_that_no_game_has_any_more_are_not_shown() {
    let bench = Bench::with_games();
    let list = |list: &[&str]| bench.ok(list);
    assert!(list(&["names", "brunswick"]).contains("Duke of Brunswick"));
    let dates = bench.json(&["info", "--format", "json"])["first_date"].clone();
    bench.ok(&["remove", "--player", "brunswick"]);
    bench.ok(&["tag", "--date", "..1799", "Date=1900.01.01", "Event=Changed"]);
    let events = bench.json(&["names", "--events", "--limit", "1000", "--format", "json"]);
    assert!(events.as_array().unwrap().iter().all(|event| event["games"] != 0), "{events}");
    assert!(!text(&bench.run(&["names", "brunswick"]).stdout).contains("Duke of Brunswick"));
    assert!(!list(&["names", "--limit", "1000"]).contains("Duke of Brunswick"));
    assert!(bench.json(&["info", "--format", "json"])["first_date"] != dates);
    assert_eq!(bench.run(&["games", "--player", "brunswick"]).status.code(), Some(1));
}

#[test]
fn games_leave_the_index_only_if_something_changes_that_it_has() {
    let bench = Bench::with_games();
    bench.ok(&["index"]);
    bench.ok(&["tag", "1..20", "Event=Somewhere", "Annotator=Me", "ECO=A00", "Round=3"]);
    let stale = || -> Vec<i64> {
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        let sql = "SELECT DISTINCT id & 4294967295 FROM plybook_stale ORDER BY 1";
        db.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert!(stale().is_empty());
    verified(&bench, "plybook.db");
    let changes = [
        "Event=Casual game",
        "TimeControl=60",
        "WhiteElo=2000",
        "BlackElo=2000",
        "Date=1999.01.02",
        "White=X",
        "Black=X",
        "Result=*",
    ];
    for (game, value) in (5u64..).zip(changes) {
        bench.ok(&["tag", &game.to_string(), value]);
    }
    assert_eq!(stale(), [5, 6, 7, 8, 9, 10, 11, 12]);
    verified(&bench, "plybook.db");
    for _ in changes {
        bench.ok(&["undo"]);
    }
    assert!(stale().is_empty());
    verified(&bench, "plybook.db");
}

#[test]
fn every_changed_value_in_the_log_is_found_by_verify() {
    let bench = Bench::with_games();
    bench.ok(&["index"]);
    bench.ok(&["remove", "9"]);
    bench.ok(&["tag", "5", "Annotator=Me"]);
    bench.ok(&["undo"]);
    verified(&bench, "plybook.db");
    for change in [
        "UPDATE plybook_change SET command = 'plybook remove 8'",
        "UPDATE plybook_change SET undone = 0",
        "DELETE FROM plybook_change WHERE id = 2",
        "UPDATE plybook_change_row SET image = NULL WHERE subject = 7",
        "UPDATE plybook_change_row SET target = target + 1",
        "UPDATE plybook_change_row SET replaces = 1",
        "DELETE FROM plybook_change_row",
        "DELETE FROM plybook_removed",
        "UPDATE plybook_removed SET game = 10",
        "INSERT INTO plybook_removed VALUES (500)",
        "DELETE FROM plybook_former",
        "UPDATE plybook_former SET why = 3",
        "UPDATE plybook_former SET game = 1",
        "DELETE FROM plybook_stale",
        "UPDATE plybook_stale SET seen = NULL",
        "INSERT INTO plybook_stale VALUES (1 << 32 | 20, NULL)",
        "PRAGMA user_version = 4",
        "DROP TABLE plybook_stale",
    ] {
        let twin = bench.twin();
        Connection::open(twin.path("plybook.db")).unwrap().execute_batch(change).unwrap();
        let output = twin.run(&["verify"]);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{change}: {}", text(&output.stdout));
    }
}

#[test]
fn hostile_rows_of_the_log_are_refused() {
    let bench = Bench::with_games();
    bench.ok(&["remove", "9"]);
    for change in [
        "UPDATE plybook_change_row SET subject = 2",
        "UPDATE plybook_change_row SET subject = 7, image = x'0109000000000000000309000000'",
        "UPDATE plybook_change_row SET image = x'04ffffffffffffff7f61' WHERE subject = 7",
        "UPDATE plybook_change_row SET image = x'' WHERE subject = 7",
        "UPDATE plybook_change_row SET target = 9223372036854775807",
        "UPDATE plybook_change_row SET image = zeroblob(20000000) WHERE subject = 7",
        "UPDATE plybook_change_row SET image = (SELECT CAST(x'010a' || substr(image, 3) AS BLOB)) WHERE subject = 7",
        "UPDATE plybook_change_row SET replaces = replaces + 1",
        "UPDATE plybook_change SET command = 'x'",
    ] {
        let twin = bench.twin();
        Connection::open(twin.path("plybook.db")).unwrap().execute_batch(change).unwrap();
        let before = fs::read(twin.path("plybook.db")).unwrap();
        let output = twin.run(&["undo"]);
        assert_eq!(output.status.code(), Some(2), "{change}: {}", text(&output.stdout));
        assert!(!text(&output.stderr).contains("panicked"), "{change}: {}", text(&output.stderr));
        assert!(fs::read(twin.path("plybook.db")).unwrap() == before, "{change}");
    }
}
