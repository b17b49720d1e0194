//! After any interruption the same command resumes, and nothing is lost or duplicated.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    alone,
    common::{self, Bench, Random, data, many_games, text, totals, trials},
};
use plybook::archive::{Archive, ArchiveError};

const GAMES: usize = 4000;

/// An import that commits after every batch.
fn import(bench: &Bench) -> Command {
    let mut command = bench.command(&["import", "many.pgn", "--quiet", "--commit-every", "1"]);
    command.args(["--rejects", "rejects.pgn"]).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// A bench with the text as many.pgn.
fn bench_with(games: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), games).unwrap();
    bench
}

/// The state of an archive: the totals of its sources, and its games.
fn content(bench: &Bench) -> ([i64; 4], String) {
    (totals(&bench.path("plybook.db")), bench.ok(&["export"]))
}

/// The games of an archive that is valid or does not exist yet; otherwise what is wrong with it.
fn whole(archive: &Path) -> Result<u64, String> {
    match Archive::open(archive) {
        Ok(archive) => match archive.maintenance().verify(|_| ()) {
            Ok(verdict) if verdict.faults == 0 => Ok(verdict.games),
            other => Err(format!("{other:?}")),
        },
        // Killed before it was created.
        Err(ArchiveError::Missing(_) | ArchiveError::Blank(_)) => Ok(0),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn imports_killed_at_random_lose_and_duplicate_nothing() {
    let _lock = alone();
    let games = many_games(GAMES);
    let clean = bench_with(&games);
    let begin = Instant::now();
    assert_eq!(import(&clean).status().unwrap().code(), Some(1));
    let whole_run = begin.elapsed();
    let clean = content(&clean);
    assert!(clean.0[2] > 50 && clean.0[3] > 50, "{:?}", clean.0);

    let mut random = Random(0x5eed);
    let (mut kills, mut rounds, mut with_games) = (0, 0, 0);
    while kills < trials(12, 1000) {
        let (bench, mut games_before) = (bench_with(&games), 0);
        for _ in 0..5 {
            let mut child = import(&bench).spawn().unwrap();
            sleep(whole_run.mul_f64(random.below(1000) as f64 / 1000.0));
            if child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
            let games = whole(&bench.path("plybook.db")).unwrap();
            assert!(games >= games_before, "{games_before} games, and then {games}");
            with_games += usize::from(games > 0);
            games_before = games;
        }
        assert!(matches!(import(&bench).status().unwrap().code(), Some(0 | 1)));
        assert_eq!(content(&bench), clean);
        rounds += 1;
    }
    println!("{kills} kills in {rounds} imports of {GAMES} games: none lost, none doubled");

    // The controls: kills came when something was stored; damage is detected; and if offset and counters do not match,
    // the totals show it.
    assert!(with_games > kills / 10);
    let bench = bench_with(&games);
    import(&bench).status().unwrap();
    let mut bytes = fs::read(bench.path("plybook.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0);
    fs::write(bench.path("plybook.db"), bytes).unwrap();
    assert!(whole(&bench.path("plybook.db")).is_err());
    let bench = bench_with(&games);
    let mut child = import(&bench).spawn().unwrap();
    let committed = |bench: &Bench| {
        let archive = Archive::open(bench.path("plybook.db")).ok()?;
        archive.known_sources().ok()?.get("many.pgn").filter(|known| known.state.counts.seen > 0).copied()
    };
    while committed(&bench).is_none() {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    // xxh3 of nothing: the source is read from its first byte.
    let nothing = 0x2d06_8005_38d3_94c2_i64;
    db.execute("UPDATE source SET bytes = 0, ended = 0, hash = ?1", [nothing]).unwrap();
    drop(db);
    import(&bench).status().unwrap();
    assert_ne!(totals(&bench.path("plybook.db")), clean.0);
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    common::signals::signal(child.id(), "INT");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_immediately_and_says_how_to_resume() {
    let _lock = alone();
    let games = many_games(3 * GAMES);
    let clean = bench_with(&games);
    import(&clean).status().unwrap();
    let bench = bench_with(&games);
    let child = import(&bench).spawn().unwrap();
    while totals_or_none(&bench).is_none() {
        sleep(Duration::from_millis(2));
    }
    let begin = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stderr);
    assert!(said.contains("to continue, run the same command again"), "{said}");
    let stopped = totals(&bench.path("plybook.db"));
    assert!(stopped[0] > 0 && stopped[0] < 3 * GAMES as i64);
    let report = bench.import(&["many.pgn"]);
    assert_eq!(report["met"][0]["how"], "continued");
    assert_eq!(report["met"][0]["games"], stopped[0]);
    assert_eq!(report["seen"].as_i64().unwrap() + stopped[0], 3 * GAMES as i64);
    assert_eq!(content(&bench), content(&clean));
}

fn totals_or_none(bench: &Bench) -> Option<u64> {
    Archive::open(bench.path("plybook.db")).ok()?.count().ok().filter(|count| *count > 0)
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_an_import_that_waits_for_standard_input() {
    let _lock = alone();
    let bench = Bench::new();
    let mut command = bench.command(&["import", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&fs::read(data("famous.pgn")).unwrap()).unwrap();
    sleep(Duration::from_millis(300));
    let begin = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert_eq!(output.status.code(), Some(130));
}

#[test]
fn grown_sources_are_resumed_and_changed_ones_reread() {
    let _lock = alone();
    let games = many_games(600);
    let border = |number: usize| games.match_indices("[Event ").nth(number).unwrap().0;
    let whole = bench_with(&games);
    whole.import(&["many.pgn"]);
    let how = |report: &serde_json::Value| report["met"][0]["how"].as_str().unwrap_or("new").to_owned();
    // Whatever ends the part that was read before, the result is the same.
    for (cut, expected) in [
        (border(400), "grown"),
        (border(400) - 1, "grown"),
        (border(400) - 20, "changed"),
        (border(400) + 30, "changed"),
    ] {
        let bench = bench_with(&games[..cut]);
        bench.import(&["many.pgn"]);
        fs::write(bench.path("many.pgn"), &games).unwrap();
        let report = bench.import(&["many.pgn"]);
        assert_eq!(how(&report), expected, "{cut}");
        if expected == "grown" {
            // What was appended is an import of its own, whose counts include the part that was read before.
            let stored = [&bench, &whole].map(|bench| totals(&bench.path("plybook.db"))[1]);
            assert_eq!((&report["seen"], stored[0]), (&200.into(), stored[1]));
            assert_eq!(bench.ok(&["export"]), whole.ok(&["export"]));
        }
        assert_eq!(how(&bench.import(&["many.pgn"])), "done");
    }
    // One byte in the middle.
    let changed = games.replacen("Anderssen", "Andersson", 3);
    fs::write(whole.path("many.pgn"), &changed).unwrap();
    let report = whole.import(&["many.pgn"]);
    assert_eq!((how(&report), &report["seen"]), ("changed".to_owned(), &600.into()));
    assert!(report["stored"].as_u64().unwrap() < 10, "{report}");
    // A copy with another modification time: its bytes are compared, no game is parsed.
    fs::write(whole.path("many.pgn"), &changed).unwrap();
    let report = whole.import(&["many.pgn"]);
    assert_eq!((how(&report), &report["seen"]), ("done".to_owned(), &0.into()));
}

#[test]
fn compressed_sources_are_resumed_but_not_standard_input() {
    let _lock = alone();
    let games = many_games(2000);
    let bench = Bench::new();
    let packed = zstd::encode_all(games.as_bytes(), 3).unwrap();
    // The download was interrupted.
    fs::write(bench.path("many.pgn.zst"), &packed[..packed.len() - 2000]).unwrap();
    assert_eq!(bench.run(&["import", "many.pgn.zst"]).status.code(), Some(2));
    let before = totals(&bench.path("plybook.db"));
    assert!(before[0] > 100, "{before:?}");
    fs::write(bench.path("many.pgn.zst"), &packed).unwrap();
    let report = bench.import(&["many.pgn.zst"]);
    assert_eq!(
        (&report["met"][0]["how"], &report["met"][0]["games"]),
        (&"continued".into(), &before[0].into())
    );
    let clean = bench_with(&games);
    clean.import(&["many.pgn"]);
    assert_eq!(content(&bench), content(&clean));

    for expected in ["stored", "duplicate"] {
        let output = clean.feed(&["import", "-", "--format", "json", "-a", "stdin.db"], games.as_bytes());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["seen"], 2000);
        assert!(report[expected].as_u64().unwrap() > 1900, "{report}");
    }
}

#[test]
fn rejected_games_are_appended_once() {
    let _lock = alone();
    let games = many_games(1400);
    let bench = bench_with(&games[..games.match_indices("[Event ").nth(700).unwrap().0]);
    bench.import(&["many.pgn", "--rejects", "rejects.pgn"]);
    fs::write(bench.path("many.pgn"), &games).unwrap();
    bench.import(&["many.pgn", "--rejects", "rejects.pgn"]);
    let rejects = fs::read_to_string(bench.path("rejects.pgn")).unwrap();
    let heads: Vec<&str> = rejects.lines().filter(|line| line.starts_with("% many.pgn: game ")).collect();
    assert_eq!(heads.len(), 20);
    // Positions refer to the complete file.
    let line = games.lines().position(|line| line.starts_with("1. Ke5")).unwrap() + 1;
    assert!(heads[0].contains(&format!("game 70, line {line},")), "{}", heads[0]);
    let last =
        games.lines().count() - games.lines().rev().position(|line| line.starts_with("1. Ke5")).unwrap();
    assert!(heads[19].contains(&format!("game 1400, line {last},")), "{}", heads[19]);
}

#[test]
fn importers_and_readers_work_concurrently() {
    let _lock = alone();
    let games = many_games(GAMES);
    let half = games.match_indices("[Event ").nth(GAMES / 2).unwrap().0;
    for round in 0..trials(2, 1000 / 8) {
        let bench = Bench::new();
        // They share the middle.
        let third = games.match_indices("[Event ").nth(GAMES / 3).unwrap().0;
        fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
        fs::write(bench.path("b.pgn"), &games[third..]).unwrap();
        let start = |name: &str| {
            let arguments = ["import", name, "--format", "json", "--commit-every", "1"];
            bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let mut importers = vec![start("a.pgn"), start("b.pgn")];
        let mut reads = 0;
        while importers.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
            for reader in [&["export"][..], &["games"], &["stats"], &["verify"], &["show", "1"]] {
                let output = bench.run(reader);
                let said = text(&output.stderr);
                assert!(
                    output.status.code() != Some(2)
                        || said.contains("archive not found")
                        || said.contains("the file is empty")
                        || said.contains("it is empty"),
                    "{reader:?}: {said}"
                );
                assert!(!said.contains("locked") && !said.contains("busy"), "{said}");
                assert!(
                    reader != ["verify"] || !text(&output.stdout).contains("fault"),
                    "{}",
                    text(&output.stdout)
                );
                reads += 1;
            }
        }
        let mut stored = 0;
        for child in importers {
            let output = child.wait_with_output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            stored += report["stored"].as_i64().unwrap();
        }
        assert!(bench.ok(&["verify"]).contains("all intact"));
        let clean = bench_with(&games);
        import(&clean).status().unwrap();
        assert_eq!(stored, totals(&clean.path("plybook.db"))[1]);
        let sorted = |bench: &Bench| {
            let text = bench.ok(&["export"]);
            let mut games: Vec<String> = text.split("[Event ").map(|game| game.trim().to_owned()).collect();
            games.sort();
            games
        };
        assert!(sorted(&bench) == sorted(&clean));
        println!("round {round}: two importers and {reads} readers, none lost, none doubled, none refused");
    }
}
