//! A damaged byte is found by `verify` and never becomes another game unnoticed; nothing damaged can crash or
//! hang the program; what is sound can be saved.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use common::{Bench, Random, data, many_games, trials};
use plybook::{
    archive::{Archive, Filter, GameKind, StoredGame},
    codec::game::{GAME_CODECS, Line},
    limits::MAX_BLOB_BYTES,
    pgn::write_game,
};
use rusqlite::Connection;
use shakmaty::variant::VariantPosition;

/// Stored games of the bundled collections, every variant and set-up among them.
fn games(bench: &Bench) -> Vec<StoredGame> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let mut games = Vec::new();
    archive
        .for_each_game(&Filter::default(), |game| {
            games.push(game.unwrap());
            true
        })
        .unwrap();
    games
}

fn bench_of_all() -> Bench {
    let bench = Bench::new();
    bench.import(&[data("").to_str().unwrap()]);
    bench
}

/// Decodes with every codec what one codec wrote, damaged; gives the time of the slowest.
fn decode_all(start: &VariantPosition, bytes: &[u8], plies: usize) -> Duration {
    let mut slowest = Duration::ZERO;
    for codec in GAME_CODECS {
        let begin = Instant::now();
        let _ = codec.decode(start, bytes, Some(plies));
        slowest = slowest.max(begin.elapsed());
    }
    slowest
}

#[test]
fn every_single_bit_flip_of_stored_games_is_harmless_and_reported() {
    let bench = bench_of_all();
    let (games, mut slowest, mut flips, mut others) = (games(&bench), (Duration::ZERO, ""), 0u64, 0u64);
    for game in games.iter().filter(|game| game.kind != GameKind::Xelto).rev().take(trials(50, 1000)) {
        let line = game.line().unwrap();
        for codec in GAME_CODECS {
            let Ok(code) = codec.encode(&line) else { continue };
            let bytes = code.bits.bytes().to_vec();
            for bit in 0..bytes.len() * 8 {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                let begin = Instant::now();
                let decoded = codec.decode(&line.start, &damaged, code.plies);
                slowest = slowest.max((begin.elapsed(), codec.about().name));
                flips += 1;
                others += u64::from(decoded.is_ok_and(|decoded| decoded.moves != line.moves));
            }
        }
    }
    println!(
        "{flips} flips in all codecs: no panic, slowest {slowest:?}, {others} decode to another legal game"
    );
    assert!(others > 0, "the codes would be checksums, and the next trial would prove nothing");
}

#[test]
fn verify_reports_every_flipped_bit_of_the_stored_moves() {
    let bench = bench_of_all();
    let path = bench.path("plybook.db");
    let db = Connection::open(&path).unwrap();
    let every = trials(7, 1);
    let (mut flips, mut silent) = (0u64, 0u64);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.verify(|_| ()).unwrap().faults, 0);
    // One bit of every game at a time, so that one look finds all of them.
    let games = games(&bench);
    let longest = games.iter().map(|game| game.moves.len() * 8).max().unwrap();
    for bit in (0..longest).step_by(every) {
        let flipped: Vec<&StoredGame> = games.iter().filter(|game| bit < game.moves.len() * 8).collect();
        for game in &flipped {
            let mut moves = game.moves.clone();
            moves[bit / 8] ^= 1 << (bit % 8);
            db.execute("UPDATE game SET moves = ?2 WHERE id = ?1", (game.id, moves)).unwrap();
        }
        let verdict = archive.verify(|_| ()).unwrap();
        let told = |game: &&&StoredGame| verdict.first.iter().any(|fault| fault.game == Some(game.id));
        silent += flipped.iter().filter(|game| !told(game)).count() as u64;
        flips += flipped.len() as u64;
        for game in &flipped {
            db.execute("UPDATE game SET moves = ?2 WHERE id = ?1", (game.id, &game.moves)).unwrap();
        }
    }
    println!("{flips} flips of stored moves: {silent} not reported");
    assert_eq!(silent, 0);
    assert_eq!(archive.verify(|_| ()).unwrap().faults, 0);
}

