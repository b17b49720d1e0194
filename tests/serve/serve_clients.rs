//! The explorer routes used by berserk, a common client, and compared with what python-chess counts in the same games.
#![cfg(feature = "web")]

use std::{path::Path, process::Command};

use crate::common::{self, Bench, python_that, server::Served, text};

#[test]
fn a_client_gets_what_python_chess_counts() {
    let Some(python) = python_that("python", "requirements.txt", "import berserk, chess") else { return };
    let bench = Bench::with_games();
    bench.ok(&["index"]);
    let served = Served::new(&bench, &[]);
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/berserk_check.py");
    let mut command = Command::new(python);
    command.arg(check).arg(&served.url).arg("--pgn").arg(common::data("famous.pgn"));
    let output = command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
