//! `plybook index`: the index of positions is built, extended and dropped; other commands keep it, count it, or report
//! that it must be rebuilt.

use std::{fs, ops::ControlFlow::Continue};

use crate::{
    common::{self, Bench, data, many_games, text},
    index_support::{answers, bench, indexed, positions, segments},
};
use plybook::{
    archive::{Archive, ArchiveError, Filter, GameNumber, GameSet, Problem, Sort, WritableArchive},
    query::PositionIndex,
    rules::Outcome,
};
use rusqlite::Connection;

/// Asserts that two archives give the same results.
fn answer_alike(bench: &Bench, one: &str, other: &str) {
    let positions = positions(&Archive::open(bench.path(one)).unwrap());
    let answers = [one, other].map(|name| answers(&bench.path(name), &positions).unwrap());
    assert!(answers[0].iter().filter(|(games, _)| games.len() >= 16).count() > 5, "popular positions");
    assert!(answers[0].iter().filter(|(games, _)| games.is_empty()).count() > 5, "absent positions");
    for ((one, other), position) in answers[0].iter().zip(&answers[1]).zip(&positions) {
        assert_eq!(one, other, "{position:?}");
    }
}

#[test]
fn the_size_of_the_index_is_reported_and_freed() {
    let bench = indexed();
    let part = || {
        let sizes = bench.json(&["stats", "--format", "json"]);
        let parts = sizes["archive"]["parts"].as_array().unwrap().clone();
        let sum: u64 = parts.iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
        assert_eq!(sum, fs::metadata(bench.path("plybook.db")).unwrap().len());
        parts.iter().find(|part| part["name"] == "index of positions").unwrap()["bytes"].as_u64().unwrap()
    };
    let (with, bytes) = (fs::metadata(bench.path("plybook.db")).unwrap().len(), part());
    assert!(bytes > 10_000, "{bytes}");
    bench.ok(&["index", "--drop"]);
    assert_eq!(part(), 0);
    // Without the tables of the index, the schema may be a page shorter.
    let without = fs::metadata(bench.path("plybook.db")).unwrap().len();
    assert!((with - bytes - 4096..=with - bytes).contains(&without), "{with} - {bytes}: {without}");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    // There is nothing to drop.
    assert_eq!(bench.run(&["index", "--drop"]).status.code(), Some(1));
}