#[test]
fn verify_reports_every_flipped_bit_of_the_indexes() {
    let bench = bench_of_all();
    let path = bench.path("plybook.db");
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.verify(|_| ()).unwrap().faults, 0);
    let db = Connection::open(&path).unwrap();
    let blocks: Vec<(i64, Vec<u8>)> = db
        .prepare("SELECT id, keys FROM block")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let (mut flips, every) = (0u64, trials(97, 5));
    for (id, keys) in blocks {
        for bit in (0..keys.len() * 8).step_by(every) {
            let mut flipped = keys.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            db.execute("UPDATE block SET keys = ?2 WHERE id = ?1", (id, flipped)).unwrap();
            assert!(archive.verify(|_| ()).unwrap().faults > 0, "block {id}, bit {bit}");
            flips += 1;
        }
        db.execute("UPDATE block SET keys = ?2 WHERE id = ?1", (id, &keys)).unwrap();
    }
    println!("{flips} flips of the archive's indexes: all reported");
    assert!(flips > 50 && archive.verify(|_| ()).unwrap().faults == 0);
}

#[test]
fn cuts_and_random_blobs_give_a_game_or_an_error() {
    let bench = bench_of_all();
    let games = games(&bench);
    let (mut slowest, mut blobs) = (Duration::ZERO, 0u64);
    let mut decode = |start: &VariantPosition, bytes: &[u8], plies: usize| {
        slowest = slowest.max(decode_all(start, bytes, plies));
        blobs += 1;
    };
    for game in games.iter().filter(|game| game.kind != GameKind::Xelto).rev().take(trials(20, 1000)) {
        let line: Line<VariantPosition> = game.line().unwrap();
        for codec in GAME_CODECS {
            let Ok(code) = codec.encode(&line) else { continue };
            let bytes = code.bits.bytes().to_vec();
            for length in 0..bytes.len() {
                decode(&line.start, &bytes[..length], line.moves.len());
            }
        }
    }
    let start = games[0].start().unwrap();
    for first in 0..=255u8 {
        decode(&start, &[first], 1);
        for second in (0..=255u8).step_by(trials(5, 1)) {
            decode(&start, &[first, second], 2);
        }
    }
    let mut random = Random(7);
    for _ in 0..trials(5_000, 10_000_000) {
        let blob: Vec<u8> = (0..random.below(64)).map(|_| random.next() as u8).collect();
        decode(&start, &blob, random.below(200));
    }
    for size in [MAX_BLOB_BYTES, MAX_BLOB_BYTES + 1] {
        for byte in [0u8, 1, 0xff] {
            decode(&start, &vec![byte; size], 65_535);
        }
    }
    println!("{blobs} cut and random blobs: no panic, slowest {slowest:?}");
}

/// What a reader can get out of an archive.
fn exported(path: &Path) -> Option<String> {
    let archive = Archive::open(path).ok()?;
    let (mut text, mut whole) = (String::new(), true);
    let read = archive.for_each_game(&Filter::default(), |game| {
        match game.ok().and_then(|game| write(&game)) {
            Some(game) => text.push_str(&game),
            None => whole = false,
        }
        true
    });
    (read.is_ok() && whole).then_some(text)
}

/// A game as PGN or record, if it is whole.
fn write(game: &StoredGame) -> Option<String> {
    if game.kind == GameKind::Xelto {
        return Some(game.xelto().ok()?.to_string());
    }
    let (mut text, line) = (String::new(), game.line().ok()?);
    let annotations = game.annotations(&line).ok()?;
    write_game(&mut text, &game.tags, &line.start, &line.moves, &annotations, line.outcome);
    Some(text)
}

#[test]
fn verify_finds_every_flip_in_the_file_that_changes_what_is_exported() {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(300)).unwrap();
    bench.import(&["many.pgn", data("").to_str().unwrap()]);
    let (whole, path) = (fs::read(bench.path("plybook.db")).unwrap(), bench.path("flipped.db"));
    let before = exported(&bench.path("plybook.db")).unwrap();
    let mut random = Random(99);
    let (mut changed, mut passed_sqlite, mut slowest) = (0, 0, Duration::ZERO);
    let flips = trials(200, 10_000);
    for _ in 0..flips {
        let bit = random.below(whole.len() * 8);
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).unwrap();
        let begin = Instant::now();
        let after = exported(&path);
        let faults = Archive::open(&path)
            .and_then(|archive| archive.verify(|_| ()))
            .map_or(1, |verdict| verdict.faults);
        slowest = slowest.max(begin.elapsed());
        if after.as_ref() == Some(&before) {
            continue;
        }
        changed += 1;
        assert!(faults > 0, "bit {bit} changes what is exported, and verify says nothing");
        // The control: SQLite's own check alone would have missed some of them.
        let db = Connection::open(&path).unwrap();
        let check = db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        passed_sqlite += u64::from(after.is_some() && check.is_ok_and(|line| line == "ok"));
    }
    println!(
        "{flips} flips in the file: {changed} change the export, all found; SQLite's check passes {passed_sqlite} of them; slowest {slowest:?}"
    );
    assert!(changed > 0);
    assert!(passed_sqlite > 0);
}

