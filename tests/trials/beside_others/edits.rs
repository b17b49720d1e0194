//! Changes that are interrupted: each is completely made or not at all.

use std::fs;

use crate::{
    beside_others,
    common::{
        Bench, many_games,
        shim::{How, Shim, points},
        text, trials,
    },
};

/// Number of errors of the system.
const FULL_DISK: i32 = 28;

/// Games with addresses of their own, and with this comment.
fn chapters(comment: &str) -> String {
    let chapter = |n| {
        format!("[ChapterURL \"https://lichess.org/study/AbCdEfGh/{:08}\"]\n\n1. e4 {comment} e5 *\n\n", n)
    };
    (0..40).map(chapter).collect()
}

/// An archive with an index, two imports, a change, and one that was undone. A file updates the games of the second
/// import.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(150)).unwrap();
    fs::write(bench.path("chapters.pgn"), chapters("")).unwrap();
    fs::write(bench.path("later.pgn"), chapters("{ good }")).unwrap();
    bench.run(&["import", "games.pgn", "-q", "--index"]);
    bench.ok(&["import", "chapters.pgn", "-q"]);
    bench.ok(&["tag", "1..40", "Annotator=First"]);
    bench.ok(&["remove", "20..60"]);
    bench.ok(&["undo"]);
    bench
}

/// Every command that changes games.
const CHANGES: [&[&str]; 13] = [
    &["remove", "5..90"],
    &["tag", "1..90", "Annotator=Second"],
    &["comment", "7", "3", "A comment."],
    &["add", "1. e4 e5 2. Ke2 *"],
    &["undo"],
    &["undo", "3", "--games", "5..30"],
    &["import", "later.pgn", "-q"],
    &["undo", "2"],
    &["redo"],
    &["compact", "--yes"],
    &["duplicates", "5", "90", "--keep", "longest"],
    &["duplicates", "5", "90", "--join"],
    &["duplicates", "5", "90", "--different"],
];

/// An archive that keeps rejected games, of which a retry was undone. A file has more.
fn with_rejects() -> Bench {
    let bench = Bench::new();
    let game =
        |n: usize| format!("[White \"W{n}\"]\n\n1. e4 e5 {} *\n\n", ["2. Sf3", "2. Ke4", "2. Nf3"][n % 3]);
    fs::write(bench.path("games.pgn"), (0..60).map(game).collect::<String>()).unwrap();
    fs::write(bench.path("more.pgn"), (30..90).map(game).collect::<String>()).unwrap();
    bench.run(&["import", "games.pgn", "-q", "--keep-rejects"]);
    bench.run(&["retry", "--letters", "de"]);
    bench.ok(&["undo"]);
    bench
}

/// Every command that changes rejected games.
const CHANGES_OF_REJECTS: [&[&str]; 5] = [
    &["import", "more.pgn", "-q", "--keep-rejects"],
    &["retry", "--letters", "de"],
    &["undo", "1"],
    &["redo"],
    &["compact", "--yes", "--rejects"],
];

/// The archives, each with what is to be done with it.
fn cases() -> Vec<(Bench, &'static [&'static str])> {
    let (games, rejects) = (bench(), with_rejects());
    let of_games = CHANGES.map(|change| (games.twin(), change));
    of_games.into_iter().chain(CHANGES_OF_REJECTS.map(|change| (rejects.twin(), change))).collect()
}

/// What an archive has: its games, its log and the rejected games that it keeps.
type State = (String, String, String);

fn state(bench: &Bench) -> State {
    let log = bench.json(&["log", "--format", "json"]);
    let changes = log.as_array().unwrap().iter().filter(|entry| !entry["change"].is_null());
    let changes = changes.map(|entry| format!("{} {}", entry["change"], entry["undone"]));
    // Either may print nothing, which is no failure.
    let [games, rejects] =
        [&["export"][..], &["rejects", "--format", "pgn"]].map(|command| text(&bench.run(command).stdout));
    (games, changes.collect::<Vec<_>>().join(", "), rejects)
}

/// Checks that a change was made completely, or not at all.
fn is_whole(bench: &Bench, states: [&State; 2], what: &str) -> bool {
    let verified = text(&bench.run(&["verify"]).stdout);
    assert!(verified.contains("all intact"), "{what}: {verified}");
    let now = state(bench);
    assert!(states.contains(&&now), "{what}: half a change: {}", now.1);
    now == *states[1]
}

/// The calls of a change that is not disturbed, and the states before and after it.
fn undisturbed(shim: &Shim, before: &Bench, change: &[&str]) -> (u64, State, State) {
    let twin = before.twin();
    let calls = shim.calls(&twin, change);
    let (old, new) = (state(before), state(&twin));
    assert!(old != new, "{change:?}");
    (calls, old, new)
}

/// Before a call, and when half of its bytes are written, in turns.
fn hows() -> impl Iterator<Item = How> {
    [How::Kill, How::Torn].into_iter().cycle()
}

#[test]
fn a_killed_change_is_made_completely_or_not_at_all() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    for (before, change) in cases() {
        let (calls, old, new) = undisturbed(&shim, &before, change);
        let (mut kills, mut made) = (0, 0);
        for (at, how) in points(calls, 2, (calls / trials(5, 40)).max(1)).into_iter().zip(hows()) {
            let twin = before.twin();
            kills += usize::from(shim.kill(&twin, change, at, how));
            made += usize::from(is_whole(&twin, [&old, &new], &format!("{change:?} killed at {at}")));
        }
        assert!(kills >= 5 && made < kills, "{change:?}: {kills} kills of {calls} calls, {made} made");
    }
}

#[test]
fn a_full_disk_undoes_a_change_or_an_undo() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    for (before, change) in cases() {
        let (calls, old, new) = undisturbed(&shim, &before, change);
        for at in points(calls, 2, (calls / trials(4, 40)).max(1)) {
            let twin = before.twin();
            let how = How::Error { errno: FULL_DISK, stays: true };
            let output = shim.run(&twin, change, at, how);
            let is_made = is_whole(&twin, [&old, &new], &format!("{change:?} with a full disk at {at}"));
            let error = text(&output.stderr);
            assert!(!error.contains("panicked"), "{change:?} at {at}: {error}");
            // What was reported as done is done.
            assert!(is_made || output.status.code() == Some(2), "{change:?} at {at}: {error}");
        }
    }
}
