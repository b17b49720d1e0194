//! Archives whose queries would take far more than their size suggests: every command ends soon, in little memory, with
//! a clear message.
#![cfg(target_os = "linux")]

use std::fs;

use crate::{
    alone,
    common::{Bench, bounded::bounded, data, many_games, trials},
};
use rusqlite::Connection;

/// Every command that reads or writes an archive.
const COMMANDS: [&[&str]; 13] = [
    &["show", "1"],
    &["position", "compare", "1:3"],
    &["games"],
    &["games", "--player", "a"],
    &["games", "--eco", "E99"],
    &["games", "--sort", "white", "--format", "csv"],
    &["export"],
    &["stats"],
    &["verify"],
    &["backup", "b.db"],
    &["salvage", "plybook.db", "-o", "s.db"],
    &["import", "setup.pgn"],
    &["migrate"],
];

/// Runs every command on a copy of an archive; returns those that failed.
fn refusals(bench: &Bench, what: &str) -> Vec<&'static str> {
    let mut refused = Vec::new();
    for command in COMMANDS {
        let bench = bench.twin();
        fs::copy(data("setup.pgn"), bench.path("setup.pgn")).unwrap();
        let code = bounded(&bench, command, what).0;
        // A filter without matches is not a failure.
        if code == Some(2) || code == Some(1) && command[0] != "games" {
            refused.push(command[0]);
        }
    }
    refused
}

fn edited(bench: &Bench, sql: &str) -> Bench {
    let bench = bench.twin();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    db.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    bench
}

/// An archive with a table whose root refers to the same page 300 times, that page to the next one, and so on, and the
/// last one to a page with rows: a few pages with 300^6 rows.
fn shared_children(bench: &Bench, table: &str) -> Bench {
    const CELLS: u16 = 300;
    const DEPTH: u32 = 6;
    let bench = edited(bench, "PRAGMA journal_mode = DELETE");
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: u32 = db.query_row(root, [table], |row| row.get(0)).unwrap();
    drop(db);
    let mut bytes = fs::read(bench.path("plybook.db")).unwrap();
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let pages = (bytes.len() / size) as u32;
    let interior = |child: u32| {
        let mut page = vec![0; size];
        let mut end = size;
        for cell in 0..CELLS {
            // Its child, and its largest id.
            let id = [0x80 | (cell >> 7) as u8, (cell & 0x7f) as u8];
            page[end - 6..end].copy_from_slice(&[&child.to_be_bytes()[..], &id].concat());
            end -= 6;
            let place = 12 + 2 * usize::from(cell);
            page[place..place + 2].copy_from_slice(&(end as u16).to_be_bytes());
        }
        page[0] = 5;
        page[3..5].copy_from_slice(&CELLS.to_be_bytes());
        page[5..7].copy_from_slice(&(end as u16).to_be_bytes());
        page[8..12].copy_from_slice(&child.to_be_bytes());
        page
    };
    let at = |page: u32| (page as usize - 1) * size;
    let mut rows = root;
    while bytes[at(rows)] == 5 {
        let child: [u8; 4] = bytes[at(rows) + 8..at(rows) + 12].try_into().unwrap();
        rows = u32::from_be_bytes(child);
    }
    if rows == root {
        rows = pages + DEPTH;
    }
    let leaf = bytes[at(root)..at(root) + size].to_vec();
    for level in 1..DEPTH {
        bytes.extend(interior(if level + 1 == DEPTH { rows } else { pages + level + 1 }));
    }
    bytes.extend(leaf);
    bytes[at(root)..at(root) + size].copy_from_slice(&interior(pages + 1));
    bytes[28..32].copy_from_slice(&(pages + DEPTH).to_be_bytes());
    fs::write(bench.path("plybook.db"), bytes).unwrap();
    bench
}

/// An archive with small pages.
fn bench_with_games() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(600)).unwrap();
    bench.import(&["many.pgn"]);
    fs::remove_file(bench.path("many.pgn")).unwrap();
    bench
}

#[test]
fn cyclic_pages_are_rejected() {
    let _lock = alone();
    let whole = bench_with_games();
    assert_eq!(refusals(&whole, "the control: a whole archive"), [""; 0]);
    let more = ["player", "source", "source_span", "key_block"];
    for table in ["game", "section", "key_run", "tag_layout"].iter().chain(trials(&[][..], &more)) {
        let bench = shared_children(&whole, table);
        let refused = refusals(&bench, table);
        assert!(
            ["verify", "stats", "import"].iter().all(|command| refused.contains(command)),
            "{table}: {refused:?}"
        );
        if *table == "game" {
            assert!(["export", "backup"].iter().all(|command| refused.contains(command)), "{refused:?}");
        }
    }
}

