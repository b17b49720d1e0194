//! Imports that build or extend the index of positions.

use std::{
    fs,
    io::Write,
    process::Stdio,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use crate::common::{Bench, data, many_games, text};
use plybook::{
    archive::{Archive, PATIENCE},
    import::{Options, import_with_progress},
};
use rusqlite::Connection;

/// A bench with `games` games in parts of equal size: 0.pgn, 1.pgn ...
fn parts(games: usize, parts: usize) -> Bench {
    let (bench, games) = (Bench::new(), many_games(games));
    let begins: Vec<usize> = games.match_indices("[Event ").map(|(at, _)| at).collect();
    let at = |part: usize| begins.get(begins.len() * part / parts).copied().unwrap_or(games.len());
    for part in 0..parts {
        fs::write(bench.path(&format!("{part}.pgn")), &games[at(part)..at(part + 1)]).unwrap();
    }
    bench
}

/// The number of number of indexed games, and of all games.
fn covered(bench: &Bench) -> [i64; 2] {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let segments = archive.segments().positions().unwrap();
    [segments.last().map_or(0, |segment| segment.last), archive.last_id().unwrap()]
}

fn explored(bench: &Bench) -> Vec<String> {
    ["", "1. e4", "1. e4 e5 2. f4", "1. d4 d5", "9:30"]
        .map(|position| {
            let output =
                bench.run(&["explore", position, "--format", "json"][usize::from(position.is_empty())..]);
            text(&output.stdout)
        })
        .into()
}

/// Drops the index after asserting that it is intact and answers like a replay.
fn assert_indexed_well(bench: &Bench) {
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let printed = explored(bench);
    bench.ok(&["index", "--drop"]);
    assert_eq!(explored(bench), printed);
}

#[test]
fn an_import_builds_an_index_on_request_and_extends_an_existing_one() {
    let bench = parts(600, 3);
    let printed = text(&bench.run(&["import", "0.pgn"]).stdout);
    let line = printed.lines().last().unwrap();
    assert!(line.ends_with("plybook index -a plybook.db"), "{printed}");
    assert_eq!(covered(&bench)[0], 0);
    // The same source again: nothing to store, but games to index.
    let report = bench.import(&["0.pgn", "--index"]);
    let [indexed, last] = covered(&bench);
    assert_eq!((report["stored"].as_i64(), report["index"]["games"].as_i64()), (Some(0), Some(indexed)));
    assert_eq!(
        (indexed, report["archive_bytes"].as_u64()),
        (last, Some(fs::metadata(bench.path("plybook.db")).unwrap().len()))
    );
    let printed = text(&bench.run(&["import", "1.pgn"]).stdout);
    assert!(printed.contains("\nindex ") && !printed.contains("plybook index"), "{printed}");
    assert_eq!(covered(&bench)[0], covered(&bench)[1]);
    // Nothing is built if everything is indexed.
    assert_eq!(bench.import(&["1.pgn", "--index"])["index"]["built"], 0);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// The data recorded while games are stored equals that of a replay: `verify` rebuilds every segment.
#[test]
fn games_recorded_by_an_import_are_indexed_without_a_replay() {
    let bench = Bench::new();
    let odd = ["chess960.pgn", "setup.pgn", "annotated.pgn", "famous.pgn"]
        .map(|name| fs::read(data(name)).unwrap());
    let broken = b"[Event \"broken\"]\n\n1. e4 e5 2. Qh9 *\n\n".to_vec();
    let variant = b"[Event \"drops\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n".to_vec();
    let games = many_games(6000).into_bytes();
    let (one, two) = games.split_at(games.len() / 2);
    let first = [one, &odd.concat(), &broken, &variant, &odd.concat()].concat();
    fs::write(bench.path("first.pgn"), first).unwrap();
    fs::write(bench.path("second.pgn"), [&variant, two, one].concat()).unwrap();
    // About three thousand games of the second source are already stored; the first batch of them has been processed.
    for (source, replayed) in [("first.pgn", 0..1), ("second.pgn", 1500..3000)] {
        assert!(fs::metadata(bench.path(source)).unwrap().len() > 1 << 20);
        let options = Options { index: true, ..Options::default() };
        let (path, source, mut first) = (bench.path("plybook.db"), bench.path(source), None);
        let report = import_with_progress(&path, &[source], &options, |progress| {
            first = first.or(progress.index);
        });
        let first = first.unwrap();
        assert!(replayed.contains(&(first.of - first.games)), "{first:?}");
        let report = report.unwrap();
        assert!(report.duplicate > 0 && report.index.unwrap().games > 0, "{:?}", report.failures);
        assert_eq!(covered(&bench)[0], covered(&bench)[1]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
    }
}

/// Games of the second source are removed again after they were indexed: its checksum is wrong.
#[test]
fn games_are_indexed_while_more_are_stored() {
    let (bench, games) = (Bench::new(), many_games(8000).into_bytes());
    let half = games.len() / 2;
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(&games[half..]).unwrap();
    let mut packed = packed.finish().unwrap();
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    fs::write(bench.path("b.pgn.gz"), packed).unwrap();
    let options = Options { index: true, index_every: 1000, ..Options::default() };
    let (path, mut is_indexing, mut begun) = (bench.path("plybook.db"), false, Vec::new());
    let report =
        import_with_progress(&path, &["a.pgn", "b.pgn.gz"].map(|name| bench.path(name)), &options, |at| {
            if let (false, Some(index)) = (is_indexing, at.index) {
                begun.push((at.games, index.of, index.of - index.games));
            }
            is_indexing = at.index.is_some();
        });
    let report = report.unwrap();
    // The first games are indexed as they were recorded.
    let (seen, of, replayed) = begun[0];
    assert!(seen < 3000 && of >= 1000 && replayed == 0, "{begun:?}");
    assert!(begun.len() > 4, "{begun:?}");
    assert!(report.taken_back > 2000 && report.stored > 2000, "{report:?}");
    let index = report.index.unwrap();
    assert!(index.games > report.stored && index.built > 4 && !index.stopped, "{index:?}");
    let archive = Archive::open(&path).unwrap();
    assert_eq!(index.segments, archive.segments().positions().unwrap().len() as u64);
    drop(archive);
    assert_eq!(covered(&bench)[0], covered(&bench)[1]);
    assert_indexed_well(&bench);
}

/// Other programs write while an import builds a segment; what they change is not in it.
#[test]
fn games_changed_while_an_import_indexes_in_between_are_found_as_they_are() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(6000)).unwrap();
    let options = Options { index: true, index_every: 2000, ..Options::default() };
    let (path, mut changes) = (bench.path("plybook.db"), 0);
    let report = import_with_progress(&path, &[bench.path("games.pgn")], &options, |at| {
        if at.index.is_some() && at.games < 5000 && changes < 3 {
            changes += 1;
            bench.ok(&["tag", &format!("{changes}..9"), "Date=1850.01.01", "--yes"]);
            bench.ok(&["remove", &format!("{}", 10 + changes), "--yes"]);
        }
    });
    assert!(changes > 1 && report.unwrap().index.unwrap().built > 1);
    assert_eq!(covered(&bench)[0], covered(&bench)[1]);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let lists = || {
        let first = bench.ok(&["games", "--sort", "date", "--date", "1850", "--format", "csv"]);
        (first, explored(&bench))
    };
    let printed = lists();
    assert!(printed.0.matches("1850.01.01").count() > 7, "{}", printed.0);
    bench.ok(&["index", "--drop"]);
    assert_eq!(lists(), printed);
}

#[test]
fn an_import_stopped_while_it_indexes_in_between_keeps_the_games() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(6000)).unwrap();
    let options = Options { index: true, index_every: 1000, ..Options::default() };
    let (path, mut segments) = (bench.path("plybook.db"), 0);
    let report = import_with_progress(&path, &[bench.path("games.pgn")], &options, |at| {
        segments += usize::from(at.index.is_some_and(|index| index.games == index.of));
        // The second time, while it indexes positions again.
        if segments > 3 {
            options.cancel.store(true, Relaxed);
        }
    });
    let report = report.unwrap();
    let [indexed, last] = covered(&bench);
    assert!(report.cancelled && report.stored == last as u64 && indexed > 0 && indexed < last, "{report:?}");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert!(bench.import(&["games.pgn", "--index"])["stored"].as_i64() > Some(1000));
    assert_eq!(covered(&bench)[0], covered(&bench)[1]);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn a_segment_that_is_being_sorted_is_kept_when_an_import_is_stopped() {
    // On a busy machine it may be stopped before it sorts.
    assert!((0..10).any(|_| is_kept_when_stopped()));
}

