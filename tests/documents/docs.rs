//! Runs the SQL and the commands of the documentation, in order, and compares the output; checks that examples of
//! errors fail as shown, and that the files that pages name exist.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{
    common::{Bench, corpus, data, text},
    docs_support::{Block, bench_with_data, blocks, commands, page, project, run_command, run_console},
};
use rusqlite::{Batch, Connection, fallible_iterator::FallibleIterator, types::ValueRef};

/// The archive that the pages use.
const ARCHIVE: &str = "plybook.db";

/// All pages for readers of the project, with the minimum number of blocks that must run. (README has its own test.)
const PAGES: [(&str, usize); 27] = [
    ("README.md", 0),
    ("CONTRIBUTING.md", 0),
    ("docs/architecture.md", 0),
    ("docs/before-and-after.md", 0),
    ("docs/columns.md", 1),
    ("docs/design.md", 6),
    ("docs/design-of-the-page.md", 0),
    ("docs/duplicates.md", 1),
    ("docs/encodings.md", 7),
    ("docs/finding.md", 10),
    ("docs/glossary.md", 0),
    ("docs/growth.md", 0),
    ("docs/importing.md", 4),
    ("docs/library.md", 0),
    ("docs/measuring.md", 1),
    ("docs/parts.md", 4),
    ("docs/preparation.md", 8),
    ("docs/recipes.md", 20),
    ("docs/reports.md", 4),
    ("docs/search.md", 21),
    ("docs/serve.md", 0),
    ("docs/sql.md", 25),
    ("docs/transcript.md", 0),
    ("docs/trials.md", 0),
    ("docs/editing.md", 3),
    ("docs/updates.md", 2),
    ("docs/xelto.md", 3),
];

/// Runs the blocks of a page in order.
fn run_page(bench: &Bench, name: &str) {
    let (_, least) = PAGES.into_iter().find(|(page, _)| *page == name).unwrap();
    let mut run = 0;
    for Block { info, text } in &blocks(&page(name)) {
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
    assert!(run >= least && least > 0, "{name}: {run} blocks were run");
}

/// Runs statements, and compares their rows with those that the block shows, if any.
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

/// Runs a statement with `plybook sql`, and compares its rows with those that the block shows, if any.
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

/// A copy of the archive after some statements.
fn changed(bench: &Bench, block: &str) -> &'static str {
    fs::copy(bench.path(ARCHIVE), bench.path("changed.db")).unwrap();
    bench.ok(&["verify", "-a", "changed.db"]);
    run_sql(&bench.path("changed.db"), block);
    "changed.db"
}

fn refused(bench: &Bench, block: &str) {
    let copy = changed(bench, block);
    let why = bench.refused(&["games", "-a", copy]);
    assert!(why.contains("refusing to open"), "{block}: {why}");
}

fn found_by_verify(bench: &Bench, block: &str) {
    let copy = changed(bench, block);
    assert_eq!(bench.run(&["verify", "-a", copy]).status.code(), Some(1), "{block}");
}

#[test]
fn the_sql_examples_run_and_leave_the_archive_intact() {
    let bench = bench_with_data();
    run_page(&bench, "docs/sql.md");
    bench.ok(&["verify"]);
}

#[test]
fn every_search_example_finds_the_stated_games() {
    run_page(&bench_with_data(), "docs/search.md");
}

#[test]
fn every_example_of_near_duplicates_finds_the_stated_pairs() {
    run_page(&bench_with_data(), "docs/duplicates.md");
}

#[test]
fn every_preparation_example_prints_the_stated_output() {
    run_page(&bench_with_data(), "docs/preparation.md");
}

#[test]
fn every_table_example_writes_a_table() {
    let bench = bench_with_data();
    bench.import(&["data/famous.pgn"]);
    run_page(&bench, "docs/columns.md");
    assert_eq!(bench.path("games.parquet").exists(), cfg!(feature = "columns"));
}

#[test]
fn every_recipe_prints_the_stated_output() {
    run_page(&bench_with_data(), "docs/recipes.md");
}

#[test]
fn every_example_of_updates_works() {
    let bench = Bench::new();
    run_page(&bench, "docs/updates.md");
    bench.ok(&["verify"]);
}

#[test]
fn every_editing_example_works_and_leaves_the_archive_intact() {
    let bench = bench_with_data();
    run_page(&bench, "docs/editing.md");
    for archive in [ARCHIVE, "kasparov.db"] {
        bench.ok(&["verify", "-a", archive]);
    }
}

#[test]
fn every_report_example_prints_a_report() {
    run_page(&bench_with_data(), "docs/reports.md");
}

#[test]
fn the_documented_format_matches_the_example_archive() {
    let bench = bench_with_data();
    fs::copy(data("archives/v4.db"), bench.path(ARCHIVE)).unwrap();
    run_page(&bench, "docs/design.md");
}

#[test]
fn every_import_example_works_and_leaves_the_archive_intact() {
    let bench = bench_with_data();
    run_page(&bench, "docs/importing.md");
    for archive in [ARCHIVE, "chess.db", "german.db", "strict.db", "merged.db", "saved.db", "sound.db"] {
        bench.ok(&["verify", "-a", archive]);
    }
}

#[test]
fn every_example_of_games_positions_and_openings_works() {
    let bench = bench_with_data();
    run_page(&bench, "docs/finding.md");
    for file in ["reti.svg", "najdorf.png", "f7.png", "all.pgn", "games.csv", "all.bin", "morphy.bin"] {
        assert!(bench.path(file).exists(), "{file}");
    }
}

