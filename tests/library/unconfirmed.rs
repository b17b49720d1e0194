//! Data of a compressed source that no checksum has confirmed is not stored as if it were intact.

use std::{collections::BTreeSet, fs, io::Write, process::Output, sync::atomic::Ordering};

use crate::common::{Bench, many_games, text};
use plybook::{
    import::{Options, import_with_progress},
    parts::{Catalogue, import_into_parts},
};
use rusqlite::Connection;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Text in a member without compression, where one letter of a name is wrong: a false game that nothing but the
/// checksum shows.
fn damaged(packed: &[u8], name: &str) -> Vec<u8> {
    let mut damaged = packed.to_vec();
    let at = packed.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap();
    damaged[at + name.len() - 1] ^= 1;
    damaged
}

fn report(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// A bench with `games.pgn.gz`, and an archive of the same games: the games, and the text.
fn bench(games: usize) -> (Bench, Vec<u8>, BTreeSet<String>) {
    let (bench, text) = (Bench::new(), many_games(games));
    fs::write(bench.path("games.pgn"), &text).unwrap();
    bench.import(&["games.pgn", "-a", "clean.db"]);
    fs::write(bench.path("games.pgn.gz"), gzip(text.as_bytes())).unwrap();
    let clean = games_of(&bench, "clean.db");
    (bench, text.into_bytes(), clean)
}

fn games_of(bench: &Bench, archive: &str) -> BTreeSet<String> {
    let export = text(&bench.run(&["export", "-a", archive]).stdout);
    let games = export.split("\n\n[Event ").map(|game| game.trim_start_matches("[Event ").trim().to_owned());
    games.filter(|game| !game.is_empty()).collect()
}

/// Imports games.pgn.gz, and stops after a batch.
fn import_stopped(bench: &Bench, batches: usize) {
    let base = Some(bench.folder.path().to_owned());
    let options = Options { commit_every: 1, threads: 1, base, ..Options::default() };
    let mut seen = 0;
    let stop = |_: &_| {
        seen += 1;
        if seen == batches {
            options.cancel.store(true, Ordering::Relaxed);
        }
    };
    let (archive, source) = (bench.path("plybook.db"), bench.path("games.pgn.gz"));
    assert!(import_with_progress(&archive, &[source], &options, stop).unwrap().cancelled);
}

#[test]
fn games_before_the_damage_are_counted_and_the_others_are_not() {
    let (bench, games, clean) = bench(4000);
    // The second member is damaged; so are its rejected games, and its warnings.
    let (first, second) = games.split_at(games.len() / 2);
    let packed = [gzip(first), damaged(&gzip(second), "Event \"London")].concat();
    fs::write(bench.path("games.pgn.gz"), packed).unwrap();
    let arguments = ["import", "games.pgn.gz", "--commit-every", "100", "--index", "--format", "json"];
    let output = bench.run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    let (report, stored) = (report(&output), games_of(&bench, "plybook.db"));
    assert!(stored.is_subset(&clean) && stored.len() > 1000, "{}", stored.len());
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(count("stored"), stored.len() as u64);
    assert_eq!(count("seen"), count("stored") + count("duplicate") + count("rejected"));
    assert!(count("rejected") > 10 && count("rejected") < 40 && count("taken_back") > 1000, "{report}");
    let said = text(&output.stderr);
    assert!(
        said.contains(&format!("; removed {}", plybook::counts::GAMES.count(count("taken_back")))),
        "{said}"
    );
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let row = "SELECT seen, stored, ended FROM source";
    let row: (i64, i64, i64) =
        db.query_row(row, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    assert_eq!(row, (count("seen").cast_signed(), count("stored").cast_signed(), 0));
    // Searches with and without an index find the same.
    let found = |archive: &str| bench.ok(&["find", "1. e4 e5", "--count", "-a", archive]);
    let indexed = found("plybook.db");
    bench.ok(&["index", "--drop"]);
    assert_eq!(indexed, found("plybook.db"));

    fs::write(bench.path("games.pgn.gz"), gzip(&games)).unwrap();
    let later = bench.import(&["games.pgn.gz"]);
    assert_eq!((&later["met"][0]["how"], &later["former"]), (&"continued".into(), &serde_json::Value::Null));
    assert!(games_of(&bench, "plybook.db") == clean);
    assert_eq!(bench.import(&["games.pgn.gz"])["met"][0]["how"], "done");
}

#[test]
fn an_intact_source_replaces_what_a_stopped_import_stored_from_a_damaged_one() {
    let (bench, games, clean) = bench(4000);
    let packed = gzip(&games);
    fs::write(bench.path("games.pgn.gz"), damaged(&packed, "Event \"London")).unwrap();
    import_stopped(&bench, 3);
    let stored = games_of(&bench, "plybook.db");
    assert!(stored.len() > 300 && !stored.is_subset(&clean));
    fs::write(bench.path("games.pgn.gz"), &packed).unwrap();
    let report = bench.import(&["games.pgn.gz"]);
    assert_eq!((&report["met"][0]["how"], &report["taken_back"]), (&"changed".into(), &stored.len().into()));
    assert!(games_of(&bench, "plybook.db") == clean);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert_eq!(bench.import(&["games.pgn.gz"])["met"][0]["how"], "done");
}

#[test]
fn a_source_whose_games_were_duplicates_of_removed_ones_is_read_again() {
    let (bench, games, clean) = bench(4000);
    fs::write(bench.path("games.pgn.gz"), damaged(&gzip(&games), "Event \"London")).unwrap();
    import_stopped(&bench, 3);
    // It has the same games, and is complete.
    bench.import(&["games.pgn"]);
    assert_eq!(bench.import(&["games.pgn"])["met"][0]["how"], "done");
    assert_eq!(bench.run(&["import", "games.pgn.gz"]).status.code(), Some(2));
    let stored = games_of(&bench, "plybook.db");
    assert!(stored.is_subset(&clean) && stored.len() < clean.len());
    bench.import(&["games.pgn"]);
    assert!(games_of(&bench, "plybook.db") == clean);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// The options of imports into parts.
const PARTS_OF: [&str; 4] = ["--parts-of", "500", "--format", "json"];

/// Games with addresses of their own, after some moves.
fn with_addresses(moves: &str) -> String {
    (0..3000)
        .map(|n| {
            format!("[Event \"Blitz\"]\n[White \"White {n}\"]\n[Site \"https://lichess.org/{n:08}\"]\n\n{moves} *\n\n")
        })
        .collect()
}

#[test]
fn updates_by_damaged_data_are_taken_back_and_those_by_confirmed_data_stay() {
    let bench = Bench::new();
    fs::write(bench.path("before.pgn"), with_addresses("1. e4 e5")).unwrap();
    bench.import(&["before.pgn"]);
    let before = games_of(&bench, "plybook.db");
    let after = with_addresses("1. e4 e5 2. Nf3 Nc6");
    let (first, second) = after.split_at(after.match_indices("[Event ").nth(1500).unwrap().0);
    let packed = [gzip(first.as_bytes()), damaged(&gzip(second.as_bytes()), "White 2900")].concat();
    fs::write(bench.path("games.pgn.gz"), packed).unwrap();
    let arguments = ["import", "games.pgn.gz", "--commit-every", "100", "--format", "json"];
    let report = report(&bench.run(&arguments));
    let stored = games_of(&bench, "plybook.db");
    let updated = stored.difference(&before).count() as u64;
    assert_eq!((stored.len(), report["updated"].as_u64()), (3000, Some(updated)), "{report}");
    assert!((1000..=1500).contains(&updated), "{updated}");
    assert!(text(&bench.run(&["verify"]).stdout).contains("all intact"));

    // The intact file brings the others; that is one import, and undoing it takes all of them back.
    fs::write(bench.path("games.pgn.gz"), gzip(after.as_bytes())).unwrap();
    bench.import(&["games.pgn.gz"]);
    assert_eq!(games_of(&bench, "plybook.db").difference(&before).count(), 3000);
    bench.ok(&["undo"]);
    assert_eq!(games_of(&bench, "plybook.db"), before);
    assert!(text(&bench.run(&["verify"]).stdout).contains("all intact"));
}

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A bench with generated games: `games.pgn`, of which a collection `clean` was made, and `other.pgn`.
fn bench_of_parts() -> (Bench, Vec<u8>) {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "4000", "-o", "games.pgn"]);
    bench.ok(&["generate", "--games", "600", "--seed", "7", "-o", "other.pgn"]);
    import_parts(&bench, "games.pgn", "clean", &[]);
    let games = fs::read(bench.path("games.pgn")).unwrap();
    (bench, games)
}

fn import_parts(bench: &Bench, source: &str, dir: &str, more: &[&str]) -> Output {
    bench.run(&[&["import", source, "--into", dir], &PARTS_OF[..], more].concat())
}

/// The parts of a collection, which are intact: file names and numbers of games.
fn parts_of(bench: &Bench, dir: &str) -> Vec<(String, u64)> {
    let catalogue = Catalogue::open(&bench.path(dir)).unwrap();
    for path in catalogue.paths() {
        assert!(bench.ok(&["verify", "-a", path.to_str().unwrap()]).contains("all intact"));
    }
    catalogue.parts.into_iter().map(|part| (part.file, part.holdings.games)).collect()
}

/// Names of the files of a collection, without lock files.
fn files_of(bench: &Bench, dir: &str) -> BTreeSet<String> {
    let names = fs::read_dir(bench.path(dir)).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| !name.ends_with(".lock")).collect()
}

