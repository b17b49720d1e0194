//! `verify` finds a damaged byte, which never silently becomes another game; damage cannot crash or hang the program;
//! valid games can be saved.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    beside_others,
    common::{self, Bench, Random, data, engine_games, many_games, trials},
};
use plybook::{
    archive::{Archive, ArchiveError, Filter, Summary},
    chess::Annotations,
    codec::game::{GAME_CODECS, GameMoves},
    limits::MAX_BLOB_BYTES,
    pgn::{TagOrder, write_game},
    record::{GameKind, StoredGame, fingerprint},
    stats::measure_stored,
};
use rusqlite::{Connection, types::Value};
use shakmaty::variant::VariantPosition;

/// Stored games of the bundled collections, including every variant and set-up positions.
fn games(bench: &Bench) -> Vec<StoredGame> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    archive.games(&Filter::default()).map(Result::unwrap).collect()
}

fn bench_of_all() -> Bench {
    let bench = Bench::new();
    bench.import(&[data("").to_str().unwrap()]);
    bench
}

/// Decodes damaged blobs of one codec with every codec; returns the longest time.
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
fn invalid_dates_are_damage() {
    let _lock = beside_others();
    let bench = bench_of_all();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE section SET date = -1 WHERE id = (SELECT section FROM game WHERE id = 1)")
        .unwrap();
    drop(db);
    assert!(bench.refused(&["show", "1"]).contains("game 1 is damaged"));
    assert_eq!(bench.run(&["export", "--id", "1"]).status.code(), Some(1));
}

#[test]
fn every_single_bit_flip_of_stored_games_is_harmless_and_changes_the_fingerprint() {
    let _lock = beside_others();
    let bench = bench_of_all();
    let (games, mut slowest, mut flips, mut others) = (games(&bench), (Duration::ZERO, ""), 0u64, 0u64);
    let hash = |game: &StoredGame, line: &GameMoves<VariantPosition>| {
        let none = Annotations::default();
        fingerprint(game.kind.variant().unwrap(), &game.tags, &line.moves, line.outcome, &none)
    };
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
                slowest = slowest.max((begin.elapsed(), codec.name));
                flips += 1;
                if let Ok(other) = &decoded {
                    others += u64::from(other.moves != line.moves);
                    let same = other.moves == line.moves && other.outcome == line.outcome;
                    assert_eq!(hash(game, other) == hash(game, &line), same, "game {}, bit {bit}", game.id);
                }
            }
        }
    }
    println!(
        "{flips} flips in all codecs: no panic, slowest {slowest:?}, {others} decode to another legal game"
    );
    assert!(others > 0, "the codes would be checksums, and the next trial would prove nothing");
}

/// Changes a value in the rows of games, and checks that `verify` reports each of these games. Restores the rows.
fn check_reported(db: &Connection, archive: &Archive, column: &str, changed: &[(i64, Value, Value)]) {
    let set = format!("UPDATE game SET {column} = ?2 WHERE id = ?1");
    for (id, _, now) in changed {
        db.execute(&set, (id, now)).unwrap();
    }
    let verdict = archive.maintenance().verify(|_| ()).unwrap();
    for (id, ..) in changed {
        assert!(verdict.first.iter().any(|fault| fault.game == Some(*id)), "{column} of game {id}");
    }
    for (id, before, _) in changed {
        db.execute(&set, (id, before)).unwrap();
    }
}

#[test]
fn verify_reports_every_flipped_bit_of_the_stored_moves() {
    let _lock = beside_others();
    let every = trials(7, 1);
    for codec in ["index", "model"] {
        let bench = Bench::new();
        bench.import(&[data("").to_str().unwrap(), "--codec", codec]);
        let path = bench.path("plybook.db");
        let db = Connection::open(&path).unwrap();
        db.execute_batch("PRAGMA synchronous = OFF").unwrap();
        let archive = Archive::open(&path).unwrap();
        assert_eq!(archive.maintenance().verify(|_| ()).unwrap().faults, 0);
        // One bit of every game at a time, so that a single check finds all of them.
        let (games, mut flips) = (games(&bench), 0);
        let longest = games.iter().map(|game| game.moves.len() * 8).max().unwrap();
        for bit in (0..longest).step_by(every) {
            let flipped = games.iter().filter(|game| bit < game.moves.len() * 8).map(|game| {
                let mut moves = game.moves.clone();
                moves[bit / 8] ^= 1 << (bit % 8);
                (game.id, Value::from(game.moves.clone()), Value::from(moves))
            });
            let flipped: Vec<_> = flipped.collect();
            check_reported(&db, &archive, "moves", &flipped);
            flips += flipped.len();
        }
        println!("{flips} flips of moves stored with {codec}: all reported");
        assert_eq!(archive.maintenance().verify(|_| ()).unwrap().faults, 0);
    }
}

