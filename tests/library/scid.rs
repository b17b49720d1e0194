//! Databases of Scid are sources like any other: found by any of their files, resumed, and reported.

use std::{
    fs::{self, File},
    io::Write,
    ops::ControlFlow::Continue,
};

use plybook::{
    import::{ReadGamesError, read_games},
    pgn::ReadOptions,
};
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    common::{Bench, data as data_file, many_games, needs::corpus, text},
    scid_support::{BuiltGame, data, game, scid4, scid5, write},
};

const DELETED: u32 = 1 << 3;
/// 1. e4, d4, c4, f4, g4.
const FIRST_MOVES: [u8; 5] = [0xcf, 0xbf, 0xaf, 0xdf, 0xef];

/// Games that differ in their first move.
fn games(count: usize) -> Vec<BuiltGame> {
    FIRST_MOVES.into_iter().take(count).map(|code| game(&[code, 15])).collect()
}

fn counts(report: &Value) -> [u64; 4] {
    ["seen", "stored", "duplicate", "rejected"].map(|key| report[key].as_u64().unwrap())
}

/// What an import reports, whatever its exit code.
fn reported(bench: &Bench, arguments: &[&str]) -> Value {
    let output = bench.run(&[&["import", "-q", "--format", "json"], arguments].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

fn reasons(report: &Value, list: &str) -> Vec<String> {
    report[list]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["reason"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn any_file_of_a_base_leads_to_all_of_it() {
    for (extensions, files) in [
        (["SI4", "sn4", "Sg4"], scid4(&games(3))),
        (["si5", "SN5", "sg5"], scid5(&games(3))),
        (["si4", "sn4", "sg4"], scid4(&games(3))),
    ] {
        let bench = Bench::new();
        write(bench.folder.path(), "Base", extensions, &files);
        fs::write(bench.path("Base.ini"), "x").unwrap();
        let [index, names, moves] = extensions.map(|extension| format!("Base.{extension}"));
        let all = [&[&*index][..], &[&names], &[&moves], &["."], &[&moves, &index, &names]];
        for (number, paths) in all.into_iter().enumerate() {
            let archive = format!("{number}.db");
            let report = bench.import(&[paths, &["-a", &archive]].concat());
            assert_eq!(counts(&report), [3, 3, 0, 0], "{paths:?}");
            let again = bench.import(&[&*names, "-a", &archive]);
            let name = if number == 3 { format!("./{index}") } else { index.clone() };
            let is_known = again["met"][0]["source"] == json!(name) && again["met"][0]["how"] == "done";
            assert!(is_known || number == 3, "{again}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_files_next_to_its_target() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bases")).unwrap();
    write(&bench.path("bases"), "base", ["si5", "sn5", "sg5"], &scid5(&games(3)));
    std::os::unix::fs::symlink("bases/base.si5", bench.path("link.si5")).unwrap();
    assert_eq!(counts(&bench.import(&["link.si5"])), [3, 3, 0, 0]);
    let refused = bench.run(&["import", "link.si5", "--again", "--rejects", "bases/base.sn5"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

#[test]
fn a_base_has_the_games_of_its_pgn() {
    let bench = Bench::new();
    // Without 1. e4, which would be an earlier version of the game below.
    let mut built = games(4).split_off(1);
    built[1].data =
        data(&[(b"Annotator", b"A")], None, &[12, 0xcf, 11, 1, 12, 13, 0xbf, 14, 0xcf, 15], &[b"x", b"y"]);
    write(bench.folder.path(), "base", ["si4", "sn4", "sg4"], &scid4(&built));
    let report = bench.import(&["base.si4"]);
    assert_eq!(counts(&report), [3, 3, 0, 0]);
    let pgn = bench.ok(&["export"]);
    assert!(pgn.contains("{x} 1. e4 $1 {y} (1. d4) 1... e5 1-0"), "{pgn}");
    fs::write(bench.path("base.pgn"), pgn).unwrap();
    assert_eq!(counts(&bench.import(&["base.pgn"])), [3, 0, 3, 0]);
    write(bench.folder.path(), "other", ["si5", "sn5", "sg5"], &scid5(&built));
    assert_eq!(counts(&bench.import(&["other.si5"])), [3, 0, 3, 0]);
}

#[test]
fn deleted_games_are_left_out_unless_they_are_wanted() {
    let bench = Bench::new();
    let mut built = games(4);
    built[1].flags = DELETED;
    write(bench.folder.path(), "base", ["si5", "sn5", "sg5"], &scid5(&built));
    let report = bench.import(&["base.si5"]);
    assert_eq!((counts(&report), &report["omitted"]), ([3, 3, 0, 0], &json!(1)));
    assert_eq!(report["source_notes"], json!({ "deleted_games": 1 }));
    let printed = bench.ok(&["import", "base.si5", "-a", "printed.db"]);
    assert!(printed.contains("left out     1, not counted above"), "{printed}");
    assert!(printed.contains("note: 1 game marked as deleted\n    base.si5 game 2\n"), "{printed}");
    let report = bench.import(&["base.si5", "--deleted", "-a", "all.db"]);
    assert_eq!(counts(&report), [4, 4, 0, 0]);
    assert!(bench.ok(&["export", "-a", "all.db"]).contains("[ScidFlags \"D\"]"));
}

#[test]
fn a_base_is_resumed_unless_what_was_read_has_changed() {
    let bench = Bench::new();
    let extensions = ["si4", "sn4", "sg4"];
    let import = |games: &[BuiltGame]| {
        write(bench.folder.path(), "base", extensions, &scid4(games));
        let report = bench.import(&["base.si4"]);
        (report["met"][0]["how"].as_str().unwrap_or_default().to_owned(), counts(&report))
    };
    let mut built = games(5);
    assert_eq!(import(&built[..2]), (String::new(), [2, 2, 0, 0]));
    assert_eq!(import(&built[..2]), ("done".to_owned(), [0; 4]));
    assert_eq!(import(&built), ("grown".to_owned(), [3, 3, 0, 0]));
    // Only a name, then only a move changes; the records stay the same.
    built[0].names[0] = b"Andersson".to_vec();
    built.iter_mut().for_each(|game| game.names[0] = b"Andersson".to_vec());
    assert_eq!(import(&built), ("changed".to_owned(), [5, 5, 0, 0]));
    built[0].data = data(&[], None, &[0x9f, 15], &[]);
    assert_eq!(import(&built), ("changed".to_owned(), [5, 1, 4, 0]));
}

#[test]
fn a_damaged_game_is_rejected_alone_with_its_place() {
    let bench = Bench::new();
    let mut built = games(5);
    // Its second ply moves the king through a pawn.
    built[1].data = data(&[], None, &[0xcf, 0x02, 15], &[]);
    let mut files = scid4(&built);
    // The fourth game is past the end of the games, and the fifth has a player who does not exist.
    files[0][182 + 3 * 47..][..4].copy_from_slice(&[0, 1, 0, 0]);
    files[0][182 + 4 * 47 + 10..][..2].copy_from_slice(&[0, 9]);
    write(bench.folder.path(), "base", ["si4", "sn4", "sg4"], &files);
    let report = reported(&bench, &["base.si4", "--rejects", "bad.pgn"]);
    assert_eq!(counts(&report), [5, 2, 0, 3]);
    let rejects = fs::read_to_string(bench.path("bad.pgn")).unwrap();
    for line in [
        "% base.si4: game 2, byte 7 of the .sg4 file: 1...Ke8e7 is not a legal move",
        "% base.si4: game 4, byte 323: the game has 4 bytes from byte 65536 of base.sg4, which has 21 bytes",
        "% base.si4: game 5, byte 370: the database has no player with number 9",
    ] {
        assert!(rejects.contains(line), "{line}\n{rejects}");
    }
}

#[test]
fn incomplete_bases_are_read_as_far_as_they_go() {
    let bench = Bench::new();
    let extensions = ["si4", "sn4", "sg4"];
    let import = |change: &dyn Fn(&mut [Vec<u8>; 3])| {
        let mut files = scid4(&games(3));
        change(&mut files);
        write(bench.folder.path(), "base", extensions, &files);
        let _ = fs::remove_file(bench.path("plybook.db"));
        let report = reported(&bench, &["base.si4"]);
        (counts(&report), reasons(&report, "failures"))
    };
    let failed = |reason: &str| vec![reason.to_owned()];
    let short = "its header counts 3 games, but the file ends within record 3";
    assert_eq!(import(&|[index, ..]| index.truncate(300)), ([2, 2, 0, 0], failed(short)));
    assert_eq!(import(&|[index, ..]| index.truncate(12)).1, failed("the file ends within its header"));
    let names = failed("base.sn4: byte 56: the file ends within a name");
    assert_eq!(import(&|[_, names, _]| names.truncate(60)), ([0; 4], names));
    assert_eq!(import(&|[.., games]| games.truncate(9)).0, [3, 2, 0, 1]);
    // A game that the header does not count, as after a crash.
    assert_eq!(import(&|[index, ..]| index[16] = 2), ([2, 2, 0, 0], vec![]));
    assert_eq!(
        import(&|[index, ..]| index[8..10].copy_from_slice(&[1, 44])).1[0][..35],
        *"this is a database of Scid 3: open "
    );
    assert_eq!(import(&|[index, ..]| index[0] = b'x').1, failed("this is not an index of Scid 4"));
    write(bench.folder.path(), "five", ["si5", "sn5", "sg5"], &{
        let mut files = scid5(&games(2));
        files[0].truncate(100);
        files
    });
    let report = reported(&bench, &["five.si5", "-a", "five.db"]);
    assert_eq!(
        (counts(&report), reasons(&report, "failures")),
        ([1, 1, 0, 0], failed("the file ends within record 2"))
    );
    for missing in ["sn4", "sg4"] {
        write(bench.folder.path(), "base", extensions, &scid4(&games(3)));
        fs::remove_file(bench.path(&format!("base.{missing}"))).unwrap();
        let report = reported(&bench, &["base.si4"]);
        let expected =
            format!("its .{missing} file is missing: a Scid database has three files in one directory");
        assert!(reasons(&report, "failures")[0].starts_with(&expected));
    }
    let output = bench.feed(&["import", "-"], &scid4(&games(1))[0]);
    assert!(
        text(&output.stderr)
            .contains("a Scid database, which has several files: give the name of its .si4 file")
    );
}

#[test]
fn a_base_in_a_zip_archive_is_read_from_there() {
    let bench = Bench::new();
    let packed = |name: &str, names: [&str; 3], files: &[Vec<u8>; 3]| {
        let mut zip = ZipWriter::new(File::create(bench.path(name)).unwrap());
        for (name, bytes) in names.into_iter().zip(files) {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.start_file("one.pgn", SimpleFileOptions::default()).unwrap();
        zip.write_all(b"1. h4 *").unwrap();
        zip.finish().unwrap();
    };
    let mut files = scid4(&games(3));
    files[0][182 + 47 * 2..][..4].copy_from_slice(&[9; 4]);
    packed(
        "a.zip",
        ["in/My base.SI4", "in/my base.Sg4", "in/my base.sn4"],
        &[0, 2, 1].map(|file| files[file].clone()),
    );
    let report = reported(&bench, &["a.zip"]);
    assert_eq!(counts(&report), [4, 3, 0, 1]);
    let reason = &reasons(&report, "rejects")[0];
    assert!(reason.starts_with("the game has 4 bytes from byte"), "{reason}");
    let again = bench.import(&["a.zip"]);
    assert_eq!(
        (&again["met"][0]["source"], &again["met"][0]["how"]),
        (&json!("a.zip!in/My base.SI4"), &json!("done"))
    );
    // Nothing is written outside the temporary directory, whatever a member is called.
    packed("b.zip", ["../../evil.si5", "../../evil.sn5", "../../evil.sg5"], &scid5(&games(2)));
    assert_eq!(counts(&bench.import(&["b.zip", "-a", "b.db"])), [3, 3, 0, 0]);
    assert!(!bench.path("../../evil.si5").exists());
    // A file is missing.
    packed("c.zip", ["c.si5", "c.sn5", "d.sg5"], &scid5(&games(2)));
    let report = reported(&bench, &["c.zip", "-a", "c.db"]);
    assert!(reasons(&report, "failures")[0].starts_with("its .sg5 file is missing"));
    let mut read = 0;
    let whole = read_games(&[bench.path("b.zip")], ReadOptions::default(), &mut |game| {
        read += usize::from(game.game.is_ok());
        Continue(())
    });
    assert_eq!((whole.unwrap(), read), (true, 3));
}

#[test]
fn games_of_a_base_are_read_without_importing_them() {
    let bench = Bench::new();
    let mut built = games(4);
    built[2].flags = DELETED;
    write(bench.folder.path(), "base", ["si5", "sn5", "sg5"], &scid5(&built));
    let read = |path: &str| {
        let mut games = Vec::new();
        read_games(&[bench.path(path)], ReadOptions::default(), &mut |read| {
            games.push((read.location.game, read.location.byte, read.game.unwrap().moves.len()));
            Continue(())
        })?;
        Ok::<_, ReadGamesError>(games)
    };
    assert_eq!(read("base.sg5").unwrap(), [(1, 0, 1), (2, 4, 1), (4, 12, 1)]);
    fs::remove_file(bench.path("base.sn5")).unwrap();
    assert!(read("base.si5").unwrap_err().to_string().contains("its .sn5 file is missing"));
}

#[test]
fn options_for_reading_apply_to_bases_too() {
    let bench = Bench::new();
    let mut built = games(2);
    built[0].data = data(&[], None, &[0xcf, 12, 13, 0xbf, 14, 15], &[b"caf\xe9 \xcf"]);
    write(bench.folder.path(), "base", ["si4", "sn4", "sg4"], &scid4(&built));
    let pgn = |options: &[&str], archive: &str| {
        bench.import(&[&["base.si4", "-a", archive][..], options].concat());
        bench.ok(&["export", "-a", archive])
    };
    assert!(pgn(&[], "a.db").contains("1. e4 {café Ï} (1. d4) 1-0"));
    assert!(pgn(&["--no-annotations"], "b.db").contains("\n1. e4 1-0"));
    assert!(pgn(&["--encoding", "windows-1251"], "c.db").contains("{cafй П}"));
}

/// The PGN that a sample was made from differs only in what Scid itself changed: empty ratings, an unknown ECO code,
/// and spaces at the edges of comments.
#[test]
fn importing_the_pgn_after_its_base_finds_only_duplicates() {
    let [Some(base), Some(pgn)] = ["scid/games.si4", "scid/games.pgn.zst"].map(corpus) else { return };
    let bench = Bench::new();
    let report = bench.import(&[base.to_str().unwrap()]);
    assert_eq!(counts(&report), [2500, 2500, 0, 0]);
    let pgn = String::from_utf8(zstd::decode_all(&*fs::read(pgn).unwrap()).unwrap()).unwrap();
    let is_lost = |line: &&str| ["[WhiteElo \"\"]", "[BlackElo \"\"]", "[ECO \"?\"]"].contains(line);
    let lost = pgn.lines().filter(is_lost).count();
    let pgn: Vec<&str> = pgn.lines().filter(|line| !is_lost(line)).collect();
    fs::write(bench.path("games.pgn"), pgn.join("\n").replace("{ ", "{").replace(" }", "}")).unwrap();
    assert_eq!(counts(&bench.import(&["games.pgn"])), [2500, 0, 2500, 0]);
    assert_eq!(lost, 25 + 25 + 13);
}

#[test]
fn an_exported_base_has_the_same_games() {
    let bench = Bench::new();
    let games = [
        &fs::read_to_string(data_file("annotated.pgn")).unwrap(),
        &fs::read_to_string(data_file("chess960.pgn")).unwrap(),
        &many_games(40),
        // What no field of the index can hold.
        "[White \"\"]\n[Date \"2001.1.2\"]\n[WhiteElo \"?\"]\n[BlackElo \"\"]\n[ECO \"?\"]\n\n1. e4 1-0\n",
        "[Result \"1/2\"]\n[EventDate \"1990.??.??\"]\n[Date \"2001.??.??\"]\n[WhiteElo \"4001\"]\n\n1. d4 *\n",
        "[Date \"2001.01.01\"]\n[Date \"2002.01.01\"]\n[Result \"1-0\"]\n[Result \"*\"]\n\n1. a4 1-0\n",
        "[White \"a\"]\n[White \"b\"]\n[ECO \"B90x3\"]\n[WhiteRapid \"2300\"]\n[WhiteElo \"2200\"]\n\n1. c4 -- 2. d4 *\n",
    ];
    fs::write(bench.path("games.pgn"), games.join("\n")).unwrap();
    let stored = bench.import(&["games.pgn"])["stored"].as_u64().unwrap();
    for (output, format) in [("five.si5", None), ("named", Some("scid5"))] {
        let format = format.map_or(vec![], |format| vec!["--format", format]);
        bench.ok(&[&["export", "-o", output][..], &format].concat());
        let report = bench.import(&[&*format!("{}.si5", output.trim_end_matches(".si5"))]);
        assert_eq!(counts(&report), [stored, 0, stored, 0]);
    }
    assert!(bench.path("named.sn5").exists() && bench.path("named.sg5").exists());
}

#[test]
fn games_that_scid_cannot_store_are_counted_and_named() {
    let bench = Bench::new();
    let long = "x".repeat(256);
    let games = [
        "[Variant \"Atomic\"]\n\n1. e4 *\n",
        &format!("[White \"{long}\"]\n\n1. e4 *\n"),
        &format!("[Opening \"{long}\"]\n\n1. e4 *\n"),
        "1. e4 $256 *\n\n[White \"a\"]\n\n1. d4 *\n",
        &format!("[White \"b\"]\n\n1. e4 {{{}}} *\n", "x".repeat(140_000)),
    ];
    fs::write(bench.path("games.pgn"), games.join("\n")).unwrap();
    bench.import(&["games.pgn"]);
    let output = bench.run(&["export", "-o", "base.si5"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    for why in ["a variant that", "a name over 255", "a tag with", "an annotation glyph", "more than 131071"]
    {
        assert!(said.contains(&format!("skipped 1 game, which Scid cannot store: {why}")), "{why}: {said}");
    }
    assert_eq!(counts(&bench.import(&["base.si5", "-a", "again.db"])), [1, 1, 0, 0]);
    // Scid 4 has no Chess960.
    bench.import(&[data_file("chess960.pgn").to_str().unwrap(), "-a", "960.db"]);
    assert!(text(&bench.run(&["export", "-a", "960.db", "-o", "a.si4"]).stderr).contains("a variant that"));
    assert!(!bench.path("a.si4").exists());
}

#[cfg(unix)]
#[test]
fn a_base_is_not_exported_through_a_link_to_a_file_of_another_one() {
    let bench = Bench::with_games();
    bench.ok(&["export", "-o", "base.si5"]);
    let files =
        || ["si5", "sn5", "sg5"].map(|extension| fs::read(bench.path(&format!("base.{extension}"))).unwrap());
    let before = files();
    for extension in ["si5", "sn5", "sg5"] {
        let link = bench.path(&format!("link.{extension}"));
        std::os::unix::fs::symlink(format!("base.{extension}"), &link).unwrap();
        let refused = bench.run(&["export", "--id", "1..9", "-o", "link.si5", "--force"]);
        assert!(
            text(&refused.stderr).contains(&format!("link.{extension} is a link")),
            "{}",
            text(&refused.stderr)
        );
        assert!(files() == before);
        fs::remove_file(link).unwrap();
    }
}

#[test]
fn a_base_is_exported_completely_or_not_at_all() {
    let bench = Bench::with_games();
    assert!(
        bench
            .refused(&["export", "--format", "scid4"])
            .contains("give its name with -o, for example -o base.si4")
    );
    fs::write(bench.path("base.sn4"), "mine").unwrap();
    assert!(bench.refused(&["export", "-o", "base.si4"]).contains("base.sn4: the file already exists"));
    assert!(!bench.path("base.si4").exists() && !bench.path("base.sg4").exists());
    bench.ok(&["export", "-o", "base.si4", "--force"]);
    assert_ne!(fs::read(bench.path("base.sn4")).unwrap(), b"mine");
}
