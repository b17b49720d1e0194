//! `plybook info` reads the totals of an archive from a row that is always correct, whichever program writes, and
//! whenever it is stopped.

use std::{
    fs,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    alone,
    common::{Bench, Random, many_games, text, trials},
};
use plybook::archive::Archive;
use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

/// Number of games from which on an archive has the row.
const ENOUGH: usize = 2300;

fn bench_of(games: usize) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(games)).unwrap();
    bench.import(&["many.pgn"]);
    bench
}

/// The row, if there is one.
fn row(archive: &Path) -> Option<String> {
    let db = Connection::open(archive).unwrap();
    let has_table = "SELECT count(*) FROM sqlite_schema WHERE name = 'setting'";
    if db.query_row(has_table, [], |row| row.get::<_, i64>(0)).unwrap() == 0 {
        return None;
    }
    let find = "SELECT value FROM setting WHERE name = 'totals'";
    db.query_row(find, [], |row| row.get(0)).optional().unwrap()
}

/// The last game included in the row.
fn last_in_row(archive: &Path) -> i64 {
    row(archive)
        .map_or(0, |row| serde_json::from_str::<Value>(&row).unwrap()[0]["last_game"].as_i64().unwrap())
}

/// Games, plies, and the first and last date, as counted by SQL and as shown by `info`.
fn counted(bench: &Bench, archive: &str) -> [(i64, i64, Option<String>, Option<String>); 2] {
    let db = Connection::open(bench.path(archive)).unwrap();
    let sql = "SELECT (SELECT count(*) FROM game), (SELECT coalesce(sum(plies), 0) FROM game),
                      (SELECT min(date) FROM section WHERE date >= 512), (SELECT max(date) FROM section WHERE date >= 512)";
    let date = |packed: i64| {
        let part = |value: i64| if value == 0 { "??".to_owned() } else { format!("{value:02}") };
        format!("{:04}.{}.{}", packed >> 9, part(packed >> 5 & 15), part(packed & 31))
    };
    let by_sql = db.query_row(sql, [], |row| {
        let dates: [Option<i64>; 2] = [row.get(2)?, row.get(3)?];
        let [first, last] = dates.map(|packed| packed.map(date));
        Ok((row.get(0)?, row.get(1)?, first, last))
    });
    let info = bench.json(&["info", "-a", archive, "--format", "json"]);
    let date = |name: &str| info[name].as_str().map(str::to_owned);
    let by_info = (
        info["games"].as_i64().unwrap(),
        info["plies"].as_i64().unwrap(),
        date("first_date"),
        date("last_date"),
    );
    [by_sql.unwrap(), by_info]
}

fn is_right(bench: &Bench, archive: &str) {
    let [by_sql, by_info] = counted(bench, archive);
    assert_eq!(by_sql, by_info);
}

fn is_right_and_sound(bench: &Bench, archive: &str) {
    is_right(bench, archive);
    let verdict = Archive::open(bench.path(archive)).unwrap().maintenance().verify(|_| ()).unwrap();
    assert_eq!(verdict.faults, 0, "{:?}", verdict.first);
}

#[test]
fn info_is_the_same_with_and_without_the_row() {
    let _lock = alone();
    let bench = bench_of(ENOUGH);
    let (path, said) = (bench.path("plybook.db"), bench.ok(&["info"]));
    let stored = bench.json(&["info", "--format", "json"])["games"].as_i64().unwrap();
    assert_eq!(last_in_row(&path), stored);
    is_right_and_sound(&bench, "plybook.db");
    // A few more games are not in it, but counted.
    fs::write(
        bench.path("more.pgn"),
        many_games(ENOUGH + 300).replace("[Result \"1-0\"]", "[Date \"2525.01.02\"]\n[Result \"1-0\"]"),
    )
    .unwrap();
    let other = bench.twin();
    other.import(&["more.pgn"]);
    assert_ne!(other.ok(&["info"]), said);
    is_right(&other, "plybook.db");

    // An archive from an earlier plybook has no row and is read correctly; the next writer adds it.
    let row_before = row(&path);
    Connection::open(&path).unwrap().execute_batch("DROP TABLE setting").unwrap();
    let bare =
        |said: &str| said.lines().filter(|line| !line.starts_with("file")).collect::<Vec<_>>().join("\n");
    assert_eq!(bare(&bench.ok(&["info"])), bare(&said));
    is_right(&bench, "plybook.db");
    assert_eq!(row(&path), None);
    bench.ok(&["migrate"]);
    assert_eq!(row(&path), row_before);
    // A small archive needs none.
    let small = bench_of(200);
    assert_eq!(row(&small.path("plybook.db")), None);
}

#[test]
fn partial_rows_are_completed_by_counting() {
    let _lock = alone();
    let bench = bench_of(ENOUGH);
    let path = bench.path("plybook.db");
    let early = row(&path).unwrap();
    fs::write(bench.path("many.pgn"), many_games(2 * ENOUGH)).unwrap();
    bench.import(&["many.pgn"]);
    let late = row(&path).unwrap();
    assert_ne!(early, late);
    // As if a program that does not support the row had added the others.
    let db = Connection::open(&path).unwrap();
    db.execute("UPDATE setting SET value = ?1", [&early]).unwrap();
    is_right(&bench, "plybook.db");
    bench.ok(&["migrate"]);
    assert_eq!(row(&path), Some(late));
}

