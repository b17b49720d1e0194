//! Malicious archives and texts: rejected by name or taken literally, and nothing is changed or created.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    beside_others,
    common::{self, Bench, Guest, Random, data, text, trials},
};
use rusqlite::Connection;

/// Every command that reads an archive.
const READERS: &[&[&str]] = &[
    &["games"],
    &["show", "1"],
    &["verify"],
    &["stats"],
    &["export"],
    &["export", "--format", "csv", "--moves", "uci"],
    &["export", "--format", "jsonl", "--moves", "stored"],
    #[cfg(feature = "columns")]
    &["export", "--format", "parquet", "-o", "games.parquet"],
    &["backup", "b.db"],
    &["position", "compare", "1:3"],
    &["book", "--min-games", "1", "-o", "book.bin"],
    &["sql", "SELECT count(*), max(plies(moves)) FROM game"],
];

/// The contents of a directory: names and bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn hostile_archives_are_rejected_by_name_and_unchanged() {
    let _lock = beside_others();
    for (what, sql) in [
        ("evil_trigger", "CREATE TRIGGER evil_trigger AFTER INSERT ON game BEGIN DELETE FROM player; END"),
        (
            "annotation",
            "DROP TABLE annotation; CREATE VIEW annotation AS SELECT load_extension('evil') AS game, 1 AS marks",
        ),
        ("annotation", "DROP TABLE annotation; CREATE VIRTUAL TABLE annotation USING fts5(game, marks)"),
        ("evil_index", "CREATE INDEX evil_index ON player (name) WHERE name > 'x'"),
        ("evil_index", "CREATE INDEX evil_index ON game (hex(zeroblob(plies)))"),
        ("game", "ALTER TABLE game ADD COLUMN evil TEXT AS (hex(zeroblob(1000)))"),
        (
            "player",
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1, sql = replace(sql, 'NOT NULL', '') WHERE name = 'player'",
        ),
        ("not a plybook archive", "PRAGMA application_id = 1"),
        ("version 77", "PRAGMA user_version = 77"),
        ("not a plybook archive", "PRAGMA user_version = -1"),
    ] {
        let bench = Bench::with_games();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(sql).unwrap();
        drop(db);
        let before = files(bench.folder.path());
        for command in READERS
            .iter()
            .copied()
            .chain([&["import", data("setup.pgn").to_str().unwrap()][..], &["migrate"]])
        {
            let line = bench.refused(command);
            assert!(line.contains(what), "{command:?}: {line}");
        }
        assert!(files(bench.folder.path()) == before, "{what}");
    }
}

