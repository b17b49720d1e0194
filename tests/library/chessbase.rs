//! Databases of ChessBase: built byte by byte, and the samples.

use std::{collections::BTreeMap, fs};

use serde_json::{Value, json};

use crate::{
    base::Base,
    common::{Bench, corpus, text},
};

/// A database with two games, a deleted one and a text.
fn base() -> Base {
    let mut base = Base::new();
    let tal = base.name("cbp", &[(0, b"Tal"), (30, b"Mihail")]) as u8;
    base.game("e4 e5 255", &[(0, 0x02, b"\0\x35gut"), (0, 0x18, &[1])])[11] = tal;
    base.game("d4 255", &[])[0] = 0x81;
    base.game("255", &[])[0] = 3;
    base.game("c4 255", &[])[27] = 4;
    base
}

/// Its files in an archive, in blocks that are not packed.
fn packed(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut bytes = [&[8, 0][..], &(files.len() as u16).to_le_bytes(), &[173, 0, 3, 0]].concat();
    let mut all = Vec::new();
    for (extension, file) in files {
        let words = file.chunks(2).map(|pair| u16::from_be_bytes([pair[0], *pair.get(1).unwrap_or(&0)]));
        let check = words.fold(0_u16, u16::wrapping_add).to_le_bytes();
        let block = [&(file.len() as u16 + 1).to_le_bytes()[..], &check, &[0], file].concat();
        let mut entry = format!("..\\Bases\\My Base.{}", extension.to_uppercase()).into_bytes();
        entry.resize(132, 0);
        entry.extend([block.len() as i32, file.len() as i32].map(i32::to_le_bytes).concat());
        entry.resize(173, 0);
        bytes.extend(entry);
        all.extend(block);
    }
    [bytes, all].concat()
}

fn counts(report: &Value) -> [u64; 5] {
    ["seen", "stored", "duplicate", "rejected", "omitted"].map(|key| report[key].as_u64().unwrap_or(0))
}

#[test]
fn any_file_of_a_database_leads_to_it_and_it_is_read_once() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bases")).unwrap();
    for (extension, bytes) in base().files() {
        // Extensions occur in any letter case.
        let extension = if extension == "cba" { "CBA".to_owned() } else { extension };
        fs::write(bench.path("bases").join(format!("my.{extension}")), bytes).unwrap();
    }
    // What belongs to the database but has no games is no error.
    fs::write(bench.path("bases/my.ini"), "x").unwrap();
    let ways: [&[&str]; 5] = [
        &["bases/my.cbh"],
        &["bases/my.cbg"],
        &["bases/my.CBA", "bases/my.cbp", "bases/my.cbh"],
        &["bases"],
        &["bases/my.CBA", "bases/my.ini", "bases/my.cbh"],
    ];
    for (number, paths) in ways.into_iter().enumerate() {
        let archive = format!("{number}.db");
        let report = bench.import(&[paths, &["-a", &archive]].concat());
        assert_eq!(counts(&report), [2, 2, 0, 0, 2], "{paths:?} {report}");
        let notes = json!({"cba_18_critical": 1, "deleted_games": 1, "forfeits": 1, "guiding_texts": 1});
        assert_eq!(report["source_notes"], notes);
        let exported = bench.ok(&["export", "-a", &archive]);
        assert!(
            exported.contains("[White \"Tal, Mihail\"]") && exported.contains("1. e4 {[%lang GER] gut}"),
            "{exported}"
        );
    }
}

#[test]
fn deleted_games_are_imported_on_request() {
    let (bench, paths) = (Bench::new(), ["my.cbh"]);
    base().write(bench.folder.path(), "my");
    let settings = [("deleted".to_owned(), String::new())].into();
    let options = plybook::import::Options { settings, ..Default::default() };
    let paths = paths.map(|path| bench.path(path));
    let report = plybook::import::import_paths(&bench.path("all.db"), &paths, &options).unwrap();
    assert_eq!((report.seen, report.stored, report.omitted), (3, 3, 1));
}

#[test]
fn a_deleted_text_is_a_text_and_is_written_on_request() {
    let (bench, mut base) = (Bench::new(), Base::new());
    base.game("e4 255", &[]);
    base.raw_game(0x80, &guiding_text(), &[])[0] = 0x83;
    base.write(bench.folder.path(), "my");
    for (options, written) in [(&["--texts", "a"][..], 0), (&["--texts", "b", "--deleted"], 1)] {
        let report = bench.import(&[&["my.cbh", "--again"], options].concat());
        assert_eq!(report["source_notes"], json!({"guiding_texts": 1}), "{report}");
        let files = fs::read_dir(bench.path(options[1])).map_or(0, Iterator::count);
        assert_eq!(files, written, "{options:?}");
    }
}