#[test]
fn verify_reports_every_flipped_bit_of_packed_games() {
    let _lock = beside_others();
    let bench = bench_of_all();
    bench.ok(&["recompress", "--codec", "index"]);
    let path = bench.path("plybook.db");
    let db = Connection::open(&path).unwrap();
    let archive = Archive::open(&path).unwrap();
    let mut select = db.prepare("SELECT id, header FROM game").unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let headers: Vec<(i64, i64)> = select.query_map([], read).unwrap().map(Result::unwrap).collect();
    for bit in 0..i64::BITS {
        // The rows of games share a checksum, so one game at a time. Some values do not fit their column.
        let (id, header) = headers[bit as usize % headers.len()];
        let set = "UPDATE game SET header = ?2 WHERE id = ?1";
        if db.execute(set, (id, header ^ 1 << bit)).is_ok() {
            assert!(archive.maintenance().verify(|_| ()).unwrap().faults > 0, "bit {bit} of game {id}");
        }
        db.execute(set, (id, header)).unwrap();
    }
    assert_eq!(archive.maintenance().verify(|_| ()).unwrap().faults, 0);
}

#[test]
fn verify_reports_every_flipped_bit_of_the_indexes() {
    let _lock = beside_others();
    let bench = bench_of_all();
    let path = bench.path("plybook.db");
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.maintenance().verify(|_| ()).unwrap().faults, 0);
    let db = Connection::open(&path).unwrap();
    let blocks: Vec<(i64, Vec<u8>)> = db
        .prepare("SELECT id, keys FROM key_block")
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
            db.execute("UPDATE key_block SET keys = ?2 WHERE id = ?1", (id, flipped)).unwrap();
            assert!(archive.maintenance().verify(|_| ()).unwrap().faults > 0, "block {id}, bit {bit}");
            flips += 1;
        }
        db.execute("UPDATE key_block SET keys = ?2 WHERE id = ?1", (id, &keys)).unwrap();
    }
    println!("{flips} flips of the archive's indexes: all reported");
    assert!(flips > 50 && archive.maintenance().verify(|_| ()).unwrap().faults == 0);
}

