//! The routes of the explorer asked by berserk, a client that people use, and compared with what python-chess counts in
//! the same games.
#![cfg(feature = "web")]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{path::Path, process::Command};

use common::{Bench, loudly, python, server::Served, text};

/// Whether a Python has the client; says so where it has not, and fails in CI.
fn has_client(python: &Path) -> bool {
    let found = Command::new(python).args(["-c", "import berserk"]).output();
    let has_it = found.is_ok_and(|output| output.status.success());
    if !has_it {
        let how = "berserk is absent; to get it: target/python/bin/pip install -r tests/requirements.txt";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci == "false"), "{how}");
        loudly(&format!("SKIPPED: {how}"));
    }
    has_it
}

#[test]
fn a_client_is_answered_what_python_chess_counts() {
    let Some(python) = python().filter(|python| has_client(python)) else { return };
    let bench = Bench::with_games();
    bench.ok(&["index"]);
    let served = Served::new(&bench, &[]);
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/berserk_check.py");
    let mut command = Command::new(python);
    command.arg(check).arg(&served.url).arg("--pgn").arg(common::data("famous.pgn"));
    let output = command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
