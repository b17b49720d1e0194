//! A disk that fails at any moment: one clear line, an archive that is whole, and the same command goes on.
#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::{Bench, many_games, text, totals, trials};
use plybook::archive::Archive;

const GAMES: usize = 1500;

/// The library that lets calls fail; says so and gives `None` where it cannot be built.
fn shim(folder: &Path) -> Option<PathBuf> {
    let (source, library) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shim/fail.c"), folder.join("fail.so"));
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ldl")
        .status();
    match built {
        Ok(status) if status.success() => Some(library),
        _ => {
            eprintln!("SKIPPED: there is no C compiler (cc) for the failing disk");
            None
        }
    }
}

fn import(bench: &Bench, library: &Path, at: u64, errno: i32, stays: bool) -> Output {
    let mut command = bench.command(&["import", "many.pgn", "--quiet", "--commit-every", "1"]);
    command.env("LD_PRELOAD", library).env("PLYBOOK_FAIL_AT", at.to_string());
    command.env("PLYBOOK_FAIL_ERRNO", errno.to_string()).env("PLYBOOK_FAIL_COUNT", bench.path("count"));
    if stays {
        command.env("PLYBOOK_FAIL_STAYS", "1");
    }
    command.output().unwrap()
}

#[test]
fn every_failing_write_sync_or_open_is_survived() {
    let tools = tempfile::tempdir().unwrap();
    let Some(library) = shim(tools.path()) else { return };
    let games = many_games(GAMES);
    let bench_with_games = || {
        let bench = Bench::new();
        fs::write(bench.path("many.pgn"), &games).unwrap();
        bench
    };
    let clean = bench_with_games();
    assert_eq!(import(&clean, &library, 0, 0, false).status.code(), Some(1));
    let calls: u64 = fs::read_to_string(clean.path("count")).unwrap().parse().unwrap();
    assert!(calls > 100, "the library sees {calls} calls only");
    let expected = (totals(&clean.path("plybook.db")), clean.ok(&["export"]));

    let (mut points, mut noticed) = (0, 0);
    const ENOSPC: i32 = 28;
    const EIO: i32 = 5;
    for at in (1..=calls).step_by(trials(10, 1)) {
        for (errno, stays) in [(EIO, false), (ENOSPC, true)] {
            let bench = bench_with_games();
            let output = import(&bench, &library, at, errno, stays);
            let said = text(&output.stderr);
            match output.status.code() {
                Some(2) => {
                    noticed += 1;
                    assert_eq!(said.lines().count(), 1, "call {at}: {said}");
                }
                Some(1) => {}
                code => panic!("call {at}, error {errno}: code {code:?}: {said}"),
            }
            if fs::metadata(bench.path("plybook.db")).is_ok_and(|file| file.len() > 0)
                && let Ok(archive) = Archive::open(bench.path("plybook.db"))
            {
                assert_eq!(archive.verify(|_| ()).unwrap().first, [], "call {at}, error {errno}: {said}");
            }
            let again = bench.run(&["import", "many.pgn", "--quiet"]);
            assert!(matches!(again.status.code(), Some(0 | 1)), "call {at}: {}", text(&again.stderr));
            assert_eq!(
                (totals(&bench.path("plybook.db")), bench.ok(&["export"])),
                expected,
                "call {at}: {said}"
            );
            points += 1;
        }
    }
    println!(
        "{points} faults at {calls} calls: {noticed} ended the import with one line; none lost, none doubled"
    );
    // The control: faults did reach the archive.
    assert!(noticed > points / 2);
}