#[test]
fn truncated_and_random_blobs_give_a_game_or_an_error() {
    let _lock = beside_others();
    let bench = bench_of_all();
    let games = games(&bench);
    let (mut slowest, mut blobs) = (Duration::ZERO, 0u64);
    let mut decode = |start: &VariantPosition, bytes: &[u8], plies: usize| {
        slowest = slowest.max(decode_all(start, bytes, plies));
        blobs += 1;
    };
    for game in games.iter().filter(|game| game.kind != GameKind::Xelto).rev().take(trials(20, 1000)) {
        let line: GameMoves<VariantPosition> = game.line().unwrap();
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

/// The output of the commands for an archive; `None` if one fails.
fn said(path: &Path) -> Option<String> {
    let archive = Archive::open(path).ok()?;
    let (mut text, mut whole) = (String::new(), true);
    // export, export --original, show
    for game in archive.games(&Filter::default()) {
        let game = match game {
            Err(ArchiveError::Damaged { .. }) => None,
            game => Some(game.ok()?),
        };
        let said = game.as_ref().and_then(|game| {
            let (original, origin) = (archive.original(game.id).ok()?, archive.origin(game.id).ok()?);
            Some(format!("{}{original:?}{origin:?}{}{}", write(game)?, game.id, game.plies))
        });
        match said {
            Some(said) => text.push_str(&said),
            None => whole = false,
        }
    }
    // games
    for summary in archive.list::<Summary>(&Filter::default()) {
        text.push_str(&format!("{:?}", summary.ok()?));
    }
    // stats
    let lengths = measure_stored(&archive, &Filter::default()).ok()?.kinds;
    for (kind, lengths) in lengths {
        text.push_str(&format!("{kind} {:?}", lengths.bits.histogram(1000)));
    }
    text.push_str(&format!("{:?}", archive.maintenance().sizes().ok()?));
    // import: what it has imported, and where it resumes
    let mut sources: Vec<_> = archive.known_sources().ok()?.into_iter().collect();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    text.push_str(&format!("{sources:?}"));
    whole.then_some(text)
}

/// A game as PGN or record, if it is valid.
fn write(game: &StoredGame) -> Option<String> {
    if game.kind == GameKind::Xelto {
        return Some(game.xelto().ok()?.to_string());
    }
    let (mut text, line) = (String::new(), game.line().ok()?);
    let annotations = game.annotations(&line).ok()?;
    let order = TagOrder::RosterFirst;
    write_game(&mut text, &game.tags, order, &line.start, &line.moves, &annotations, line.outcome);
    Some(text)
}

/// An archive with everything: several sources, original texts, annotations, games other than chess.
fn bench_of_everything(games: usize) -> Bench {
    let bench = Bench::new();
    let mut texts = Vec::new();
    for (number, game) in many_games(games).split_inclusive("\n\n[Event ").enumerate() {
        texts.extend(game.as_bytes());
        // Latin-1, in every third game; cut after the first words of a game.
        if number % 3 == 2 {
            let end = texts.len() - "[Event ".len();
            texts.splice(end..end, *b"[Annotator \"J\xfcrgen\"]\n");
        }
    }
    fs::write(bench.path("many.pgn"), texts).unwrap();
    fs::write(bench.path("engines.pgn"), engine_games(5)).unwrap();
    bench.import(&["many.pgn", "engines.pgn", data("").to_str().unwrap()]);
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    for table in tables(&db) {
        let rows = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
        assert!(rows.unwrap() > 0, "there is nothing in {table} to be damaged");
    }
    bench
}

fn tables(db: &Connection) -> Vec<String> {
    let mut statement = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// What verify finds in a file, as a number and its first words.
fn faults(path: &Path) -> (u64, String) {
    match Archive::open(path).and_then(|archive| archive.maintenance().verify(|_| ())) {
        Ok(verdict) => (verdict.faults, format!("{:?}", verdict.first)),
        Err(error) => (1, error.to_string()),
    }
}

#[test]
fn verify_finds_every_flip_that_changes_any_output() {
    let _lock = beside_others();
    let bench = bench_of_everything(trials(120, 300));
    let (whole, path) = (fs::read(bench.path("plybook.db")).unwrap(), bench.path("flipped.db"));
    let before = said(&bench.path("plybook.db")).unwrap();
    assert_eq!(faults(&bench.path("plybook.db")).0, 0);
    let mut random = Random(99);
    let (mut changed, mut passed_sqlite, mut slowest) = (0, 0, Duration::ZERO);
    let flips = trials(200, 10_000);
    for _ in 0..flips {
        let bit = random.below(whole.len() * 8);
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).unwrap();
        let begin = Instant::now();
        let (after, (faults, _)) = (said(&path), faults(&path));
        slowest = slowest.max(begin.elapsed());
        if after.as_ref() == Some(&before) {
            continue;
        }
        changed += 1;
        assert!(faults > 0, "bit {bit} changes what is said, and verify says nothing");
        // The control: SQLite's own check would have missed some of them.
        let db = Connection::open(&path).unwrap();
        let check = db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        passed_sqlite += u64::from(after.is_some() && check.is_ok_and(|line| line == "ok"));
    }
    println!(
        "{flips} flips in the file: {changed} change what is said, all found; SQLite's check passes {passed_sqlite} of them; slowest {slowest:?}"
    );
    assert!(changed > 0);
    assert!(passed_sqlite > 0);
}

/// A value with one bit or letter changed; `None` if there is nothing to change.
fn bent(value: Value, random: &mut Random) -> Option<Value> {
    Some(match value {
        Value::Null => return None,
        Value::Integer(number) => Value::Integer(number ^ 1 << random.below(20)),
        Value::Real(number) => Value::Real(-number),
        Value::Text(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            let place = random.below(letters.len());
            let letter = letters.get_mut(place)?;
            *letter = if *letter == 'x' { 'y' } else { 'x' };
            Value::Text(letters.into_iter().collect())
        }
        Value::Blob(mut bytes) => {
            let place = random.below(bytes.len());
            *bytes.get_mut(place)? ^= 1 << random.below(8);
            Value::Blob(bytes)
        }
    })
}

/// A copy of an archive after some SQL.
fn edited(whole: &[u8], path: &Path, sql: &str, values: impl rusqlite::Params) -> rusqlite::Result<usize> {
    fs::write(path, whole).unwrap();
    let db = Connection::open(path).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").unwrap();
    db.execute(sql, values)
}

#[test]
fn verify_finds_every_change_of_any_column_of_any_table() {
    let _lock = beside_others();
    let bench = bench_of_everything(30);
    let (whole, path) = (fs::read(bench.path("plybook.db")).unwrap(), bench.path("edited.db"));
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let (mut random, mut changes) = (Random(5), 0);
    // A setting only says where a writer goes on.
    for table in tables(&db).into_iter().filter(|table| table != "setting") {
        let mut statement = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let keys = if table == "checksum" { 2 } else { 1 };
        let rows: Vec<Vec<Value>> = statement
            .query_map([], |row| (0..columns.len()).map(|column| row.get(column)).collect())
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for (place, column) in columns.iter().enumerate() {
            // The id of a run has no meaning; the number of late rows is reported, not proved.
            let free = [("key_run", "id"), ("plybook_identity_run", "id"), ("checksum", "late")];
            if free.contains(&(table.as_str(), column)) {
                continue;
            }
            for _ in 0..trials(2, 50) {
                let row = &rows[random.below(rows.len())];
                let Some(bent) = bent(row[place].clone(), &mut random) else { continue };
                let keys: Vec<_> = columns.iter().zip(row).take(keys).collect();
                let one: Vec<String> =
                    keys.iter().map(|(name, key)| format!("{name} = {}", number(key))).collect();
                let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {}", one.join(" AND "));
                // Two rows cannot have the same id.
                if edited(&whole, &path, &sql, [&bent]).is_ok() {
                    assert!(faults(&path).0 > 0, "{sql}: {bent:?} is not found");
                    changes += 1;
                }
            }
        }
        // No row may be missing either.
        let last = number(&rows[rows.len() - 1][0]);
        let sql = format!("DELETE FROM {table} WHERE {} = {last}", columns[0]);
        assert!(edited(&whole, &path, &sql, []).is_ok_and(|deleted| deleted > 0));
        assert!(faults(&path).0 > 0, "{sql} is not found");
    }
    println!("{changes} changes of single values: all found");
    assert!(changes > 100);
    // The control: an edit that changes nothing.
    edited(&whole, &path, "UPDATE game SET plies = plies", []).unwrap();
    assert_eq!(faults(&path).0, 0);
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        other => panic!("{other:?} is no id"),
    }
}

#[test]
fn verify_finds_values_that_would_be_misread() {
    let _lock = beside_others();
    let bench = bench_of_everything(30);
    let (whole, path) = (fs::read(bench.path("plybook.db")).unwrap(), bench.path("edited.db"));
    let first = "(SELECT min(game) FROM original)";
    for sql in [
        format!("UPDATE original SET game = game + 1 WHERE game = {first}"),
        format!(
            "UPDATE original SET text = (SELECT text FROM original WHERE game > {first}) WHERE game = {first}"
        ),
        "DELETE FROM original".to_owned(),
        "UPDATE source SET name = 'other.pgn' WHERE id = 1".to_owned(),
        "UPDATE source SET seen = seen + 1, stored = stored + 1 WHERE id = 1".to_owned(),
        "UPDATE source SET bytes = bytes + 1, hash = hash + 1 WHERE id = 1".to_owned(),
        "UPDATE source_span SET number = number + 1 WHERE first_game = (SELECT max(first_game) FROM source_span)"
            .to_owned(),
        "UPDATE source_span SET first_game = first_game + 1 WHERE first_game = (SELECT max(first_game) FROM source_span)"
            .to_owned(),
        "UPDATE source_span SET line = line + 1".to_owned(),
        "UPDATE section SET date = 2001 * 512 + 2 * 32 + 30 WHERE id = 1".to_owned(),
        "UPDATE section SET date = -1 WHERE id = 1".to_owned(),
        "UPDATE section SET layout = (SELECT max(id) FROM tag_layout) WHERE id = 1".to_owned(),
        "UPDATE game SET plies = -plies WHERE id = 1".to_owned(),
        "UPDATE game SET result = 9 WHERE result = 3".to_owned(),
        "UPDATE game SET round = round + 0.0 WHERE typeof(round) = 'integer'".to_owned(),
        "UPDATE game SET round = CAST(round AS BLOB) WHERE id = 1".to_owned(),
        "UPDATE game SET tags = replace(tags, '[', '[ ') WHERE tags IS NOT NULL".to_owned(),
        "UPDATE game SET moves = moves || x'00' WHERE id = 1".to_owned(),
        "UPDATE game SET moves = CAST(moves || x'00' AS BLOB) WHERE id = 1".to_owned(),
        "INSERT INTO tag_value (text) VALUES ('an orphan')".to_owned(),
        "INSERT INTO tag_layout SELECT NULL, codec, variant, names, slots FROM tag_layout WHERE id = 1".to_owned(),
        "INSERT INTO section SELECT NULL, layout, event, site, date, tags FROM section WHERE id = 1".to_owned(),
        "UPDATE annotation SET marks = CAST(marks || x'00' AS BLOB)".to_owned(),
        "UPDATE key_run SET keys = -keys".to_owned(),
        "UPDATE key_run SET keys = 1 << 33".to_owned(),
        "UPDATE key_run SET keys = 1 << 40".to_owned(),
        "INSERT INTO key_run SELECT id + 100, kind, first_block, blocks, keys FROM key_run".to_owned(),
        "INSERT INTO key_block SELECT id + 1000, first, count, keys FROM key_block".to_owned(),
        "INSERT INTO checksum VALUES (9, 99999, 0, 0, 1)".to_owned(),
    ] {
        match edited(&whole, &path, &sql, []) {
            Ok(rows) => {
                assert!(rows > 0, "{sql} changes nothing");
                let verdict = bench.run(&["verify", "-a", "edited.db"]);
                // If the layout of games is unknown, none of them is read.
                let code = if sql.starts_with("INSERT INTO tag_layout") { 2 } else { 1 };
                assert_eq!(verdict.status.code(), Some(code), "{sql}: {}", common::text(&verdict.stdout));
            }
            // A blob is not text.
            Err(error) => assert!(error.to_string().contains("cannot store"), "{sql}: {error}"),
        }
    }
    // A changed word in a comment of the schema is not damage: nothing depends on it.
    let comment =
        "UPDATE sqlite_schema SET sql = replace(sql, '-- number of half-moves', '-- humber of half-moves')";
    edited(&whole, &path, "UPDATE game SET plies = plies", []).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch(&format!("PRAGMA writable_schema = ON; {comment}"))
        .unwrap();
    assert!(bench.ok(&["verify", "-a", "edited.db"]).contains("all intact"));
}

/// Changes an archive in a way that plybook never does.
fn change_schema(bench: &Bench, sql: &str) {
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(&format!("PRAGMA writable_schema = ON; {sql}")).unwrap();
}

#[test]
fn verify_reports_a_changed_view_and_the_next_writer_restores_it() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    let count = ["sql", "SELECT count(*) FROM games", "--format", "csv"];
    let games = bench.ok(&count);
    for (damage, what) in [
        (
            "UPDATE sqlite_schema SET sql = replace(sql, 'game.plies', 'game.pl1es') WHERE name = 'games'",
            "changed",
        ),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, '''1/2-1/2''', '''1/2-1/3''') WHERE name = 'games'",
            "changed",
        ),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, '''%+d''', '''%-d''') WHERE name = 'other_tag'",
            "changed",
        ),
        ("DROP VIEW games", "missing"),
        (
            "UPDATE sqlite_schema SET name = 'gam3s', tbl_name = 'gam3s', sql = replace(sql, 'VIEW games', 'VIEW gam3s') WHERE name = 'games'",
            "missing",
        ),
    ] {
        change_schema(&bench, damage);
        let verdict = bench.run(&["verify"]);
        let said = common::text(&verdict.stdout);
        assert!(
            verdict.status.code() == Some(1) && said.contains(what) && said.contains("1 fault"),
            "{damage}: {said}"
        );
        bench.ok(&["migrate"]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{damage}");
        assert_eq!(bench.ok(&count), games);
    }
    // A user's own table and view are not faults, nor is a comment.
    change_schema(
        &bench,
        "DROP VIEW games; CREATE TABLE games (id); CREATE VIEW mine AS SELECT * FROM player",
    );
    change_schema(&bench, "UPDATE sqlite_schema SET sql = sql || ' -- a word' WHERE name = 'other_tag'");
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn salvage_copies_no_changed_originals_or_sources() {
    let _lock = beside_others();
    let bench = bench_of_everything(30);
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let originals = |name: &str| {
        let archive = Archive::open(bench.path(name)).unwrap();
        let all = (1..=archive.last_id().unwrap()).filter_map(|id| archive.original(id).unwrap());
        all.collect::<Vec<_>>()
    };
    let names = |name: &str| {
        let archive = Archive::open(bench.path(name)).unwrap();
        (1..=archive.last_id().unwrap())
            .map(|id| archive.origin(id).unwrap().unwrap().source)
            .collect::<Vec<_>>()
    };
    let salvage = |sql: &str, new: &str| {
        edited(&whole, &bench.path("damaged.db"), sql, []).unwrap();
        let output = bench.run(&["salvage", "damaged.db", "-o", new]);
        assert!(bench.ok(&["verify", "-a", new]).contains("all intact"));
        (output.status.code(), common::text(&output.stdout))
    };
    let all = originals("plybook.db");
    assert!(all.len() > 5);

    // The control: valid games are copied unchanged.
    let (code, said) = salvage("UPDATE game SET plies = plies", "whole.db");
    assert!(code == Some(0) && !said.contains("original"), "{said}");
    assert_eq!((originals("whole.db"), names("whole.db")), (all.clone(), names("plybook.db")));

    let (code, said) = salvage(
        "UPDATE original SET game = game + 1 WHERE game = (SELECT max(game) FROM original)",
        "moved.db",
    );
    assert!(code == Some(1) && said.contains("without their original text  2"), "{said}");
    assert_eq!(originals("moved.db"), all[..all.len() - 1]);

    let (code, said) = salvage("UPDATE source SET name = 'other.pgn' WHERE id = 1", "source.db");
    assert!(code == Some(1) && said.contains("with an unknown source"), "{said}");
    assert!(!names("source.db").contains(&"other.pgn".to_owned()));
    let (code, said) = salvage(
        "DELETE FROM source_span WHERE first_game = (SELECT max(first_game) FROM source_span)",
        "span.db",
    );
    assert!(code == Some(1) && said.contains("with an unknown source"), "{said}");
}

#[test]
fn salvage_of_overwritten_files_gives_valid_games_or_an_error() {
    let _lock = beside_others();
    let bench = bench_of_everything(150);
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let all = common::text(&bench.run(&["export", "--roster"]).stdout);
    let (mut random, mut saved_in_all, mut refused) = (Random(11), 0, 0);
    let page = 4096;
    for round in 0..trials(24, 1000) {
        let mut damaged = whole.clone();
        // Every page is overwritten once, including those that identify the file to SQLite; of the first page only its
        // end.
        let place = round % (whole.len() / page) * page + random.below(page / 2);
        damaged[place..place + page / 2].iter_mut().for_each(|byte| *byte = random.next() as u8);
        fs::write(bench.path("damaged.db"), &damaged).unwrap();
        let new = format!("new{round}.db");
        let output = bench.run(&["salvage", "damaged.db", "-o", &new]);
        assert!(fs::read(bench.path("damaged.db")).unwrap() == damaged);
        match output.status.code() {
            Some(0 | 1) => {
                assert!(bench.ok(&["verify", "-a", &new]).contains("all intact"), "round {round}");
                let saved = bench.run(&["export", "--roster", "-a", &new]);
                for game in common::text(&saved.stdout).split("\n[Event ").filter(|game| !game.is_empty()) {
                    assert!(all.contains(game.trim()), "round {round}: {game}");
                    saved_in_all += 1;
                }
            }
            Some(2) => {
                assert_eq!(common::text(&output.stderr).lines().count(), 1);
                refused += 1;
            }
            other => panic!("round {round}: {other:?}"),
        }
    }
    println!("shreds anywhere: {saved_in_all} games saved, {refused} files that are no archive any more");
    assert!(saved_in_all > 0);
}

/// The offsets in a new file, in units of 8 KiB, of the pages that begin the tables.
const TABLES_END: usize = 16;

#[test]
fn salvage_saves_every_valid_game_and_changes_nothing() {
    let _lock = beside_others();
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(1500)).unwrap();
    bench.import(&["many.pgn"]);
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let all = bench.ok(&["export"]);
    let all: Vec<&str> =
        all.split("\n[Event ").map(|game| game.trim_start_matches("[Event ").trim()).collect();
    // A valid archive is copied unchanged.
    bench.ok(&["salvage", "plybook.db", "-o", "copy.db"]);
    assert_eq!(bench.ok(&["export", "-a", "copy.db"]), bench.ok(&["export"]));

    let mut random = Random(3);
    let (mut saved_in_all, rounds) = (0, trials(12, 300));
    for round in 0..rounds {
        let mut damaged = whole.clone();
        // Overwrites entire pages, except for the first ones, which identify the file to SQLite.
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
        assert!(bench.ok(&["verify", "-a", &new]).contains("all intact"));
        let saved = bench.run(&["export", "--roster", "-a", &new]);
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
        assert_eq!(said.contains("\n  ids "), lost > 0, "{said}");
        saved_in_all += saved.len();
        // Lost games are restored from the source.
        bench.import(&["many.pgn", "-a", &new]);
        assert_eq!(bench.ok(&["export", "-a", &new]).matches("[Event ").count(), all.len());
    }
    println!(
        "{rounds} archives with shredded pages: {saved_in_all} of {} games saved, the rest counted",
        rounds * all.len()
    );
    assert!(bench.refused(&["salvage", "plybook.db", "-o", "copy.db"]).contains("already exists"));
    assert!(bench.refused(&["salvage", "none.db", "-o", "x.db"]).contains("archive not found"));
}