#[test]
fn unchanged_databases_are_skipped_and_grown_ones_are_resumed() {
    let (bench, mut base) = (Bench::new(), base());
    let import = |base: &Base| {
        base.write(bench.folder.path(), "my");
        let report = bench.import(&["my.cbh"]);
        (report["met"][0]["how"].as_str().map(str::to_owned), counts(&report))
    };
    assert_eq!(import(&base), (None, [2, 2, 0, 0, 2]));
    assert_eq!(import(&base), (Some("done".to_owned()), [0; 5]));
    base.game("f4 255", &[]);
    assert_eq!(import(&base), (Some("grown".to_owned()), [1, 1, 0, 0, 0]));
    // A name of an earlier game.
    let mut files = base.files();
    let players = files.get_mut("cbp").unwrap();
    let at = players.windows(3).position(|bytes| bytes == b"Tal").unwrap();
    players[at] = b'B';
    fs::write(bench.path("my.cbp"), players).unwrap();
    let report = bench.import(&["my.cbh"]);
    assert_eq!((report["met"][0]["how"].as_str(), counts(&report)), (Some("changed"), [3, 1, 2, 0, 2]));
}

#[test]
fn archives_of_databases_are_unpacked_and_nothing_is_written_beside_them() {
    let bench = Bench::new();
    fs::write(bench.path("my.cbv"), packed(&base().files())).unwrap();
    let report = bench.import(&["my.cbv"]);
    assert_eq!(counts(&report), [2, 2, 0, 0, 2], "{report}");
    let mut files: Vec<_> =
        fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["my.cbv", "plybook.db"]);
    let mut without = base().files();
    without.remove("cbh");
    fs::write(bench.path("names.cbv"), packed(&without)).unwrap();
    let output = bench.run(&["import", "names.cbv"]);
    assert!(text(&output.stderr).contains("names.cbv: the archive has no database of games (.cbh)"));
}

#[test]
fn damaged_games_are_rejected_alone_with_file_byte_and_ply() {
    let (bench, mut base) = (Bench::new(), base());
    base.raw_game(0, &[0x5f], &[]);
    base.game("g4 255", &[]);
    base.write(bench.folder.path(), "my");
    let output = bench.run(&["import", "my.cbh"]);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("game 5, byte") && said.contains("of the .cbg file: ply 1:"), "{said}");
    assert!(said.contains("stored       3"), "{said}");
}

#[test]
fn the_report_says_in_which_code_page_texts_were_read() {
    let (bench, mut base) = (Bench::new(), Base::new());
    // "Карпов" in Windows-1251.
    let name = base.name("cbp", &[(0, b"\xca\xe0\xf0\xef\xee\xe2")]) as u8;
    base.game("e4 255", &[])[11] = name;
    base.write(bench.folder.path(), "my");
    let report = bench.import(&["my.cbh"]);
    assert_eq!(report["source_notes"], json!({"windows_1251": 1}));
    assert!(bench.ok(&["export"]).contains("[White \"Карпов\"]"));
    let report = bench.import(&["my.cbh", "--encoding", "windows-1252", "-a", "other.db"]);
    assert_eq!(report["source_notes"], json!({"windows_1252": 1}));
    assert!(bench.ok(&["export", "-a", "other.db"]).contains("[White \"Êàðïîâ\"]"));
}

#[test]
fn a_database_on_standard_input_is_refused_by_name() {
    let bench = Bench::new();
    for bytes in [base().files()["cbh"].clone(), packed(&base().files())] {
        let output = bench.feed(&["import", "-"], &bytes);
        let said = text(&output.stderr);
        assert!(said.contains("a ChessBase database can only be read from its files"), "{said}");
    }
}

/// The bytes of a text in version 3, with a title and HTML in German.
fn guiding_text() -> Vec<u8> {
    let title: &[u8] = b"../Gr\xfc\xdfe";
    let html = b"<p>Hallo</p>";
    let lengths = [title.len() as u16, 0, 1].map(u16::to_le_bytes);
    [
        &3_u16.to_le_bytes()[..],
        &1_u16.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &lengths[0],
        title,
        &[0],
        &1_u16.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &(html.len() as u32).to_le_bytes(),
        html,
        &[0; 4],
    ]
    .concat()
}

