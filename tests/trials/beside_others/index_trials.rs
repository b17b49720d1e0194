//! Tests of the index of positions: killed builds, concurrent builds, flipped bits and hostile rows. Every result is
//! correct, or the command reports that the index is damaged and how to fix it.
#![cfg(target_os = "linux")]

use std::{fs, path::Path, process::Stdio};

use crate::{
    alone, beside_others,
    common::{
        Bench, Random,
        bounded::bounded,
        many_games,
        shim::{How, Shim, points},
        text, trials,
    },
    index_support::{self, Answer, answers, answers_or_scan, bench, indexed, positions, segments},
};
use plybook::{
    archive::{Archive, ArchiveError},
    chess::VariantPosition,
    position_index,
};
use rusqlite::{Connection, params};
use twox_hash::XxHash3_64;

/// Positions of an archive, and the results without an index.
fn expected(bench: &Bench) -> (Vec<VariantPosition>, Vec<Answer>) {
    let positions = positions(&Archive::open(bench.path("plybook.db")).unwrap());
    let twin = bench.twin();
    if !segments(&twin.path("plybook.db")).is_empty() {
        twin.ok(&["index", "--drop"]);
    }
    let answers = answers(&twin.path("plybook.db"), &positions).unwrap();
    (positions, answers)
}

#[test]
fn index_builds_killed_at_any_call_are_correct_and_resumed() {
    let _lock = alone();
    let Some(shim) = Shim::new() else { return };
    let fresh = bench();
    let extended = indexed();
    fs::write(extended.path("more.pgn"), many_games(400)).unwrap();
    extended.import(&["more.pgn"]);
    for (before, command) in
        [(fresh, &["index", "-q"][..]), (indexed(), &["index", "--drop"]), (extended, &["index", "-q"])]
    {
        let (positions, expected) = expected(&before);
        let calls = shim.calls(&before.twin(), command);
        assert!(calls > 10, "{calls}");
        for at in points(calls, 3, 23) {
            let bench = before.twin();
            let how = if at % 3 == 0 { How::Torn } else { How::Kill };
            shim.run(&bench, command, at, how);
            let place = format!("{command:?} killed at call {at} of {calls}");
            let path = bench.path("plybook.db");
            assert!(answers(&path, &positions).unwrap() == expected, "{place}");
            assert!(bench.ok(&["verify"]).contains("all intact"), "{place}");
            bench.ok(&["index", "-q"]);
            assert!(answers(&path, &positions).unwrap() == expected, "{place}: gone on with");
            assert_eq!(segments(&path).len(), 1, "{place}");
            let left: Vec<_> =
                fs::read_dir(bench.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
            assert!(
                left.iter().all(|name| name
                    .to_str()
                    .is_some_and(|name| name.ends_with(".pgn") || name == "plybook.db")),
                "{place}: {left:?}"
            );
        }
        println!("{command:?}: kills at {calls} calls");
    }
}

#[test]
fn disk_failures_during_an_index_build_are_reported_and_change_nothing() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    const ENOSPC: i32 = 28;
    let before = bench();
    let (positions, expected) = expected(&before);
    let calls = shim.calls(&before.twin(), &["index", "-q"]);
    let mut failed = 0;
    for at in points(calls, 4, 19) {
        let bench = before.twin();
        let output = shim.run(&bench, &["index", "-q"], at, How::Error { errno: ENOSPC, stays: true });
        let said = text(&output.stderr);
        if output.status.code() != Some(0) {
            failed += 1;
            assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "call {at}: {said}");
        }
        assert!(answers(&bench.path("plybook.db"), &positions).unwrap() == expected, "call {at}");
        bench.ok(&["index", "-q"]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "call {at}");
    }
    assert!(failed > 2, "{failed} of {calls}");
}

