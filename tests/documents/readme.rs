//! Runs every command of the README and compares the output shown below it.

use crate::{
    common::{Bench, server::Served},
    docs_support::{bench_with_data, blocks, commands, page, project, run_command, run_console},
};

/// The maximum length of the README in lines.
const LINES: usize = 230;

#[test]
fn every_command_of_the_readme_works() {
    let bench = bench_with_data();
    let mut run = 0;
    for block in blocks(&page("README.md")).iter().filter(|block| block.info == "console") {
        match commands(&block.text).as_slice() {
            [("plybook serve", shown)] => serves(&bench, shown),
            _ => run_console(&bench, &block.text),
        }
        run += 1;
    }
    assert!(run >= 9, "only {run} blocks were found");
}

/// The command would not terminate, and its default port may be in use.
fn serves(bench: &Bench, shown: &str) {
    assert!(run_command(bench, "plybook serve --help").contains("[default: 127.0.0.1:9002]"));
    let served = Served::of(bench.command(&["serve", "--bind", "127.0.0.1:0"]));
    let port = served.address.port().to_string();
    assert_eq!(format!("{}\n", served.url.replace(&port, "9002")), shown);
}

#[test]
fn the_image_of_a_position_matches_its_command() {
    let bench = bench_with_data();
    bench.ok(&["import", "--quiet", "data"]);
    let page = page("README.md");
    let mut lines = page.lines().filter_map(|line| line.strip_prefix("$ "));
    let command = lines.find(|line| line.contains("--format svg")).unwrap();
    run_command(&bench, command);
    let name = command.rsplit(' ').next().unwrap();
    let drawn = std::fs::read(bench.path(name)).unwrap();
    let shown = std::fs::read(project().join("docs/pictures").join(name)).unwrap();
    assert!(drawn == shown, "docs/pictures/{name} differs from the output of: {command}");
}

#[test]
fn installing_begins_with_the_two_commands() {
    let page = page("README.md");
    let installing = page.split("\n## ").find(|section| section.starts_with("Installing\n")).unwrap();
    let commands: Vec<String> = blocks(installing).into_iter().map(|block| block.text).collect();
    assert_eq!(commands[0], "cargo run --release -- import data\ncargo test\n");
    assert_eq!(commands[1], "cargo install --path . --locked\n");
}

#[test]
fn the_readme_stays_short() {
    let lines = page("README.md").lines().count();
    assert!(lines <= LINES, "{lines} lines; what is longer belongs into docs");
}
