//! Imports: nothing is lost, duplicated or changed; every error is reported in one line and has no side effects.

use std::{fs, io::Write};

use crate::common::{self, Bench, data, many_games, text};

const FAMOUS: u64 = 62;

fn famous() -> String {
    data("famous.pgn").to_str().unwrap().to_owned()
}

#[test]
fn every_game_is_stored_and_the_report_adds_up() {
    let bench = Bench::new();
    let report = bench.import(&[&famous()]);
    assert_eq!(report["seen"], FAMOUS);
    assert_eq!(report["stored"], FAMOUS);
    assert_eq!(report["duplicate"], 0);
    assert_eq!(report["rejected"], 0);
    let (bits, plies) = (report["bits"].as_f64().unwrap(), report["plies"].as_f64().unwrap());
    assert_eq!(report["bits_per_game"].as_f64().unwrap(), bits / FAMOUS as f64);
    assert_eq!(report["bits_per_ply"].as_f64().unwrap(), bits / plies);
    assert_eq!(
        report["archive_bytes"].as_u64().unwrap(),
        fs::metadata(bench.path("plybook.db")).unwrap().len()
    );
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    let stats = bench.json(&["stats", "--format", "json"]);
    assert_eq!((stats["bits"].as_f64(), stats["plies"].as_f64()), (Some(bits), Some(plies)));
}

#[test]
fn importing_twice_adds_nothing() {
    let bench = Bench::new();
    bench.import(&[&famous()]);
    let before = bench.ok(&["export"]);
    let report = bench.import(&[&famous()]);
    assert_eq!((&report["seen"], &report["met"][0]["how"]), (&0.into(), &"done".into()));
    let report = bench.import(&[&famous(), "--again"]);
    assert_eq!((&report["stored"], &report["duplicate"]), (&0.into(), &FAMOUS.into()));
    assert_eq!(bench.ok(&["export"]), before);
}

#[test]
fn the_archive_does_not_depend_on_the_number_of_threads() {
    let rows = ["1", "2", "4"].map(|threads| {
        let bench = Bench::new();
        bench.import(&["--threads", threads, data("").to_str().unwrap()]);
        let records = bench.ok(&["export", "--format", "xelto"]);
        (bench.ok(&["games", "--format", "csv"]), bench.ok(&["export", "--format", "pgn"]), records)
    });
    assert_eq!(rows[0], rows[1]);
    assert_eq!(rows[0], rows[2]);
}

#[test]
fn compressed_files_are_read_directly() {
    let bench = Bench::new();
    let plain = fs::read(data("famous.pgn")).unwrap();
    let halves = plain.split_at(plain.len() / 2);
    fs::create_dir(bench.path("all")).unwrap();
    let write = |name: &str, bytes: Vec<u8>| fs::write(bench.path("all").join(name), bytes).unwrap();
    // Several concatenated frames, streams or members are one file.
    let zstd = |part: &[u8]| zstd::encode_all(part, 3).unwrap();
    write("a.pgn.zst", [zstd(halves.0), zstd(halves.1)].concat());
    let gzip = |part: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    write("b.pgn.gz", [gzip(halves.0), gzip(halves.1)].concat());
    let bzip = |part: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    write("c.pgn.bz2", [bzip(halves.0), bzip(halves.1)].concat());
    let xz = |part: &[u8]| {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    write("d.pgn.xz", [xz(halves.0), xz(halves.1)].concat());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("inner/games.PGN", options).unwrap();
    zip.write_all(&plain).unwrap();
    zip.start_file("readme.txt", options).unwrap();
    zip.write_all(b"no games here").unwrap();
    write("e.zip", zip.finish().unwrap().into_inner());
    fs::write(bench.path("all/notes.txt"), "not for import").unwrap();

    for name in ["a.pgn.zst", "b.pgn.gz", "c.pgn.bz2", "d.pgn.xz", "e.zip"] {
        let archive = format!("{name}.db");
        let report = bench.import(&["-a", &archive, &format!("all/{name}")]);
        assert_eq!((&report["seen"], &report["stored"]), (&FAMOUS.into(), &FAMOUS.into()), "{name}");
    }
    let report = bench.import(&["-a", "folder.db", "all"]);
    assert_eq!((&report["seen"], &report["stored"]), (&(5 * FAMOUS).into(), &FAMOUS.into()));
}

#[test]
fn standard_input_is_a_source() {
    let bench = Bench::new();
    for input in [
        fs::read(data("famous.pgn")).unwrap(),
        zstd::encode_all(&*fs::read(data("famous.pgn")).unwrap(), 1).unwrap(),
    ] {
        let output = bench.feed(&["import", "-", "--format", "json"], &input);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["seen"], FAMOUS);
    }
}

