//! A corrupt index does not block an archive: commands report it, work without it, and can drop it.

use std::{fs, path::Path};

use crate::{
    common::{Bench, data, text},
    index_support::{answers, indexed, positions},
};
use plybook::archive::Archive;
use rusqlite::Connection;

/// The reported error.
const DAMAGED: &str = "the index is damaged";
const RENEW: &str = "plybook index -a plybook.db --drop, then plybook index -a plybook.db";

/// The bytes of a file by page.
struct Pages {
    bytes: Vec<u8>,
    size: usize,
}

impl Pages {
    fn of(path: &Path) -> Pages {
        let bytes = fs::read(path).unwrap();
        let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
        Pages { bytes, size }
    }

    fn page(&mut self, number: usize) -> &mut [u8] {
        &mut self.bytes[(number - 1) * self.size..number * self.size]
    }

    /// The offsets of the cells of an inner page, each with the number of a child page.
    fn children(&mut self, number: usize) -> Vec<usize> {
        let page = self.page(number);
        assert_eq!(page[0], 5, "a page that leads to others");
        let two = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
        (0..two(3)).map(|cell| two(12 + 2 * cell)).collect()
    }

    fn child(&mut self, number: usize, at: usize) -> [u8; 4] {
        self.page(number)[at..at + 4].try_into().unwrap()
    }
}

/// The number of a table's root page, and the numbers of the pages with its rows.
fn pages_of(path: &Path, table: &str) -> (usize, Vec<usize>) {
    let db = Connection::open(path).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: i64 = db.query_row(root, [table], |row| row.get(0)).unwrap();
    let mut leaves =
        db.prepare("SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path").unwrap();
    let leaves = leaves.query_map([table], |row| row.get::<_, i64>(0)).unwrap();
    (root as usize, leaves.map(|page| page.unwrap() as usize).collect())
}

/// Damages pages of an index, or other pages.
type Damage = fn(&mut Pages, &Path);

const OF_PAGES: [(&str, Damage); 6] = [
    ("a page is empty", |pages, path| {
        let (_, leaves) = pages_of(path, "segment_block");
        pages.page(leaves[leaves.len() / 2]).fill(0);
    }),
    ("the first page is nonsense", |pages, path| {
        let (root, _) = pages_of(path, "segment_block");
        pages.page(root).fill(0xa5);
    }),
    ("the row of the segments is nonsense", |pages, path| {
        let (root, _) = pages_of(path, "segment");
        pages.page(root).fill(0xa5);
    }),
    ("rows come twice", |pages, path| {
        let (_, leaves) = pages_of(path, "segment_block");
        let first = pages.page(leaves[0]).to_vec();
        pages.page(leaves[1]).copy_from_slice(&first);
    }),
    ("all ways lead to one page", |pages, path| {
        let (root, _) = pages_of(path, "segment_block");
        let children = pages.children(root);
        let first = pages.child(root, children[0]);
        for at in children {
            pages.page(root)[at..at + 4].copy_from_slice(&first);
        }
    }),
    ("a page of games is one of the index too", |pages, path| {
        let (root, _) = pages_of(path, "segment_block");
        let (_, games) = pages_of(path, "game");
        let at = pages.children(root)[1];
        pages.page(root)[at..at + 4].copy_from_slice(&(games[1] as u32).to_be_bytes());
    }),
];