fn is_kept_when_stopped() -> bool {
    let bench = parts(3000, 1);
    let options = Options { index: true, ..Options::default() };
    let (path, mut stop) = (bench.path("plybook.db"), None);
    let report = import_with_progress(&path, &[bench.path("0.pgn")], &options, |at| {
        if at.index.is_some_and(|index| index.games == index.of) && stop.is_none() {
            let cancel = Arc::clone(&options.cancel);
            stop = Some(thread::spawn(move || {
                thread::sleep(Duration::from_millis(1));
                cancel.store(true, Relaxed);
            }));
        }
    });
    stop.unwrap().join().unwrap();
    assert!(!report.unwrap().cancelled);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    covered(&bench)[0] == covered(&bench)[1]
}

/// The counters of a segment are sized for its ids, of which games of other rules have most here.
#[test]
fn few_games_of_chess_among_many_of_other_rules_are_no_damage() {
    let bench = Bench::new();
    let variant = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n";
    let variants = (0..500).map(|number| format!("[Round \"{number}\"]\n{variant}"));
    fs::write(bench.path("games.pgn"), variants.collect::<String>() + &many_games(100)).unwrap();
    assert!(bench.import(&["games.pgn", "--index"])["stored"].as_i64() > Some(550));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// Games of another archive arrive without positions, between others that are recorded.
#[test]
fn unrecorded_games_are_replayed() {
    let bench = Bench::new();
    let games = many_games(8000);
    let middle = games.len() / 2;
    let begin = middle + games[middle..].find("[Event ").unwrap();
    fs::write(bench.path("a.pgn"), &games[..begin]).unwrap();
    fs::write(bench.path("b.pgn"), &games[begin..]).unwrap();
    bench.run(&["import", "b.pgn", "-a", "other.db"]);
    fs::copy(data("chess960.pgn"), bench.path("c.pgn")).unwrap();
    let report = bench.import(&["a.pgn", "other.db", "c.pgn", "--index"]);
    assert_eq!(report["index"]["games"], report["stored"]);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn an_import_stopped_while_indexing_keeps_the_games_and_can_be_resumed() {
    let bench = parts(600, 2);
    bench.import(&["0.pgn"]);
    let options = Options { index: true, ..Options::default() };
    let (path, source) = (bench.path("plybook.db"), bench.path("1.pgn"));
    let report = import_with_progress(&path, std::slice::from_ref(&source), &options, |progress| {
        if progress.index.is_some() {
            options.cancel.store(true, Relaxed);
        }
    });
    let report = report.unwrap();
    assert!(report.index.unwrap().stopped && !report.cancelled && report.stored > 250);
    let [indexed, last] = covered(&bench);
    assert_eq!((indexed, last > 500), (0, true));
    let scanned = explored(&bench);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    bench.import(&["1.pgn", "--index"]);
    assert_eq!(covered(&bench), [last, last]);
    assert_eq!(explored(&bench), scanned);
}

#[test]
fn a_failure_to_index_does_not_lose_the_report() {
    let bench = parts(300, 2);
    bench.import(&["0.pgn", "--index"]);
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    assert_eq!(db.execute("UPDATE segment SET parameters = '{}'", []).unwrap(), 2);
    drop(db);
    let output = bench.run(&["import", "1.pgn", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["stored"].as_u64().unwrap() > 100 && report["index"].is_null(), "{report}");
    let printed = text(&output.stderr);
    assert!(printed.contains("plybook index -a plybook.db") && printed.lines().count() == 1, "{printed}");
    assert_eq!((output.status.code(), report["index_failure"].is_string()), (Some(1), true));
}

#[test]
fn concurrent_imports_index_every_game() {
    let bench = parts(2_000, 4);
    bench.import(&["0.pgn", "--index"]);
    let children = ["1.pgn", "2.pgn", "3.pgn"].map(|source| {
        let mut command = bench.command(&["import", source, "--quiet", "--commit-every", "50"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("indexed"));
    }
    let [indexed, last] = covered(&bench);
    assert_eq!(indexed, last);
    assert_indexed_well(&bench);
}

#[test]
fn stopping_an_import_that_indexes_ends_its_wait_for_a_writer() {
    let bench = parts(100, 1);
    let options = Options { index: true, ..Options::default() };
    let path = bench.path("plybook.db");
    let (mut other, mut stop) = (None, None);
    let begun = Instant::now();
    let report = import_with_progress(&path, &[bench.path("0.pgn")], &options, |progress| {
        if progress.index.is_some() && other.is_none() {
            let db = other.insert(Connection::open(&path).unwrap());
            db.execute_batch("BEGIN IMMEDIATE").unwrap();
            let cancel = Arc::clone(&options.cancel);
            stop = Some(thread::spawn(move || {
                thread::sleep(Duration::from_millis(300));
                cancel.store(true, Relaxed);
            }));
        }
    });
    stop.unwrap().join().unwrap();
    assert!(report.unwrap().index.unwrap().stopped);
    assert!(begun.elapsed() < PATIENCE, "it waited its patience out");
    drop(other);
    assert_eq!(covered(&bench)[0], 0);
    bench.ok(&["index"]);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// A second program that takes the write lock once `games` games are stored; `None` if they are indexed by then.
#[cfg(unix)]
fn hold_once_stored(bench: &Bench, games: i64) -> Option<Connection> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    for _ in 0..60_000 {
        thread::sleep(Duration::from_millis(1));
        let Ok(db) = Connection::open_with_flags(bench.path("plybook.db"), flags) else { continue };
        let count = |sql| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0);
        if db.execute_batch("BEGIN IMMEDIATE").is_ok() && count("SELECT count(*) FROM game") == games {
            return (count("SELECT count(*) FROM segment") == 0).then_some(db);
        }
    }
    panic!("the games are not stored after a minute");
}

#[test]
#[cfg(unix)]
fn an_index_that_was_stopped_is_not_said_to_be_complete() {
    let sources = parts(3_000, 1);
    sources.import(&["0.pgn"]);
    let mut stopped = 0;
    for delay in (10..400).step_by(10) {
        let bench = sources.twin();
        let mut command = bench.command(&["index"]);
        let index = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(delay));
        crate::common::signals::signal(index.id(), "INT");
        let output = index.wait_with_output().unwrap();
        if output.status.code() != Some(130) {
            continue;
        }
        let said = text(&output.stdout);
        assert!(!said.contains("all games"), "{said}");
        // What it says is done is done.
        assert_eq!(said.contains("indexed"), covered(&bench)[0] > 0, "{said}");
        bench.ok(&["index"]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
        stopped += 1;
        if stopped == 3 {
            return;
        }
    }
    panic!("no index was stopped while it was built");
}

#[test]
#[cfg(unix)]
fn ctrl_c_while_an_import_indexes_keeps_the_games() {
    let sources = parts(3_000, 1);
    let stored = sources.twin().import(&["0.pgn"])["stored"].as_i64().unwrap();
    let mut while_indexed = 0;
    for _ in 0..50 {
        let bench = sources.twin();
        let mut command = bench.command(&["import", "0.pgn", "--index"]);
        let mut import = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let Some(held) = hold_once_stored(&bench, stored) else {
            import.wait().unwrap();
            continue;
        };
        // All work that does not require the lock is done.
        thread::sleep(Duration::from_millis(300));
        crate::common::signals::signal(import.id(), "INT");
        let output = import.wait_with_output().unwrap();
        drop(held);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{printed}");
        assert_eq!(covered(&bench), [0, stored]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
        bench.ok(&["index"]);
        assert_eq!(covered(&bench), [stored, stored]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
        while_indexed += usize::from(printed.contains("all games are stored, but not all are indexed"));
        if while_indexed == 2 {
            return;
        }
    }
    panic!("no import was stopped while it indexed");
}
