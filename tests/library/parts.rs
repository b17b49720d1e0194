//! A collection in parts: split from an archive, imported by several programs at the same time, merged again. No game
//! is lost or duplicated, and damage is reported.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::common::{Bench, data, simple_games, text};
use plybook::{archive::Archive, limits::MAX_CATALOGUE_BYTES, parts::Catalogue};

/// Exported games, with or without their original bytes.
fn exported(bench: &Bench, archive: &str, original: bool) -> Vec<u8> {
    let arguments = ["export", "-a", archive, "--original"];
    let output = bench.run(&arguments[..if original { 4 } else { 3 }]);
    // PGN output skips games of Xelto, and an archive may have nothing else.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    output.stdout
}

fn parts(bench: &Bench, dir: &str) -> Vec<PathBuf> {
    Catalogue::open(&bench.path(dir)).unwrap().paths()
}

/// The games of all parts, part by part.
fn exported_parts(bench: &Bench, dir: &str, original: bool) -> Vec<u8> {
    parts(bench, dir).iter().flat_map(|path| exported(bench, path.to_str().unwrap(), original)).collect()
}

/// How often every game occurs, regardless of order.
fn games(pgn: &[u8]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for game in simple_games(&text(pgn)) {
        *found.entry(format!("{game:?}")).or_default() += 1;
    }
    found
}

/// Several thousand games, some of which are in two files.
fn some_files(bench: &Bench) {
    for (name, seed, count) in [("a.pgn", "1", "2500"), ("b.pgn", "2", "2500"), ("c.pgn", "3", "700")] {
        bench.ok(&["generate", "--games", count, "--seed", seed, "-o", name]);
    }
    let common = fs::read(bench.path("c.pgn")).unwrap();
    for name in ["a.pgn", "b.pgn"] {
        let mut all = fs::read(bench.path(name)).unwrap();
        all.extend(&common);
        fs::write(bench.path(name), all).unwrap();
    }
}

/// An archive with everything that a game can have.
fn archive_with_everything(bench: &Bench) {
    let latin1 = b"[Event \"latin\"]\n[White \"M\xfcller\"]\n\n1. e4 e5 2. Sf3 {caf\xe9} *\n";
    fs::write(bench.path("latin.pgn"), latin1).unwrap();
    let files = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn", "xelto"];
    let files: Vec<String> = files.iter().map(|name| data(name).to_str().unwrap().to_owned()).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    bench.import(&[&files[..], &["latin.pgn", "--letters", "auto", "-a", "all.db", "--index"]].concat());
}

#[test]
fn a_split_and_merged_archive_has_the_same_games() {
    let bench = Bench::new();
    archive_with_everything(&bench);
    let ids = Archive::open(bench.path("all.db")).unwrap().last_id().unwrap().unsigned_abs();
    for (dir, cut) in [("three", ["--parts", "3"]), ("sevens", ["--parts-of", "7"])] {
        bench.ok(&["split", "all.db", "--into", dir, cut[0], cut[1]]);
        let catalogue = Catalogue::open(&bench.path(dir)).unwrap();
        assert_eq!(catalogue.parts.iter().map(|part| part.holdings.last_id).sum::<u64>(), ids);
        assert_eq!(catalogue.parts.len() as u64, if dir == "three" { 3 } else { ids.div_ceil(7) });
        for original in [false, true] {
            assert!(exported_parts(&bench, dir, original) == exported(&bench, "all.db", original), "{dir}");
        }
        for path in catalogue.paths() {
            bench.ok(&["verify", "-a", path.to_str().unwrap()]);
        }
        let whole = format!("{dir}.db");
        bench.ok(&["merge", dir, "-o", &whole, "--quiet"]);
        for original in [false, true] {
            assert!(exported(&bench, &whole, original) == exported(&bench, "all.db", original), "{whole}");
        }
        let of_xelto = |archive: &str| bench.ok(&["export", "-a", archive, "--variant", "xelto"]);
        assert_eq!(of_xelto(&whole), of_xelto("all.db"));
        bench.ok(&["verify", "-a", &whole]);
        let merged = Archive::open(bench.path(&whole)).unwrap();
        assert!(!merged.segments().positions().unwrap().is_empty(), "the index was not made again");
        let left = fs::read_dir(bench.folder.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().contains("plybook-merge"));
        assert_eq!(left.count(), 0);
    }
}