/// Where in a new file, in units of 8 KiB, the pages end that name and begin the tables.
const TABLES_END: usize = 12;

#[test]
fn salvage_saves_every_sound_game_and_leaves_the_damaged_file_alone() {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(1500)).unwrap();
    bench.import(&["many.pgn"]);
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let all = bench.ok(&["export"]);
    let all: Vec<&str> =
        all.split("\n[Event ").map(|game| game.trim_start_matches("[Event ").trim()).collect();
    // A sound archive is copied as it is.
    bench.ok(&["salvage", "plybook.db", "-o", "copy.db"]);
    assert_eq!(bench.ok(&["export", "-a", "copy.db"]), bench.ok(&["export"]));

    let mut random = Random(3);
    let (mut saved_in_all, rounds) = (0, trials(12, 300));
    for round in 0..rounds {
        let mut damaged = whole.clone();
        // Whole pages in shreds, but for the first ones, which tell SQLite what the file is.
        for _ in 0..=round % 4 {
            let page = TABLES_END + random.below(whole.len() / 8192 - TABLES_END);
            let cell = page * 8192 + random.below(4096);
            damaged[cell..cell + 4000].iter_mut().for_each(|byte| *byte = random.next() as u8);
        }
        fs::write(bench.path("damaged.db"), &damaged).unwrap();
        let output = bench.run(&["salvage", "damaged.db", "-o", &format!("new{round}.db")]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", common::text(&output.stderr));
        assert_eq!(fs::read(bench.path("damaged.db")).unwrap(), damaged);
        let new = format!("new{round}.db");
        assert!(bench.ok(&["verify", "-a", &new]).contains("all sound"));
        let saved = bench.run(&["export", "-a", &new]);
        let saved = common::text(&saved.stdout);
        let saved: Vec<&str> = saved
            .split("\n[Event ")
            .map(|game| game.trim_start_matches("[Event ").trim())
            .filter(|game| !game.is_empty())
            .collect();
        assert!(saved.iter().all(|game| all.contains(game)));
        let said = common::text(&output.stdout);
        let lost: usize = said
            .lines()
            .find_map(|line| line.strip_prefix("lost "))
            .unwrap()
            .trim()
            .replace(',', "")
            .parse()
            .unwrap();
        assert_eq!(saved.len() + lost, all.len(), "{said}");
        saved_in_all += saved.len();
        // What was lost comes back from the source.
        bench.import(&["many.pgn", "-a", &new]);
        assert_eq!(bench.ok(&["export", "-a", &new]).matches("[Event ").count(), all.len());
    }
    println!(
        "{rounds} archives with shredded pages: {saved_in_all} of {} games saved, the rest counted",
        rounds * all.len()
    );
    assert!(bench.refused(&["salvage", "plybook.db", "-o", "copy.db"]).contains("exists already"));
    assert!(bench.refused(&["salvage", "none.db", "-o", "x.db"]).contains("no such archive"));
}

#[test]
fn a_backup_is_whole_while_an_import_goes_on() {
    let bench = Bench::with_games();
    fs::write(bench.path("many.pgn"), many_games(4000)).unwrap();
    let mut import =
        bench.command(&["import", "many.pgn", "--quiet", "--commit-every", "1"]).spawn().unwrap();
    let mut backups = 0;
    while import.try_wait().unwrap().is_none() {
        let said = bench.ok(&["backup", "saved.db", "--force"]);
        let games: u64 = said.trim().rsplit(' ').nth(1).unwrap().replace(',', "").parse().unwrap();
        assert!(bench.ok(&["verify", "-a", "saved.db"]).contains("all sound"));
        assert_eq!(bench.json(&["stats", "-a", "saved.db", "--format", "json"])["games"], games);
        backups += 1;
    }
    println!("{backups} backups during an import: all whole");
    bench.ok(&["backup", "saved.db", "--force"]);
    assert_eq!(bench.ok(&["export", "-a", "saved.db"]), bench.ok(&["export"]));
    let before = fs::read(bench.path("saved.db")).unwrap();
    assert!(bench.refused(&["backup", "saved.db"]).contains("exists already"));
    assert!(bench.refused(&["backup", "plybook.db", "--force"]).contains("the archive of this run"));
    assert!(bench.refused(&["backup", "no/such/folder.db"]).contains("no/such/folder.db"));
    assert_eq!(fs::read(bench.path("saved.db")).unwrap(), before);
    let left: Vec<_> =
        fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("part")), "{left:?}");
}
