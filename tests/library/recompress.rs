//! Recompressing an archive changes nothing but the codec of its moves.

use std::{fs, ops::ControlFlow};

use crate::common::{Bench, data, text};
use plybook::{
    archive::{ArchiveError, WritableArchive},
    codec::CodecId,
};
use rusqlite::Connection;

/// What is read of an archive before and after.
const READERS: [&[&str]; 9] = [
    &["games", "--format", "csv"],
    &["export"],
    &["export", "--format", "jsonl", "--moves", "uci"],
    &["export", "--variant", "xelto"],
    &["find", "1. e4 e5", "--format", "csv"],
    &["explore", "1. e4"],
    &["log"],
    &["sql", "SELECT id, white, result(moves), fen(moves, 4) FROM games"],
    &["show", "3", "--ply", "20"],
];

/// An archive with games of all kinds, an index, an edited game, and a removed one.
fn archive() -> Bench {
    let bench = Bench::new();
    bench.ok(&["import", "--quiet", data("").to_str().unwrap()]);
    bench.ok(&["index"]);
    bench.ok(&["tag", "1", "Site=Elsewhere"]);
    bench.ok(&["remove", "5", "--yes"]);
    bench
}

fn read(bench: &Bench) -> Vec<String> {
    let outputs = READERS.map(|reader| text(&bench.run(reader).stdout));
    assert!(outputs.iter().all(|output| !output.is_empty()));
    outputs.to_vec()
}

/// The numbers of the codecs of the games, each once.
fn codecs(bench: &Bench) -> Vec<i64> {
    let sql = "SELECT DISTINCT codec FROM game JOIN section ON section.id = section
               JOIN tag_layout ON tag_layout.id = layout ORDER BY codec";
    integers(bench, sql)
}