#[test]
fn an_index_whose_pages_are_damaged_in_any_way_is_reported_and_removed() {
    let whole = indexed();
    let path = whole.path("plybook.db");
    let positions = positions(&Archive::open(&path).unwrap());
    let (expected, games) = (answers(&path, &positions).unwrap(), whole.ok(&["export"]));
    let explored = whole.ok(&["explore", "1. e4"]);
    for (what, damage) in OF_PAGES {
        let bench = whole.twin();
        let (path, mut pages) = (bench.path("plybook.db"), Pages::of(&bench.path("plybook.db")));
        damage(&mut pages, &path);
        fs::write(&path, &pages.bytes).unwrap();
        let info = bench.run(&["info"]);
        assert_eq!(info.status.code(), Some(0), "{what}");
        assert!(text(&info.stdout).contains("index     corrupt, not used"), "{what}: {}", text(&info.stdout));
        assert!(text(&info.stderr).contains(RENEW), "{what}: {}", text(&info.stderr));
        let verdict = bench.run(&["verify"]);
        let said = text(&verdict.stderr);
        assert_eq!((verdict.status.code(), said.contains(RENEW)), (Some(1), true), "{what}: {said}");
        assert_eq!(bench.ok(&["explore", "1. e4"]), explored, "{what}");
        assert!(bench.refused(&["index"]).contains(DAMAGED), "{what}");
        assert!(fs::read(&path).unwrap() == pages.bytes, "{what}");

        bench.ok(&["index", "--drop"]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{what}");
        assert_eq!(bench.ok(&["export"]), games, "{what}");
        assert!(fs::metadata(&path).unwrap().len() < pages.bytes.len() as u64, "{what}");
        bench.ok(&["index", "-q"]);
        assert!(answers(&path, &positions).unwrap() == expected, "{what}");
    }
}

#[test]
fn one_of_two_indexes_is_not_removed_from_damaged_pages() {
    let bench = indexed();
    let (path, mut pages) = (bench.path("plybook.db"), Pages::of(&bench.path("plybook.db")));
    OF_PAGES[3].1(&mut pages, &path);
    fs::write(&path, &pages.bytes).unwrap();
    assert!(bench.refused(&["index", "--drop", "--only", "trails"]).contains(RENEW));
    assert!(fs::read(&path).unwrap()[pages.size..] == pages.bytes[pages.size..]);
}

/// Damages a page of games in the middle, and returns the file contents.
fn damage_games(bench: &Bench) -> Vec<u8> {
    let (path, mut pages) = (bench.path("plybook.db"), Pages::of(&bench.path("plybook.db")));
    let (_, leaves) = pages_of(&path, "game");
    pages.page(leaves[leaves.len() / 2]).fill(0);
    fs::write(&path, &pages.bytes).unwrap();
    pages.bytes
}

#[test]
fn an_index_is_not_removed_from_a_file_that_is_damaged_elsewhere_and_salvage_is_suggested() {
    let bench = indexed();
    let damaged = damage_games(&bench);
    let said = bench.refused(&["index", "--drop"]);
    assert!(said.contains("the archive is damaged"), "{said}");
    assert!(said.contains("plybook salvage plybook.db -o saved.db"), "{said}");
    // It is unchanged except for the change counter in its header.
    assert!(fs::read(bench.path("plybook.db")).unwrap()[100..] == damaged[100..]);
}

#[test]
fn verify_continues_after_a_malformed_page_and_names_the_games_and_the_next_command() {
    let bench = indexed();
    damage_games(&bench);
    let verdict = bench.run(&["verify"]);
    let (printed, said) = (text(&verdict.stdout), text(&verdict.stderr));
    assert_eq!(verdict.status.code(), Some(1), "{printed}{said}");
    assert!(printed.contains("games ") && printed.contains(" cannot be read"), "{printed}");
    assert!(!printed.contains("Error code") && printed.contains("faults"), "{printed}");
    assert_eq!(said.trim(), "plybook: to copy the intact games: plybook salvage plybook.db -o saved.db");
    let json = bench.run(&["verify", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json["games"].as_u64().unwrap() > 50 && json["faults"].as_u64() > json["index_faults"].as_u64());
    // The suggested command works.
    assert_eq!(bench.run(&["salvage", "plybook.db", "-o", "saved.db"]).status.code(), Some(1));
    assert!(bench.ok(&["verify", "-a", "saved.db"]).contains("all intact"));
}

#[test]
fn every_command_reports_a_damaged_index_once_and_works_without_it() {
    let without = indexed();
    without.ok(&["index", "--drop"]);
    let famous = data("famous.pgn");
    let commands: [&[&str]; 18] = [
        &["find", "1. e4 e5 2. Nf3", "--count"],
        &["find", "1. e4 e5 2. Nf3", "--format", "lines", "--sort", "date"],
        &["find", "1. e4 e5 2. Nf3 Nc6 3. Bc4", "--board-only", "--format", "ids"],
        &["find", "--material", "KR KR", "--count"],
        &["games", "--position", "1. d4", "--opening", "french"],
        &["games", "--opening-names"],
        &["explore"],
        &["explore", "1. e4", "--tree", "3"],
        &["explore", "--position", "1. e4 c5"],
        &["export", "--position", "1. e4 e5"],
        &["export", "--opening", "ruy lopez", "--format", "csv"],
        &["prepare", "--against", "fischer"],
        &["report", "--opening", "sicilian"],
        &["report"],
        &["stats", "--openings"],
        &["book", "--position", "1. e4 e5", "--force", "-o", "book.bin"],
        &["novelty", "--id", "1..9"],
        &["annotate", famous.to_str().unwrap()],
    ];
    let damages = [
        // Detected at the beginning; in the middle; only in the trails.
        "UPDATE segment SET games = games + 1",
        "UPDATE segment_block SET data = CAST(substr(data, 1, length(data) - 1) || x'01' AS BLOB)",
        "UPDATE segment_block SET data = x'00' WHERE id >> 32 = (SELECT id FROM segment WHERE kind = 4)",
        "DELETE FROM segment_block WHERE id & 1 = 0",
    ];
    let mut printed = 0;
    for damage in damages {
        let bench = indexed();
        Connection::open(bench.path("plybook.db")).unwrap().execute_batch(damage).unwrap();
        for command in commands {
            let (here, there) = (bench.run(command), without.run(command));
            let said = text(&here.stderr);
            assert_eq!(here.status.code(), there.status.code(), "{damage}: {command:?}: {said}");
            assert_eq!(text(&here.stdout), text(&there.stdout), "{damage}: {command:?}");
            let lines = said.lines().filter(|line| line.contains(DAMAGED)).count();
            assert!(lines <= 1 && (lines == 0 || said.contains(RENEW)), "{damage}: {command:?}: {said}");
            assert!(lines == 0 || !said.contains("to make this query fast"), "{damage}: {command:?}: {said}");
            printed += lines;
        }
    }
    assert!(printed > 2 * commands.len(), "{printed}");
}

#[test]
fn pages_left_by_an_interrupted_drop_are_found_and_freed() {
    let bench = indexed();
    let with = fs::metadata(bench.path("plybook.db")).unwrap().len();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name IN ('segment', 'segment_block')",
    )
    .unwrap();
    drop(db);
    bench.ok(&["export"]);
    let verdict = bench.run(&["verify"]);
    assert_eq!(verdict.status.code(), Some(1));
    assert!(text(&verdict.stdout).contains("some pages of the file belong to no table"));
    assert!(text(&verdict.stderr).contains("plybook index -a plybook.db --drop"));
    // The index is gone, except for its pages are left.
    assert_eq!(bench.run(&["index", "--drop"]).status.code(), Some(1));
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert!(fs::metadata(bench.path("plybook.db")).unwrap().len() < with);
}

#[test]
fn verify_reports_damage_to_any_table_as_a_fault() {
    let bench = indexed();
    let path = bench.path("plybook.db");
    for table in ["tag_layout", "player", "section", "key_run", "key_block", "source", "checksum", "segment"]
    {
        let mut pages = Pages::of(&path);
        let (root, _) = pages_of(&path, table);
        pages.page(root).fill(0);
        fs::write(bench.path("damaged.db"), &pages.bytes).unwrap();
        let verdict = bench.run(&["verify", "-a", "damaged.db"]);
        let (printed, said) = (text(&verdict.stdout), text(&verdict.stderr));
        assert_eq!(verdict.status.code(), Some(1), "{table}: {printed}{said}");
        assert!(printed.contains(&format!("table {table}: ")), "{table}: {printed}");
        let next = if table == "segment" { "--drop" } else { "plybook salvage damaged.db -o saved.db" };
        assert!(said.contains(next), "{table}: {said}");
    }
}
