//! A process killed at any call: readers can open the archive immediately, with every committed game, also through a
//! link and from a read-only directory; and the same command resumes.
#![cfg(target_os = "linux")]

use std::{fs, os::unix::fs::symlink, path::Path, thread};

use crate::{
    alone,
    common::{
        Bench, Guest, data, many_games,
        shim::{How, Shim, points},
        text,
    },
};
use rusqlite::{Connection, OpenFlags};

const GAMES: usize = 400;

/// What a reader reports about the archive: exit code, games, and a line of error.
#[derive(Debug, PartialEq)]
struct Said(Option<i32>, String, String);

fn said(output: &std::process::Output) -> Said {
    Said(output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A bench with two halves of a collection as a.pgn and b.pgn.
fn halves() -> Bench {
    let (bench, games) = (Bench::new(), many_games(GAMES));
    let half = games.match_indices("[Event ").nth(GAMES / 2).unwrap().0;
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    fs::write(bench.path("b.pgn"), &games[half..]).unwrap();
    bench
}

/// What is tested at every call of a command.
struct Sweep {
    shim: Shim,
    /// The state before the command.
    before: Bench,
    command: Vec<&'static str>,
    /// What a reader reports before the command, and after it.
    exports: [Said; 2],
    calls: u64,
}

/// Whether an ordinary read-only connection fails, and whether a reader that looks for the log next to the link misses
/// games.
type Naive = [bool; 2];

const READ: [&str; 3] = ["export", "-a", "x.db"];

/// The results of a search by trails, if there are any.
const SEARCH: [&str; 6] = ["find", "--count", "--material", "KRP{0,8} K*", "-a", "x.db"];

impl Sweep {
    fn new(before: Bench, command: &[&'static str]) -> Option<Sweep> {
        let shim = Shim::new()?;
        let after = before.twin();
        let calls = shim.calls(&after, command);
        let exports = [&before, &after].map(|bench| said(&bench.run(&READ)));
        assert!(calls > 20 && exports[1].0 == Some(0), "{calls} calls: {:?}", exports[1]);
        Some(Sweep { shim, before, command: command.to_vec(), exports, calls })
    }

    /// Kills the command at some of its calls; returns at how many of them each naive reader fails.
    fn run(self) -> [usize; 2] {
        let points = points(self.calls, 6, 29);
        // Two at a time: each point has its own directory, and nothing is measured.
        let half = |first: usize| -> Vec<Naive> {
            points.iter().skip(first).step_by(2).filter_map(|at| self.kill(*at)).collect()
        };
        let kills = thread::scope(|scope| {
            let other = scope.spawn(|| half(1));
            [half(0), other.join().unwrap()].concat()
        });
        let [unread, missed] = [0, 1].map(|reader| kills.iter().filter(|naive| naive[reader]).count());
        println!("{:?}: {} kills at {} calls", self.command[0], kills.len(), self.calls);
        println!("  a reader that may not undo fails at {unread}, one that misses the log at {missed}");
        assert!(!kills.is_empty());
        [unread, missed]
    }

    /// Kills the command at a call, if it gets that far, and checks the result.
    fn kill(&self, at: u64) -> Option<Naive> {
        let how = if at.is_multiple_of(3) { How::Torn } else { How::Kill };
        let bench = self.before.twin();
        self.shim.kill(&bench, &self.command, at, how).then(|| {
            let naive = self.naive(&bench);
            self.check(&bench, at);
            naive
        })
    }

    fn check(&self, killed: &Bench, at: u64) {
        let place = format!("{:?} killed at call {at}", self.command);
        let bench = killed.twin();
        let read = said(&bench.run(&READ));
        self.check_read(&bench, &read, &place);
        assert_eq!(read_through_links(&killed.twin()), read, "{place}");
        assert_eq!(self.read_read_only(&killed.twin()), read, "{place}: read-only");
        // A reader that is killed while it rolls back.
        let bench = killed.twin();
        self.shim.run(&bench, &READ, 1 + at % 7, How::Torn);
        assert_eq!(said(&bench.run(&READ)), read, "{place}: and its reader");
        let again = killed.run(&self.command);
        assert!(matches!(again.status.code(), Some(0 | 1)), "{place}: {}", text(&again.stderr));
        assert!(said(&killed.run(&READ)) == self.exports[1], "{place}: not the same in the end");
        check_sound(killed, &place);
    }

    /// What existed before still exists, there are no partial games, and everything is valid.
    fn check_read(&self, bench: &Bench, read: &Said, place: &str) {
        let Said(code, games, error) = read;
        let [before, after] = &self.exports;
        if *code == Some(2) {
            let old = before.0 == Some(2) && error == &before.2;
            assert!(old || error.contains("the file is empty"), "{place}: {error}");
            assert!(games.is_empty() && error.lines().count() == 1, "{place}: {error}");
            return;
        }
        let is_whole = games.is_empty() || games.ends_with("\n\n") || *games == after.1;
        assert!(is_whole && after.1.starts_with(games.as_str()), "{place}: {} bytes", games.len());
        assert!(before.0 == Some(2) || games.starts_with(&before.1), "{place}: games are missing");
        let verdict = bench.run(&["verify", "-a", "x.db"]);
        // An archive from before checksums is valid except for what nothing can prove.
        let said = text(&verdict.stdout);
        assert!(said.contains("intact") && !said.contains("fault"), "{place}: {said}");
        check_search(bench, place);
    }

    fn read_read_only(&self, bench: &Bench) -> Said {
        let (temporary, before) = (tempfile::tempdir().unwrap(), files(bench.folder.path()));
        let read = said(&self.shim.run_read_only(bench, &READ, temporary.path()));
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "a temporary copy was left");
        assert!(files(bench.folder.path()) == before);
        read
    }

    /// The control: what readers would report that cannot roll back, or look next to a link.
    fn naive(&self, killed: &Bench) -> Naive {
        let count = |path: &Path, uri: bool| -> Option<i64> {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let name = format!("file:{}{}", path.display(), if uri { "?immutable=1" } else { "" });
            let db = Connection::open_with_flags(name, flags).ok()?;
            db.query_row("SELECT count(*) FROM game", [], |row| row.get(0)).ok()
        };
        let (plain, bare) = (killed.twin(), killed.twin());
        let (plain, bare) = (count(&plain.path("x.db"), false), count(&bare.path("x.db"), true));
        [plain.is_none() && self.exports[0].0 == Some(0), plain > bare]
    }
}

/// Asserts that an archive is valid, and searches by trails equal those without.
fn check_sound(bench: &Bench, place: &str) {
    let verdict = text(&bench.run(&["verify", "-a", "x.db"]).stdout);
    assert!(verdict.contains("intact") && !verdict.contains("fault"), "{place}: in the end {verdict}");
    check_search(bench, place);
}

fn check_search(bench: &Bench, place: &str) {
    let plain = bench.twin();
    plain.run(&["index", "--drop", "-a", "x.db"]);
    let [found, plain] = [bench, &plain].map(|bench| text(&bench.run(&SEARCH).stdout));
    assert!(!found.is_empty() && found == plain, "{place}: {found} found by trails, {plain} without them");
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<_> = names.map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect();
    files.sort();
    files
}

/// Reads through a relative link, in another directory, to an absolute link.
fn read_through_links(bench: &Bench) -> Said {
    let links = Bench::new();
    fs::create_dir(links.path("in")).unwrap();
    symlink(bench.path("x.db"), links.path("in/y.db")).unwrap();
    symlink("in/y.db", links.path("x.db")).unwrap();
    said(&links.run(&READ))
}

const IMPORT: [&str; 7] = ["import", "b.pgn", "--quiet", "--commit-every", "60", "-a", "x.db"];

/// The halves, and an archive of the first.
fn with_archive() -> Bench {
    let bench = halves();
    bench.import(&["a.pgn", "-a", "x.db"]);
    bench
}

#[test]
fn first_import_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let Some(sweep) = Sweep::new(halves(), &IMPORT) else { return };
    sweep.run();
}

#[test]
fn second_import_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let Some(sweep) = Sweep::new(with_archive(), &IMPORT) else { return };
    let [unread, missed] = sweep.run();
    // The control: naive readers fail.
    assert!(unread > 0 && missed > 0);
}