#[test]
fn games_that_an_import_updates_are_indexed_as_they_are_afterwards() {
    let bench = Bench::new();
    let game = |id: usize, moves: &str| {
        format!(
            "[Event \"Blitz\"]\n[Site \"https://lichess.org/{id:08}\"]\n[White \"W{id}\"]\n[Black \"B{id}\"]\n\n{moves} *\n\n"
        )
    };
    let short = |id| game(id, "1. e4 e5 2. Nf3");
    let long = |id| game(id, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    let games: String = (1..=60).map(short).chain([7, 60, 1].map(long)).collect();
    bench.feed(&["import", "-", "--index", "--quiet"], games.as_bytes());
    assert_eq!(bench.ok(&["find", "1. e4 e5 2. Nf3 Nc6 3. Bb5", "--format", "ids"]), "1\n7\n60\n");
    assert_eq!(bench.ok(&["find", "--pattern", "*/*/p*/*/*/*/*/*", "--format", "ids"]), "1\n7\n60\n");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let built = segments(&bench.path("plybook.db"));
    bench.ok(&["index", "--drop"]);
    bench.ok(&["index"]);
    assert_eq!(segments(&bench.path("plybook.db")), built);
}

#[test]
fn backups_include_the_index() {
    let bench = indexed();
    bench.ok(&["backup", "saved.db"]);
    assert_eq!(segments(&bench.path("saved.db")), segments(&bench.path("plybook.db")));
    bench.ok(&["index", "--drop"]);
    answer_alike(&bench, "saved.db", "plybook.db");
}

#[test]
fn indexed_archives_can_be_merged() {
    let bench = indexed();
    bench.ok(&["import", "plybook.db", "--quiet", "-a", "merged.db"]);
    assert_eq!(bench.ok(&["export", "-a", "merged.db"]), bench.ok(&["export"]));
    assert_eq!(segments(&bench.path("merged.db")), []);
    bench.ok(&["index", "-a", "merged.db"]);
    answer_alike(&bench, "merged.db", "plybook.db");
}

#[test]
fn an_archive_of_any_older_version_is_migrated_and_indexed() {
    for version in ["v1", "v2", "v3"] {
        let (bench, name) = (Bench::new(), format!("archives/{version}.db"));
        fs::copy(data(&name), bench.path("old.db")).unwrap();
        bench.ok(&["index", "-a", "old.db"]);
        assert_eq!(segments(&bench.path("old.db")).len(), 1);
        let positions = positions(&Archive::open(data(&name)).unwrap());
        let [old, new] = [&data(&name), &bench.path("old.db")].map(|path| answers(path, &positions).unwrap());
        assert_eq!(old, new);
        assert!(!text(&bench.run(&["verify", "-a", "old.db"]).stdout).contains("fault"), "{version}");
    }
}

#[test]
fn an_index_with_a_missing_table_is_reported_as_damaged_and_rebuilt() {
    for table in ["segment", "segment_block"] {
        let bench = indexed();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(&format!("DROP TABLE {table}")).unwrap();
        drop(db);
        let line = bench.refused(&["index"]);
        assert!(line.contains("the index is damaged; to rebuild it: "), "{line}");
        assert!(line.contains("index -a plybook.db --drop, then plybook index -a plybook.db"), "{line}");
        assert_eq!(bench.run(&["verify"]).status.code(), Some(1), "{table}");
        bench.ok(&["index", "--drop"]);
        bench.ok(&["index", "-q"]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
    }
}

/// The segments of an archive without their numbers.
fn contents(bench: &Bench, name: &str) -> Vec<(i64, i64, Vec<u8>)> {
    let db = Connection::open(bench.path(name)).unwrap();
    let sql = "SELECT kind, segment_block.id & 0xffffffff, substr(data, 1, length(data) - 4) FROM segment
               JOIN segment_block ON segment_block.id >> 32 = segment.id ORDER BY 1, 2";
    let mut blocks = db.prepare(sql).unwrap();
    let blocks = blocks.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    blocks.map(Result::unwrap).collect()
}

#[test]
fn an_index_renewed_after_changes_equals_one_built_from_all_games() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(600)).unwrap();
    bench.run(&["import", "games.pgn", "--index", "-q"]);
    for change in ["remove 1..40,90,200..400 --yes", "tag 41..89 WhiteElo=2700 --yes", "undo", "undo", "redo"]
    {
        bench.ok(&change.split(' ').collect::<Vec<_>>());
        let twin = bench.twin();
        twin.ok(&["index", "--drop"]);
        twin.ok(&["index", "-q"]);
        assert!(contents(&bench, "plybook.db") == contents(&twin, "plybook.db"), "{change}");
    }
}

/// Builds both indexes as release 0.2.0 did while games are removed: without recording which have changed.
fn index_beside_a_change(bench: &Bench) {
    let path = bench.path("plybook.db");
    let archive = WritableArchive::create_or_open(&path).unwrap();
    let (segments, games) = (archive.segments(), (1..=archive.last_id().unwrap()).into());
    let before = segments.present_state().unwrap();
    bench.ok(&["remove", "1..40", "--yes"]);
    let after = segments.present_state().unwrap();
    let watch = |_| Continue(());
    let positions = before.segments().build_positions(games, None, 1000, watch).unwrap();
    let trails = before.segments().build_trails(games, &Default::default(), 1000, watch).unwrap();
    assert!(segments.add(games, &[], positions, &after).unwrap());
    assert!(segments.add(games, &[], trails, &after).unwrap());
    drop((before, after));
    archive.finish().unwrap();
}

#[test]
fn segments_that_an_earlier_release_built_beside_changes_are_found_and_rebuilt() {
    let bench = bench();
    index_beside_a_change(&bench);
    let explored = |bench: &Bench| text(&bench.run(&["explore", "1. e4"]).stdout);
    let verified = bench.run(&["verify"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stderr).contains("plybook index -a plybook.db --check"));
    assert!(bench.ok(&["index", "--check"]).contains("replaced 2 segments that did not match"));
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let twin = bench.twin();
    twin.ok(&["index", "--drop"]);
    assert_eq!(explored(&bench), explored(&twin));
    assert!(bench.ok(&["index", "--check"]).contains("the index matches the games"));
}