#[test]
fn a_game_of_a_part_has_its_source() {
    let bench = Bench::new();
    archive_with_everything(&bench);
    bench.ok(&["split", "all.db", "--into", "dir", "--parts-of", "5", "--quiet"]);
    let whole = Archive::open(bench.path("all.db")).unwrap();
    let mut id = 0;
    for path in parts(&bench, "dir") {
        let part = Archive::open(path).unwrap();
        for own in 1..=part.last_id().unwrap() {
            id += 1;
            assert_eq!(part.origin(own).unwrap(), whole.origin(id).unwrap());
        }
    }
}

#[test]
fn imports_into_parts_equal_imports_into_one_archive() {
    let bench = Bench::new();
    some_files(&bench);
    let one = bench.import(&["a.pgn", "b.pgn", "-a", "one.db"]);
    for threads in ["1", "3"] {
        let dir = format!("dir{threads}");
        let files = ["a.pgn", "b.pgn", "--into", &dir, "--parts-of", "1000", "--threads", threads];
        let report = bench.import(&files);
        for key in ["seen", "stored", "duplicate", "rejected", "plies"] {
            assert_eq!(report[key], one[key], "{key}");
        }
        assert!(report["parts"].as_array().unwrap().len() >= 4, "{report}");
        assert!(exported_parts(&bench, &dir, false) == exported(&bench, "one.db", false));
        for path in parts(&bench, &dir) {
            bench.ok(&["verify", "-a", path.to_str().unwrap()]);
        }
        // Sources that were read are skipped.
        let again = bench.import(&files);
        assert_eq!((&again["seen"], &again["parts"]), (&0.into(), &serde_json::json!([])), "{again}");
    }
    // A collection that has the games gets nothing new.
    let again = bench.import(&["one.db", "--into", "dir1"]);
    assert_eq!((&again["stored"], &again["duplicate"]), (&0.into(), &one["stored"]));
}