#[test]
fn migration_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let bench = Bench::new();
    fs::copy(data("archives/v1.db"), bench.path("x.db")).unwrap();
    let Some(sweep) = Sweep::new(bench, &["migrate", "-a", "x.db"]) else { return };
    sweep.run();
}

#[test]
fn renewing_of_values_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let bench = Bench::new();
    fs::copy(data("golden/former_values.db"), bench.path("x.db")).unwrap();
    let Some(sweep) = Sweep::new(bench, &["migrate", "-a", "x.db"]) else { return };
    sweep.run();
}

#[test]
fn recompression_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let bench = with_archive();
    bench.ok(&["tag", "7", "Site=Elsewhere", "-a", "x.db"]);
    bench.ok(&["remove", "9", "--yes", "-a", "x.db"]);
    bench.ok(&["index", "-a", "x.db"]);
    let before = bench.twin();
    let Some(sweep) = Sweep::new(bench, &["recompress", "--commit-every", "30", "-a", "x.db"]) else {
        return;
    };
    for at in points(sweep.calls, 2, 19) {
        let [bench, before] = [&sweep.before, &before].map(Bench::twin);
        sweep.shim.run(&bench, &sweep.command, at, How::Kill);
        for _ in 0..2 {
            bench.ok(&["undo", "-a", "x.db"]);
            before.ok(&["undo", "-a", "x.db"]);
        }
        assert!(bench.ok(&READ) == before.ok(&READ), "undone after a kill at call {at}");
    }
    sweep.run();
}