#[test]
fn objects_of_users_are_ignored() {
    let _lock = beside_others();
    for sql in [
        "CREATE INDEX mine ON section (date); ANALYZE",
        "CREATE UNIQUE INDEX mine ON game (white, black, plies, moves)",
        "CREATE TABLE mine (game INTEGER REFERENCES game, note TEXT); INSERT INTO mine VALUES (1, 'a note')",
        "CREATE TABLE mine (a); CREATE TRIGGER also AFTER INSERT ON mine BEGIN DELETE FROM mine; END",
        "CREATE VIRTUAL TABLE mine USING fts5(name); INSERT INTO mine SELECT name FROM player",
        "CREATE VIEW mine AS SELECT white, count(*) FROM games GROUP BY white",
        "CREATE VIEW mine AS SELECT load_extension('evil')",
        "DROP VIEW games; CREATE VIEW games AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
        "DROP VIEW games; DROP VIEW other_tag",
        "CREATE VIEW mine AS SELECT * FROM games; DROP VIEW games",
    ] {
        let bench = Bench::with_games();
        let exported = bench.ok(&["export"]);
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(sql).unwrap();
        drop(db);
        let before = fs::read(bench.path("plybook.db")).unwrap();
        for command in READERS {
            if *command == ["verify"] && sql.contains("DROP VIEW") {
                let verdict = bench.run(command);
                assert!(
                    verdict.status.code() == Some(1) && text(&verdict.stdout).contains("the view"),
                    "{sql}"
                );
            } else {
                bench.ok(command);
            }
        }
        // A query on a view returns what the file defines, and can be cancelled.
        if sql.contains("WITH RECURSIVE") {
            let printed = bench.refused(&["sql", "SELECT count(*) FROM games", "--time-limit", "0.2"]);
            assert!(printed.contains("0.2 seconds"), "{printed}");
        }
        assert!(bench.ok(&["export"]) == exported, "{sql}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{sql}");
        bench.ok(&["salvage", "plybook.db", "-o", "new.db"]);
        // Writing restores the views, and touches nothing else.
        bench.ok(&["import", "--quiet", data("setup.pgn").to_str().unwrap()]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{sql}");
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        let games: i64 = db.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap();
        assert_eq!(games as usize, bench.json(&["games", "--format", "json"]).as_array().unwrap().len());
        let mine = "SELECT count(*) FROM sqlite_schema WHERE name = 'mine'";
        let mine: i64 = db.query_row(mine, [], |row| row.get(0)).unwrap();
        assert_eq!(mine, i64::from(sql.contains("mine")), "{sql}");
    }
}

#[test]
fn unique_indexes_of_users_that_reject_a_game_are_named() {
    let _lock = beside_others();
    let bench = Bench::new();
    for (name, player) in [("one.pgn", "A"), ("two.pgn", "B")] {
        let game = format!("[White \"{player}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
        fs::write(bench.path(name), game).unwrap();
    }
    bench.ok(&["import", "--quiet", "one.pgn"]);
    let run = |sql| Connection::open(bench.path("plybook.db")).unwrap().execute_batch(sql).unwrap();
    run("CREATE UNIQUE INDEX innocent ON player (name); CREATE UNIQUE INDEX mine ON game (result)");
    let said = bench.refused(&["import", "two.pgn"]);
    assert!(said.contains("\"mine\""), "{said}");
    assert!(bench.ok(&["verify"]).contains("1 game, 1 ply: all intact"));
    run("DROP INDEX mine");
    bench.ok(&["import", "--quiet", "two.pgn"]);
    assert!(bench.ok(&["verify"]).contains("2 games, 2 plies: all intact"));
}

#[test]
fn truncated_and_overwritten_files_are_read_or_rejected_in_one_line() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let mut random = Random(17);
    let mut slowest = Duration::ZERO;
    for round in 0..trials(60, 5000) {
        let mut bytes = whole.clone();
        match round % 3 {
            0 => bytes.truncate(random.below(whole.len())),
            1 => {
                let page = random.below(whole.len() / 8192) * 8192;
                bytes[page..page + 8192].fill(random.next() as u8);
            }
            // Swapped pages.
            _ => {
                let pages = whole.len() / 8192 - 1;
                let (a, b) = ((1 + random.below(pages)) * 8192, (1 + random.below(pages)) * 8192);
                bytes.copy_within(a..a + 8192, b);
            }
        }
        fs::write(bench.path("cut.db"), &bytes).unwrap();
        for command in [
            &["games"][..],
            &["verify"],
            &["export"],
            &["export", "--format", "csv", "--moves", "san"],
            &["export", "--format", "jsonl", "--positions"],
            &["book", "--min-games", "1", "--force", "-o", "book.bin"],
            &["sql", "SELECT id, white, plies(moves) FROM games"],
        ] {
            let begin = Instant::now();
            let output = bench.run(&[command, &["-a", "cut.db"]].concat());
            slowest = slowest.max(begin.elapsed());
            let said = text(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0..=2)) && !said.contains("panicked"),
                "{command:?}: {said}"
            );
            assert!(output.status.code() != Some(2) || said.lines().count() == 1, "{command:?}: {said}");
        }
        assert!(fs::read(bench.path("cut.db")).unwrap() == bytes);
    }
    println!("{} cut or shredded files: no panic, no hang, slowest {slowest:?}", trials(60, 5000));
}

