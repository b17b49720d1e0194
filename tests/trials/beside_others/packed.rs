//! One flipped bit in a compressed source never leaves a game in the archive that the source never had, whether it is
//! noticed at once or after an earlier import of it was stopped; and the intact source, imported later, completes the
//! archive.

use std::{
    collections::BTreeSet,
    fs,
    io::{Cursor, Write},
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::Ordering,
    time::Instant,
};

use crate::{
    beside_others,
    common::{Bench, Random, text, trials},
};
use plybook::{
    archive::Archive,
    import::{Options, import_with_progress},
    parts::Catalogue,
};

/// Compresses a text.
type Pack = fn(&[u8]) -> Vec<u8>;

/// Bytes of a part of a source in several parts.
const PART: usize = 150_000;

/// Games between commits: so games are committed before the damage is found.
const COMMIT_EVERY: u64 = 100;

/// The formats, and whether a pipe can be in them.
const FORMATS: [(&str, Pack, bool); 10] = [
    ("gzip", gzip, true),
    ("gzip members", |text| in_parts(text, gzip), true),
    ("bzip2", |text| bzip2(text, 1), true),
    ("bzip2 streams", |text| in_parts(text, |part| bzip2(part, 9)), true),
    ("xz", xz, true),
    ("xz streams", |text| in_parts(text, xz), true),
    ("zstd", zstd, true),
    ("zstd frames", |text| in_parts(text, zstd), true),
    ("zip", |text| zip("games.pgn", text), false),
    ("gzip in zip", |text| zip("games.pgn.gz", &gzip(text)), false),
];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A level of 1 makes blocks of 100,000 bytes.
fn bzip2(text: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(level));
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zip(name: &str, text: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(text).unwrap();
    zip.finish().unwrap().into_inner()
}

fn in_parts(text: &[u8], pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    text.chunks(PART).flat_map(pack).collect()
}

/// Generated games, and an archive of them.
fn bench(games: u32) -> (Bench, Vec<u8>) {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", &games.to_string(), "-o", "games.pgn"]);
    bench.import(&["games.pgn", "-a", "clean.db"]);
    let games = fs::read(bench.path("games.pgn")).unwrap();
    (bench, games)
}

/// The games of an archive, which is intact if it exists.
fn games_of(bench: &Bench, archive: &str) -> BTreeSet<String> {
    if !bench.path(archive).exists() {
        return BTreeSet::new();
    }
    assert!(bench.ok(&["verify", "-a", archive]).contains("all intact"));
    let export = text(&bench.run(&["export", "-a", archive]).stdout);
    let games: Vec<String> =
        export.split("\n\n[").map(|game| game.trim_matches(['[', '\n']).to_owned()).collect();
    let count = games.len();
    let games: BTreeSet<String> = games.into_iter().filter(|game| !game.is_empty()).collect();
    assert!(games.len() + 1 >= count, "a game is stored twice");
    games
}

/// Flips a bit of the first bytes.
fn flip(packed: &[u8], random: &mut Random, first: usize) -> Vec<u8> {
    let mut damaged = packed.to_vec();
    damaged[random.below(first)] ^= 1 << random.below(8);
    damaged
}

/// Imports a file, and stops after some batches.
fn import_stopped(archive: PathBuf, source: &Path, batches: usize) {
    let options = Options { commit_every: COMMIT_EVERY, threads: 1, ..Options::default() };
    let mut seen = 0;
    let base = Some(source.parent().unwrap().to_owned());
    let options = Options { base, ..options };
    let stop = |_: &_| {
        seen += 1;
        if seen == batches {
            options.cancel.store(true, Ordering::Relaxed);
        }
    };
    // A damaged beginning is an error.
    let _ = import_with_progress(&archive, &[source.to_owned()], &options, stop);
}

/// What a case leaves and reports.
#[derive(Default, Debug)]
struct Found {
    damaged: u64,
    removed: u64,
    kept: u64,
    stopped_with_false_games: u64,
}

#[test]
fn no_game_of_damaged_data_stays_and_the_intact_source_completes_the_archive() {
    let _lock = beside_others();
    let (bench, games) = bench(1500);
    let (clean, mut random, mut found) = (games_of(&bench, "clean.db"), Random(0xdead), Found::default());
    let commit_every = COMMIT_EVERY.to_string();
    for (format, pack, can_be_piped) in FORMATS {
        let packed = pack(&games);
        for round in 0..trials(3, 200) {
            let case = format!("{format}, round {round}");
            let archive = format!("{}-{round}.db", format.replace(' ', "-"));
            let is_stopped = round % 3 == 1;
            // The directory of a zip archive, at its end, decides what is read, and is left alone.
            let first = if is_stopped { packed.len() / 2 } else { packed.len() - 200 };
            let damaged = flip(&packed, &mut random, first);
            fs::write(bench.path("source"), &damaged).unwrap();
            if is_stopped {
                import_stopped(bench.path(&archive), &bench.path("source"), 4);
                found.stopped_with_false_games += u64::from(!games_of(&bench, &archive).is_subset(&clean));
            }
            let is_pipe = round % 3 == 2 && can_be_piped;
            let source = if is_pipe { "-" } else { "source" };
            let arguments =
                ["import", source, "-a", &archive, "--commit-every", &commit_every, "--format", "json"];
            let output = bench.feed(&arguments, if is_pipe { &damaged } else { &[] });
            let stored = games_of(&bench, &archive);
            let said = text(&output.stderr);
            assert!(stored.is_subset(&clean), "{case}: {said}");
            // Without the first bytes of its format, the source is not known to be compressed, and there is no report.
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            let count = |key: &str| report[key].as_u64().unwrap_or(0);
            assert_eq!(count("seen"), count("stored") + count("duplicate") + count("rejected"), "{case}");
            // A bit that means nothing, such as one of a time stamp, may be flipped.
            let is_whole = output.status.code() == Some(0);
            assert!(
                if is_whole { stored == clean } else { output.status.code() == Some(2) },
                "{case}: {said}"
            );
            found.damaged += u64::from(!is_whole);
            found.removed += count("taken_back");
            found.kept += stored.len() as u64;

            fs::write(bench.path("source"), &packed).unwrap();
            bench.import(&["source", "-a", &archive]);
            assert_eq!(games_of(&bench, &archive).len(), clean.len(), "{case}");
            assert!(games_of(&bench, &archive) == clean, "{case}");
            fs::remove_file(bench.path(&archive)).unwrap();
        }
    }
    println!("{found:?}");
    assert!(found.damaged > 20 && found.removed > 1000 && found.kept > 1000, "{found:?}");
}

