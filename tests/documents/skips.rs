//! A test that lacks a program or a collection reports that it was skipped, and fails in CI.

use std::process::{Command, Output};

use crate::common::{corpus, must, text};

/// Set for tests that must be skipped.
const LACKING: &str = "PLYBOOK_TEST_LACKS_SOMETHING";

#[test]
fn lacks_a_program() {
    must(std::env::var_os(LACKING).is_none(), "no machine has this");
}

#[test]
fn lacks_the_collections() {
    if std::env::var_os(LACKING).is_some() {
        assert_eq!(corpus("otb.pgn.zst"), None);
    }
}

/// Runs a test of this program as `cargo test` does, without what it needs.
fn run(test: &str, ci: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env(LACKING, "").env("PLYBOOK_CORPUS", "nowhere").env_remove("CI");
    command.envs(ci.map(|ci| ("CI", ci))).output().unwrap()
}

#[test]
fn a_skipped_test_passes_and_shows_why() {
    for ci in [None, Some("false"), Some("0"), Some("")] {
        let output = run("skips::lacks_a_program", ci);
        assert!(output.status.success(), "{ci:?}: {}", text(&output.stdout));
        assert_eq!(text(&output.stderr), "SKIPPED skips::lacks_a_program: no machine has this\n");
    }
}

#[test]
fn a_missing_program_is_a_failure_in_ci() {
    for ci in ["true", "1"] {
        let output = run("skips::lacks_a_program", Some(ci));
        assert!(!output.status.success() && text(&output.stdout).contains("no machine has this"), "{ci}");
    }
}

#[test]
fn collections_are_optional_even_in_ci() {
    let output = run("skips::lacks_the_collections", Some("true"));
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("otb.pgn.zst does not exist (set PLYBOOK_CORPUS"));
}
