//! Data of a compressed source that no checksum has confirmed is not stored as if it were intact.

use std::{collections::BTreeSet, fs, io::Write, process::Output, sync::atomic::Ordering};

use crate::common::{Bench, many_games, text};
use plybook::import::{Options, import_with_progress};
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

#[test]
fn a_listed_part_has_no_unconfirmed_games() {
    let (bench, games, clean) = bench(4000);
    let (first, second) = games.split_at(games.len() / 2);
    let packed = [gzip(first), damaged(&gzip(second), "Event \"London")].concat();
    fs::write(bench.path("games.pgn.gz"), packed).unwrap();
    let import = ["import", "games.pgn.gz", "--into", "parts", "--parts-of", "300", "--format", "json"];
    let output = bench.run(&import);
    assert_eq!(output.status.code(), Some(2));
    let stored = games_of(&bench, "parts");
    assert!(stored.is_subset(&clean) && stored.len() > 1000, "{}", stored.len());
    let listed = report(&output)["parts"].as_array().unwrap().len();
    fs::write(bench.path("games.pgn.gz"), gzip(&games)).unwrap();
    assert!(matches!(bench.run(&import).status.code(), Some(0 | 1)));
    assert!(games_of(&bench, "parts") == clean);
    for part in 1..=listed {
        assert!(bench.ok(&["verify", "-a", &format!("parts/part-{part:04}.db")]).contains("all intact"));
    }
    // With and without threads, the parts are the same.
    for threads in ["1", "4"] {
        let into = format!("parts-{threads}");
        bench.run(&["import", "games.pgn.gz", "--into", &into, "--parts-of", "300", "--threads", threads]);
    }
    let parts = |threads: &str| fs::read_dir(bench.path(&format!("parts-{threads}"))).unwrap().count();
    assert_eq!(parts("1"), parts("4"));
}
