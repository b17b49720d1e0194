//! Every command of the README works as it is written there.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{fs, path::Path, process::Command};

use common::{Bench, data, text};

/// The commands of the README's console blocks, each with the output that is shown below it.
fn commands(readme: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut in_console = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
        } else if in_console {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push((command.to_owned(), String::new())),
                None => {
                    let shown = &mut commands.last_mut().expect("output comes after a command").1;
                    shown.push_str(line);
                    shown.push('\n');
                }
            }
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_works() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let bench = Bench::new();
    fs::create_dir(bench.path("data")).unwrap();
    fs::create_dir(bench.path("data/xelto")).unwrap();
    for folder in ["", "xelto"] {
        for entry in
            fs::read_dir(data(folder)).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file())
        {
            fs::copy(entry.path(), bench.path("data").join(folder).join(entry.file_name())).unwrap();
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_plybook"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let mut run = 0;
    for (command, shown) in commands(&readme) {
        if command == "cargo test" || command == "cargo bench" {
            continue;
        }
        // The binary that is being tested is the one that cargo would build.
        let command = command.replace("cargo run --release --", "plybook");
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(bench.folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
        assert!(!output.stdout.is_empty() || command.contains("-o "), "{command} prints nothing");
        if !shown.is_empty() {
            assert_eq!(text(&output.stdout), shown, "{command}");
        }
        run += 1;
    }
    assert!(run >= 20, "only {run} commands were found");
}