#[test]
fn runs_with_shared_blocks_are_rejected() {
    let _lock = alone();
    let bench = edited(
        &bench_with_games(),
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
         INSERT INTO key_run SELECT 1000 * id + 100000 * n, kind, first_block, blocks, keys FROM key_run, n WHERE kind = 1",
    );
    let refused = refusals(&bench, "runs");
    assert!(["verify", "import"].iter().all(|command| refused.contains(command)), "{refused:?}");
}

#[test]
fn values_repeated_a_thousand_times_are_damage() {
    let _lock = alone();
    for names in [500, 40_000] {
        let list =
            |word: &str| format!("'[' || substr(replace(hex(zeroblob({names})), '00', ',{word}'), 2) || ']'");
        let bench = edited(
            &bench_with_games(),
            &format!(
                "INSERT INTO tag_value (id, text) VALUES (9999, replace(hex(zeroblob(500000)), '00', 'xx'));
                 INSERT INTO tag_layout (id, codec, variant, names, slots)
                     VALUES (99, 1, 0, {}, {});
                 INSERT INTO section SELECT max(id) + 1, 99, event, site, date, tags FROM section;
                 UPDATE game SET tags = {}, section = (SELECT max(id) FROM section)",
                list("\"T\""),
                list("\"value\""),
                list("9999")
            )
            .replace(
                "INSERT INTO section SELECT max(id) + 1, 99, event, site, date, tags FROM section",
                "CREATE TEMP TABLE s AS SELECT * FROM section LIMIT 1;
                 UPDATE s SET id = (SELECT max(id) + 1 FROM section), layout = 99, tags = NULL;
                 INSERT INTO section SELECT * FROM s",
            ),
        );
        let refused = refusals(&bench, &format!("{names} values"));
        assert!(["show", "verify", "export"].iter().all(|command| refused.contains(command)), "{refused:?}");
    }
}

#[test]
fn arbitrary_numbers_are_read_or_rejected() {
    let _lock = alone();
    const NUMBERS: [i64; 6] = [1 << 31, 1 << 33, 1 << 62, -1, i64::MIN, i64::MAX];
    let whole = bench_with_games();
    let db = Connection::open(whole.path("plybook.db")).unwrap();
    let sql = "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
               WHERE t.type = 'table' AND c.type IN ('INTEGER', 'ANY') ORDER BY 1, c.cid";
    let places: Vec<(String, String)> = db
        .prepare(sql)
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    drop(db);
    assert!(places.len() > 40, "{places:?}");
    let mut tries = 0;
    for (place, (table, column)) in places.iter().enumerate() {
        for (turn, number) in NUMBERS.into_iter().enumerate() {
            if turn != place % NUMBERS.len() && trials(true, false) {
                continue;
            }
            let last = match table.as_str() {
                "checksum" => {
                    "(subject, bucket) = (SELECT max(subject), min(bucket) FROM checksum WHERE subject = 7)"
                        .to_owned()
                }
                "setting" => "name = 'identities'".to_owned(),
                table => format!("rowid = (SELECT max(rowid) FROM {table})"),
            };
            let bench = edited(&whole, &format!("UPDATE {table} SET {column} = {number} WHERE {last}"));
            for command in [
                &["show", "1"][..],
                &["export"],
                &["stats"],
                &["verify"],
                &["games"],
                &["import", "none.pgn"],
            ] {
                bounded(&bench, command, &format!("{table}.{column} = {number}"));
                tries += 1;
            }
        }
    }
    println!("{} places, {tries} commands", places.len());
}

#[test]
fn arrays_and_frames_of_any_size_are_read_or_rejected() {
    let _lock = alone();
    let whole = bench_with_games();
    let many = "'[' || substr(replace(hex(zeroblob(3000000)), '00', ',1'), 2) || ']'";
    let deep = "replace(hex(zeroblob(100000)), '00', '[')";
    let nested = format!("'[' || {many} || ']'");
    let mut edits: Vec<String> = Vec::new();
    for (table, column) in
        [("tag_layout", "names"), ("tag_layout", "slots"), ("section", "tags"), ("game", "tags")]
    {
        for array in [many, deep, &nested, "'null'", "'[1e999]'", "'{}'"] {
            edits.push(format!("UPDATE {table} SET {column} = {array} WHERE rowid = 1"));
        }
    }
    // Frames that claim a window of 2^31 bytes, a size of 2^62 bytes, and one that is endless.
    for frame in ["28B52FFD00A8", "28B52FFDE00000000000000040", "28B52FFD0088FBFFFF00FBFFFF00"] {
        edits.push(format!("INSERT OR REPLACE INTO original (game, text) VALUES (1, X'{frame}')"));
        edits.push(format!(
            "INSERT OR REPLACE INTO annotation (game, marks) VALUES (1, X'01FFFFFFFF{frame}')"
        ));
    }
    for edit in edits {
        let bench = edited(&whole, &edit);
        for command in
            [&["show", "1"][..], &["games"], &["export"], &["export", "--original"], &["verify"], &["stats"]]
        {
            bounded(&bench, command, &edit);
        }
    }
}
