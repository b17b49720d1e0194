//! A game is read with the codec that wrote it, and with no other: every command works on archives of every codec, and
//! refuses one whose codec number has been changed.

use std::fs;

use crate::common::{Bench, data, text};
use plybook::{archive::Archive, codec::CodecId, record::Ply};
use rusqlite::Connection;

const SOURCES: [&str; 5] = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn", "xelto/first.xelto"];

/// Every command that reads an archive, with its arguments.
const READERS: [&[&str]; 16] = [
    &["games"],
    &["show", "1"],
    &["show", "7", "--ply", "3", "--format", "pgn"],
    &["verify"],
    &["stats"],
    &["stats", "--positions", "--limit", "5"],
    &["export"],
    &["export", "--format", "jsonl", "--moves", "san"],
    &["export", "--format", "csv", "--positions"],
    &["book", "--min-games", "1", "--force", "-o", "book.bin"],
    &["sql", "SELECT id, white, result, date, fen FROM games"],
    &["backup", "b.db", "--force"],
    &["position", "compare", "1:3"],
    &["game", "compare", "1"],
    &["path", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "-a", "plybook.db"],
    &["game", "prefix", "1", "--ply", "4"],
];

fn with_codec(codec: CodecId) -> Bench {
    let bench = Bench::new();
    let sources = SOURCES.map(|source| data(source).to_str().unwrap().to_owned());
    let mut arguments = vec!["import", "--quiet", "--codec", codec.info().name];
    arguments.extend(sources.iter().map(String::as_str));
    bench.ok(&arguments);
    bench
}

#[test]
fn commands_give_the_same_output_for_every_codec() {
    let usual = with_codec(CodecId::Index);
    for &codec in CodecId::ALL {
        let bench = with_codec(codec);
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        let numbers: Vec<i64> = db
            .prepare("SELECT DISTINCT codec FROM tag_layout")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(numbers, [i64::from(codec.number())]);
        for command in READERS {
            let (own, other) = (bench.run(command), usual.run(command));
            assert_eq!(own.status.code(), other.status.code(), "{command:?}: {}", text(&own.stderr));
            if !matches!(command[0], "stats" | "backup") {
                assert_eq!(text(&own.stdout), text(&other.stdout), "{command:?}");
            }
        }
        // Games keep their codec when they are imported into another archive.
        bench.ok(&["import", "--quiet", "plybook.db", "-a", "merged.db"]);
        bench.ok(&["salvage", "plybook.db", "-o", "saved.db"]);
        for copy in ["merged.db", "saved.db"] {
            assert!(bench.ok(&["verify", "-a", copy]).contains("all intact"));
            let export = |bench: &Bench, archive| text(&bench.run(&["export", "-a", archive]).stdout);
            assert_eq!(export(&bench, copy), export(&usual, "plybook.db"));
            let number: i64 = Connection::open(bench.path(copy))
                .unwrap()
                .query_row("SELECT min(codec) FROM tag_layout", [], |row| row.get(0))
                .unwrap();
            assert_eq!(number, i64::from(codec.number()));
        }
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let game = archive.game(1).unwrap();
        let all: Vec<_> = game.positions().unwrap().map(Result::unwrap).collect();
        assert_eq!(all.len(), game.plies + 1);
        assert_eq!(game.position_at(Ply::After(9)).unwrap(), all[9]);
    }
}

#[test]
fn games_of_another_codec_are_not_read_with_the_default_codec() {
    for codec in [CodecId::IndexBare, CodecId::Byte] {
        let bench = with_codec(codec);
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute_batch("UPDATE tag_layout SET codec = 1").unwrap();
        drop(db);
        for command in READERS {
            let said = bench.refused(command);
            assert!(
                said.contains("tag_layout") && said.contains("the codec of the moves"),
                "{command:?}: {said}"
            );
        }
    }
    // Version 2 had one codec and no checksums.
    let bench = Bench::new();
    fs::copy(data("archives/v2.db"), bench.path("plybook.db")).unwrap();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE form SET codec = 2").unwrap();
    drop(db);
    assert!(bench.refused(&["show", "1"]).contains("codec 2"));
}

#[test]
fn bits_of_a_game_follow_its_codec() {
    let bits = |codec| {
        let bench = with_codec(codec);
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let game = archive.game(1).unwrap();
        (game.bits(), game.plies as u64, game.moves.len() as u64)
    };
    let (index, plies, _) = bits(CodecId::Index);
    let (bare, ..) = bits(CodecId::IndexBare);
    let (byte, _, bytes) = bits(CodecId::Byte);
    assert!(bare < index && index < byte);
    assert_eq!((byte, bytes), (8 * (plies + 1), plies + 1));
}

#[test]
fn a_wrong_codec_number_is_refused_by_every_command() {
    let whole = with_codec(CodecId::Index);
    for number in [0, 2, 3, 4, 77, 255, 257, -1, i64::MAX] {
        let bench = Bench::new();
        fs::copy(whole.path("plybook.db"), bench.path("plybook.db")).unwrap();
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.execute("UPDATE tag_layout SET codec = ?1 WHERE id = 1", [number]).unwrap();
        drop(db);
        let before = fs::read(bench.path("plybook.db")).unwrap();
        let source = data("chess960.pgn");
        let writers: [&[&str]; 2] = [&["import", source.to_str().unwrap()], &["migrate"]];
        for command in READERS.iter().chain(&writers) {
            let said = bench.refused(command);
            let is_known = CodecId::from_number(number).is_some();
            let what = if is_known {
                "\"tag_layout\" has been changed".to_owned()
            } else {
                format!("codec {number}")
            };
            assert!(said.contains(&what), "{command:?}: {said}");
        }
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before);
        let said = bench.run(&["import", "plybook.db", "-a", "merged.db"]);
        assert_ne!(said.status.code(), Some(0), "{}", text(&said.stderr));
        // Only what matches its fingerprint can be salvaged.
        bench.run(&["salvage", "plybook.db", "-o", "saved.db"]);
        if bench.path("saved.db").exists() {
            assert!(bench.ok(&["verify", "-a", "saved.db"]).contains("all intact"));
        }
    }
}
