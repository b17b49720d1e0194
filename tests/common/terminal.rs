//! A terminal of so many columns, and what commands show there.

use std::{path::Path, process::Command};

use serde::Deserialize;

use super::{Bench, must, text};

/// What a command has shown.
#[derive(Deserialize)]
pub struct Run {
    /// Before the first key, and after each.
    pub shown: Vec<String>,
    pub code: i32,
    /// Whether the terminal is in the mode that it was in.
    pub restored: bool,
}

/// Runs a command in a terminal of so many columns.
pub fn in_terminal(bench: &Bench, columns: usize, keys: &[&str], arguments: &[&str]) -> Option<Run> {
    run(bench, columns, keys, &[&[env!("CARGO_BIN_EXE_plybook")], arguments].concat())
}

/// The rows that a command prints in a terminal, without its progress.
pub fn rows(bench: &Bench, columns: usize, arguments: &[&str]) -> Option<Vec<String>> {
    let quiet = ["sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null", env!("CARGO_BIN_EXE_plybook")];
    let shown = plain(&run(bench, columns, &[], &[&quiet, arguments].concat())?.shown.concat());
    Some(shown.split(['\r', '\n']).filter(|row| !row.is_empty()).map(str::to_owned).collect())
}

fn run(bench: &Bench, columns: usize, keys: &[&str], command: &[&str]) -> Option<Run> {
    if cfg!(windows) {
        return None;
    }
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/in_terminal.py");
    let run = Command::new("python3")
        .arg(driver)
        .args([&columns.to_string(), &serde_json::to_string(keys).unwrap()])
        .args(command)
        .current_dir(bench.folder.path())
        .env_remove("PLYBOOK_ARCHIVE")
        .output();
    if !must(run.is_ok(), "python3, which stands for a terminal, is absent") {
        return None;
    }
    let run = run.unwrap();
    assert!(run.status.success(), "{}", text(&run.stderr));
    Some(serde_json::from_slice(&run.stdout).unwrap())
}

/// A text without what colours it and moves in it.
pub fn plain(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some((before, after)) = rest.split_once('\x1b') {
        text.push_str(before);
        rest = after.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).get(1..).unwrap_or_default();
    }
    text + rest
}