/// Imports a file into parts, and stops after some games.
fn import_parts_stopped(bench: &Bench, source: &str, dir: &str, games: u64) {
    let base = Some(bench.folder.path().to_owned());
    let options = Options { commit_every: 100, threads: 1, base, ..Options::default() };
    let stop = |progress: &plybook::import::Progress| {
        if progress.games >= games {
            options.cancel.store(true, Ordering::Relaxed);
        }
    };
    // The name of the source is the one that the command gives it.
    let report = import_into_parts(&bench.path(dir), 500, &[bench.path(source)], &options, stop).unwrap();
    assert!(report.import.cancelled);
}

/// Flips a bit of the checksum at the end.
fn with_wrong_checksum(packed: &[u8]) -> Vec<u8> {
    let mut damaged = packed.to_vec();
    let at = damaged.len() - if packed.starts_with(&[0x1f]) { 8 } else { 4 };
    damaged[at] ^= 4;
    damaged
}

#[test]
fn a_compressed_file_gives_the_same_parts_as_the_plain_one() {
    let (bench, games) = bench_of_parts();
    let expected = parts_of(&bench, "clean");
    assert!(expected.len() > 4, "{expected:?}");
    let frames: Vec<u8> = games.chunks(300_000).flat_map(zstd).collect();
    for (name, packed) in [("x.pgn.gz", gzip(&games)), ("x.pgn.zst", zstd(&games)), ("y.pgn.zst", frames)] {
        fs::write(bench.path(name), packed).unwrap();
        for threads in ["1", "4"] {
            let dir = format!("{name}-{threads}");
            assert!(import_parts(&bench, name, &dir, &["--threads", threads]).status.success());
            assert_eq!(parts_of(&bench, &dir), expected, "{dir}");
            assert_eq!(files_of(&bench, &dir), files_of(&bench, "clean"));
        }
    }
}

