//! Pages of the documentation: their blocks, and the commands in them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::{Bench, data, text};

pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn page(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// A fenced block of a page.
pub struct Block {
    /// What stands behind the fence: a language, and what is to become of it.
    pub info: String,
    pub text: String,
}

pub fn blocks(page: &str) -> Vec<Block> {
    let (mut blocks, mut open) = (Vec::new(), None::<Block>);
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => open = Some(Block { info: info.to_owned(), text: String::new() }),
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

/// The commands of a block, each with the output that is shown below it.
pub fn commands(block: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, String::new())),
            None => commands.last_mut().expect("output comes after a command").1 += &format!("{line}\n"),
        }
    }
    commands
}

/// Runs the commands of a block, and compares what they print with what the block shows, if it does.
pub fn run_console(bench: &Bench, block: &str) {
    for (command, shown) in commands(block) {
        let printed = run_command(bench, command);
        let is_silent =
            ["-o ", "--output ", "--quiet", "--drop", "> "].iter().any(|sign| command.contains(sign));
        assert!(is_silent || !printed.is_empty(), "{command} prints nothing");
        assert!(shown.is_empty() || is_shown(&printed, &shown), "{command}: {printed}");
    }
}

/// Runs a line of a shell that must succeed, with the binary that is being tested as `plybook`.
pub fn run_command(bench: &Bench, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_plybook")).parent().unwrap();
    let folders = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(PathBuf::from(program)).chain(std::env::split_paths(&folders));
    let path = std::env::join_paths(folders).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(bench.folder.path()).env("PATH", &path);
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Whether an output is what a page shows, where a line of `…` stands for any lines.
fn is_shown(printed: &str, shown: &str) -> bool {
    let mut parts = shown.split("…\n");
    let Some(mut rest) = parts.next().and_then(|part| printed.strip_prefix(part)) else { return false };
    let mut is_whole = true;
    for part in parts {
        is_whole = part.is_empty();
        // Parts begin at lines, since the mark is a line of its own.
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    is_whole || rest.is_empty()
}

/// A bench with the games of the project where a page looks for them.
pub fn bench_with_data() -> Bench {
    let bench = Bench::new();
    for folder in ["", "xelto"] {
        fs::create_dir(bench.path("data").join(folder)).unwrap();
        for entry in fs::read_dir(data(folder)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), bench.path("data").join(folder).join(entry.file_name())).unwrap();
            }
        }
    }
    bench
}