#[test]
fn games_that_change_while_an_index_is_built_are_read_one_by_one() {
    let bench = bench();
    let path = bench.path("plybook.db");
    let twin = bench.twin();
    twin.ok(&["remove", "1..40", "--yes"]);
    let archive = WritableArchive::create_or_open(&path).unwrap();
    let (segments, games) = (archive.segments(), (1..=archive.last_id().unwrap()).into());
    let state = segments.present_state().unwrap();
    bench.ok(&["remove", "1..40", "--yes"]);
    // The log of changes may be gone when the segment is added.
    bench.ok(&["compact", "--yes"]);
    let built = state.segments().build_positions(games, None, 1000, |_| Continue(())).unwrap();
    assert!(segments.add(games, &[], built, &state).unwrap());
    drop(state);
    archive.finish().unwrap();
    assert!(bench.ok(&["verify"]).contains("all intact"));
    for question in [["find", "1. e4"], ["explore", "1. e4 e5"], ["find", "sicilian defense"]] {
        assert_eq!(text(&bench.run(&question).stdout), text(&twin.run(&question).stdout), "{question:?}");
    }
}

#[test]
fn a_check_repairs_an_index_that_is_corrupt() {
    for damage in [
        "UPDATE segment_block SET data = zeroblob(40) WHERE id = (SELECT max(id) FROM segment_block)",
        "DELETE FROM segment_block WHERE id = (SELECT min(id) FROM segment_block)",
        "UPDATE segment SET last_game = last_game - 1 WHERE kind = 3",
        "INSERT INTO segment_block VALUES (99 << 32, x'00')",
        "DROP TABLE segment_block",
        "DROP TABLE segment",
    ] {
        let bench = indexed();
        bench.ok(&["index", "--quiet"]);
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch(damage).unwrap();
        drop(db);
        assert_eq!(bench.run(&["verify"]).status.code(), Some(1), "{damage}");
        bench.ok(&["index", "--check", "--quiet"]);
        assert!(bench.ok(&["verify"]).contains("all intact"), "{damage}");
        assert_eq!(segments(&bench.path("plybook.db")).len(), 1, "{damage}");
    }
}

#[test]
fn games_added_later_are_indexed_by_the_same_command() {
    let bench = indexed();
    assert!(bench.ok(&["index"]).contains("all games are indexed, in 1 segment"));
    let old = segments(&bench.path("plybook.db"));
    fs::write(bench.path("more.pgn"), many_games(600)).unwrap();
    bench.import(&["more.pgn"]);
    fs::copy(bench.path("plybook.db"), bench.path("imported.db")).unwrap();
    bench.ok(&["index"]);
    let new = segments(&bench.path("plybook.db"));
    assert!(new.last().unwrap().2 > old.last().unwrap().2);
    answer_alike(&bench, "plybook.db", "imported.db");
    fs::copy(bench.path("plybook.db"), bench.path("without.db")).unwrap();
    bench.ok(&["index", "--drop", "-a", "without.db"]);
    answer_alike(&bench, "plybook.db", "without.db");
}

#[test]
fn errors_of_index_are_one_line() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), fs::read(data("setup.pgn")).unwrap()).unwrap();
    fs::create_dir(bench.path("folder.db")).unwrap();
    for (name, why) in [
        ("none.db", "archive not found"),
        ("games.pgn", "not a plybook archive"),
        ("folder.db", "this is a directory"),
    ] {
        for command in [&["index", "-a", name][..], &["index", "--drop", "-a", name]] {
            let line = bench.refused(command);
            assert!(line.contains(why), "{command:?}: {line}");
        }
    }
    assert!(!bench.path("none.db").exists());
}