fn integers(bench: &Bench, sql: &str) -> Vec<i64> {
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let mut statement = db.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn check_sound(bench: &Bench) {
    let verdict = bench.ok(&["verify"]);
    assert!(verdict.contains("all intact"), "{verdict}");
}

#[test]
fn recompressing_and_back_changes_nothing_but_the_codec() {
    let bench = archive();
    let (before, stale) = (read(&bench), integers(&bench, "SELECT id FROM plybook_stale"));
    for (codec, number) in [("model", 4), ("index", 1)] {
        let said = bench.ok(&["recompress", "--codec", codec]);
        assert!(said.contains(&format!(": 66 games stored with {codec}")), "{said}");
        assert_eq!((read(&bench), codecs(&bench)), (before.clone(), vec![number]));
        assert_eq!(integers(&bench, "SELECT id FROM plybook_stale"), stale);
        check_sound(&bench);
        let again = bench.ok(&["recompress", "--codec", codec]);
        assert!(again.contains(": all games are stored with"), "{again}");
    }
    // One section for each before, and those that the log needs.
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let unused = "SELECT count(*) FROM section WHERE id NOT IN (SELECT section FROM game)";
    let unused: i64 = db.query_row(unused, [], |row| row.get(0)).unwrap();
    assert!(unused <= 2, "{unused} sections without games");
    let layouts = "SELECT count(*) FROM tag_layout WHERE id NOT IN (SELECT layout FROM section)";
    assert_eq!(integers(&bench, layouts), [0]);
}

#[test]
fn changes_can_be_undone_and_redone_in_another_codec() {
    let bench = archive();
    let undone = bench.twin();
    let before = read(&bench);
    bench.ok(&["recompress"]);
    for bench in [&bench, &undone] {
        bench.ok(&["undo"]);
        bench.ok(&["undo"]);
    }
    assert_eq!(read(&bench), read(&undone));
    bench.ok(&["redo"]);
    bench.ok(&["redo"]);
    assert_eq!(read(&bench), before);
    check_sound(&bench);
}

#[test]
fn a_stopped_recompression_leaves_an_archive_of_both_codecs_that_works() {
    let bench = archive();
    let before = read(&bench);
    let path = bench.path("plybook.db");
    let stopped = WritableArchive::recompress(&path, CodecId::Model, 20, |done, all| {
        assert_eq!(all, 67);
        if done > 30 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(stopped, Err(ArchiveError::Stopped)));
    assert_eq!((read(&bench), codecs(&bench)), (before.clone(), vec![1, 4]));
    check_sound(&bench);
    // An edit keeps the codec of the game, and a copy those of all games.
    bench.ok(&["tag", "2,50", "Site=There"]);
    bench.ok(&["copy", "--id", "1..", "-o", "copy.db"]);
    assert_eq!(codecs(&bench), [1, 4]);
    let export = |archive| text(&bench.run(&["export", "-a", archive]).stdout);
    assert_eq!(export("copy.db"), export("plybook.db"));
    bench.ok(&["undo"]);
    let said = bench.ok(&["recompress"]);
    assert!(said.contains(": 26 games stored with model"), "{said}");
    // Whoever stopped it, no section is there twice.
    let twice = "SELECT count(*) - count(DISTINCT layout || '|' || ifnull(event, '') || '|' || ifnull(site, '') || '|' ||
                        ifnull(date, '') || '|' || ifnull(tags, '')) FROM section";
    assert_eq!(integers(&bench, twice), [0]);
    assert_eq!((read(&bench)[..6].to_vec(), codecs(&bench)), (before[..6].to_vec(), vec![4]));
}

#[test]
fn recompressions_in_both_directions_leave_a_sound_archive() {
    let bench = Bench::new();
    // One section for all games.
    let game = |number| format!("[Event \"Open\"]\n[White \"White {number}\"]\n\n1. e4 e5 1-0\n\n");
    let games: String = (0..40).map(game).collect();
    bench.feed(&["import", "-", "--quiet"], games.as_bytes());
    let (before, path) = (bench.ok(&["export"]), bench.path("plybook.db"));
    let mut is_first = true;
    // The other one removes the section that this one has added.
    let recompressed = WritableArchive::recompress(&path, CodecId::Model, 20, |_, _| {
        if std::mem::take(&mut is_first) {
            bench.ok(&["recompress", "--codec", "index"]);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(recompressed.unwrap(), 40);
    assert_eq!((bench.ok(&["export"]), codecs(&bench)), (before, vec![1, 4]));
    check_sound(&bench);
}

#[test]
fn a_damaged_game_stops_a_recompression_with_its_id() {
    let bench = archive();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE game SET moves = x'0102030405' WHERE id = 40").unwrap();
    drop(db);
    let before = bench.run(&["export", "--id", "1..39,41..67"]).stdout;
    let said = bench.run(&["recompress", "--commit-every", "10"]);
    let error = text(&said.stderr);
    assert_eq!(said.status.code(), Some(2), "{error}");
    assert!(error.contains("game 40") && error.contains("damaged"), "{error}");
    assert!(error.contains("plybook salvage"), "{error}");
    assert!(bench.run(&["export", "--id", "1..39,41..67"]).stdout == before);
}

#[test]
fn what_is_no_archive_is_not_recompressed() {
    let bench = Bench::new();
    fs::write(bench.path("text.db"), "no archive").unwrap();
    fs::write(bench.path("empty.db"), "").unwrap();
    for file in ["text.db", "empty.db", "missing.db", "."] {
        bench.refused(&["recompress", "-a", file]);
    }
    assert!(!bench.path("missing.db").exists());
    assert_eq!(fs::read(bench.path("text.db")).unwrap(), b"no archive");
}

#[test]
fn sections_have_low_numbers_afterwards_and_changes_can_be_undone() {
    let bench = Bench::new();
    let game = |number| format!("[Event \"Event {number}\"]\n[White \"A\"]\n\n1. e4 e5 1-0\n\n");
    let games: String = (1..=300).map(game).collect();
    bench.feed(&["import", "-", "--quiet"], games.as_bytes());
    let before = bench.ok(&["export"]);
    bench.ok(&["tag", "1..3,300", "White=B"]);
    bench.ok(&["tag", "2", "White=C"]);
    bench.ok(&["remove", "5", "--yes"]);
    let changed = bench.ok(&["export"]);
    bench.ok(&["recompress"]);
    // The log needs the sections of five games as they were.
    let highest = integers(&bench, "SELECT max(section) FROM game")[0];
    assert!((295..=310).contains(&highest), "{highest}");
    assert_eq!(bench.ok(&["export"]), changed);
    check_sound(&bench);
    for _ in 0..3 {
        bench.ok(&["undo"]);
    }
    assert_eq!(bench.ok(&["export"]), before);
    check_sound(&bench);
    for _ in 0..3 {
        bench.ok(&["redo"]);
    }
    assert_eq!(bench.ok(&["export"]), changed);
}