#[test]
fn verify_finds_changes_of_the_row_and_info_stays_correct() {
    let _lock = alone();
    let bench = bench_of(ENOUGH);
    let path = bench.path("plybook.db");
    let (row_before, said) = (row(&path).unwrap(), bench.ok(&["info"]));
    let db = Connection::open(&path).unwrap();
    for place in (0..row_before.len()).step_by(trials(19, 1)) {
        let mut bent = row_before.clone().into_bytes();
        bent[place] ^= 1;
        let bent = String::from_utf8(bent).unwrap();
        db.execute("UPDATE setting SET value = ?1", [&bent]).unwrap();
        let verdict = bench.run(&["verify"]);
        let printed = text(&verdict.stdout);
        assert!(verdict.status.code() == Some(1) && printed.contains("totals"), "{bent}: {printed}");
        assert_eq!(bench.ok(&["info"]), said);
    }
    bench.ok(&["migrate"]);
    assert_eq!(row(&path).as_ref(), Some(&row_before));
    // Games that do not match the row.
    db.execute("UPDATE game SET plies = plies + 2 WHERE id = 7", []).unwrap();
    assert!(text(&bench.run(&["verify"]).stdout).contains("totals"));
}

#[test]
fn concurrent_imports_and_kills_leave_a_correct_row() {
    let _lock = alone();
    let all = many_games(2 * ENOUGH);
    let half = all.match_indices("\n\n[Event ").nth(ENOUGH).unwrap().0 + 2;
    let bench = || {
        let bench = Bench::new();
        fs::write(bench.path("a.pgn"), &all[..half]).unwrap();
        fs::write(bench.path("b.pgn"), &all[half..]).unwrap();
        bench
    };
    let begin = |bench: &Bench| {
        ["a.pgn", "b.pgn"].map(|source| {
            bench.command(&["import", source, "--quiet", "--commit-every", "1"]).spawn().unwrap()
        })
    };
    let finish = |bench: &Bench| {
        for mut import in begin(bench) {
            assert!(matches!(import.wait().unwrap().code(), Some(0 | 1)));
        }
        is_right_and_sound(bench, "plybook.db");
        assert!(row(&bench.path("plybook.db")).is_some());
    };
    let (clean, start) = (bench(), Instant::now());
    begin(&clean).iter_mut().for_each(|import| assert!(import.wait().is_ok()));
    let whole_run = start.elapsed();
    finish(&clean);
    let (mut random, mut kills, mut with_row) = (Random(12), 0, 0);
    let mut rounds = 0;
    // More rounds on a machine so busy that the kills came too late or too early.
    while rounds < trials(2, 60) || kills == 0 || with_row == 0 {
        rounds += 1;
        assert!(rounds < 100, "{kills} kills, {with_row} with the row");
        let bench = bench();
        for _ in 0..4 {
            let mut imports = begin(&bench);
            sleep(whole_run.mul_f64(random.below(1000) as f64 / 1000.0).max(Duration::from_millis(5)));
            for import in &mut imports {
                kills += u32::from(import.try_wait().unwrap().is_none());
                import.kill().unwrap();
                import.wait().unwrap();
            }
            if Archive::open(bench.path("plybook.db")).is_ok() {
                with_row += u32::from(row(&bench.path("plybook.db")).is_some());
                is_right(&bench, "plybook.db");
            }
        }
        finish(&bench);
        assert_eq!(counted(&bench, "plybook.db"), counted(&clean, "plybook.db"));
    }
    println!(
        "{kills} kills of two imports at once: the totals right every time, {with_row} times from the row"
    );
}

#[test]
fn every_command_that_creates_an_archive_writes_a_correct_row() {
    let _lock = alone();
    let bench = bench_of(2 * ENOUGH);
    let games = bench.json(&["info", "--format", "json"])["games"].as_i64().unwrap();
    let made = |archive: &str| {
        is_right_and_sound(&bench, archive);
        assert_eq!(last_in_row(&bench.path(archive)), counted(&bench, archive)[0].0, "{archive}");
    };
    made("plybook.db");
    bench.ok(&["index", "--quiet"]);
    made("plybook.db");
    bench.ok(&["backup", "saved.db"]);
    made("saved.db");
    bench.ok(&["salvage", "plybook.db", "-o", "salvaged.db"]);
    made("salvaged.db");
    bench.ok(&["split", "plybook.db", "--into", "parts", "--parts", "2", "--quiet"]);
    let parts: Vec<String> = fs::read_dir(bench.path("parts"))
        .unwrap()
        .map(|file| format!("parts/{}", file.unwrap().file_name().to_string_lossy()))
        .filter(|name| name.ends_with(".db"))
        .collect();
    assert_eq!(parts.len(), 2);
    parts.iter().for_each(|part| made(part));
    assert_eq!(bench.json(&["info", "-a", "parts", "--format", "json"])["games"], games);
    bench.ok(&["merge", "parts", "-o", "merged.db", "--quiet"]);
    made("merged.db");
}
