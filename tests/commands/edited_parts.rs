//! A collection in parts: no command changes the games of a part, and an archive that was changed before it was split
//! makes a collection as any other.

use std::{fs, path::Path};

use crate::common::{Bench, data, text};

/// A collection of two parts, a file of games that it does not have, and an unfinished part.
fn collection() -> Bench {
    let bench = Bench::with_games();
    bench.ok(&["split", "plybook.db", "--parts", "2", "--into", "parts", "--quiet"]);
    fs::write(bench.path("new.pgn"), "1. a3 a6 2. h3 *\n").unwrap();
    fs::copy(bench.path("parts/part-0001.db"), bench.path("parts/unfinished-0001.db")).unwrap();
    bench
}

/// Commands that change games.
const CHANGES: [&[&str]; 11] = [
    &["tag", "1", "Site=Q"],
    &["tag", "1", "Site=Q", "--dry-run"],
    &["remove", "1"],
    &["comment", "1", "1", "x"],
    &["glyph", "1", "1", "!"],
    &["edit", "1"],
    &["add", "1. a3 a5 *"],
    &["undo"],
    &["redo"],
    &["compact", "--yes"],
    &["import", "new.pgn"],
];

#[test]
fn no_command_changes_the_games_of_a_part_and_the_refusal_names_merge() {
    let bench = collection();
    let files = ["parts/part-0001.db", "parts/part-0002.db", "parts/unfinished-0001.db"];
    let contents = || files.map(|file| fs::read(bench.path(file)).unwrap());
    let before = contents();
    for archive in files.into_iter().chain(["parts"]) {
        for change in CHANGES {
            let said = bench.refused(&[change, &["-a", archive]].concat());
            assert!(said.contains("plybook merge parts -o all.db"), "{change:?} {archive}: {said}");
        }
        let said = bench.refused(&["serve", "--edit", "--port", "0", archive]);
        assert!(said.contains("plybook merge parts -o all.db"), "{archive}: {said}");
    }
    assert!(contents() == before);
    assert_eq!(bench.ok(&["games", "--count", "-a", "parts"]), "62\n");
    assert_eq!(bench.import(&["new.pgn", "--into", "parts"])["stored"], 1);
    // The advice works.
    bench.ok(&["merge", "parts", "-o", "all.db", "--quiet"]);
    bench.ok(&["tag", "1", "Site=Q", "-a", "all.db"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_part_is_the_part() {
    use std::os::unix::fs::symlink;
    let bench = collection();
    fs::rename(bench.path("parts/part-0002.db"), bench.path("elsewhere.db")).unwrap();
    fs::create_dir(bench.path("links")).unwrap();
    for (to, link) in [
        ("parts/part-0001.db", "one.db"),
        ("../one.db", "links/two.db"),
        ("parts", "folder"),
        ("../elsewhere.db", "parts/part-0002.db"),
        ("parts/part-0002.db", "three.db"),
        ("ring.db", "ring.db"),
    ] {
        symlink(to, bench.path(link)).unwrap();
    }
    for archive in ["one.db", "links/two.db", "folder/part-0001.db", "parts/part-0002.db", "three.db"] {
        let said = bench.refused(&["tag", "1", "Site=Q", "-a", archive]);
        assert!(said.contains("plybook merge "), "{archive}: {said}");
    }
    let mut within = bench.command(&["tag", "1", "Site=Q", "-a", "part-0001.db"]);
    let said = text(&within.current_dir(bench.path("parts")).output().unwrap().stderr);
    assert!(said.contains("plybook merge . -o all.db"), "{said}");
    assert!(!bench.refused(&["tag", "1", "Site=Q", "-a", "ring.db"]).contains("merge"));
}

#[test]
fn a_part_that_was_copied_out_is_an_ordinary_archive_and_can_become_a_part_again() {
    let bench = collection();
    fs::remove_file(bench.path("parts/unfinished-0001.db")).unwrap();
    let change = |archive: &str| {
        bench.ok(&["tag", "1", "Site=Q", "-a", archive]);
        bench.ok(&["remove", "2", "-a", archive]);
        bench.ok(&["import", "new.pgn", "-a", archive, "--quiet"]);
    };
    let copy = |to: &str| fs::copy(bench.path("parts/part-0001.db"), bench.path(to)).unwrap();
    fs::create_dir(bench.path("parts/old")).unwrap();
    // Also next to the parts, by another name.
    for archive in ["part-0001.db", "parts/old/part-0001.db", "parts/mine.db", "parts/part-1.db"] {
        copy(archive);
        change(archive);
    }
    fs::rename(bench.path("part-0001.db"), bench.path("parts/part-0001.db")).unwrap();
    bench.ok(&["catalogue", "parts"]);
    assert_eq!(bench.ok(&["games", "--count", "-a", "parts"]), "62\n");
    has_what_was_removed(&bench, "parts", 1);
}

#[test]
fn parts_of_a_changed_archive_are_imported_into() {
    let bench = Bench::with_games();
    fs::write(bench.path("new.pgn"), "1. a3 a6 2. h3 *\n").unwrap();
    bench.ok(&["tag", "1", "Site=Q"]);
    bench.ok(&["remove", "2"]);
    bench.ok(&["split", "plybook.db", "--parts", "2", "--into", "parts", "--quiet"]);
    has_what_was_removed(&bench, "parts", 0);
    assert!(Path::new(&bench.path("parts/part-0003.db")).exists());
}

/// Imports games into a collection, of which one has been removed and one edited. Those do not come back.
fn has_what_was_removed(bench: &Bench, collection: &str, known: u64) {
    let famous = data("famous.pgn");
    for filter in ["part-0001.keys", "none"] {
        let _ = fs::remove_file(bench.path(collection).join(filter));
        let report = bench.import(&[famous.to_str().unwrap(), "--into", collection, "--again"]);
        assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &62.into()), "{report}");
    }
    let report = bench.import(&["new.pgn", "--into", collection, "--again"]);
    assert_eq!((&report["stored"], &report["duplicate"]), (&(1 - known).into(), &known.into()), "{report}");
}