#[test]
fn concurrent_imports_put_no_game_into_two_parts() {
    let bench = Bench::new();
    some_files(&bench);
    bench.import(&["a.pgn", "b.pgn", "-a", "one.db"]);
    // Parts whose games are packed have shorter fingerprints.
    for (round, codecs) in [["index", "index"], ["index", "model"], ["model", "model"]].iter().enumerate() {
        let dir = format!("dir{round}");
        let import = |file: &str, codec: &str| {
            let into = ["import", file, "--codec", codec, "--into", &dir];
            let arguments = [&into[..], &["--parts-of", "800", "--quiet"]].concat();
            bench.command(&arguments).stdout(Stdio::null()).spawn().unwrap()
        };
        for mut child in [import("a.pgn", codecs[0]), import("b.pgn", codecs[1])] {
            assert!(child.wait().unwrap().success());
        }
        let (all, expected) = (exported_parts(&bench, &dir, false), exported(&bench, "one.db", false));
        assert!(games(&all) == games(&expected), "round {round}");
        for path in parts(&bench, &dir) {
            bench.ok(&["verify", "-a", path.to_str().unwrap()]);
        }
        let left: Vec<_> = fs::read_dir(bench.path(&dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("unfinished"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_part_of_a_killed_import_is_created_again() {
    let bench = Bench::new();
    some_files(&bench);
    bench.import(&["a.pgn", "b.pgn", "-a", "one.db"]);
    let expected = games(&exported(&bench, "one.db", false));
    for milliseconds in [5, 40, 80, 120, 200, 300] {
        let dir = format!("dir{milliseconds}");
        let files =
            ["import", "a.pgn", "b.pgn", "--into", &dir, "--parts-of", "700", "--commit-every", "300"];
        let mut child = bench.command(&files).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        if Catalogue::is_in(&bench.path(&dir)) {
            // Listed parts are complete.
            for path in parts(&bench, &dir) {
                bench.ok(&["verify", "-a", path.to_str().unwrap()]);
            }
        }
        bench.ok(&files);
        assert!(games(&exported_parts(&bench, &dir, false)) == expected, "killed after {milliseconds} ms");
    }
}

#[test]
fn a_part_that_was_renamed_but_not_listed_is_not_lost() {
    let bench = Bench::new();
    some_files(&bench);
    bench.import(&["a.pgn", "-a", "one.db"]);
    bench.import(&["a.pgn", "--into", "dir", "--parts-of", "1000"]);
    let mut content: serde_json::Value =
        serde_json::from_slice(&fs::read(bench.path("dir/catalogue.json")).unwrap()).unwrap();
    let last = content["parts"].as_array_mut().unwrap().pop().unwrap();
    fs::write(bench.path("dir/catalogue.json"), content.to_string()).unwrap();
    let report = bench.import(&["a.pgn", "--into", "dir", "--parts-of", "1000"]);
    assert_eq!(report["continued"][1], last["games"], "{report}");
    assert!(exported_parts(&bench, "dir", false) == exported(&bench, "one.db", false));
}

#[test]
fn a_damaged_or_lost_filter_is_rebuilt() {
    let bench = Bench::new();
    some_files(&bench);
    bench.import(&["a.pgn", "--into", "dir", "--parts-of", "1000"]);
    let filter = bench.path("dir/part-0001.keys");
    let whole = fs::read(&filter).unwrap();
    let mut changed = whole.clone();
    changed[100] ^= 1;
    for content in [Some(changed), Some(whole[..50].to_vec()), Some(Vec::new()), None] {
        match content {
            Some(content) => fs::write(&filter, content).unwrap(),
            None => fs::remove_file(&filter).unwrap(),
        }
        let report = bench.import(&["c.pgn", "--into", "dir", "--again"]);
        assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &700.into()), "{report}");
        assert!(fs::read(&filter).unwrap() == whole);
    }
}

#[test]
fn an_invalid_catalogue_is_refused() {
    let bench = Bench::new();
    archive_with_everything(&bench);
    bench.ok(&["split", "all.db", "--into", "dir", "--parts", "2", "--quiet"]);
    let path = bench.path("dir/catalogue.json");
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let refused = |what: &str| {
        let error = bench.refused(&["merge", "dir", "-o", "new.db"]);
        assert!(error.contains(what), "{error}");
        assert!(!bench.path("new.db").exists());
    };
    let with = |pointer: &str, value: serde_json::Value| {
        let mut content = whole.clone();
        *content.pointer_mut(pointer).unwrap() = value;
        fs::write(&path, content.to_string()).unwrap();
    };
    for file in ["../all.db", "/etc/passwd", "part-0002.db", "PART-0001.db", "part-1.db", ""] {
        with("/parts/0/file", file.into());
        refused("unexpected file names");
    }
    with("/parts/0/filter", "../x.keys".into());
    refused("unexpected file names");
    with("/parts/0/last_id", u64::MAX.into());
    refused("cannot have");
    with("/parts/0/games", u64::MAX.into());
    refused("cannot have");
    with("/parts/0/number", 3.into());
    refused("not in numerical order");
    with("/parts/0/number", (-1).into());
    refused("is damaged");
    with("/parts/0/bytes", 17.into());
    refused("expected 17");
    with("/parts", serde_json::Value::Null);
    refused("is damaged");
    with("/catalogue", 9.into());
    refused("newer version");
    fs::write(&path, "[".repeat(100_000)).unwrap();
    refused("is damaged");
    fs::File::create(&path).unwrap().set_len(MAX_CATALOGUE_BYTES + 1).unwrap();
    refused("larger than");
    fs::write(&path, whole.to_string()).unwrap();
    fs::rename(bench.path("dir/part-0002.db"), bench.path("other.db")).unwrap();
    refused("missing");
}

#[test]
fn no_existing_file_is_overwritten() {
    let bench = Bench::new();
    archive_with_everything(&bench);
    let before = fs::read(bench.path("all.db")).unwrap();
    bench.ok(&["split", "all.db", "--into", "dir", "--parts", "2", "--quiet"]);
    assert!(
        bench.refused(&["split", "all.db", "--into", "dir", "--parts", "3"]).contains("already has parts")
    );
    for command in [&["import", "all.db"][..], &["split", "all.db", "--parts", "2"]] {
        let refused = bench.refused(&[command, &["--into", "all.db"]].concat());
        assert!(refused.contains("all.db: this is a file, not a directory of parts"), "{refused}");
    }
    assert!(bench.refused(&["merge", "dir", "-o", "all.db"]).contains("exists"));
    assert!(bench.refused(&["merge", "all.db", "-o", "all.db"]).contains("archive"));
    assert!(bench.refused(&["merge", "dir", "-o", "dir/part-0001.db"]).contains("archive"));
    assert!(bench.refused(&["merge", "none", "-o", "new.db"]).contains("none"));
    assert!(bench.refused(&["merge", ".", "-o", "new.db"]).contains("no catalogue"));
    assert!(fs::read(bench.path("all.db")).unwrap() == before);
    bench.ok(&["merge", "dir", "-o", "whole.db", "--quiet"]);
}

#[test]
fn archives_with_damaged_games_are_not_split() {
    let bench = Bench::with_games();
    let changed = rusqlite::Connection::open(bench.path("plybook.db"))
        .unwrap()
        .execute("UPDATE game SET moves = x'0102030405' WHERE id = 3", [])
        .unwrap();
    assert_eq!(changed, 1);
    let error = bench.refused(&["split", "plybook.db", "--into", "dir", "--parts", "2"]);
    assert!(error.contains("game 3"), "{error}");
    assert!(!Catalogue::is_in(&bench.path("dir")));
    assert_eq!(fs::read_dir(bench.path("dir")).unwrap().count(), 1, "only the lock file stays");
}

#[test]
fn a_stopped_merge_leaves_no_archive_and_can_be_resumed() {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "20000", "-o", "made.pgn"]);
    bench.ok(&["import", "-q", "made.pgn", "-a", "made.db"]);
    let mut stopped = 0;
    for wait in [20, 60, 120, 240, 480] {
        let merge = ["merge", "made.db", "-o", "merged.db", "-q"];
        let mut child = bench.command(&merge).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(wait));
        let _ = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let code = child.wait().unwrap().code();
        // Before it handles signals, the signal kills it, which leaves no more.
        assert!(matches!(code, Some(0 | 130) | None), "{wait} ms: {code:?}");
        assert_eq!(bench.path("merged.db").exists(), code == Some(0), "{wait} ms");
        if code != Some(0) {
            stopped += 1;
            bench.ok(&merge);
        }
        assert_eq!(
            bench.ok(&["games", "-a", "merged.db", "--format", "ids"]).lines().count(),
            20_000,
            "{wait} ms"
        );
        assert!(bench.ok(&["verify", "-a", "merged.db"]).contains("all intact"));
        fs::remove_file(bench.path("merged.db")).unwrap();
    }
    assert!(stopped > 0);
}

