//! From all kinds of sources (pipes, devices, directories, zip archives, changing files), no game is lost, duplicated
//! or reported wrongly, and files that are not sources of games are named.

use std::{
    fs,
    io::Write,
    process::{Command, Output, Stdio},
    sync::atomic::Ordering,
};

use crate::common::{Bench, installed, many_games, text, trials};
use plybook::{
    archive::Editor,
    conditions::FilterText,
    import::{ImportError, Options, Report, ResumeOutcome, import_with_progress},
};

/// The expected counts of an import, however the source is given.
fn counts(report: &serde_json::Value) -> [u64; 3] {
    ["seen", "stored", "rejected"].map(|key| report[key].as_u64().unwrap())
}

fn report(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// A bench with some games as games.pgn and games.pgn.zst, and their export.
fn bench_with_games() -> (Bench, String) {
    let bench = Bench::new();
    let games = many_games(200);
    fs::write(bench.path("games.pgn"), &games).unwrap();
    fs::write(bench.path("games.pgn.zst"), zstd::encode_all(games.as_bytes(), 3).unwrap()).unwrap();
    bench.import(&["games.pgn", "-a", "file.db"]);
    let export = bench.ok(&["export", "-a", "file.db"]);
    (bench, export)
}

/// A bash command line in which `$plybook` is the program.
#[cfg(unix)]
fn bash(bench: &Bench, line: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(bench.folder.path()).stdin(Stdio::null());
    command.env("plybook", env!("CARGO_BIN_EXE_plybook"));
    command
}

#[cfg(unix)]
#[test]
fn pipes_deliver_every_game_completely() {
    if !installed("bash") {
        return;
    }
    let (bench, export) = bench_with_games();
    assert!(Command::new("mkfifo").arg(bench.path("pipe.pgn")).status().unwrap().success());
    let ways = [
        "$plybook import <(cat GAMES) OPTIONS",
        "cat GAMES | $plybook import /dev/stdin OPTIONS",
        "cat GAMES | $plybook import /dev/fd/7 OPTIONS 7<&0",
        "$plybook import /dev/stdin OPTIONS < GAMES",
        "cat GAMES > pipe.pgn & $plybook import pipe.pgn OPTIONS",
        // The second pipe has the same path: it is another source, not the first one again.
        "$plybook import <(head -c 20000 GAMES) OPTIONS >first.json; $plybook import <(cat GAMES) OPTIONS",
    ];
    for (number, way) in ways.iter().enumerate() {
        for games in ["games.pgn", "games.pgn.zst"] {
            let archive = format!("{number}-{games}.db");
            let line = way.replace("GAMES", games);
            let line = line.replace("OPTIONS", &format!("-a {archive} --format json"));
            let output = bash(&bench, &line).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{line}: {}", text(&output.stderr));
            assert_eq!(report(&output)["seen"], 200, "{line}");
            assert!(bench.ok(&["export", "-a", &archive]) == export, "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_zip_archive_in_a_pipe_is_refused_with_a_remedy() {
    if !installed("bash") {
        return;
    }
    let bench = Bench::new();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("games.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(many_games(3).as_bytes()).unwrap();
    fs::write(bench.path("games.zip"), zip.finish().unwrap().into_inner()).unwrap();
    for way in ["cat games.zip | $plybook import -", "$plybook import <(cat games.zip)"] {
        let output = bash(&bench, way).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{way}");
        let said = text(&output.stderr);
        assert!(
            said.contains("a zip archive can only be read from a file: save it to a file first"),
            "{said}"
        );
    }
    // The control: it is read from a file.
    assert_eq!(counts(&bench.import(&["games.zip"])), [3, 3, 0]);
}

#[test]
fn the_import_waits_for_standard_input_that_stalls() {
    let games = many_games(200);
    let bench = Bench::new();
    let mut command = bench.command(&["import", "-", "--format", "json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It stalls within the first bytes, within a game, and before the end.
    for part in [&games[..3], &games[3..5000], &games[5000..]] {
        stdin.write_all(part.as_bytes()).unwrap();
        stdin.flush().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let whole = bench.feed(&["import", "-", "--format", "json", "-a", "whole.db"], games.as_bytes());
    assert_eq!(counts(&report(&output)), counts(&report(&whole)));
    assert!(bench.ok(&["export"]) == bench.ok(&["export", "-a", "whole.db"]));
}

/// The peak memory of a process in MiB, if the system provides it.
#[cfg(unix)]
fn memory_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

#[cfg(unix)]
#[test]
fn endless_sources_are_rejected_in_bounded_memory() {
    if !installed("bash") {
        return;
    }
    let bench = Bench::new();
    fs::write(bench.path("some.pgn"), many_games(3)).unwrap();
    let zeros = ["$plybook import /dev/zero", "cat some.pgn /dev/zero | $plybook import -"];
    let more = ["$plybook import /dev/urandom", "yes | $plybook import -", "yes [ | $plybook import -"];
    for line in zeros.iter().chain(trials(&[][..], &more)) {
        let mut command = bash(&bench, &format!("{line} --format json & echo $! >&2; wait $!"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = std::io::BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        std::io::BufRead::read_line(&mut said, &mut first).unwrap();
        let process = first.trim().parse().unwrap();
        let mut memory = 0;
        while child.try_wait().unwrap().is_none() {
            memory = memory_of(process).max(memory);
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut said, &mut rest).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {rest}");
        assert!(rest.contains("not a PGN file"), "{line}: {rest}");
        assert!(memory < 256, "{line}: {memory} MiB");
        if line.contains("some") {
            assert_eq!(counts(&report(&output)), [3, 3, 0]);
        }
    }
}

/// A zip archive with some members.
fn zip_of<'a>(members: impl IntoIterator<Item = (String, &'a [u8])>) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn every_member_of_a_zip_archive_is_a_source_whatever_their_number() {
    let bench = Bench::new();
    let count = trials(2000, 20_000);
    let texts: Vec<(String, String)> = (0..count)
        .map(|number| (format!("{number}.pgn"), format!("[Event \"{number}\"]\n\n1. e4 *\n")))
        .collect();
    let zip = zip_of(texts.iter().map(|(name, text)| (name.clone(), text.as_bytes())));
    fs::write(bench.path("many.zip"), zip).unwrap();
    let report = bench.import(&["many.zip"]);
    assert_eq!(counts(&report), [count, count, 0]);
    assert_eq!(report["sources_read"], count);
    let report = bench.import(&["many.zip"]);
    assert_eq!((counts(&report), report["met"].as_array().unwrap().len() as u64), ([0; 3], count));
    // If members are added and the archive is compressed again, the others are recognized by their content.
    let more = texts.iter().rev().map(|(name, text)| (name.clone(), text.as_bytes()));
    let more = more.chain([("new.pgn".to_owned(), &b"[Event \"new\"]\n\n1. d4 *\n"[..])]);
    fs::write(bench.path("many.zip"), zip_of(more)).unwrap();
    assert_eq!(counts(&bench.import(&["many.zip"])), [1, 1, 0]);
}

#[test]
fn compressed_members_of_a_zip_archive_are_read_or_named() {
    let bench = Bench::new();
    let game = |event: &str| format!("[Event \"{event}\"]\n\n1. e4 *\n").into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&game("gzip")).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&game("bzip2")).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(&game("xz")).unwrap();
    let members = [
        ("a.pgn.gz", gzip.finish().unwrap()),
        ("b/c.PGN.BZ2", bzip2.finish().unwrap()),
        ("d.pgn.xz", xz.finish().unwrap()),
        ("e.pgn.zst", zstd::encode_all(&game("zstd")[..], 3).unwrap()),
        ("plain.pgn", game("plain")),
        ("read.me.gz", b"no games".to_vec()),
    ];
    let member = |(name, text): &(&str, Vec<u8>)| ((*name).to_owned(), text.clone());
    let zip = |members: Vec<(String, Vec<u8>)>| {
        zip_of(members.iter().map(|(name, text)| (name.clone(), text.as_slice())))
    };
    let packed = zip(members.iter().map(member).collect());
    fs::write(bench.path("packed.zip"), &packed).unwrap();
    assert_eq!(counts(&bench.import(&["packed.zip"])), [5, 5, 0]);
    assert_eq!(counts(&bench.import(&["packed.zip"])), [0; 3]);
    // A zip archive in one is named.
    let nested = zip(vec![("inner.zip".to_owned(), packed), ("new.pgn".to_owned(), game("new"))]);
    fs::write(bench.path("nested.zip"), nested).unwrap();
    let output = bench.run(&["import", "nested.zip", "--format", "json"]);
    assert_eq!((output.status.code(), counts(&report(&output))), (Some(1), [1, 1, 0]));
    let said = text(&output.stderr);
    assert!(said.contains("nested.zip!inner.zip: a zip archive can only be read from a file"), "{said}");
}

#[test]
fn two_zip_members_of_one_name_are_two_sources() {
    let bench = Bench::new();
    let games = |event: &str| format!("[Event \"{event}\"]\n\n1. e4 *\n");
    let (a, b) = (games("a"), games("b"));
    let zip = zip_of([("same.pgn".to_owned(), a.as_bytes()), ("sama.pgn".to_owned(), b.as_bytes())]);
    let zip: Vec<u8> = {
        let mut zip = zip;
        for at in 0..zip.len() - 8 {
            if &zip[at..at + 8] == b"sama.pgn" {
                zip[at + 3] = b'e';
            }
        }
        zip
    };
    fs::write(bench.path("names.zip"), zip).unwrap();
    assert_eq!(counts(&bench.import(&["names.zip"])), [2, 2, 0]);
    let report = bench.import(&["names.zip"]);
    let known: Vec<&str> =
        report["met"].as_array().unwrap().iter().map(|met| met["source"].as_str().unwrap()).collect();
    assert_eq!(known, ["names.zip!same.pgn", "names.zip!same.pgn#2"]);
    assert!(report["met"].as_array().unwrap().iter().all(|met| met["how"] == "done"));
}

#[test]
fn threads_are_at_most_64() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(50)).unwrap();
    for threads in ["65", "15700", "18446744073709551615", "18446744073709551616", "-1"] {
        let output = bench.run(&["import", "games.pgn", &format!("--threads={threads}")]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("--threads"), "{said}");
        assert!(!bench.path("plybook.db").exists());
    }
    assert_eq!(bench.import(&["games.pgn", "--threads", "64"])["seen"], 50);
    let options = plybook::import::Options { threads: usize::MAX, ..Default::default() };
    let paths = [bench.path("games.pgn")];
    let report = plybook::import::import_paths(&bench.path("library.db"), &paths, &options).unwrap();
    assert_eq!(report.seen, 50);
}

#[test]
fn input_that_is_not_pgn_is_named_with_a_remedy() {
    let bench = Bench::new();
    let foreign = rusqlite::Connection::open(bench.path("other.db")).unwrap();
    foreign.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(foreign);
    let sqlite = fs::read(bench.path("other.db")).unwrap();
    let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
    let cases: [(&str, &[u8], &str); 18] = [
        ("Mega.cbh", b"\0\0\x2c\0\x2e\x01", "copy the .cbg file into the same directory"),
        ("Mega.2cbh", b"\0\0", "a database of ChessBase 17 or later: in ChessBase, copy its games"),
        ("old.CBF", b"\0\0", "a database of ChessBase 5 or earlier: open it in ChessBase"),
        ("secret.cbz", b"\0\0", "encrypted with a password: unpack it in ChessBase"),
        ("my.sg4", b"\x01\x02", "this file of a Scid database has no index"),
        ("old.si3", b"Scid.si\0\x01\x2c", "this is a database of Scid 3: open it in Scid 4"),
        ("board.pgn", b"\x89PNG\r\n\x1a\n", "an image, not PGN"),
        ("board.jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF", "an image, not PGN"),
        ("board.gif", b"GIF89a", "an image, not PGN"),
        ("board.webp", b"RIFF\x24\0\0\0WEBPVP8 ", "an image, not PGN"),
        ("book.pdf", b"%PDF-1.7\n", "a PDF document, not PGN"),
        ("engine", b"\x7fELF\x02\x01", "a program, not PGN"),
        ("engine.exe", b"MZ\x90\0\x03", "a program, not PGN"),
        ("other.db", &sqlite, "a SQLite database"),
        ("games.tar", &tar, "tar archives are not supported: extract it first"),
        ("page.pgn", b"<!DOCTYPE html>\n<html>", "a web page (HTML), not PGN"),
        ("games.7z", b"7z\xbc\xaf\x27\x1c", "7z archives are not supported: extract it first"),
        ("games.pgn.lz4", b"\x04\x22\x4d\x18", "lz4 is not supported: decompress it first"),
    ];
    fs::write(bench.path("good.pgn"), many_games(2)).unwrap();
    for (name, bytes, why) in cases {
        fs::write(bench.path(name), bytes).unwrap();
        let refused = |name: &str| {
            let output = bench.run(&["import", name]);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{name}: {said}");
            assert!(said.contains(why) && said.contains(name), "{name}: {said}");
        };
        refused(name);
        // Compressed, it is recognized by its first bytes if they are distinctive.
        if bytes[0] > 1 {
            let packed = format!("{name}.zst");
            fs::write(bench.path(&packed), zstd::encode_all(bytes, 3).unwrap()).unwrap();
            refused(&packed);
        }
        // Next to a file with games it is harmless.
        let output =
            bench.run(&["import", "good.pgn", name, "--format", "json", "-a", &format!("{name}.db")]);
        assert_eq!((output.status.code(), counts(&report(&output))), (Some(1), [2, 2, 0]), "{name}");
    }
    assert!(!bench.path("plybook.db").exists());
    for address in ["https://example.org/games.pgn", "HTTP://example.org/a.zip"] {
        assert!(bench.refused(&["import", address]).contains("does not download URLs"), "{address}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_in_a_directory_is_reported_and_the_others_are_imported() {
    use std::os::unix::fs::symlink;
    let (bench, _) = bench_with_games();
    fs::create_dir(bench.path("all")).unwrap();
    let path = |name: &str| bench.path("all").join(name);
    let game = |event: &str| format!("[Event \"{event}\"]\n\n1. e4 *\n");
    symlink("nowhere.pgn", path("dangling.pgn")).unwrap();
    symlink("loop.pgn", path("loop.pgn")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(path("socket.pgn")).unwrap();
    assert!(Command::new("mkfifo").arg(path("pipe.pgn")).status().unwrap().success());
    fs::write(path("broken.zip"), b"PK\x03\x04 no zip").unwrap();
    fs::write(path("picture.pgn"), b"\x89PNG\r\n\x1a\n").unwrap();
    let bad = ["broken.zip", "dangling.pgn", "loop.pgn", "picture.pgn", "pipe.pgn", "socket.pgn"];
    // If there is nothing else, the import fails.
    let output = bench.run(&["import", "all", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!bench.path("plybook.db").exists());

    fs::write(path("a.pgn"), game("a")).unwrap();
    fs::create_dir(path("folder.pgn")).unwrap();
    fs::write(path("folder.pgn/inner.pgn"), game("inner")).unwrap();
    symlink("folder.pgn", path("link.pgn")).unwrap();
    symlink("a.pgn", path("z.pgn")).unwrap();
    let output = bench.run(&["import", "all", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = report(&output);
    assert_eq!((counts(&report), &report["sources_read"]), ([3, 2, 0], &3.into()));
    let failed: Vec<&str> = report["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failure| failure["source"].as_str().unwrap())
        .collect();
    assert_eq!(failed, bad.map(|name| format!("all/{name}")));
    for name in bad {
        assert!(text(&output.stderr).contains(&format!("all/{name}: ")), "{}", text(&output.stderr));
    }
    let output = bench.run(&["import", "all"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("all/dangling.pgn"), "{}", text(&output.stderr));
    // A missing file named by the user stops the import before anything is read.
    let said = bench.refused(&["import", "games.pgn", "missing.pgn", "-a", "none.db"]);
    assert!(said.contains("missing.pgn") && !bench.path("none.db").exists(), "{said}");
}

#[test]
fn a_zstd_file_may_contain_skippable_frames() {
    let (bench, export) = bench_with_games();
    let games = fs::read(bench.path("games.pgn")).unwrap();
    let skipped = |mark: u8| [&[mark, 0x2a, 0x4d, 0x18, 5, 0, 0, 0][..], b"words"].concat();
    let halves = games.split_at(games.len() / 2);
    let [first, second] = [halves.0, halves.1].map(|half| zstd::encode_all(half, 3).unwrap());
    for mark in [0x50, 0x5f] {
        let packed = [skipped(mark), first.clone(), skipped(mark), second.clone(), skipped(mark)].concat();
        fs::write(bench.path("skip.pgn.zst"), packed).unwrap();
        let archive = format!("{mark}.db");
        assert_eq!(bench.import(&["skip.pgn.zst", "-a", &archive])["seen"], 200);
        assert!(bench.ok(&["export", "-a", &archive]) == export);
    }
    // The control: an invalid magic number.
    fs::write(bench.path("none.pgn.zst"), [skipped(0x60), first].concat()).unwrap();
    let output = bench.run(&["import", "none.pgn.zst", "-a", "none.db"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(!bench.path("none.db").exists() || bench.ok(&["games", "-a", "none.db"]).is_empty());
}

// macOS does not allow such names.
#[cfg(target_os = "linux")]
#[test]
fn file_names_that_are_not_utf8_stay_distinct() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let bench = Bench::new();
    fs::create_dir(bench.path("all")).unwrap();
    let names: [&[u8]; 4] = [b"Z\xfcrich.pgn", b"Z\xfdrich.pgn", b"Z<fc>rich.pgn", "Zürich.pgn".as_bytes()];
    for (number, name) in names.iter().enumerate() {
        let game = format!("[Event \"{number}\"]\n\n1. e4 *\n");
        fs::write(bench.path("all").join(OsStr::from_bytes(name)), game).unwrap();
    }
    assert_eq!(counts(&bench.import(&["all"])), [4, 4, 0]);
    let report = bench.import(&["all"]);
    assert_eq!(counts(&report), [0; 3]);
    let mut known: Vec<&str> =
        report["met"].as_array().unwrap().iter().map(|met| met["source"].as_str().unwrap()).collect();
    known.sort_unstable();
    assert_eq!(known, ["all/Z<3c>fc>rich.pgn", "all/Z<fc>rich.pgn", "all/Z<fd>rich.pgn", "all/Zürich.pgn"]);
    assert!(report["met"].as_array().unwrap().iter().all(|met| met["how"] == "done" && met["games"] == 1));
}

#[test]
fn the_last_game_of_a_growing_file_waits_until_it_is_complete() {
    let (bench, export) = bench_with_games();
    let games = fs::read_to_string(bench.path("games.pgn")).unwrap();
    let (begin, end) = games.split_at(games.rfind("[Event ").unwrap() + 500);
    assert!(end.len() > 100);
    // The control: the file does not grow, and ends within a game. It is stored as it is.
    fs::write(bench.path("still.pgn"), begin).unwrap();
    let report = bench.import(&["still.pgn", "-a", "still.db"]);
    assert_eq!((&report["seen"], &report["notes"]["no_termination"]), (&200.into(), &1.into()));

    fs::write(bench.path("live.pgn"), begin).unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::OpenOptions::new().append(true).open(bench.path("live.pgn")).unwrap();
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                file.write_all(b" ").unwrap();
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            file.write_all(end.as_bytes()).unwrap();
        });
        let output = bench.run(&["import", "live.pgn", "--format", "json"]);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        output
    });
    assert_eq!(output.status.code(), Some(1));
    let first = self::report(&output);
    assert_eq!((&first["seen"], &first["unfinished"][0]["game"]), (&199.into(), &200.into()));
    let said = text(&output.stderr);
    assert!(said.contains("the next import will read it"), "{said}");
    let second = bench.import(&["live.pgn"]);
    assert_eq!((&second["seen"], &second["met"][0]["how"]), (&1.into(), &"continued".into()));
    assert!(bench.ok(&["export"]) == export);
}

/// Imports a large file, and does something to it meanwhile.
fn import_meanwhile(bench: &Bench, meanwhile: impl FnOnce(&fs::File)) -> Output {
    let arguments = ["import", "large.pgn", "--format", "json", "--threads", "1"];
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The archive exists once the first games are stored; the reader is a few batches ahead.
    while !bench.path("plybook.db").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    meanwhile(&fs::OpenOptions::new().write(true).open(bench.path("large.pgn")).unwrap());
    child.wait_with_output().unwrap()
}

#[test]
fn a_file_that_shrinks_or_changes_while_it_is_read_is_reported_and_read_again() {
    let games = many_games(12_000);
    let changed = games.replacen("Morphy", "Murphy", 9999);
    assert_ne!(games, changed);
    let at = (0..games.len()).rev().find(|at| games.as_bytes()[*at] != changed.as_bytes()[*at]).unwrap();
    let shrink = |file: &fs::File| file.set_len(games.len() as u64 / 2 + 77).unwrap();
    let change = |mut file: &fs::File| {
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&changed.as_bytes()[at..=at]).unwrap();
    };
    let nothing = |_: &fs::File| ();
    type Meanwhile<'a> = &'a dyn Fn(&fs::File);
    for (way, meanwhile) in [("shrinks", &shrink as Meanwhile<'_>), ("changes", &change), ("", &nothing)] {
        let bench = Bench::new();
        fs::write(bench.path("large.pgn"), &games).unwrap();
        let output = import_meanwhile(&bench, meanwhile);
        let said = text(&output.stderr);
        if way.is_empty() {
            // The control.
            assert_eq!(output.status.code(), Some(1), "{said}");
            continue;
        }
        assert_eq!(output.status.code(), Some(2), "{way}: {said}");
        assert!(said.contains("large.pgn: the file changed while it was being read"), "{way}: {said}");
        // After the file is complete again, all its games are there.
        fs::write(bench.path("large.pgn"), &changed).unwrap();
        bench.import(&["large.pgn"]);
        assert_eq!(bench.import(&["large.pgn"])["met"][0]["how"], "done");
        fs::write(bench.path("clean.pgn"), &changed).unwrap();
        let clean = bench.import(&["clean.pgn"]);
        assert_eq!((&clean["seen"], &clean["stored"]), (&12_000.into(), &0.into()), "{way}");
    }
}

#[cfg(unix)]
#[test]
fn a_change_in_the_middle_is_noticed_even_with_the_same_size_and_time() {
    let bench = Bench::new();
    let games = many_games(1500);
    fs::write(bench.path("games.pgn"), &games).unwrap();
    // A file that has just been changed has no stamp.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    bench.import(&["games.pgn"]);
    let stamp = |bench: &Bench| -> Option<i64> {
        let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
        db.query_row("SELECT stamp FROM source", [], |row| row.get(0)).unwrap()
    };
    assert!(stamp(&bench).is_some());
    // The control.
    assert_eq!(bench.import(&["games.pgn"])["met"][0]["how"], "done");
    let time = fs::metadata(bench.path("games.pgn")).unwrap().modified().unwrap();
    let middle = games[games.len() / 2..].find("Event \"").unwrap() + games.len() / 2 + 7;
    let mut file = fs::OpenOptions::new().write(true).open(bench.path("games.pgn")).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(middle as u64)).unwrap();
    file.write_all(b"#").unwrap();
    file.set_modified(time).unwrap();
    drop(file);
    let report = bench.import(&["games.pgn"]);
    assert_eq!((&report["met"][0]["how"], &report["stored"]), (&"changed".into(), &1.into()));
}

#[test]
fn last_game_is_stored_after_a_full_batch() {
    for games in [1, 1023, 1024, 1025, 2049, 3000] {
        for end in ["", "\n", "\n\n"] {
            let bench = Bench::new();
            let game = |number| format!("[Event \"{number}\"] 1. e4 e5 *");
            let lines: Vec<String> = (0..games).map(game).collect();
            fs::write(bench.path("games.pgn"), lines.join("\n") + end).unwrap();
            assert_eq!(counts(&bench.import(&["games.pgn"])), [games, games, 0], "{end:?}");
        }
    }
}

#[test]
fn an_import_under_conditions_that_was_stopped_is_resumed_and_stores_the_same_games() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(4000)).unwrap();
    bench.import(&["games.pgn", "--player", "morphy", "-a", "whole.db"]);
    let condition = FilterText::of([("player", "morphy")]).unwrap().at_import().unwrap();
    let base = Some(bench.folder.path().to_owned());
    let options = Options { condition, commit_every: 1, threads: 1, base, ..Options::default() };
    let import = |batches: usize| {
        options.cancel.store(false, Ordering::Relaxed);
        import_and(&bench, &options, batches, || options.cancel.store(true, Ordering::Relaxed)).unwrap()
    };
    let (first, second) = (import(2), import(usize::MAX));
    assert!(first.cancelled && first.stored > 0 && first.unmatched > 0);
    assert_eq!(second.known_sources[0].outcome, ResumeOutcome::Resumed);
    assert!(second.unmatched > 0);
    assert!(bench.ok(&["export"]) == bench.ok(&["export", "-a", "whole.db"]));
    let number = "SELECT group_concat(number) FROM source_span";
    assert_eq!(bench.ok(&["sql", number]), bench.ok(&["sql", number, "-a", "whole.db"]));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

/// Imports games.pgn; after so many batches, the function is called.
fn import_and(
    bench: &Bench,
    options: &Options,
    batches: usize,
    mut then: impl FnMut(),
) -> Result<Report, ImportError> {
    let mut seen = 0;
    import_with_progress(&bench.path("plybook.db"), &[bench.path("games.pgn")], options, |_| {
        seen += 1;
        if seen == batches {
            then();
        }
    })
}

#[test]
fn an_import_that_is_undone_while_it_runs_stops_and_is_read_anew() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(4000)).unwrap();
    bench.import(&["games.pgn", "-a", "whole.db"]);
    let base = Some(bench.folder.path().to_owned());
    let options = Options { commit_every: 1, threads: 1, base, ..Options::default() };
    let undo = || drop(Editor::open(bench.path("plybook.db")).unwrap().undo(None).unwrap());
    let stopped = import_and(&bench, &options, 2, undo);
    let error = stopped.unwrap_err().to_string();
    assert!(error.contains("another program has undone an import"), "{error}");
    assert!(bench.ok(&["verify"]).contains("all intact"));
    import_and(&bench, &options, usize::MAX, || ()).unwrap();
    assert!(bench.ok(&["export"]) == bench.ok(&["export", "-a", "whole.db"]));
}

#[test]
fn an_import_that_was_stopped_undone_and_redone_is_continued_by_another_import() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(4000)).unwrap();
    bench.import(&["games.pgn", "-a", "whole.db"]);
    let base = Some(bench.folder.path().to_owned());
    let options = Options { commit_every: 1, threads: 1, base, ..Options::default() };
    import_and(&bench, &options, 2, || options.cancel.store(true, Ordering::Relaxed)).unwrap();
    options.cancel.store(false, Ordering::Relaxed);
    let first = bench.ok(&["export"]);
    bench.ok(&["undo"]);
    bench.ok(&["redo"]);
    import_and(&bench, &options, usize::MAX, || ()).unwrap();
    let whole = bench.ok(&["export"]);
    assert!(whole == bench.ok(&["export", "-a", "whole.db"]));
    bench.ok(&["undo"]);
    assert!(bench.ok(&["export"]) == first);
    bench.ok(&["redo"]);
    assert!(bench.ok(&["export"]) == whole);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}
