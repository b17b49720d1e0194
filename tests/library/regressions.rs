//! Inputs that once caused failures, or could have: each is tested again. The same tests are fuzz targets in `fuzz/`.

use crate::regressions_support;
use std::{fs, path::Path};

/// Every file of a folder of the corpus.
fn replay(folder: &str, trial: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let tried = std::panic::catch_unwind(|| trial(&bytes));
        assert!(tried.is_ok(), "{}", file.display());
    }
}

#[test]
fn texts_that_once_crashed_are_read() {
    replay("pgn", regressions_support::pgn);
}

#[test]
fn blobs_that_once_crashed_are_decoded() {
    replay("codec", regressions_support::codec);
}

#[test]
fn positions_and_annotations_that_once_crashed_are_decoded() {
    replay("position", regressions_support::position);
}

#[test]
fn files_that_once_crashed_are_opened() {
    replay("archive", regressions_support::archive);
}

#[test]
fn sources_of_all_kinds_that_could_crash_are_imported() {
    replay("source", regressions_support::source);
}

#[test]
fn conditions_that_could_crash_find_the_same_games_with_and_without_an_index() {
    replay("conditions", regressions_support::conditions);
}

#[test]
fn names_and_patterns_that_could_crash_are_matched() {
    replay("names", regressions_support::names);
}

#[test]
fn segments_of_indexes_that_could_crash_are_read() {
    replay("index", regressions_support::index);
}

#[test]
fn bases_that_once_crashed_are_read() {
    replay("scid", regressions_support::scid);
}

#[test]
fn chessbase_databases_that_once_crashed_are_read() {
    replay("chessbase", regressions_support::chessbase);
}

#[test]
fn the_replay_notices_a_failed_assertion() {
    let broken = std::panic::catch_unwind(|| replay("pgn", |bytes| assert!(bytes.is_empty())));
    assert!(broken.is_err());
}