#[test]
fn parts_of_a_damaged_file_are_removed_and_an_intact_one_gives_those_of_a_clean_import() {
    let (bench, games) = bench_of_parts();
    for (name, packed) in [("x.pgn.gz", gzip(&games)), ("x.pgn.zst", zstd(&games))] {
        for is_stopped in [false, true] {
            let dir = format!("{name}-{is_stopped}");
            fs::write(bench.path(name), with_wrong_checksum(&packed)).unwrap();
            if is_stopped {
                import_parts_stopped(&bench, name, &dir, 2200);
                assert!(parts_of(&bench, &dir).len() >= 2);
            }
            let output = import_parts(&bench, name, &dir, &[]);
            assert_eq!(output.status.code(), Some(2));
            let report = report(&output);
            let count = |key: &str| report[key].as_u64().unwrap();
            assert_eq!([count("seen"), count("stored"), count("duplicate"), count("rejected")], [0; 4]);
            assert!(count("taken_back") > 3800 && count("archive_bytes") == 0, "{report}");
            assert_eq!(report["parts"], serde_json::json!([]));
            assert_eq!(report["unconfirmed_parts"], serde_json::Value::Null);
            assert_eq!(parts_of(&bench, &dir), []);
            assert_eq!(files_of(&bench, &dir), BTreeSet::from(["catalogue.json".to_owned()]));

            fs::write(bench.path(name), &packed).unwrap();
            assert!(import_parts(&bench, name, &dir, &[]).status.success());
            assert_eq!(parts_of(&bench, &dir), parts_of(&bench, "clean"), "{dir}");
            assert!(games_of(&bench, &dir) == games_of(&bench, "clean"), "{dir}");
        }
    }
}