#[cfg(unix)]
#[test]
fn a_read_only_archive_is_not_indexed_and_one_behind_a_link_is() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, temporary) = (Bench::with_games(), Bench::new());
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let guest = common::Guest::new(&bench, &temporary);
    for command in [&["index"][..], &["index", "--drop"]] {
        let output = guest.run(command);
        let line = text(&output.stderr);
        assert_eq!((output.status.code(), line.lines().count()), (Some(2), 1), "{command:?}: {line}");
        assert!(line.contains("read-only") || line.contains("cannot be written"), "{line}");
    }
    drop(guest);
    assert!(fs::read(bench.path("plybook.db")).unwrap() == before);
    let links = Bench::new();
    std::os::unix::fs::symlink(bench.path("plybook.db"), links.path("link.db")).unwrap();
    fs::set_permissions(bench.path("plybook.db"), PermissionsExt::from_mode(0o644)).unwrap();
    links.ok(&["index", "-a", "link.db"]);
    assert!(fs::symlink_metadata(links.path("link.db")).unwrap().is_symlink());
    assert_eq!(segments(&bench.path("plybook.db")).len(), 1);
}

#[test]
fn a_changed_segment_is_refused_with_a_remedy() {
    let bench = indexed();
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    for (kind, change) in [
        "first_game = first_game + 1",
        "last_game = last_game - 1",
        "last_game = last_game + 1",
        "last_game = 9223372036854775807",
        "games = games - 1",
        "id = id + 10",
        "id = -id",
        "parameters = replace(parameters, '\"order\":', '\"order\":1')",
        "parameters = replace(parameters, '\"popular_rows\":', '\"popular_rows\":1')",
        "parameters = '{}'",
        "parameters = ''",
        "parameters = replace(parameters, '\"block_bytes\":', '\"block_bytes\":1')",
    ]
    .into_iter()
    .flat_map(|change| [3, 4].map(|kind| (kind, change)))
    .filter(|(kind, change)| {
        // These are in the parameters of one kind only.
        let of = [("order", 3), ("popular_rows", 3), ("block_bytes", 4)];
        of.iter().all(|(name, of)| !change.contains(name) || kind == of)
    }) {
        fs::write(bench.path("plybook.db"), &whole).unwrap();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        assert_eq!(db.execute(&format!("UPDATE segment SET {change} WHERE kind = {kind}"), []).unwrap(), 1);
        drop(db);
        let line = bench.refused(&["index"]);
        assert!(line.contains("the index is damaged; to rebuild it"), "{change}: {line}");
        let error = answers(&bench.path("plybook.db"), &[]).unwrap_err();
        assert!(matches!(error, ArchiveError::DamagedIndex(_)), "{change}: {error}");
        // Commands without an index still work, and the suggested remedy helps.
        bench.ok(&["export"]);
        bench.ok(&["index", "--drop"]);
        bench.ok(&["index"]);
    }
}