#[test]
fn a_lost_or_damaged_catalogue_is_rebuilt_from_the_parts() {
    let bench = Bench::with_games();
    bench.ok(&["split", "plybook.db", "--parts", "2", "--into", "two", "--quiet"]);
    let path = bench.path("two/catalogue.json");
    let whole = fs::read(&path).unwrap();
    let games = bench.ok(&["games", "-a", "two"]);
    fs::write(&path, "{").unwrap();
    let refused = bench.refused(&["games", "-a", "two"]);
    assert!(refused.contains("plybook catalogue two"), "{refused}");
    for lose in [false, true] {
        if lose {
            fs::remove_file(&path).unwrap();
        }
        let printed = bench.ok(&["catalogue", "two"]);
        assert!(printed.starts_with("part-0001.db ") && printed.contains("\ntwo: 2 parts, "), "{printed}");
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(bench.ok(&["games", "-a", "two"]), games);
    }
    fs::create_dir(bench.path("empty")).unwrap();
    assert!(bench.refused(&["catalogue", "empty"]).contains("the directory has no parts"));
    assert!(!bench.path("empty/catalogue.lock").exists());
    assert!(!bench.path("empty/catalogue.json").exists());
    assert!(bench.refused(&["catalogue", "absent"]).contains("absent"));
}