#[test]
fn backups_during_an_import_are_complete() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    fs::write(bench.path("many.pgn"), many_games(4000)).unwrap();
    let mut import =
        bench.command(&["import", "many.pgn", "--quiet", "--commit-every", "1"]).spawn().unwrap();
    let mut backups = 0;
    while import.try_wait().unwrap().is_none() {
        let said = bench.ok(&["backup", "saved.db", "--force"]);
        let games: u64 = said.trim().rsplit(' ').nth(1).unwrap().replace(',', "").parse().unwrap();
        assert!(bench.ok(&["verify", "-a", "saved.db"]).contains("all intact"));
        assert_eq!(bench.json(&["stats", "-a", "saved.db", "--format", "json"])["games"], games);
        backups += 1;
    }
    println!("{backups} backups during an import: all whole");
    bench.ok(&["backup", "saved.db", "--force"]);
    assert_eq!(bench.ok(&["export", "-a", "saved.db"]), bench.ok(&["export"]));
    let before = fs::read(bench.path("saved.db")).unwrap();
    assert!(bench.refused(&["backup", "saved.db"]).contains("already exists"));
    assert!(bench.refused(&["backup", "plybook.db", "--force"]).contains("the archive used by this command"));
    assert!(bench.refused(&["backup", "no/such/folder.db"]).contains("no/such/folder.db"));
    assert_eq!(fs::read(bench.path("saved.db")).unwrap(), before);
    let left: Vec<_> =
        fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("part")), "{left:?}");
}
