//! No process waits for a stalled one: a reader whose output is not read, or an import whose input does not arrive. A
//! necessary wait is reported, has a timeout, and is ended by Ctrl-C immediately.
#![cfg(unix)]

use std::{
    fs,
    io::{Read, Write},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    alone,
    common::{Bench, many_games, signals::signal, text, totals},
};
use rusqlite::Connection;

/// Longer than anything here takes by itself on a busy machine, but shorter than the timeout of an import.
const LONG: Duration = Duration::from_secs(60);

/// How quickly Ctrl-C must end a wait.
const SOON: Duration = Duration::from_secs(5);

/// A bench with an archive of this many games.
fn with_archive(games: usize) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("first.pgn"), many_games(games)).unwrap();
    bench.import(&["first.pgn", "-a", "games.db"]);
    bench
}

fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = bench.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The end of a process, which must come in time.
fn ended(mut child: Child, within: Duration) -> Output {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > within {
            child.kill().unwrap();
            panic!("it did not end: {}", text(&child.wait_with_output().unwrap().stderr));
        }
        sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < LONG, "{what}");
        sleep(Duration::from_millis(10));
    }
}

fn interrupt(child: &Child) {
    signal(child.id(), "INT");
}

fn games_in(bench: &Bench) -> i64 {
    let count = |db: Connection| db.query_row("SELECT count(*) FROM game", [], |row| row.get(0));
    Connection::open(bench.path("games.db")).and_then(count).unwrap_or(0)
}

fn assert_whole(bench: &Bench) {
    totals(&bench.path("games.db"));
    assert!(bench.ok(&["verify", "-a", "games.db"]).contains("all intact"));
}

#[test]
fn imports_do_not_wait_for_stalled_readers() {
    let _lock = alone();
    let bench = with_archive(4_000);
    fs::write(bench.path("second.pgn"), many_games(5_000)).unwrap();
    let readers: [&[&str]; 4] = [
        &["games", "--format", "csv"],
        &["games", "--format", "csv", "--sort", "date", "--desc"],
        &["games", "--format", "csv", "--white", "*"],
        &["export", "--black", "*"],
    ];
    let readers: Vec<Child> = readers
        .iter()
        .map(|arguments| {
            let mut reader = start(&bench, &[*arguments, &["-a", "games.db"]].concat());
            reader.stdout.as_mut().unwrap().read_exact(&mut [0; 100]).unwrap();
            reader
        })
        .collect();
    let import = start(&bench, &["import", "second.pgn", "-a", "games.db"]);
    let output = ended(import, LONG);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    // They have the games that existed when they started.
    for reader in readers {
        let rest = text(&reader.wait_with_output().unwrap().stdout);
        let (lines, games) = (rest.lines().count(), rest.matches("[Event ").count());
        assert!(rest.len() > 200_000 && (games > 0 || lines < 4_000), "{lines} {games}");
    }
    assert_whole(&bench);
}

#[test]
fn readers_that_keep_the_lock_are_reported_after_the_timeout() {
    let _lock = alone();
    let bench = with_archive(10);
    let reader = Connection::open(bench.path("games.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM game").unwrap();
    let import = start(&bench, &["import", "first.pgn", "--again", "-a", "games.db", "--wait", "2"]);
    let output = ended(import, LONG);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("waiting for another program"), "{said}");
    assert!(said.contains("locked by another program"), "{said}");
    // The same for a writer.
    drop(reader);
    let writer = Connection::open(bench.path("games.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let import = start(&bench, &["import", "first.pgn", "--again", "-a", "games.db", "--wait", "2"]);
    let output = ended(import, LONG);
    assert!(text(&output.stderr).contains("another program is writing to the archive"));
    drop(writer);
    assert_whole(&bench);
}

/// Some games that arrive slowly on standard input are imported from elsewhere in the meantime: they are stored once.
#[test]
fn stalled_imports_block_nobody_and_store_their_games() {
    let _lock = alone();
    let bench = Bench::new();
    let games = many_games(6_000);
    let middle = games[..games.len() / 2].rfind("[Event ").unwrap();
    fs::write(bench.path("all.pgn"), &games).unwrap();
    let mut slow = start(&bench, &["import", "-", "-a", "games.db"]);
    let mut input = slow.stdin.take().unwrap();
    input.write_all(&games.as_bytes()[..middle]).unwrap();
    until("what has come is not stored", || games_in(&bench) > 1_000);
    let early = games_in(&bench);
    let other = ended(start(&bench, &["import", "all.pgn", "-a", "games.db"]), LONG);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other.stderr));
    assert!(games_in(&bench) > early);
    input.write_all(&games.as_bytes()[middle..]).unwrap();
    // Another program may be accessing the archive when it ends.
    let reader = Connection::open(bench.path("games.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM game").unwrap();
    drop(input);
    let output = ended(slow, LONG);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    drop(reader);
    let [seen, stored, ..] = totals(&bench.path("games.db"));
    fs::rename(bench.path("games.db"), bench.path("both.db")).unwrap();
    bench.import(&["all.pgn", "-a", "games.db"]);
    let [once_seen, once_stored, ..] = totals(&bench.path("games.db"));
    assert_eq!((seen, stored), (2 * once_seen, once_stored));
    assert!(bench.ok(&["verify", "-a", "both.db"]).contains("all intact"));
}

#[test]
fn ctrl_c_ends_every_wait_of_an_import() {
    let _lock = alone();
    let bench = with_archive(2_000);
    let hold = |sql: &str| {
        let other = Connection::open(bench.path("games.db")).unwrap();
        other.execute_batch(sql).unwrap();
        other
    };
    let writer = "BEGIN IMMEDIATE";
    let reader = "BEGIN; SELECT count(*) FROM game";
    for (sql, source) in [(writer, "first.pgn"), (reader, "first.pgn"), ("", "-")] {
        let other = hold(sql);
        let mut import = start(&bench, &["import", source, "--again", "-a", "games.db"]);
        let mut said = import.stderr.take().unwrap();
        if sql.is_empty() {
            sleep(Duration::from_millis(300));
        } else {
            // The wait is reported.
            said.read_exact(&mut [0; 10]).unwrap();
        }
        interrupt(&import);
        let output = ended(import, SOON);
        assert_eq!(output.status.code(), Some(130), "{sql} {}", text(&output.stdout));
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("stopped"), "{sql}: {rest}");
        drop(other);
        assert_whole(&bench);
    }
}

#[test]
fn ctrl_c_ends_the_wait_for_a_reader_of_rejected_games() {
    let _lock = alone();
    let bench = with_archive(10);
    assert!(Command::new("mkfifo").arg(bench.path("rejects")).status().unwrap().success());
    let arguments = ["import", "first.pgn", "--again", "-a", "games.db", "--rejects", "rejects"];
    let import = start(&bench, &arguments);
    sleep(Duration::from_millis(500));
    interrupt(&import);
    let output = ended(import, SOON);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_whole(&bench);
    // The control: with a reader the import completes.
    let reader = Command::new("cat").arg(bench.path("rejects")).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(ended(start(&bench, &arguments), LONG).status.code(), Some(0));
    reader.wait_with_output().unwrap();
}