#[test]
fn games_that_a_killed_import_stored_from_damaged_data_are_removed_by_the_next_one() {
    let _lock = beside_others();
    let (bench, games) = bench(6000);
    let clean = games_of(&bench, "clean.db");
    let mut packed = gzip(&games);
    let at = packed.len() / 3;
    packed[at] ^= 0x10;
    fs::write(bench.path("source"), &packed).unwrap();
    let mut command =
        bench.command(&["import", "source", "--commit-every", "1", "--threads", "1", "--quiet"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let games_so_far =
        || Archive::open(bench.path("plybook.db")).map_or(0, |archive| archive.count().unwrap_or(0));
    while child.try_wait().unwrap().is_none() && games_so_far() < 1000 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(games_so_far() >= 1000, "it was not killed in time");
    let output = bench.run(&["import", "source"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(games_of(&bench, "plybook.db").is_empty(), "{}", text(&output.stderr));
    fs::write(bench.path("source"), gzip(&games)).unwrap();
    bench.import(&["source"]);
    assert!(games_of(&bench, "plybook.db") == clean);
}

/// The games of a collection, whose parts are intact and have no game twice.
fn games_of_parts(bench: &Bench, dir: &str) -> Vec<BTreeSet<String>> {
    let parts = Catalogue::open(&bench.path(dir)).unwrap().paths();
    let parts: Vec<_> = parts.iter().map(|part| games_of(bench, part.to_str().unwrap())).collect();
    let all: BTreeSet<_> = parts.iter().flatten().collect();
    assert_eq!(all.len(), parts.iter().map(BTreeSet::len).sum::<usize>(), "a game is in two parts");
    parts
}

#[test]
fn a_killed_import_of_damaged_data_into_parts_leaves_a_collection_that_the_intact_source_completes() {
    let _lock = beside_others();
    let (bench, games) = bench(4000);
    let clean = games_of(&bench, "clean.db");
    let (first, second) = games.split_at(games.len() / 2);
    let mut packed = [gzip(first), gzip(second)].concat();
    let at = packed.len() - 6;
    packed[at] ^= 1;
    let whole = [gzip(first), gzip(second)].concat();
    let import = |dir: &str| {
        let arguments = ["import", "source", "--into", dir, "--parts-of", "400", "--commit-every", "100"];
        let mut command = bench.command(&arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    fs::write(bench.path("source"), &packed).unwrap();
    let begin = Instant::now();
    assert_eq!(import("whole").status().unwrap().code(), Some(2));
    let duration = begin.elapsed();
    let (mut random, mut killed) = (Random(0xbeef), 0);
    for round in 0..trials(12, 400) {
        let dir = format!("dir{round}");
        fs::write(bench.path("source"), &packed).unwrap();
        // Most of them while games are taken back, some of them again in a second run.
        for _ in 0..=round % 2 {
            let mut child = import(&dir).spawn().unwrap();
            let thousandths = u32::try_from(400 + random.below(600)).unwrap();
            std::thread::sleep(duration * thousandths / 1000);
            killed += u64::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            if Catalogue::is_in(&bench.path(&dir)) {
                games_of_parts(&bench, &dir);
            }
        }
        if round % 3 > 0 {
            assert_eq!(import(&dir).status().unwrap().code(), Some(2), "round {round}");
            for part in games_of_parts(&bench, &dir) {
                assert!(part.is_subset(&clean), "round {round}");
            }
        }
        fs::write(bench.path("source"), &whole).unwrap();
        // A part that was unlisted when it was killed may be unfinished, and is resumed by one more import.
        for _ in 0..2 {
            let output = import(&dir).stderr(Stdio::piped()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "round {round}: {}", text(&output.stderr));
        }
        let all: BTreeSet<String> = games_of_parts(&bench, &dir).into_iter().flatten().collect();
        assert!(all == clean, "round {round}: {} of {}", all.len(), clean.len());
        fs::remove_dir_all(bench.path(&dir)).unwrap();
    }
    println!("{killed} killed");
    assert!(killed > 0);
}