#[test]
fn salvage_copies_no_index_and_says_how_to_build_it() {
    let bench = indexed();
    let output = bench.run(&["salvage", "plybook.db", "-o", "new.db"]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert_eq!(said.trim(), "plybook: the index is not copied; to rebuild it: plybook index -a new.db");
    assert_eq!(segments(&bench.path("new.db")), []);
    bench.ok(&["index", "-a", "new.db"]);
    answer_alike(&bench, "new.db", "plybook.db");
    bench.ok(&["index", "--drop"]);
    let output = bench.run(&["salvage", "plybook.db", "-o", "again.db"]);
    assert_eq!(text(&output.stderr), "");
}

/// The blocks of the index: id and data.
fn blocks(db: &Connection) -> Vec<(i64, Vec<u8>)> {
    let mut statement = db.prepare("SELECT id, data FROM segment_block ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The faults of the index that verify reports.
fn flaws(archive: &Archive) -> Vec<String> {
    let verdict = archive.maintenance().verify(|_| ()).unwrap();
    assert_eq!(verdict.faults as usize, verdict.first.len());
    verdict.first.into_iter().map(|problem| problem.what).collect()
}

#[test]
fn verify_finds_every_block_that_differs_from_the_games() {
    let bench = indexed();
    let (archive, db) = (
        Archive::open(bench.path("plybook.db")).unwrap(),
        Connection::open(bench.path("plybook.db")).unwrap(),
    );
    assert_eq!(flaws(&archive), Vec::<String>::new());
    let put = |id: i64, data: &[u8]| {
        db.execute("INSERT OR REPLACE INTO segment_block (id, data) VALUES (?1, ?2)", (id, data)).unwrap();
    };
    let (all, mut random) = (blocks(&db), common::Random(9));
    let mut last: Option<&[u8]> = None;
    for (id, data) in &all {
        // A bit of its content, and one of its checksum.
        for bit in [random.below(8 * data.len()), 8 * data.len() - 1 - random.below(32)] {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            put(*id, &flipped);
            let flaws = flaws(&archive);
            assert!(flaws.len() == 1 && flaws[0].contains("in 1 of its rows"), "{flaws:?}");
        }
        // Other content with a valid checksum; a missing row.
        let other = last.filter(|last| *last != &data[..data.len() - 4]).unwrap_or(&[1, 2, 3]);
        put(*id, &sealed(*id, other));
        assert_eq!(flaws(&archive).len(), 1);
        db.execute("DELETE FROM segment_block WHERE id = ?1", [id]).unwrap();
        assert_eq!(flaws(&archive).len(), 1);
        put(*id, data);
        last = Some(&data[..data.len() - 4]);
    }
    assert!(all.len() > 12, "{} blocks", all.len());
    // Extra rows: of the segment, and of none.
    let (id, data) = &all[all.len() - 1];
    for stray in [id + 1, id + (5 << 32)] {
        put(stray, &sealed(stray, &data[..data.len() - 4]));
        assert_eq!(flaws(&archive).len(), 1);
        db.execute("DELETE FROM segment_block WHERE id = ?1", [stray]).unwrap();
    }
    // A segment with other metadata, and one of another kind.
    for change in ["last_game = last_game - 1", "kind = 5", "parameters = '{}'"] {
        db.execute_batch(&format!("CREATE TABLE kept AS SELECT * FROM segment; UPDATE segment SET {change}"))
            .unwrap();
        assert!(!flaws(&archive).is_empty(), "{change}");
        db.execute_batch("DELETE FROM segment; INSERT INTO segment SELECT * FROM kept; DROP TABLE kept")
            .unwrap();
    }
    assert_eq!(flaws(&archive), Vec::<String>::new());
    // A changed game with an index of its previous state: at least the pairs of players differ.
    db.execute_batch("UPDATE game SET white_elo = 1234 WHERE id = 7").unwrap();
    assert!(flaws(&archive).iter().any(|flaw| flaw.contains("the index of positions")));
}

/// A block with its checksum.
fn sealed(id: i64, data: &[u8]) -> Vec<u8> {
    let hash = twox_hash::XxHash3_64::oneshot_with_seed(id as u64, data).to_le_bytes();
    [data, &hash[..4]].concat()
}

#[test]
fn checks_and_lengths_in_the_index_are_those_of_a_replay() {
    let bench = Bench::new();
    let checks: String = (3..=9).map(|n| format!(" Ke7 {n}. Qg5+ Ke6 {n}. Qg4+")).collect();
    let of = |n: usize, moves: &str| format!("[White \"{n}\"]\n\n{moves} *\n\n");
    let games =
        [format!("1. e4 e5 2. Qg4{checks}"), String::new(), "1. e4".to_owned(), "1. d4 d5".to_owned()];
    let games: String = (1..).zip(&games).map(|(n, moves)| of(n, moves)).collect();
    bench.feed(&["import", "-", "--quiet"], games.as_bytes());
    let answers = || {
        let ids = |args: &[&str]| text(&bench.run(&[args, &["--format", "ids"]].concat()).stdout);
        [
            ids(&["find", "--checks", "7"]),
            ids(&["find", "--checks", "14"]),
            ids(&["find", "--checks", "15"]),
            ids(&["games", "--sort", "plies", "--limit", "9"]),
            ids(&["games", "--sort", "plies", "--desc", "--limit", "9"]),
            ids(&["games", "--plies", "0..1"]),
        ]
    };
    let expected = ["1\n", "1\n", "", "2\n3\n4\n1\n", "1\n4\n3\n2\n", "2\n3\n"];
    assert_eq!(answers(), expected);
    bench.ok(&["index"]);
    assert_eq!(answers(), expected);
}

#[test]
fn an_index_of_an_earlier_release_is_named_and_rebuilt() {
    let bench = indexed();
    let path = bench.path("plybook.db");
    let found = bench.ok(&["explore", "1. e4"]);
    let db = Connection::open(&path).unwrap();
    db.execute_batch("UPDATE segment SET kind = kind - 2").unwrap();
    let without = bench.run(&["explore", "1. e4"]);
    assert_eq!((without.status.code(), text(&without.stdout)), (Some(0), found.clone()));
    assert!(text(&without.stderr).contains("the index was built by an earlier release"), "{without:?}");
    assert!(text(&bench.run(&["info"]).stdout).contains("index     of an earlier release, not used"));
    assert!(bench.ok(&["verify"]).contains("all intact"));
    bench.ok(&["index"]);
    assert_eq!(bench.ok(&["explore", "1. e4"]), found);
    let former: i64 =
        db.query_row("SELECT count(*) FROM segment WHERE kind < 3", [], |row| row.get(0)).unwrap();
    assert_eq!(former, 0);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn an_index_is_valid_whatever_happens_to_the_pages() {
    let bench = indexed();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("PRAGMA page_size = 1024; VACUUM").unwrap();
    drop(db);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    fs::write(bench.path("more.pgn"), many_games(230)).unwrap();
    bench.import(&["more.pgn"]);
    bench.ok(&["index"]);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    fs::copy(bench.path("plybook.db"), bench.path("without.db")).unwrap();
    bench.ok(&["index", "--drop", "-a", "without.db"]);
    answer_alike(&bench, "plybook.db", "without.db");
}

#[test]
fn the_index_sorts_games_like_the_archive() {
    let bench = Bench::new();
    let tag = |name: &str, number: usize, values: usize| match number % values {
        0 => String::new(),
        value => format!("[{name} \"{}\"]\n", value * 7919 % values * 31),
    };
    let game = |number: usize| {
        let date = ["", "[Date \"????.??.??\"]\n", "[Date \"1999.05.??\"]\n", "[Date \"1970.01.02\"]\n"];
        let tags = [("White", 37), ("Black", 101), ("WhiteElo", 97), ("BlackElo", 13)];
        let tags: String = tags.iter().map(|(name, values)| tag(name, number, *values)).collect();
        let result = ["1-0", "*", "0-1", "1/2-1/2"][number % 4];
        let moves = ["", "1. e4", "1. e4 e5"][number / 5 % 3];
        format!(
            "{}{tags}[Round \"{number}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n",
            date[number / 7 % 4]
        )
    };
    fs::write(bench.path("a.pgn"), (0..6_000).map(game).collect::<String>()).unwrap();
    fs::write(bench.path("b.pgn"), (6_000..6_100).map(game).collect::<String>()).unwrap();
    bench.import(&["a.pgn"]);
    let sorts = [Sort::Date, Sort::Elo, Sort::Result, Sort::Plies, Sort::White, Sort::Black];
    let some = || -> GameSet { (1..=6_100).filter(|id| id % 7 > 0).collect() };
    let black = || Some("*1*".to_owned());
    let elo = || vec![(GameNumber::WhiteElo, vec![300..=900, 1200..=2000])];
    let filters = [
        Filter::default(),
        Filter { among: Some(some()), black: black(), ..Filter::default() },
        Filter { black: black(), ..Filter::default() },
        Filter { player: black(), chess: true, ..Filter::default() },
        Filter {
            numbers: elo(),
            player_results: Some([b"1-0", b"0-1"].map(|result| Outcome::from_ascii(result).unwrap())),
            player: black(),
            ..Filter::default()
        },
    ];
    let sorted = |sort, descending, filter: &Filter| {
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let filter = Filter { sort, descending, ..filter.clone() };
        let index = PositionIndex::open(&archive).unwrap().unwrap_or_default();
        let ids = index.sorted_ids(&archive, &filter).unwrap();
        assert_eq!(ids.is_some(), index.sorts_by(sort) || sort == Sort::Id && index.if_any().is_some());
        (ids, archive.sorted_ids(&filter).unwrap())
    };
    assert_eq!(sorted(Sort::Date, false, &filters[0]).0, None);
    bench.ok(&["index"]);
    // An import extends the index; games that are changed after it are read from the archive.
    let changes: [&[&[&str]]; 3] = [
        &[],
        &[&["import", "b.pgn"]],
        &[
            &["tag", "1..20", "Date=1990.01.01", "White=Zed", "--yes"],
            &["tag", "30..39", "WhiteElo=310", "Black=", "Result=*", "--yes"],
            &["remove", "40..60", "--yes"],
        ],
    ];
    for change in changes.into_iter() {
        change.iter().for_each(|change| drop(bench.ok(change)));
        for (sort, descending) in sorts.into_iter().flat_map(|sort| [(sort, false), (sort, true)]) {
            for filter in &filters {
                let (by_index, by_archive) = sorted(sort, descending, filter);
                assert!(by_archive.len() > 500, "{}", by_archive.len());
                assert_eq!(by_index.as_ref(), Some(&by_archive), "{sort:?} {descending} {filter:?}");
            }
            let archive = Archive::open(bench.path("plybook.db")).unwrap();
            let index = PositionIndex::open(&archive).unwrap().unwrap();
            assert_eq!(index.is_complete(), change.len() < 2);
            let page = Filter { sort, descending, offset: 5_000, limit: Some(30), ..Filter::default() };
            let narrowed = index.narrowed(&archive, page.clone()).unwrap();
            assert!(narrowed.among.is_some());
            let ids = |filter: &Filter| archive.list::<i64>(filter).map(Result::unwrap).collect::<Vec<_>>();
            assert_eq!(ids(&narrowed), ids(&page), "{sort:?} {descending}");
        }
    }
    assert_eq!(sorted(Sort::Event, false, &filters[0]).0, None);
    // By id, the archive lists all games and any set of them.
    for (filter, descending) in filters[2..].iter().flat_map(|filter| [(filter, false), (filter, true)]) {
        let (by_index, by_archive) = sorted(Sort::Id, descending, filter);
        assert_eq!(by_index, Some(by_archive), "{filter:?}");
    }
}

#[test]
fn verify_compares_each_segment_with_the_games_that_it_covers() {
    let bench = Bench::new();
    for games in [200, 240] {
        fs::write(bench.path("games.pgn"), many_games(games)).unwrap();
        bench.run(&["import", "games.pgn", "-q", "--index"]);
    }
    // Not indexed.
    bench.ok(&["add", "1. e4 e5 2. Ke2 *"]);
    let path = bench.path("plybook.db");
    let (archive, db) = (Archive::open(&path).unwrap(), Connection::open(&path).unwrap());
    let segments = archive.segments().positions().unwrap();
    let (first, later) = (&segments[0], &segments[1]);
    assert_eq!((segments.len(), later.last + 1), (2, archive.last_id().unwrap()));
    for has_changes in [false, true] {
        if has_changes {
            bench.ok(&["tag", "5", "WhiteElo=2400"]);
        }
        assert_eq!(flaws(&archive), Vec::<String>::new());
        let wrong = [(first.first, Some(first)), (later.last, Some(later)), (later.last + 1, None)];
        for (id, segment) in wrong {
            let put = |elo: Option<i64>| {
                db.execute("UPDATE game SET white_elo = ?2 WHERE id = ?1", (id, elo)).unwrap();
            };
            let elo =
                db.query_row("SELECT white_elo FROM game WHERE id = ?1", [id], |row| row.get(0)).unwrap();
            put(Some(7));
            let found = flaws(&archive);
            let of_index: Vec<_> =
                found.iter().filter(|flaw| flaw.contains("its segment of games")).collect();
            assert!(of_index.len() == usize::from(segment.is_some()) && found.len() > of_index.len());
            let range = segment.map(|segment| format!("of games {} to {} ", segment.first, segment.last));
            assert!(range.is_none_or(|range| of_index[0].contains(&range)), "{found:?}");
            put(elo);
        }
    }
}

#[test]
fn a_change_that_is_undone_while_verify_reads_is_no_damage_to_the_index() {
    let bench = indexed();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    bench.ok(&["tag", "5", "WhiteElo=2400"]);
    let mut is_undone = false;
    let verdict = archive.maintenance().verify(|_| {
        if !std::mem::replace(&mut is_undone, true) {
            bench.ok(&["undo"]);
        }
    });
    let of_index = |problem: &&Problem| problem.what.contains("its segment of games");
    assert_eq!(verdict.unwrap().first.iter().find(of_index), None);
    assert_eq!(flaws(&archive), Vec::<String>::new());
}