#[test]
fn a_part_with_other_games_keeps_them_and_its_number() {
    let (bench, games) = bench_of_parts();
    let (first, second) = games.split_at(games.len() / 2);
    let packed = [gzip(first), with_wrong_checksum(&gzip(second))].concat();
    fs::write(bench.path("x.pgn.gz"), packed).unwrap();
    let output = import_parts(&bench, "other.pgn", "dir", &["x.pgn.gz", "--index"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let (report, parts) = (report(&output), parts_of(&bench, "dir"));
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(count("seen"), count("stored") + count("duplicate") + count("rejected"));
    assert_eq!(count("stored"), parts.iter().map(|(_, games)| games).sum::<u64>());
    assert_eq!(report["parts"], serde_json::json!((1..=parts.len()).collect::<Vec<_>>()));
    assert!(count("stored") > 1800 && count("taken_back") > 1800, "{report}");
    let (stored, clean) = (games_of(&bench, "dir"), games_of(&bench, "clean"));
    assert!(stored.is_subset(&clean.union(&games_of_other(&bench)).cloned().collect()));
    for part in Catalogue::open(&bench.path("dir")).unwrap().paths() {
        let db = Connection::open(&part).unwrap();
        let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(version, 4, "it has traces of the removed games");
        assert!(bench.ok(&["info", "-a", part.to_str().unwrap()]).contains("index"));
    }

    fs::write(bench.path("x.pgn.gz"), gzip(&games)).unwrap();
    assert!(import_parts(&bench, "x.pgn.gz", "dir", &[]).status.success());
    let all = parts_of(&bench, "dir");
    assert_eq!((&all[..parts.len()], all.iter().map(|(_, games)| games).sum()), (&parts[..], 4600_u64));
}

fn games_of_other(bench: &Bench) -> BTreeSet<String> {
    bench.import(&["other.pgn", "-a", "other.db"]);
    games_of(bench, "other.db")
}

#[test]
fn parts_before_those_of_other_imports_stay_and_are_reported() {
    let (bench, games) = bench_of_parts();
    fs::write(bench.path("x.pgn.gz"), with_wrong_checksum(&gzip(&games))).unwrap();
    import_parts_stopped(&bench, "x.pgn.gz", "dir", 1300);
    let listed = parts_of(&bench, "dir");
    assert!(import_parts(&bench, "other.pgn", "dir", &[]).status.success());
    let before = parts_of(&bench, "dir");
    let output = import_parts(&bench, "x.pgn.gz", "dir", &[]);
    assert_eq!(output.status.code(), Some(2));
    let report = report(&output);
    assert_eq!(report["unconfirmed_parts"], serde_json::json!((1..=listed.len()).collect::<Vec<_>>()));
    assert!(text(&output.stderr).contains("part-0001.db: games of a damaged"), "{}", text(&output.stderr));
    assert_eq!(parts_of(&bench, "dir"), before);

    fs::write(bench.path("x.pgn.gz"), gzip(&games)).unwrap();
    assert!(import_parts(&bench, "x.pgn.gz", "dir", &[]).status.success());
    let expected: BTreeSet<String> =
        games_of(&bench, "clean").union(&games_of_other(&bench)).cloned().collect();
    assert!(games_of(&bench, "dir") == expected);
    assert_eq!(parts_of(&bench, "dir").iter().map(|(_, games)| games).sum::<u64>(), 4600);
}

#[test]
fn parts_of_a_damaged_file_are_removed_if_parts_with_its_confirmed_games_follow_them() {
    let (bench, games) = bench_of_parts();
    let (first, second) = games.split_at(games.len() / 2);
    for is_damaged in [true, false] {
        let dir = format!("dir-{is_damaged}");
        let packed = [gzip(first), with_wrong_checksum(&gzip(second))].concat();
        fs::write(bench.path("x.pgn.gz"), packed).unwrap();
        import_parts_stopped(&bench, "x.pgn.gz", &dir, 3600);
        // Imports that are killed one after the other can list parts in this order.
        let parts = Catalogue::open(&bench.path(&dir)).unwrap().paths();
        let (confirmed, unconfirmed) = (&parts[0], &parts[parts.len() - 1]);
        let aside = bench.path("aside.db");
        for (from, to) in [(confirmed, &aside), (unconfirmed, confirmed), (&aside, unconfirmed)] {
            fs::rename(from, to).unwrap();
        }
        Catalogue::make(&bench.path(&dir)).unwrap();
        if is_damaged {
            let output = import_parts(&bench, "x.pgn.gz", &dir, &[]);
            assert_eq!(report(&output)["unconfirmed_parts"], serde_json::Value::Null);
            let stored: u64 = parts_of(&bench, &dir).iter().map(|(_, games)| games).sum();
            assert!((1900..2000).contains(&stored), "{stored}");
        }
        fs::write(bench.path("x.pgn.gz"), gzip(&games)).unwrap();
        let output = import_parts(&bench, "x.pgn.gz", &dir, &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(games_of(&bench, &dir) == games_of(&bench, "clean"));
        assert_eq!(parts_of(&bench, &dir).iter().map(|(_, games)| games).sum::<u64>(), 4000);
    }
}

#[test]
fn an_intact_file_replaces_parts_that_a_stopped_import_listed_from_a_damaged_one() {
    let (bench, games) = bench_of_parts();
    fs::write(bench.path("x.pgn.gz"), damaged(&gzip(&games), "[White \"")).unwrap();
    import_parts_stopped(&bench, "x.pgn.gz", "dir", 2200);
    fs::write(bench.path("x.pgn.gz"), gzip(&games)).unwrap();
    let output = import_parts(&bench, "x.pgn.gz", "dir", &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(report(&output)["met"][0]["how"], "changed");
    assert!(games_of(&bench, "dir") == games_of(&bench, "clean"));
    assert_eq!(parts_of(&bench, "dir").iter().map(|(_, games)| games).sum::<u64>(), 4000);
}

#[test]
fn the_report_of_a_cut_file_counts_its_games_in_all_parts() {
    let (bench, games) = bench_of_parts();
    let packed = gzip(&games);
    fs::write(bench.path("x.pgn.gz"), &packed[..packed.len() - 1000]).unwrap();
    let output = import_parts(&bench, "x.pgn.gz", "dir", &[]);
    let report = report(&output);
    assert_eq!(report["unconfirmed"][0]["games"], report["stored"]);
    let stored: u64 = parts_of(&bench, "dir").iter().map(|(_, games)| games).sum();
    assert_eq!(report["stored"], stored);
    assert!(stored > 3900);
}