#[test]
fn texts_are_written_under_safe_names_and_replaced_only_with_force() {
    let (bench, mut base) = (Bench::new(), Base::new());
    base.raw_game(0x80, &guiding_text(), &[])[0] = 3;
    base.game("e4 255", &[(0, 0x18, &[1])]);
    base.write(bench.folder.path(), "my");
    let import = |more: &[&str]| bench.run(&[&["import", "my.cbh", "--again"], more].concat());
    assert_eq!(import(&["--texts=texts"]).status.code(), Some(0));
    let file = bench.path("texts/my 0001 GER Grüße.html");
    assert_eq!(fs::read_to_string(&file).unwrap(), "<p>Hallo</p>");
    fs::write(&file, "mine").unwrap();
    let output = import(&["--texts=texts"]);
    assert!(
        text(&output.stdout).contains("note: 1 text among the games that --texts could not write"),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(import(&["--texts=texts", "--force", "--keep-unknown"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), "<p>Hallo</p>");
    assert!(bench.ok(&["export"]).contains("{[%cba 18 01]}"));
    let output = import(&["--texts=my.cbg"]);
    let error = text(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("my.cbg: "), "{error}");
}

#[test]
fn a_damaged_text_does_not_stop_the_games() {
    let (bench, mut base) = (Bench::new(), Base::new());
    base.raw_game(0x80, &guiding_text()[..4], &[])[0] = 3;
    base.game("e4 255", &[(0, 0x18, &[1])]);
    base.write(bench.folder.path(), "my");
    let report = bench.import(&["my.cbh", "--texts", "texts"]);
    assert_eq!((report["stored"].as_i64(), report["omitted"].as_i64()), (Some(1), Some(1)), "{report}");
    assert_eq!(report["source_notes"]["unwritten_texts"], 1, "{report}");
    // What is kept is not said to be lost.
    let report = bench.import(&["my.cbh", "--again", "--keep-unknown"]);
    assert!(report["source_notes"].get("cba_18_critical").is_none(), "{report}");
}

#[test]
fn names_whose_file_is_missing_are_noted() {
    let bench = Bench::new();
    let mut base = Base::new();
    base.game("e4 255", &[]);
    base.write(bench.folder.path(), "my");
    let complete = bench.import(&["my.cbh"]);
    assert!(complete["source_notes"].get("missing_names").is_none(), "{complete}");
    for extension in ["cbc", "cbs"] {
        fs::remove_file(bench.path(&format!("my.{extension}"))).unwrap();
        let report = bench.import(&["my.cbh", "--again"]);
        assert_eq!(report["source_notes"]["missing_names"], 1, "{extension}: {report}");
    }
}

#[test]
fn a_database_that_was_cut_is_read_up_to_there() {
    let (bench, mut files) = (Bench::new(), base().files());
    base().write(bench.folder.path(), "my");
    let headers = files.get_mut("cbh").unwrap();
    headers.truncate(headers.len() - 10);
    fs::write(bench.path("my.cbh"), headers).unwrap();
    let output = bench.run(&["import", "my.cbh"]);
    // No source was read completely.
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("the .cbh file ends within record 4 of 4"),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stdout).contains("stored       1"));
}

/// The samples: games, records left out, plies of main lines, and the notes on annotations.
const SAMPLES: [(&str, [u64; 3]); 9] = [
    ("old/linares.cbh", [503, 0, 41_911]),
    ("veryold/Mate2.cbh", [7, 0, 21]),
    ("test-annotations/test-annotations.cbh", [6, 0, 8]),
    ("text/text.cbh", [1, 9, 4]),
    ("cbh_test/cbh_test.cbh", [4, 0, 7]),
    ("cbh_cbj_test/cbh_cbj_test.cbh", [4, 0, 7]),
    ("shorter_cbj_test/shorter_cbj_test.cbh", [4, 0, 7]),
    ("cbhlib_test/cbhlib_test.cbh", [14, 5, 139]),
    ("cbhlib_test/cbhlib_test.cbg", [14, 5, 139]),
];

#[test]
fn all_games_of_the_samples_are_stored() {
    let Some(folder) = corpus("chessbase") else { return };
    let bench = Bench::new();
    for (number, (name, [games, omitted, plies])) in SAMPLES.into_iter().enumerate() {
        let (archive, path) = (format!("{number}.db"), folder.join(name));
        let report = bench.import(&[path.to_str().unwrap(), "-a", &archive]);
        assert_eq!(counts(&report), [games, games, 0, 0, omitted], "{name}");
        assert_eq!(report["plies"], plies, "{name}");
        assert!(bench.run(&["verify", "-a", &archive]).status.success(), "{name}");
    }
    // All moves, variations, comments and glyphs of the annotated games.
    let exported = bench.ok(&["export", "-a", "0.db"]);
    assert_eq!(exported.matches('(').count() - in_comments(&exported, '('), 1539);
    assert_eq!(exported.matches('{').count(), 2141 + 1015);
    let glyphs = exported.split_whitespace().filter(|word| {
        word.strip_prefix('$').is_some_and(|number| number.trim_end_matches(')').parse::<u8>().is_ok())
    });
    assert!(glyphs.count() >= 4555);
    // The texts are written in full.
    let [path, texts] = [folder.join("text/text.cbh"), bench.path("texts")];
    bench.import(&[path.to_str().unwrap(), "-a", "texts.db", "--texts", texts.to_str().unwrap()]);
    assert!(fs::read_dir(texts).unwrap().count() >= 9);
    // A folder has all of them; those that are equal are duplicates.
    let report = bench.import(&[folder.to_str().unwrap(), "-a", "all.db", "--index"]);
    let [seen, stored, duplicate, rejected, omitted] = counts(&report);
    assert_eq!((seen, stored + duplicate, rejected, omitted), (543, 543, 0, 14));
    // The positions that were recorded while games were read are those of their moves.
    assert!(bench.run(&["verify", "-a", "all.db"]).status.success());
}

/// How often a character is inside comments.
fn in_comments(text: &str, c: char) -> usize {
    text.split('{')
        .skip(1)
        .filter_map(|part| part.split('}').next())
        .map(|comment| comment.matches(c).count())
        .sum()
}
