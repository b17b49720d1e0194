//! The prompt of `plybook sql` in a terminal: Tab completion, a persistent history, Ctrl-C to abort a query, Ctrl-D to
//! exit.
#![cfg(unix)]

use std::{path::Path, process::Command};

use crate::common::{Bench, must, text};

#[test]
fn the_prompt_completes_has_a_history_can_be_interrupted_and_exits() {
    let bench = Bench::with_games();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/sql_prompt.py");
    let run = Command::new("python3")
        .arg(driver)
        .args([env!("CARGO_BIN_EXE_plybook"), "plybook.db"])
        .current_dir(bench.folder.path())
        .env("HOME", bench.folder.path())
        .env_remove("XDG_STATE_HOME")
        .output();
    if !must(run.is_ok(), "python3, which types at the prompt, is absent") {
        return;
    }
    let run = run.unwrap();
    assert!(run.status.success(), "{}{}", text(&run.stdout), text(&run.stderr));
    assert!(bench.path(".local/state/plybook/sql_history").is_file());
}