const BAD: &str = "[Event \"good\"]\n[White \"a\"]\n\n1. e4 e5 *\n\n[Event \"bad\"]\n\n1. e4 e5\n2. Ke3 *\n\n\
    [Event \"word\"]\n\n1. e4 Sf6 *\n\n[Event \"open\"]\n\n1. e4 {never closed\n\n[Event \"after\"]\n[Site \"x\"]\n\n1. d4 *\n\n\
    [Event \"variant\"]\n[Variant \"Bughouse\"]\n\n*\n\n[Event \"fen\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n";

#[test]
fn bad_games_are_rejected_with_location_and_reason_and_do_not_affect_others() {
    let bench = Bench::new();
    fs::write(bench.path("bad.pgn"), BAD).unwrap();
    let report = bench.import(&["bad.pgn", "--rejects", "rejects.pgn"]);
    assert_eq!((&report["seen"], &report["stored"], &report["rejected"]), (&7.into(), &2.into(), &5.into()));
    let printed: Vec<_> = report["rejects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reject| {
            (
                reject["game"].as_u64().unwrap(),
                reject["line"].as_u64().unwrap(),
                reject["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(printed[0], (2, 9, "2.Ke3 is not a legal move"));
    let with_hint = "1...Sf6 is not a move; if the game has the piece letters of another language: --letters of plybook import, retry and add";
    assert_eq!(printed[1], (3, 13, with_hint));
    assert_eq!(printed[2], (4, 17, "the comment has no closing brace"));
    assert_eq!(printed[3].2, "the variant \"Bughouse\" is not supported");
    assert!(printed[4].2.contains("cannot start from"), "{printed:?}");
    let byte = usize::try_from(report["rejects"][0]["byte"].as_u64().unwrap()).unwrap();
    assert!(BAD[byte..].starts_with("Ke3"));

    let rejects = fs::read_to_string(bench.path("rejects.pgn")).unwrap();
    assert_eq!(rejects.matches("\n[Event ").count(), 5);
    assert!(rejects.starts_with("% bad.pgn: game 2, line 9, byte "), "{rejects}");
    // The file of rejected games can be repaired and imported.
    fs::write(bench.path("mended.pgn"), rejects.replace("Ke3", "Ke2").replace("Sf6", "Nf6")).unwrap();
    assert_eq!(bench.import(&["mended.pgn"])["stored"], 2);
}

#[test]
fn the_location_is_correct_in_a_later_game_without_tags() {
    let bench = Bench::new();
    let pgn = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 Ke5 *\n";
    fs::write(bench.path("bare.pgn"), pgn).unwrap();
    let report = bench.import(&["bare.pgn"]);
    assert_eq!((&report["stored"], &report["rejected"]), (&2.into(), &1.into()));
    assert_eq!(report["rejects"][0]["line"], 5);
    let byte = usize::try_from(report["rejects"][0]["byte"].as_u64().unwrap()).unwrap();
    assert!(pgn[byte..].starts_with("Ke5"));
}

#[test]
fn rejected_games_make_the_exit_code_1() {
    let bench = Bench::new();
    fs::write(bench.path("bad.pgn"), BAD).unwrap();
    let output = bench.run(&["import", "bad.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("rejected     5"));
}

#[test]
fn discarded_and_odd_items_are_counted() {
    let bench = Bench::new();
    let report = bench.import(&[data("annotated.pgn").to_str().unwrap(), "--no-annotations"]);
    for kind in ["comments_dropped", "nags_dropped", "variations_dropped"] {
        assert!(report["notes"][kind].as_u64().unwrap() > 0, "{kind}");
    }
    let odd = "[Event \"a\"]\n[Date \"2011.19.11\"]\n[Result \"1-0\"]\n\n\n1. e4 0-1\n\n\
               [Event \"b\"]\n[Result \"1/2-1/2\"]\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n\n[Event \"c\"]\n\n1. e4\n";
    fs::write(bench.path("odd.pgn"), odd).unwrap();
    let report = bench.import(&["odd.pgn", "-a", "odd.db"]);
    assert_eq!(report["stored"], 3);
    for kind in [
        "impossible_dates",
        "extra_blank_lines",
        "result_differs",
        "result_contradicts_board",
        "no_termination",
    ] {
        assert_eq!(report["notes"][kind], 1, "{kind}");
    }
    let exported = bench.ok(&["export", "-a", "odd.db"]);
    assert!(
        exported.contains("[Date \"2011.19.11\"]") && exported.contains("2. g4 Qh4# 1/2-1/2"),
        "{exported}"
    );
    assert!(bench.ok(&["verify", "-a", "odd.db"]).contains("all intact"));
}

#[test]
fn every_note_of_an_import_lists_the_first_locations() {
    let bench = Bench::new();
    let odd = "[Event \"a\"]\n[Date \"2011.19.11\"]\n[Result \"1-0\"]\n\n\n1. e4 0-1\n\n\
               [Event \"b\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n[Event \"c\"]\n\n1. e4\n\n\
               [Event \"d\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# {mate} 1-0\n";
    fs::write(bench.path("odd.pgn"), odd).unwrap();
    fs::write(bench.path("bare.pgn"), "1. e4 e5 1-0\r\n").unwrap();
    for arguments in [&["odd.pgn"][..], &["bare.pgn"], &["odd.pgn", "--no-annotations", "-a", "other.db"]] {
        let printed = text(&bench.run(&[&["import"], arguments].concat()).stdout);
        let lines: Vec<&str> = printed.lines().collect();
        let notes: Vec<_> = lines.windows(2).filter(|pair| pair[0].starts_with("  note: ")).collect();
        assert!(!notes.is_empty(), "{printed}");
        for pair in notes {
            assert!(pair[1].starts_with(&format!("    {} game ", arguments[0])), "{pair:?} in {printed}");
        }
    }
    let printed = text(&bench.run(&["import", "odd.pgn", "-a", "third.db"]).stdout);
    let second = odd.find("[Event \"b\"]").unwrap();
    let contradiction = "contradicts the final position (both kept)\n    odd.pgn game";
    assert!(
        printed.contains(&format!("{contradiction} 2, line 8, byte {second}\n    odd.pgn game 4, ")),
        "{printed}"
    );
}

#[test]
fn utf16_is_read_up_to_where_it_breaks() {
    let bench = Bench::new();
    let text = "\u{feff}[Event \"\u{142}\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(bench.path("wide.pgn"), &bytes).unwrap();
    assert_eq!(bench.import(&["wide.pgn"])["stored"], 2);
    bytes.extend([0x00, 0xd8, b'x', 0]);
    fs::write(bench.path("broken.pgn"), &bytes).unwrap();
    let output = bench.run(&["import", "broken.pgn", "-a", "broken.db"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(common::text(&output.stderr).contains("the text is not valid UTF-16"));
    assert!(bench.ok(&["export", "-a", "broken.db"]).contains("1. d4"));
}

#[test]
fn letters_strict_and_no_annotations_are_options() {
    let bench = Bench::new();
    let game = "[Event \"a\"]\n\n1. e4 e5 2. Sf3 {gut} *\n";
    fs::write(bench.path("de.pgn"), game).unwrap();
    let import = |arguments: &[&str]| {
        let archive = format!("x{}.db", arguments.concat());
        let report = bench.import(&[&["de.pgn", "-a", &archive], arguments].concat());
        (report["stored"].as_u64().unwrap(), report["notes"].clone())
    };
    assert_eq!(import(&[]).0, 0);
    let (stored, notes) = import(&["--letters", "de"]);
    assert_eq!((stored, &notes["foreign_letters"], &notes["comments_dropped"]), (1, &1.into(), &0.into()));
    assert_eq!(import(&["--letters", "auto"]).0, 1);
    assert_eq!(import(&["--letters", "de", "--strict"]).0, 0);
    assert_eq!(import(&["--letters", "de", "--no-annotations"]).1["comments_dropped"], 1);
    let output = bench.run(&["import", "de.pgn", "--letters", "eo"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(common::text(&output.stderr).contains("de, fr, es"));
}

#[test]
fn wrong_input_is_rejected_in_one_line_and_creates_nothing() {
    let bench = Bench::new();
    assert!(bench.refused(&["import", "missing.pgn"]).contains("missing.pgn"));
    fs::create_dir(bench.path("empty")).unwrap();
    assert!(
        bench
            .refused(&["import", "empty"])
            .contains("no .pgn, .xelto, .si4, .si5, .cbh or .cbv file in this directory")
    );
    fs::write(bench.path("letter.txt"), "Dear reader,\nthis is no game at all.\n").unwrap();
    assert!(bench.refused(&["import", "letter.txt"]).contains("letter.txt: not a PGN file"));
    assert!(!bench.path("plybook.db").exists());
    assert!(
        bench
            .refused(&["import", famous().as_str(), "--rejects", "no/such/folder"])
            .contains("no/such/folder")
    );
    assert!(
        bench
            .refused(&["import", famous().as_str(), "-a", "no/such/archive.db"])
            .contains("no/such/archive.db")
    );
}

#[test]
fn foreign_and_newer_files_are_rejected_and_not_changed() {
    let bench = Bench::with_games();
    fs::write(bench.path("text.db"), "this is a text, and long enough to look at: ".repeat(50)).unwrap();
    let foreign = rusqlite::Connection::open(bench.path("foreign.db")).unwrap();
    foreign.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    drop(foreign);
    fs::copy(bench.path("plybook.db"), bench.path("newer.db")).unwrap();
    let newer = rusqlite::Connection::open(bench.path("newer.db")).unwrap();
    newer.execute_batch("PRAGMA user_version = 999").unwrap();
    drop(newer);
    for (name, why) in [
        ("text.db", "not a plybook archive"),
        ("foreign.db", "not a plybook archive"),
        ("newer.db", "version 999"),
    ] {
        let before = fs::read(bench.path(name)).unwrap();
        for command in
            [&["games"][..], &["show", "1"], &["verify"], &["stats"], &["export"], &["import", &famous()]]
        {
            let line = bench.refused(&[command, &["-a", name]].concat());
            assert!(line.contains(why), "{name} {command:?}: {line}");
        }
        assert_eq!(fs::read(bench.path(name)).unwrap(), before, "{name}");
    }
    assert!(bench.refused(&["games", "-a", "none.db"]).contains("archive not found"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_in_one_line_and_the_archive_stays_intact() {
    let bench = Bench::with_games();
    let before = bench.ok(&["export"]);
    let games: String =
        (0..20_000).map(|n| format!("[Event \"event {n}\"]\n[Site \"site {n}\"]\n\n1. e4 *\n\n")).collect();
    fs::write(bench.path("many.pgn"), games).unwrap();
    // A limit on file size is like a full disk: writes beyond it fail.
    let script = format!("ulimit -f 400; exec {} import many.pgn", env!("CARGO_BIN_EXE_plybook"));
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(bench.folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr).lines().count(), 1, "{}", text(&output.stderr));
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert!(bench.ok(&["export"]).starts_with(&before));
    // With free space, the same command continues.
    let report = bench.import(&["many.pgn"]);
    let stored_before = report["met"][0]["games"].as_u64().unwrap_or(0);
    assert_eq!(report["stored"].as_u64().unwrap(), 20_000 - stored_before);
    assert_eq!(bench.json(&["stats", "--format", "json"])["games"], 20_000 + FAMOUS);
}

#[test]
fn a_truncated_source_keeps_the_games_before() {
    let bench = Bench::new();
    let packed = zstd::encode_all(many_games(2000).as_bytes(), 3).unwrap();
    fs::write(bench.path("cut.pgn.zst"), &packed[..packed.len() - 100]).unwrap();
    let output = bench.run(&["import", "cut.pgn.zst"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cut.pgn.zst"), "{}", text(&output.stderr));
    assert!(bench.ok(&["export"]).matches("[Event ").count() > 100);
}

#[test]
fn the_command_that_removes_unconfirmed_games_of_a_truncated_source_is_reported() {
    let bench = Bench::with_games();
    let games = many_games(2000);
    let packed = zstd::encode_all(games.as_bytes(), 3).unwrap();
    fs::write(bench.path("it's cut.zst"), &packed[..packed.len() - 100]).unwrap();
    let output = bench.run(&["import", "it's cut.zst", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let (said, stored) = (text(&output.stderr), report["stored"].as_u64().unwrap());
    assert_eq!(report["unconfirmed"][0]["games"], stored);
    let command = format!(
        "plybook remove --id {}..{} --source 'it'\\''s cut.zst' -a plybook.db",
        FAMOUS + 1,
        FAMOUS + stored
    );
    assert!(said.contains(&format!("games of it; to remove them: {command}")), "{said}");
    let ids = format!("{}..{}", FAMOUS + 1, FAMOUS + stored);
    bench.ok(&["remove", "--id", &ids, "--source", "it's cut.zst", "--yes"]);
    fs::write(bench.path("it's cut.zst"), &packed).unwrap();
    bench.import(&["it's cut.zst", "--again"]);
    fs::write(bench.path("games.pgn"), games).unwrap();
    bench.import(&["games.pgn", "-a", "clean.db"]);
    let count = |archive: &str| bench.ok(&["export", "-a", archive]).matches("[Event ").count() as u64;
    assert_eq!(count("plybook.db"), FAMOUS + count("clean.db"));
    // In a format that confirms every block, there is nothing to report.
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
    std::io::Write::write_all(&mut bzip2, many_games(3000).as_bytes()).unwrap();
    let packed = bzip2.finish().unwrap();
    fs::write(bench.path("cut.bz2"), &packed[..packed.len() / 2]).unwrap();
    let output = bench.run(&["import", "cut.bz2", "-a", "cut.db"]);
    assert!(!text(&output.stderr).contains("no checksum"), "{}", text(&output.stderr));
    assert!(bench.ok(&["export", "-a", "cut.db"]).matches("[Event ").count() > 100);
}