#[test]
fn concurrent_index_builds_make_one_index() {
    let _lock = beside_others();
    for _ in 0..trials(2, 50) {
        let bench = bench();
        let (positions, expected) = expected(&bench);
        let start =
            || bench.command(&["index"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        for child in [start(), start()] {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        }
        assert_eq!(segments(&bench.path("plybook.db")).len(), 1);
        assert!(answers(&bench.path("plybook.db"), &positions).unwrap() == expected);
        assert!(bench.ok(&["verify"]).contains("all intact"));
    }
}

#[test]
fn index_built_during_an_import_is_correct() {
    let _lock = beside_others();
    let bench = bench();
    let (positions, _) = expected(&bench);
    fs::write(bench.path("more.pgn"), many_games(trials(800, 8000))).unwrap();
    let mut import = bench
        .command(&["import", "more.pgn", "--quiet", "--commit-every", "40"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut built = 0;
    while import.try_wait().unwrap().is_none() {
        bench.ok(&["index", "-q"]);
        // Games added since are scanned.
        answers(&bench.path("plybook.db"), &positions[..5]).unwrap();
        built += 1;
    }
    println!("{built} builds during an import");
    let expected = expected(&bench).1;
    let path = bench.path("plybook.db");
    let positions = index_support::positions(&Archive::open(&path).unwrap());
    assert!(answers(&path, &positions).unwrap() == expected);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    bench.ok(&["index", "-q"]);
    assert!(answers(&path, &positions).unwrap() == expected);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// The bytes of the pages of a table.
fn pages_of(path: &Path, table: &str) -> Vec<std::ops::Range<usize>> {
    let db = Connection::open(path).unwrap();
    let mut statement = db.prepare("SELECT pageno, pgsize FROM dbstat WHERE name = ?1").unwrap();
    let page =
        |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)? as usize - 1, row.get::<_, i64>(1)? as usize));
    let pages = statement.query_map([table], page).unwrap().map(Result::unwrap);
    pages.map(|(number, size)| number * size..(number + 1) * size).collect()
}

#[test]
fn changed_bits_and_bytes_of_the_index_change_no_result() {
    let _lock = beside_others();
    let bench = indexed();
    let (positions, expected) = expected(&bench);
    let path = bench.path("plybook.db");
    let whole = fs::read(&path).unwrap();
    let pages: Vec<_> =
        ["segment", "segment_block"].iter().flat_map(|table| pages_of(&path, table)).collect();
    let (mut random, mut damaged) = (Random(23), 0);
    let flips = trials(60, 20_000);
    let flipped = bench.path("flipped.db");
    for number in 0..flips {
        // Every other one in a page header or in the row of the segment, of which there are few.
        let page = &pages[if number % 4 == 0 { 0 } else { random.below(pages.len()) }];
        let within = if number % 4 == 1 { 100 } else { page.len() };
        let end = if number % 4 == 0 { page.end - 300..page.end } else { page.start..page.start + within };
        let bit = 8 * end.start + random.below(8 * end.len());
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if number % 3 == 2 {
            // More than a bit: several bytes, at most to the end of the page.
            let bytes = &mut bytes[bit / 8..page.end.min(bit / 8 + 1 + random.below(60))];
            bytes.iter_mut().for_each(|byte| *byte = random.next() as u8);
        }
        fs::write(&flipped, &bytes).unwrap();
        let (found, printed) = answers_or_scan(&flipped, &positions);
        assert!(found.unwrap() == expected, "bit {bit} changes an answer");
        match answers(&flipped, &positions) {
            Ok(answers) => assert!(!printed && answers == expected, "bit {bit} changes an answer"),
            Err(error) => {
                damaged += 1;
                assert!(printed && matches!(error, ArchiveError::DamagedIndex(_)), "bit {bit}: {error}");
                assert_eq!(bench.run(&["verify", "-a", "flipped.db"]).status.code(), Some(1), "bit {bit}");
                let output = bench.run(&["explore", "-a", "flipped.db"]);
                let said = text(&output.stderr);
                assert!(output.status.code() == Some(0) && said.lines().count() <= 1, "bit {bit}: {said}");
                assert!(said.is_empty() || said.contains("--drop"), "bit {bit}: {said}");
                if damaged % 8 == 0 {
                    bench.ok(&["index", "--drop", "-a", "flipped.db"]);
                    assert!(bench.ok(&["verify", "-a", "flipped.db"]).contains("all intact"), "bit {bit}");
                    assert!(answers(&flipped, &positions).unwrap() == expected, "bit {bit}");
                }
            }
        }
    }
    println!("{flips} changes in the index: {damaged} noticed, no answer changed");
    assert!(damaged > flips / 20, "{damaged}");
}

/// An archive whose index has arbitrary parameters, with correct checksums.
struct Forged<'a> {
    db: Connection,
    bench: &'a Bench,
}

impl Forged<'_> {
    fn block(&self, part: i64, number: i64, data: &[u8]) {
        let id = 1i64 << 32 | part << 24 | number;
        let hash = XxHash3_64::oneshot_with_seed(id as u64, data).to_le_bytes();
        let sql = "INSERT OR REPLACE INTO segment_block (id, data) VALUES (?1, ?2)";
        self.db.execute(sql, params![id, [data, &hash[..4]].concat()]).unwrap();
    }

    fn segment(&self, (id, first, last): (i64, i64, i64), shape: &serde_json::Value) {
        let proven = serde_json::json!([id, position_index::KIND, first, last, shape]).to_string();
        let proof = XxHash3_64::oneshot(proven.as_bytes()) as u32;
        let mut parameters = shape.clone();
        parameters["proof"] = proof.into();
        let sql = "INSERT OR REPLACE INTO segment VALUES (?1, ?6, ?2, ?3, ?4, ?5)";
        let games = shape["games"].as_i64().unwrap();
        let row = params![id, first, last, games, parameters.to_string(), position_index::KIND];
        self.db.execute(sql, row).unwrap();
    }
}

