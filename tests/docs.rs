//! What the documentation shows is so: its SQL and its commands run, in their order, and give what stands below them;
//! what it says is refused or found is; the files that it names are there.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Bench, data, text};
use rusqlite::{Batch, Connection, fallible_iterator::FallibleIterator, types::ValueRef};

/// The archive that the pages speak of.
const ARCHIVE: &str = "plybook.db";

/// The documentation: everything that is written for people who look at the project.
const PAGES: [&str; 11] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/columns.md",
    "docs/design.md",
    "docs/glossary.md",
    "docs/growth.md",
    "docs/preparation.md",
    "docs/reports.md",
    "docs/search.md",
    "docs/serve.md",
    "docs/sql.md",
];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// A fenced block of a page.
struct Block {
    /// What stands behind the fence: a language, and what is to become of it.
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
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

/// Runs the blocks of a page in their order, and says how many there were.
fn run_page(bench: &Bench, name: &str) -> usize {
    let blocks = blocks(&page(name));
    let mut run = 0;
    for Block { info, text } in &blocks {
        match info.as_str() {
            "sql" => run_sql(&bench.path(ARCHIVE), text),
            "sql refused" => refused(bench, text),
            "sql found-by-verify" => found_by_verify(bench, text),
            "sql with-functions" => run_with_functions(bench, text),
            "console" => run_console(bench, text),
            "console columns" if cfg!(feature = "columns") => run_console(bench, text),
            info => {
                assert!(!info.starts_with("sql"), "{name}: nobody runs a block of {info:?}");
                continue;
            }
        }
        run += 1;
    }
    run
}

/// Runs statements, and compares their rows with those that the block shows, if it does.
fn run_sql(archive: &Path, block: &str) {
    let db = Connection::open(archive).unwrap();
    let (mut batch, mut rows) = (Batch::new(&db, block), Vec::new());
    while let Some(mut statement) = batch.next().unwrap_or_else(|error| panic!("{error}: {block}")) {
        let columns = statement.column_count();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap_or_else(|error| panic!("{error}: {block}")) {
            let cells: Vec<String> = (0..columns).map(|column| cell(row.get_ref(column).unwrap())).collect();
            rows.push(cells.join(" | "));
        }
    }
    let shown: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("--> ")).collect();
    assert!(shown.is_empty() || rows == shown, "{block}\ngives\n{}", rows.join("\n"));
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(words) => text(words),
        ValueRef::Blob(bytes) => panic!("{} bytes that nobody can read", bytes.len()),
    }
}

/// Runs a statement by `plybook sql`, and compares its rows with those that the block shows, if it does.
fn run_with_functions(bench: &Bench, block: &str) {
    let printed = bench.ok(&["sql", block, "--format", "jsonl", "-a", ARCHIVE]);
    let shown: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("--> ")).collect();
    let row = |line: &str| {
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        let cells = row.values().map(|value| match value {
            serde_json::Value::Null => "NULL".to_owned(),
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        cells.collect::<Vec<_>>().join(" | ")
    };
    let rows: Vec<String> = printed.lines().map(row).collect();
    assert_eq!(rows, shown, "{block}");
}

/// A copy of the archive in which some statements have been run.
fn changed(bench: &Bench, block: &str) -> &'static str {
    fs::copy(bench.path(ARCHIVE), bench.path("changed.db")).unwrap();
    bench.ok(&["verify", "-a", "changed.db"]);
    run_sql(&bench.path("changed.db"), block);
    "changed.db"
}

fn refused(bench: &Bench, block: &str) {
    let copy = changed(bench, block);
    let why = bench.refused(&["games", "-a", copy]);
    assert!(why.contains("refused"), "{block}: {why}");
}

fn found_by_verify(bench: &Bench, block: &str) {
    let copy = changed(bench, block);
    assert_eq!(bench.run(&["verify", "-a", copy]).status.code(), Some(1), "{block}");
}

/// Runs the commands of a block, and compares what they print with what the block shows, if it does.
fn run_console(bench: &Bench, block: &str) {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, String::new())),
            None => commands.last_mut().expect("output comes after a command").1 += &format!("{line}\n"),
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_plybook")).parent().unwrap();
    let folders = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(PathBuf::from(program)).chain(std::env::split_paths(&folders));
    let path = std::env::join_paths(folders).unwrap();
    for (command, shown) in commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(bench.folder.path()).env("PATH", &path);
        let output = shell.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
        assert!(shown.is_empty() || text(&output.stdout) == shown, "{command}: {}", text(&output.stdout));
    }
}

/// A bench with the games of the project where a page looks for them.
fn bench_with_data() -> Bench {
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

#[test]
fn the_sql_for_people_runs_and_leaves_the_archive_sound() {
    let bench = bench_with_data();
    assert!(run_page(&bench, "docs/sql.md") >= 25, "blocks were not found");
    bench.ok(&["verify"]);
}

#[test]
fn every_example_of_a_search_finds_what_it_says() {
    let bench = bench_with_data();
    assert!(run_page(&bench, "docs/search.md") >= 21, "blocks were not found");
}

#[test]
fn every_example_of_preparation_prints_what_it_says() {
    let bench = bench_with_data();
    assert!(run_page(&bench, "docs/preparation.md") >= 8, "blocks were not found");
}

#[test]
fn every_example_of_a_table_writes_one() {
    let bench = bench_with_data();
    bench.import(&["data/famous.pgn"]);
    let blocks = if cfg!(feature = "columns") { 2 } else { 1 };
    assert_eq!(run_page(&bench, "docs/columns.md"), blocks);
}

#[test]
fn every_example_of_a_report_is_one() {
    let bench = bench_with_data();
    assert!(run_page(&bench, "docs/reports.md") >= 4, "blocks were not found");
}

#[test]
fn the_format_is_that_of_the_example_archive() {
    let bench = bench_with_data();
    fs::copy(data("archives/v4.db"), bench.path(ARCHIVE)).unwrap();
    assert!(run_page(&bench, "docs/design.md") >= 6, "blocks were not found");
}

#[test]
fn the_other_pages_show_nothing_that_nobody_runs() {
    // The commands of the README have a test of their own.
    for name in PAGES.into_iter().filter(|name| *name != "README.md") {
        let is_run = [
            "docs/columns.md",
            "docs/sql.md",
            "docs/design.md",
            "docs/search.md",
            "docs/preparation.md",
            "docs/reports.md",
        ]
        .contains(&name);
        let shows = |block: &Block| block.info.starts_with("sql") || block.info.starts_with("console");
        assert!(is_run || !blocks(&page(name)).iter().any(shows), "{name}");
    }
}

/// Words in backquotes that begin with a folder of the project, and the targets of links.
#[test]
fn every_file_that_is_named_is_there() {
    const FOLDERS: [&str; 7] = ["src/", "tests/", "data/", "docs/", "benches/", "fuzz/", "examples/"];
    let mut named = 0;
    for name in PAGES {
        let page = page(name);
        let prose: String = page.split("```").step_by(2).collect();
        let is_file = |word: &&str| {
            FOLDERS.iter().any(|folder| word.starts_with(folder))
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/_.".contains(c))
        };
        for file in prose.split('`').skip(1).step_by(2).filter(is_file) {
            assert!(project().join(file).exists(), "{name} names {file}, which is not there");
            named += 1;
        }
        let folder = project().join(name).parent().unwrap().to_owned();
        for link in prose.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let is_there = target.contains("://") || folder.join(target).exists();
            assert!(is_there, "{name} links {target}, which is not there");
        }
    }
    assert!(named >= 40, "only {named} files were found");
}