#[test]
fn backup_killed_at_any_call_leaves_no_partial_copy() {
    let _lock = alone();
    let bench = with_archive();
    let old = bench.ok(&READ);
    bench.ok(&["backup", "y.db", "-a", "x.db"]);
    bench.import(&IMPORT[1..]);
    let new = bench.ok(&READ);
    let command = ["backup", "y.db", "--force", "-a", "x.db"];
    let Some(sweep) = Sweep::new(bench.twin(), &command) else { return };
    for at in points(sweep.calls, 2, 19) {
        let bench = bench.twin();
        sweep.shim.run(&bench, &command, at, How::Kill);
        let copy = bench.ok(&["export", "-a", "y.db"]);
        assert!(copy == old || copy == new, "killed at call {at}");
    }
    sweep.run();
}

/// The states of an archive after killed imports: with a journal, and with a log.
fn killed_states(shim: &Shim, before: &Bench) -> Vec<Bench> {
    let calls = shim.calls(&before.twin(), &IMPORT);
    let mut states = Vec::new();
    for (what, bytes) in [("x.db-journal", 4000), ("x.db-wal", 10_000)] {
        let state = (1..=calls).rev().find_map(|at| {
            let bench = before.twin();
            shim.run(&bench, &IMPORT, at, How::Kill);
            fs::metadata(bench.path(what)).is_ok_and(|file| file.len() > bytes).then_some(bench)
        });
        states.extend(state);
    }
    states
}

#[test]
fn read_only_users_can_read_after_a_kill() {
    let _lock = alone();
    let Some(shim) = Shim::new() else { return };
    let before = with_archive();
    let states = killed_states(&shim, &before);
    assert_eq!(states.len(), 2);
    for state in states {
        let expected = said(&state.twin().run(&READ));
        assert_eq!(expected.0, Some(0), "{expected:?}");
        let temporary = Bench::new();
        let bare = state.twin();
        // A log copied without its shared-memory file, which is only an aid.
        let _ = fs::remove_file(bare.path("x.db-shm"));
        for bench in [state, bare] {
            let guest = Guest::new(&bench, &temporary);
            let before = files(bench.folder.path());
            assert_eq!(said(&guest.run(&READ)), expected);
            assert_eq!(said(&guest.run(&["salvage", "x.db", "-o", "new.db"])).0, Some(2));
            assert_eq!(fs::read_dir(temporary.folder.path()).unwrap().count(), 0);
            let nowhere = guest.command(&READ).env("TMPDIR", bench.folder.path()).output().unwrap();
            if bench.path("x.db-shm").exists() {
                continue;
            }
            let Said(code, games, error) = said(&nowhere);
            assert_eq!((code, games.as_str(), error.lines().count()), (Some(2), "", 1), "{error}");
            assert!(error.contains("has no space for a temporary copy"), "{error}");
            assert!(files(bench.folder.path()) == before);
        }
    }
}

#[test]
fn importers_and_readers_work_after_a_kill() {
    let _lock = alone();
    let Some(shim) = Shim::new() else { return };
    let bench = with_archive();
    let calls = shim.calls(&bench.twin(), &IMPORT);
    let mut hot = 0;
    for at in points(calls, 9, 40) {
        let bench = bench.twin();
        shim.run(&bench, &IMPORT, at, How::Kill);
        hot += usize::from(bench.path("x.db-journal").exists());
        let start = |arguments: &[&str]| {
            let mut command = bench.command(arguments);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap()
        };
        let mut children = vec![start(&IMPORT), start(&["games", "-a", "x.db"])];
        children.extend([start(&["import", "a.pgn", "-a", "x.db"]), start(&READ)]);
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "call {at}: {}", text(&output.stderr));
        }
        assert!(bench.ok(&["verify", "-a", "x.db"]).contains("all intact"));
    }
    assert!(hot > 3, "{hot} kills left a journal");
}

#[test]
fn index_build_killed_at_any_call_leaves_a_valid_archive() {
    let _lock = alone();
    let Some(sweep) = Sweep::new(with_archive(), &["index", "-q", "-a", "x.db"]) else { return };
    sweep.run();
}

/// The archive of the first half, with trails.
fn with_trails() -> Bench {
    let bench = with_archive();
    bench.ok(&TRAILS);
    bench
}

const TRAILS: [&str; 6] = ["index", "-q", "--only", "trails", "-a", "x.db"];

#[test]
fn trail_build_killed_at_any_call_changes_no_result() {
    let _lock = alone();
    let Some(sweep) = Sweep::new(with_archive(), &TRAILS) else { return };
    sweep.run();
}

#[test]
fn import_killed_while_extending_trails_covers_all_games() {
    let _lock = alone();
    let (before, after) = (with_trails(), with_trails());
    // The control: the killed import has trails to write.
    after.import(&IMPORT[1..]);
    let trails = [&before, &after].map(|bench| -> i64 {
        let db = Connection::open(bench.path("x.db")).unwrap();
        let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let trails = count("SELECT coalesce(sum(games), 0) FROM segment WHERE kind = 4");
        assert_eq!(trails, count("SELECT count(*) FROM game"));
        trails
    });
    assert!(trails[0] > 100 && trails[0] + 100 < trails[1], "{trails:?}");
    let Some(sweep) = Sweep::new(before, &IMPORT) else { return };
    sweep.run();
}
