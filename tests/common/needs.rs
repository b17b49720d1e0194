//! What some tests need beyond Rust and a C compiler. A test that lacks it is skipped, and `cargo test` shows why; in
//! CI, where nobody would read that, it fails.
#![allow(dead_code, clippy::unwrap_used)] // each user takes its part

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Reports what is not tested. `cargo test` hides what a passing test prints with `eprintln`, but not this.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    let line = format!("SKIPPED {}: {reason}\n", thread.name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Whether something that a test needs is there. If not, the test fails in CI, and is skipped elsewhere.
pub fn must(is_there: bool, what_is_missing: &str) -> bool {
    if !is_there {
        assert!(!in_ci(), "{what_is_missing}");
        skip(what_is_missing);
    }
    is_there
}

/// Whether the tests run in CI: the variable `CI` is set, and not to `false`, `0` or nothing.
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| !["", "0", "false"].contains(&ci.as_str()))
}

/// Whether a program is installed that not every machine has, even in CI.
pub fn installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let run = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_installed = run.is_ok_and(|status| status.success());
    if !is_installed {
        skip(&format!("{program} is not installed"));
    }
    is_installed
}

/// The folder of the project, for the tests of all members.
fn project() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("schema.sql").exists()).unwrap()
}

/// A file of the large collections, if they are there.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let default = project().join("../shared/data");
    let folder = std::env::var_os("PLYBOOK_CORPUS").map_or(default, PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("{} does not exist (set PLYBOOK_CORPUS to the folder of the collections)", path.display()));
    None
}

/// A Python with python-chess.
pub fn python() -> Option<PathBuf> {
    python_that("python", "requirements.txt", "import chess; assert chess.__version__ == '1.11.2'")
}

/// A Python in which a script succeeds: the one in `target/ENVIRONMENT`, or the user's own.
pub fn python_that(environment: &str, requirements: &str, succeeds: &str) -> Option<PathBuf> {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name(environment).join("bin/python");
    let found = [made, "python3".into()].into_iter().find(|python| {
        let run = Command::new(python).args(["-c", succeeds]).output();
        run.is_ok_and(|output| output.status.success())
    });
    let how = format!(
        "there is no Python with tests/{requirements}; to make one: python3 -m venv target/{environment} && \
         target/{environment}/bin/pip install -r tests/{requirements}"
    );
    must(found.is_some(), &how).then_some(found).flatten()
}