#[test]
fn cyclic_pages_do_not_hang_a_reader() {
    let _lock = beside_others();
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), common::many_games(2000)).unwrap();
    bench.import(&["many.pgn"]);
    let mut bytes = fs::read(bench.path("plybook.db")).unwrap();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let root: u32 =
        db.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'game'", [], |row| row.get(0)).unwrap();
    drop(db);
    // All children of the root are the same page.
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let page = &mut bytes[(root as usize - 1) * size..root as usize * size];
    assert_eq!(page[0], 5);
    let cells = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let first = usize::from(u16::from_be_bytes([page[12], page[13]]));
    let child: [u8; 4] = page[first..first + 4].try_into().unwrap();
    for cell in 0..cells {
        let at = usize::from(u16::from_be_bytes([page[12 + 2 * cell], page[13 + 2 * cell]]));
        page[at..at + 4].copy_from_slice(&child);
    }
    fs::write(bench.path("circle.db"), bytes).unwrap();
    let begin = Instant::now();
    for command in
        [&["export"][..], &["verify"], &["stats"], &["games"], &["salvage", "circle.db", "-o", "new.db"]]
    {
        let archive = if command[0] == "salvage" { &[][..] } else { &["-a", "circle.db"] };
        let output = bench.run(&[command, archive].concat());
        assert_ne!(output.status.code(), Some(0), "{command:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn missing_or_unreadable_files_are_one_line_and_create_nothing() {
    let _lock = beside_others();
    let bench = Bench::new();
    fs::create_dir(bench.path("folder.db")).unwrap();
    fs::write(bench.path("empty.db"), "").unwrap();
    fs::write(bench.path("games.pgn"), fs::read(data("setup.pgn")).unwrap()).unwrap();
    let before = files(bench.folder.path());
    for (name, why) in [
        ("none.db", "archive not found"),
        ("no/such/folder/x.db", "archive not found"),
        ("folder.db", "this is a directory"),
        ("empty.db", "the file is empty"),
        ("games.pgn", "not a plybook archive"),
        ("file:none.db?mode=rwc", "archive not found"),
    ] {
        for command in READERS {
            let line = bench.refused(&[*command, &["-a", name]].concat());
            assert!(line.contains(why), "{name} {command:?}: {line}");
        }
        assert!(files(bench.folder.path()) == before, "{name}");
    }
    assert!(bench.refused(&["import", "games.pgn", "-a", "folder.db"]).contains("this is a directory"));
    assert!(
        bench.refused(&["import", "folder.db"]).contains("no .pgn, .xelto, .si4, .si5, .cbh or .cbv file")
    );
    assert!(bench.refused(&["import", "games.pgn", "-a", "no/such/x.db"]).contains("no/such/x.db"));
    assert!(files(bench.folder.path()) == before);
}

#[cfg(unix)]
#[test]
fn read_only_files_and_directories_are_read_and_not_written() {
    let _lock = beside_others();
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let pgn = fs::read(data("setup.pgn")).unwrap();
    fs::write(bench.path("setup.pgn"), pgn).unwrap();
    let all = bench.ok(&["export"]);
    // An archive in WAL mode without a log, as another program may leave it: reading it creates a log.
    fs::copy(bench.path("plybook.db"), bench.path("log.db")).unwrap();
    let db = Connection::open(bench.path("log.db")).unwrap();
    db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
    drop(db);
    let guest = Guest::new(&bench, &temporary);
    let before = files(bench.folder.path());
    for name in ["plybook.db", "log.db"] {
        let output = guest.run(&["export", "-a", name]);
        assert!(text(&output.stdout) == all, "{name}: {}", text(&output.stderr));
        assert!(text(&guest.run(&["verify", "-a", name]).stdout).contains("all intact"));
    }
    for (command, name) in [
        (&["import", "setup.pgn"][..], "plybook.db"),
        (&["import", "setup.pgn", "-a", "log.db"], "log.db"),
        (&["import", "setup.pgn", "-a", "new.db"], "new.db"),
        (&["backup", "new.db"], "new.db"),
        (&["salvage", "plybook.db", "-o", "new.db"], "new.db"),
    ] {
        let output = guest.run(command);
        let line = text(&output.stderr);
        assert_eq!((output.status.code(), line.lines().count()), (Some(2), 1), "{command:?}: {line}");
        assert!(line.contains(name), "{command:?}: {line}");
    }
    assert!(files(bench.folder.path()) == before && files(temporary.folder.path()).is_empty());
    drop(guest);
    // The control: the same commands write where they are allowed to.
    fs::remove_file(bench.path("log.db")).unwrap();
    bench.ok(&["backup", "new.db"]);
}

#[test]
fn hostile_strings_in_every_tag_are_stored_and_found_literally() {
    let _lock = beside_others();
    let strings = [
        "Robert'); DROP TABLE game;--",
        "\"quoted\" \\back\\slash\\",
        "%_%",
        "'' OR 1=1 --",
        "\u{202e}right to left\u{202c} \u{5d0}\u{5d1}",
        "tab\tand \u{1}control",
        "[Event \"x\"] {1. e4} ;",
        "e\u{301}\u{fb01}\u{1d518}\u{1f600}",
        "[1,2]",
        "null",
        "x'00'",
        &"long ".repeat(12_000),
    ];
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let names = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "ECO", "Annotator"];
    let mut pgn = String::new();
    for (number, string) in strings.iter().enumerate() {
        for name in names {
            pgn.push_str(&format!("[{name} \"{}\"]\n", escaped(string)));
        }
        pgn.push_str(&format!("[Number \"{number}\"]\n\n1. e4 *\n\n"));
    }
    let bench = Bench::new();
    fs::write(bench.path("hostile.pgn"), &pgn).unwrap();
    let report = bench.import(&["hostile.pgn"]);
    assert_eq!(report["stored"], strings.len(), "{report}");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    for (number, string) in strings.iter().enumerate() {
        let id = (number + 1).to_string();
        let game = bench.json(&["show", &id, "--ply", "0", "--format", "json"]);
        for name in names {
            assert_eq!(game["tags"][name], *string, "{name} of game {id}");
        }
        if string.len() < 1000 && !string.contains('*') {
            // Matching the name of a player ignores some characters, except in quotation marks.
            let whole = format!("\"{string}\"");
            for (filter, name) in [("--white", whole.as_str()), ("--event", string), ("--site", string)] {
                let found = bench.json(&["games", filter, name, "--format", "json"]);
                let found: Vec<u64> =
                    found.as_array().unwrap().iter().map(|game| game["id"].as_u64().unwrap()).collect();
                assert_eq!(found, [number as u64 + 1], "{filter} {string:?}");
            }
        }
    }
    // Exported and imported again, they are the same games.
    fs::write(bench.path("again.pgn"), bench.ok(&["export"])).unwrap();
    assert_eq!(bench.import(&["again.pgn"])["duplicate"], strings.len());
}