/// The blocks of a page with commands about master games.
fn about_master_games(path: &str) -> Vec<Block> {
    blocks(&page(path)).into_iter().filter(|block| block.info == "console masters").collect()
}

#[test]
fn every_figure_about_endings_and_players_matches_the_master_games() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[otb.to_str().unwrap(), "--index"]);
    let blocks: Vec<Block> = PAGES.iter().flat_map(|(name, _)| about_master_games(name)).collect();
    assert_eq!(blocks.len(), 4);
    blocks.iter().for_each(|block| run_console(&bench, &block.text));
}

#[test]
fn every_ending_recipe_matches_its_position_for_both_sides_and_no_other() {
    let endings: [&[&str]; 4] = [
        // Lucena: in the centre, near the edge, and for Black.
        &["3K4/3P2k1/8/8/8/8/2r5/5R2", "1K6/1P1k4/8/8/8/8/r7/2R5", "3R4/5r2/8/8/8/8/1K2p3/4k3"],
        // Philidor: on an edge, in the centre, and for Black.
        &["k7/8/7r/PK6/8/8/8/7R", "4k3/8/1r6/3KP3/8/8/8/R7", "r7/8/8/8/3kp3/1R6/8/4K3"],
        // Vancura: on both wings, and for Black.
        &["R7/6k1/P4r2/8/3K4/8/8/8", "7R/k7/2r4P/8/8/3K4/8/8", "8/8/8/3k4/8/p4R2/7K/r7"],
        // No match: a rook's pawn, a nearby king; no king in front of the pawn; a king in the centre.
        &[
            "K7/P2k4/8/8/8/8/1r6/2R5",
            "3K4/3P4/4k3/8/8/8/2r5/5R2",
            "5k2/8/1r6/3KP3/8/8/8/R7",
            "R7/3k4/P4r2/8/3K4/8/8/8",
        ],
    ];
    let bench = Bench::new();
    let game = |board: &&str| {
        format!("[SetUp \"1\"]\n[FEN \"{board} w - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n")
    };
    std::fs::write(bench.path("games.pgn"), endings.concat().iter().map(game).collect::<String>()).unwrap();
    assert_eq!(bench.import(&["games.pgn"])["stored"], 13);
    for (block, first) in about_master_games("docs/finding.md").iter().zip([1, 4, 7]) {
        let (command, _) = commands(&block.text)[0];
        let found = run_command(&bench, &command.replace("--count", "--format ids"));
        assert_eq!(found, format!("{first}\n{}\n{}\n", first + 1, first + 2), "{command}");
    }
}

#[test]
fn every_encoding_example_prints_the_stated_output() {
    run_page(&bench_with_data(), "docs/encodings.md");
}

#[test]
fn every_parts_example_works_and_leaves_the_parts_intact() {
    let bench = bench_with_data();
    run_page(&bench, "docs/parts.md");
    for archive in
        ["three/part-0002.db", "tens/part-0001.db", "together/part-0001.db", "whole.db", "again.db"]
    {
        bench.ok(&["verify", "-a", archive]);
    }
}

#[test]
fn every_xelto_example_prints_the_stated_output() {
    run_page(&bench_with_data(), "docs/xelto.md");
}

#[test]
fn generate_works_as_the_page_on_measuring_shows() {
    let bench = Bench::new();
    run_page(&bench, "docs/measuring.md");
    assert_eq!(bench.import(&["made.pgn"])["stored"], 1000);
}

#[test]
fn the_other_pages_have_no_untested_blocks() {
    for (name, _) in PAGES.into_iter().filter(|(name, run)| *run == 0 && *name != "README.md") {
        // Blocks about master games are tested on every page.
        let shows = |block: &Block| {
            block.info.starts_with("sql")
                || block.info.starts_with("console") && block.info != "console masters"
        };
        assert!(!blocks(&page(name)).iter().any(shows), "{name}");
    }
}

/// Pages that are not listed above would not be tested.
#[test]
fn every_page_is_listed() {
    for entry in fs::read_dir(project().join("docs")).unwrap().map(Result::unwrap) {
        let name = format!("docs/{}", entry.file_name().to_str().unwrap());
        let is_known = PAGES.iter().any(|(page, _)| *page == name);
        assert!(is_known || !name.ends_with(".md"), "{name} is in no list");
    }
}

/// The link anchors of a page.
fn headings(page: &str) -> BTreeSet<String> {
    let prose: String = page.split("```").step_by(2).collect();
    let name = |heading: &str| {
        let signs = heading.to_lowercase();
        let kept = signs.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let lines = prose.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| name(line.trim_start_matches('#').trim())).collect()
}

/// Words in backquotes that begin with a folder of the project, and link targets.
#[test]
fn every_file_that_the_docs_name_exists() {
    const FOLDERS: [&str; 9] =
        ["packaging/", "src/", "crates/", "tests/", "data/", "docs/", "benches/", "fuzz/", "examples/"];
    let mut named = 0;
    for (name, _) in PAGES {
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
            let target = link.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { project().join(name) } else { folder.join(file) };
            assert!(file.exists(), "{name} links {target}, which is not there");
            let is_there =
                heading.is_empty() || headings(&fs::read_to_string(&file).unwrap()).contains(heading);
            assert!(is_there, "{name} links {target}, where no heading is that");
        }
    }
    assert!(named >= 40, "only {named} files were found");
}