/// Bits, the most significant first.
#[derive(Default)]
struct BitText(String);

impl BitText {
    fn push(mut self, value: u64, width: usize) -> BitText {
        (0..width).rev().for_each(|bit| self.0.push(if value >> bit & 1 == 1 { '1' } else { '0' }));
        self
    }

    fn golomb(self, value: u64, order: usize) -> BitText {
        let high = (value >> order) + 1;
        let width = high.ilog2() as usize;
        self.push(0, width).push(high, width + 1).push(value, order)
    }

    fn bytes(self) -> Vec<u8> {
        let mut bits = self.0.into_bytes();
        bits.resize(bits.len().next_multiple_of(8), b'0');
        bits.chunks(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit - b'0')).collect()
    }
}

#[test]
fn hostile_indexes_are_rejected_cheaply() {
    let _lock = alone();
    const START: u64 = 0x463b_9618_1691_fc9c;
    let bench = indexed();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = archive.last_id().unwrap();
    let segment = archive.segments().positions().unwrap().remove(0);
    drop(archive);
    let honest = serde_json::to_value(segment.shape).unwrap();
    let with = |changes: &[(&str, serde_json::Value)]| {
        let mut shape = honest.clone();
        changes.iter().for_each(|(name, value)| shape[*name] = value.clone());
        shape
    };
    let many = |games: i64| {
        let mut shape = with(&[("games", games.into())]);
        shape["postings"]["games"] = games.into();
        shape
    };
    let all = (1, 1, games);
    let first_key = START.to_le_bytes();
    type Forge<'a> = Box<dyn Fn(&Forged<'_>) + 'a>;
    let forgeries: [(&str, Forge<'_>); 12] = [
        ("a million games", Box::new(|db| db.segment((1, 1, 1 << 20), &many(1 << 20)))),
        ("games without end", Box::new(|db| db.segment((1, 1, i64::MAX), &many(1 << 20)))),
        ("before the first", Box::new(|db| db.segment((1, i64::MIN, games), &many(games)))),
        (
            "millions of rows",
            Box::new(|db| {
                db.segment(
                    all,
                    &with(&[("popular_rows", 0xff_ffff.into()), ("posting_rows", 0xff_ffff.into())]),
                )
            }),
        ),
        (
            "buckets without end",
            Box::new(|db| {
                let mut shape = honest.clone();
                shape["postings"]["buckets"] = u64::MAX.into();
                db.segment(all, &shape);
            }),
        ),
        (
            "codes without end",
            Box::new(|db| {
                let mut shape = honest.clone();
                shape["postings"]["order"] = 63.into();
                db.segment(all, &shape);
            }),
        ),
        ("segments that overlap", Box::new(|db| (2..200).for_each(|id| db.segment((id, 1, games), &honest)))),
        (
            "a block of 60 million bytes",
            Box::new(|db| {
                db.db.execute("UPDATE segment_block SET data = zeroblob(60000000) WHERE id >> 24 & 255 IN (2, 4, 5)", []).unwrap();
                [2, 4, 5].iter().for_each(|part| db.block(*part, 0, &vec![0; 60_000_000]));
            }),
        ),
        (
            "records without an end",
            Box::new(|db| {
                let record = |bits: BitText, _| bits.push(START & 0xff_ffff, 24).golomb(0, 9);
                let row = (0..65_535).fold(BitText::default().push(65_535, 16), record);
                db.block(3, 0, &row.bytes());
                db.block(4, 0, &first_key);
                db.segment(all, &with(&[("popular_rows", 1.into())]));
            }),
        ),
        (
            "millions of runs",
            Box::new(|db| {
                let runs = BitText::default().golomb(1 << 20, 5).golomb(0, 1).push(0, 13).golomb(1 << 20, 4);
                let runs = BitText(runs.0 + &"1".repeat(3 << 20));
                let row =
                    BitText::default().push(1, 16).push(START & 0xff_ffff, 24).golomb(runs.0.len() as u64, 9);
                db.block(3, 0, &BitText(row.0 + &runs.0).bytes());
                db.block(4, 0, &first_key);
                db.segment(all, &with(&[("popular_rows", 1.into())]));
            }),
        ),
        (
            "a game posted over and over",
            Box::new(|db| {
                let row = BitText(BitText::default().push(65_535, 16).push(0, 64).0 + &"1".repeat(65_535));
                let row = row.bytes();
                (0..2000).for_each(|number| db.block(1, number, &row));
                db.block(2, 0, &[0; 16_000]);
                let mut shape = with(&[("posting_rows", 2000.into())]);
                shape["postings"]["order"] = 0.into();
                shape["postings"]["buckets"] = 1.into();
                db.segment(all, &shape);
            }),
        ),
        ("columns without numbers", Box::new(|db| (5..26).for_each(|part| db.block(part, 0, &[0; 8])))),
    ];
    for (what, forge) in &forgeries {
        let bench = bench.twin();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch("PRAGMA synchronous = OFF").unwrap();
        let forged = Forged { db, bench: &bench };
        forge(&forged);
        assert!(forged.bench.path("plybook.db").exists());
        drop(forged);
        let mut refused = Vec::new();
        for command in [
            &["explore"][..],
            &["explore", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O"],
            &["find", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O h6", "--count"],
            &["find", "1. a4 h5 2. Ra3", "--board-only", "--count"],
            &["verify"],
            &["stats"],
            &["index", "-q"],
        ] {
            let (code, said) = bounded(&bench, command, what);
            if code == Some(2) {
                assert!(said.contains("--drop"), "{what}: {command:?}: {said}");
            }
            if matches!(code, Some(1 | 2)) && command[0] != "find" || code == Some(2) {
                refused.push(command[0]);
            }
        }
        println!("{what}: refused by {refused:?}");
        assert!(refused.contains(&"verify"), "{what}: {refused:?}");
        bounded(&bench, &["index", "--drop"], what);
        bounded(&bench, &["index", "-q"], what);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{what}");
    }
}
