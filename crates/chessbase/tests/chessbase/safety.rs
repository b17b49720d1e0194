use plybook_chess::limits::MAX_VARIATION_DEPTH;
use plybook_chessbase::OpenError;
use plybook_pgn::RejectReason;
use proptest::{prelude::*, sample::Index};

use crate::{Files, base::Base, open, read};

/// A database with everything that the reader follows.
fn everything() -> Files {
    let mut base = Base::new();
    let white = base.name("cbp", &[(0, b"Tal")]) as u8;
    let text: &[u8] = b"\0\x2aM\xfcller \xa4f3";
    base.game(
        "e4 254 e5 Nf3 255 254 c5 Nf3 255 -- 255",
        &[(-1, 0x02, text), (1, 0x82, text), (2, 0x04, &[2, 29])],
    )[11] = white;
    base.game(
        "d4 d5 255",
        &[(0, 0x09, &[1, 0, 1, 10, 0]), (0, 0x13, &[0; 30]), (0, 0x26, &[0, 1, 0, 1, 0, 1])],
    );
    base.extras = vec![vec![0; 120]; 2];
    base.files()
}

/// Reads everything without judging it. A panic fails the test.
pub fn read_if_possible(files: &Files) {
    if open(files).is_ok() {
        drop(read(files));
    }
}

#[test]
fn every_truncation_of_every_file_is_an_error_or_read() {
    let whole = everything();
    assert!(read(&whole).iter().all(Result::is_ok));
    for (extension, bytes) in &whole {
        for length in (0..bytes.len()).filter(|length| *length < 400 || length % 97 == 0) {
            let mut files = whole.clone();
            files.insert(extension.clone(), bytes[..length].to_vec());
            read_if_possible(&files);
        }
    }
}

#[test]
fn truncated_files_are_named_with_the_offset() {
    let whole = everything();
    for (extension, length, byte) in [("cbg", 40, 26), ("cba", 60, 26), ("cbp", 36, 108)] {
        let mut files = whole.clone();
        files.get_mut(extension).unwrap().truncate(length);
        let damage = read(&files).remove(0).unwrap_err();
        assert_eq!((damage.file, damage.byte), (extension, byte), "{}", damage.reason);
    }
}

#[test]
fn a_list_of_records_that_was_cut_is_noticed() {
    let whole = everything();
    assert_eq!(open(&whole).unwrap().list_damage().unwrap(), None);
    for (length, record) in [(46 * 3 - 1, 2), (46 * 2, 2), (46 * 2 - 1, 1), (46, 1)] {
        let mut files = whole.clone();
        files.get_mut("cbh").unwrap().truncate(length);
        let damage = open(&files).unwrap().list_damage().unwrap().unwrap();
        assert_eq!(damage, format!("the .cbh file ends within record {record} of 2"));
    }
}

#[test]
fn files_of_something_else_are_refused() {
    let mut files = everything();
    files.insert("cbp".to_owned(), b"[Event \"x\"]".to_vec());
    assert!(matches!(open(&files), Err(OpenError::NotNames("cbp"))));
    files.insert("cbh".to_owned(), b"[Event \"x\"]".to_vec());
    assert!(matches!(open(&files), Err(OpenError::NotDatabase)));
}

#[test]
fn variations_may_be_nested_up_to_the_limit() {
    let read_nested = |depth: usize| {
        let moves = ["254 Nf3 255 Na3", "254 Nf6 255 Na6", "254 Nf3 255 Nb1", "254 Nf6 255 Nb8"];
        let text: Vec<&str> = moves.into_iter().cycle().take(depth).chain(["255"]).collect();
        let mut base = Base::new();
        base.game(&text.join(" "), &[]);
        read(&base.files()).remove(0)
    };
    let deepest = read_nested(MAX_VARIATION_DEPTH).unwrap();
    assert_eq!(deepest.game.annotations.counts().variations, MAX_VARIATION_DEPTH as u64);
    assert_eq!(read_nested(MAX_VARIATION_DEPTH + 1).unwrap_err().reason, RejectReason::TooDeep);
}

#[test]
fn sizes_that_the_files_do_not_have_are_damage() {
    let mut base = Base::new();
    base.game("e4 255", &[(0, 0x03, &[1])]);
    let mut files = base.files();
    files.get_mut("cba").unwrap()[26 + 10..26 + 14].fill(0xff);
    let damage = read(&files).remove(0).unwrap_err();
    assert!(matches!(damage.reason, RejectReason::BadData(_)) && damage.file == "cba");
}

proptest! {
    #[test]
    fn random_changes_are_errors_or_read(changes in prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 1..8)) {
        let mut files = everything();
        for (file, at, value) in changes {
            let mut all: Vec<&mut Vec<u8>> = files.values_mut().collect();
            let length = all.len();
            let bytes = &mut all[file.index(length)];
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        read_if_possible(&files);
    }
}
