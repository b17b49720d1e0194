//! A disk that fails at any moment: a one-line error, a valid archive, and the same command resumes.
#![cfg(target_os = "linux")]

use std::fs;

use crate::{
    beside_others,
    common::{
        Bench, many_games,
        shim::{How, Shim, points},
        text, totals,
    },
};
use plybook::archive::{Archive, ArchiveError};

const GAMES: usize = 700;
const IMPORT: [&str; 5] = ["import", "many.pgn", "--quiet", "--commit-every", "1"];

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// What may happen at a call: an error, a disk that is full from then on, and a partial write.
const FAULTS: [How; 3] = [
    How::Error { errno: EIO, stays: false },
    How::Error { errno: ENOSPC, stays: true },
    How::Short { errno: EIO },
];

/// The games of an archive that is valid or does not exist yet; otherwise what is wrong with it.
fn whole(bench: &Bench) -> Result<u64, String> {
    match Archive::open(bench.path("plybook.db")) {
        Ok(archive) => match archive.maintenance().verify(|_| ()) {
            Ok(verdict) if verdict.faults == 0 => Ok(verdict.games),
            other => Err(format!("{other:?}")),
        },
        Err(ArchiveError::Missing(_) | ArchiveError::Blank(_)) => Ok(0),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn every_failing_write_sync_or_open_is_survived() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    let before = Bench::new();
    fs::write(before.path("many.pgn"), many_games(GAMES)).unwrap();
    let clean = before.twin();
    let calls = shim.calls(&clean, &IMPORT);
    assert!(calls > 80, "the library sees {calls} calls only");
    let expected = (totals(&clean.path("plybook.db")), clean.ok(&["export"]));

    let (mut tries, mut noticed, mut with_games) = (0, [0; FAULTS.len()], 0);
    for at in points(calls, 3, 17) {
        for (fault, noticed) in FAULTS.into_iter().zip(&mut noticed) {
            let bench = before.twin();
            let output = shim.run(&bench, &IMPORT, at, fault);
            let said = text(&output.stderr);
            match output.status.code() {
                Some(2) => {
                    *noticed += 1;
                    assert_eq!(said.lines().count(), 1, "call {at}: {said}");
                }
                Some(1) => {}
                code => panic!("call {at}, {fault:?}: code {code:?}: {said}"),
            }
            let games = whole(&bench).unwrap_or_else(|what| panic!("call {at}, {fault:?}: {said}: {what}"));
            with_games += usize::from(games > 0);
            let again = bench.run(&["import", "many.pgn", "--quiet"]);
            assert!(matches!(again.status.code(), Some(0 | 1)), "call {at}: {}", text(&again.stderr));
            let all = (totals(&bench.path("plybook.db")), bench.ok(&["export"]));
            assert!(all == expected, "call {at}, {fault:?}: {said}: {:?}", all.0);
            tries += 1;
        }
    }
    println!(
        "{tries} faults at {calls} calls: {noticed:?} ended the import with one line; none lost or doubled"
    );
    // The controls: faults did reach the archive; and an invalid archive is detected.
    assert!(noticed[..2].iter().sum::<usize>() > tries / 4 && noticed[2] > 0 && with_games > tries / 2);
    let mut bytes = fs::read(clean.path("plybook.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0);
    fs::write(clean.path("plybook.db"), &bytes).unwrap();
    assert!(whole(&clean).is_err());
    fs::write(clean.path("plybook.db"), &bytes[..50]).unwrap();
    assert!(whole(&clean).is_err());
}

/// A copy that cannot be written is reported in one line and removed; a reported copy is complete.
#[test]
fn faults_in_backup_or_salvage_leave_a_complete_copy_or_none() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(200)).unwrap();
    bench.import(&["many.pgn"]);
    let (archive, expected) = (fs::read(bench.path("plybook.db")).unwrap(), bench.ok(&["export"]));
    for arguments in [&["backup", "new.db"][..], &["salvage", "plybook.db", "-o", "new.db"]] {
        let calls = shim.calls(&bench, arguments);
        assert!(calls > 10, "the library sees {calls} calls only");
        fs::remove_file(bench.path("new.db")).unwrap();
        let (mut tries, mut noticed) = (0, 0);
        for at in points(calls, 3, 13) {
            let output = shim.run(&bench, arguments, at, How::Error { errno: EIO, stays: false });
            let said = text(&output.stderr);
            match output.status.code() {
                Some(0) => {
                    assert_eq!(bench.ok(&["export", "-a", "new.db"]), expected, "call {at}");
                    fs::remove_file(bench.path("new.db")).unwrap();
                }
                code => {
                    assert_eq!(
                        (code, said.lines().count()),
                        (Some(2), 1),
                        "{arguments:?}, call {at}: {said}"
                    );
                    noticed += 1;
                }
            }
            let left: Vec<_> =
                fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(left.len(), 2, "{arguments:?}, call {at}: {said} {left:?}");
            assert!(fs::read(bench.path("plybook.db")).unwrap() == archive, "{arguments:?}, call {at}");
            tries += 1;
        }
        println!("{tries} faults at {calls} calls of {arguments:?}: {noticed} told; a whole copy or none");
        // The control: faults did reach the copy.
        assert!(noticed > tries / 4);
    }
}

/// A disk that becomes full while an import indexes: the games are kept.
#[test]
fn a_full_disk_while_an_import_indexes_keeps_the_games() {
    let _lock = beside_others();
    let Some(shim) = Shim::new() else { return };
    let before = Bench::new();
    fs::write(before.path("many.pgn"), many_games(GAMES)).unwrap();
    let (bare, indexed) = (before.twin(), before.twin());
    let calls_before = shim.calls(&bare, &IMPORT);
    let command = [&IMPORT[..], &["--index"]].concat();
    let calls = shim.calls(&indexed, &command);
    assert!(calls > calls_before + 10, "{calls_before} {calls}");
    let (mut tries, mut noticed) = (0, 0);
    for at in points(calls, 2, 5).into_iter().filter(|at| *at > calls_before) {
        let bench = before.twin();
        let output = shim.run(&bench, &command, at, How::Error { errno: ENOSPC, stays: true });
        let said = text(&output.stderr);
        // Exit code 1 is for the games that cannot be stored.
        assert_eq!(output.status.code(), Some(1), "call {at}: {said}");
        assert!(said.lines().count() <= 1, "call {at}: {said}");
        assert!(said.is_empty() || said.contains("plybook index -a plybook.db"), "call {at}: {said}");
        noticed += usize::from(!said.is_empty());
        tries += 1;
        assert_eq!(totals(&bench.path("plybook.db")), totals(&bare.path("plybook.db")), "call {at}");
        assert!(bench.ok(&["verify"]).contains("all intact"), "call {at}");
        bench.ok(&["index", "-q"]);
        let segments =
            |bench: &Bench| Archive::open(bench.path("plybook.db")).unwrap().segments().positions();
        let shapes = [&bench, &indexed].map(|bench| segments(bench).unwrap().remove(0).shape);
        assert_eq!(shapes[0], shapes[1], "call {at}");
        assert!(bench.ok(&["verify"]).contains("all intact"), "call {at}");
    }
    println!("{noticed} of {tries} full disks were told");
    assert!(noticed > 2, "{noticed} of {tries}");
}
