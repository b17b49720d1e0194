//! Output files: a file appears when it is complete, protected files are not overwritten, and nothing is left behind.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    alone, beside_others,
    common::{
        self, Bench, data, many_games,
        signals::{signal, until_handled},
        text,
    },
};

/// Every command that writes a file; its name is last.
const WRITERS: [&[&str]; 11] = [
    &["export", "-o"],
    &["export", "-f", "-o"],
    &["generate", "--games", "3", "-o"],
    &["generate", "--games", "3", "--force", "--output"],
    &["export", "--format", "csv", "-o"],
    &["book", "-o"],
    &["book", "-f", "-o"],
    &["backup"],
    &["backup", "--force"],
    &["salvage", "plybook.db", "-o"],
    &["import", "bad.pgn", "packed.pgn.zst", "games.zip", "earlier.pgn", "--rejects"],
];

const BAD: &str = "[Event \"bad\"]\n\n1. e4 Ke5 *\n";
const EARLIER: &str =
    "% bad.pgn: game 1, line 3, byte 10: an earlier reason\n[Event \"x\"]\n\n1. e4 Ke5 *\n\n";

/// An archive, sources of every kind, links to all of them, and files in the way.
fn crowded() -> Bench {
    let bench = Bench::with_games();
    let write = |name: &str, bytes: &[u8]| fs::write(bench.path(name), bytes).unwrap();
    write("bad.pgn", BAD.as_bytes());
    write("packed.pgn.zst", &zstd::encode_all(BAD.as_bytes(), 1).unwrap());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("member.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(BAD.as_bytes()).unwrap();
    write("games.zip", &zip.finish().unwrap().into_inner());
    write("earlier.pgn", EARLIER.as_bytes());
    write("notes.txt", b"these are no rejected games");
    fs::create_dir(bench.path("folder")).unwrap();
    for (name, to) in [
        ("link.db", "plybook.db"),
        ("link_of_link.db", "link.db"),
        ("log", "plybook.db-wal"),
        ("link.pgn", "bad.pgn"),
        ("link_to_folder", "folder"),
        ("circle", "circle"),
        ("nowhere", "no/such/file"),
    ] {
        symlink(to, bench.path(name)).unwrap();
    }
    for name in ["plybook.db", "bad.pgn", "packed.pgn.zst", "games.zip", "earlier.pgn"] {
        fs::hard_link(bench.path(name), bench.path(&format!("hard_{name}"))).unwrap();
    }
    bench
}

/// Everything in a directory: bytes, or the target of a link.
fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let printed = entries.map(|entry| {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let bytes = if kind.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if kind.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        (entry.file_name().into_string().unwrap(), bytes)
    });
    printed.collect()
}

/// Runs a command in a shell.
fn shell(bench: &Bench, command: &str) -> Output {
    let script = format!("{} {command}", env!("CARGO_BIN_EXE_plybook"));
    Command::new("sh").args(["-c", &script]).current_dir(bench.folder.path()).output().unwrap()
}

/// Runs a command that must fail with one line and change nothing.
fn refused_and_harmless(bench: &Bench, arguments: &[&str]) -> String {
    let before = all(bench.folder.path());
    let line = bench.refused(arguments);
    assert!(all(bench.folder.path()) == before, "{arguments:?} changed something: {line}");
    line
}

#[test]
fn archives_and_special_paths_are_not_overwritten() {
    let _lock = beside_others();
    let bench = crowded();
    let long = "x".repeat(300);
    for writer in WRITERS {
        for target in [
            "plybook.db",
            "./plybook.db",
            "folder/../plybook.db",
            "link.db",
            "link_of_link.db",
            "hard_plybook.db",
            "plybook.db-wal",
            "plybook.db-journal",
            "plybook.db-shm",
            "log",
            "folder",
            "folder/",
            "new/",
            ".",
            "link_to_folder",
            "circle",
            "nowhere",
            "no/such/folder",
            "notes.txt/x",
            &long,
        ] {
            // A table is written into a directory.
            let is_folder = ["folder", "folder/", "new/", ".", "link_to_folder"].contains(&target);
            if writer.contains(&"csv") && is_folder {
                continue;
            }
            let line = refused_and_harmless(&bench, &[writer, &[target]].concat());
            assert!(line.contains(target), "{line}");
        }
    }
    // The control: each of them does write where it is allowed to.
    for (number, writer) in WRITERS.into_iter().enumerate() {
        let target = format!("new{number}");
        let output = bench.run(&[writer, &[&target]].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{writer:?}: {}", text(&output.stderr));
        assert!(fs::metadata(bench.path(&target)).unwrap().len() > 0, "{writer:?}");
    }
    assert!(!all(bench.folder.path()).keys().any(|name| name.contains("part")));
    // And overwritten files are detected.
    let before = all(bench.folder.path());
    fs::write(bench.path("hard_plybook.db"), "gone").unwrap();
    assert!(all(bench.folder.path()) != before);
}

#[test]
fn redirection_cannot_append_an_export_to_its_archive() {
    let _lock = beside_others();
    let bench = crowded();
    let before = all(bench.folder.path());
    for command in
        ["export >> plybook.db", "export -o - >> link.db", "import bad.pgn --rejects - >> plybook.db"]
    {
        let output = shell(&bench, command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(
            text(&output.stderr).contains("the archive used by this command"),
            "{}",
            text(&output.stderr)
        );
        assert!(all(bench.folder.path()) == before, "{command}");
    }
}

#[test]
fn redirection_cannot_append_output_to_an_archive_or_source() {
    let _lock = beside_others();
    let bench = crowded();
    let commands = [
        "games",
        "games --format csv",
        "find --material 'KQR K*'",
        "explore",
        "stats",
        "report",
        "report --player '*' --format json",
        "novelty",
        "novelty 3",
        "prepare --against '*' --as white",
        "repertoire bad.pgn --as white",
        "show 1",
        "verify",
        "index",
        "migrate",
        "import bad.pgn --again",
        "sql 'SELECT 1'",
        "salvage plybook.db -o new.db",
    ];
    let archives = commands.into_iter().flat_map(|command| {
        ["plybook.db", "link.db", "hard_plybook.db"]
            .map(|to| (format!("{command} >> {to}"), "the archive used by this command"))
    });
    let readers = [
        "novelty 3 absent.pgn bad.pgn",
        "repertoire bad.pgn --as white",
        "annotate bad.pgn",
        "import bad.pgn --again",
    ];
    let sources = readers.into_iter().flat_map(|command| {
        ["bad.pgn", "hard_bad.pgn"].map(|to| (format!("{command} >> {to}"), "a source read by this command"))
    });
    let before = all(bench.folder.path());
    for (command, refused) in archives.chain(sources) {
        let output = shell(&bench, &command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(text(&output.stderr).contains(refused), "{command}: {}", text(&output.stderr));
        assert!(all(bench.folder.path()) == before, "{command}");
    }
    // The control: they print to other files.
    for command in ["games", "report", "novelty 3", "verify"] {
        let output = shell(&bench, &format!("{command} >> rows.txt"));
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
    }
    assert!(fs::metadata(bench.path("rows.txt")).unwrap().len() > 1000);
}

#[test]
fn rejected_games_are_appended_only_to_their_own_file() {
    let _lock = beside_others();
    let bench = crowded();
    let import =
        |target: &str| refused_and_harmless(&bench, &[WRITERS[WRITERS.len() - 1], &[target]].concat());
    for source in ["bad.pgn", "packed.pgn.zst", "games.zip", "earlier.pgn"] {
        for target in [source, &format!("./{source}"), &format!("hard_{source}")] {
            let line = import(target);
            assert!(line.contains("a source read by this command"), "{target}: {line}");
        }
    }
    assert!(import("link.pgn").contains("a source read by this command"));
    assert!(import("notes.txt").contains("does not contain rejected games"));
    let output = shell(&bench, "import - --rejects earlier.pgn < earlier.pgn");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));

    // The control: they are appended to their own earlier file; if a crash truncated it, on a new line.
    let cut = EARLIER.trim_end();
    fs::write(bench.path("earlier.pgn"), cut).unwrap();
    assert_eq!(bench.run(&["import", "bad.pgn", "--rejects", "earlier.pgn"]).status.code(), Some(1));
    let rejects = fs::read_to_string(bench.path("earlier.pgn")).unwrap();
    let added = rejects.strip_prefix(cut).unwrap();
    assert!(added.starts_with("\n\n% bad.pgn: game 1, line 3, byte "), "{added}");
    // Without rejected games there is no file.
    bench.ok(&["import", data("setup.pgn").to_str().unwrap(), "--rejects", "none.pgn"]);
    assert!(!bench.path("none.pgn").exists());
    let shown = bench.run(&["import", "bad.pgn", "--again", "--quiet", "--rejects", "-"]);
    assert!(text(&shown.stdout).starts_with("% bad.pgn: game 1, line 3"), "{}", text(&shown.stdout));
}

#[test]
fn archives_cannot_be_imported_into_themselves() {
    let _lock = beside_others();
    let bench = crowded();
    for (source, archive) in
        [("plybook.db", "plybook.db"), ("link.db", "plybook.db"), ("hard_plybook.db", "link.db")]
    {
        let line = refused_and_harmless(&bench, &["import", source, "-a", archive]);
        assert!(line.contains("the archive used by this command"), "{line}");
    }
    // A source that is not an archive yet does not become one.
    assert!(refused_and_harmless(&bench, &["import", "bad.pgn", "-a", "bad.pgn"]).contains("bad.pgn"));
}

#[test]
fn files_are_replaced_only_with_force_and_keep_permissions_and_links() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    let expected = bench.ok(&["export"]);
    fs::write(bench.path("old.pgn"), "old").unwrap();
    fs::set_permissions(bench.path("old.pgn"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    symlink("../old.pgn", bench.path("folder/link.pgn")).unwrap();
    symlink("later.pgn", bench.path("dangling.pgn")).unwrap();
    let line = refused_and_harmless(&bench, &["export", "-o", "folder/link.pgn"]);
    assert!(
        line.ends_with(
            "folder/link.pgn: the file already exists; choose another name, or use --force to overwrite it"
        ),
        "{line}"
    );
    bench.ok(&["export", "--force", "-o", "folder/link.pgn"]);
    assert_eq!(fs::read_to_string(bench.path("old.pgn")).unwrap(), expected);
    assert_eq!(fs::metadata(bench.path("old.pgn")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(bench.path("folder/link.pgn").is_symlink());
    bench.ok(&["export", "-o", "dangling.pgn"]);
    assert_eq!(fs::read_to_string(bench.path("later.pgn")).unwrap(), expected);
    assert!(bench.path("dangling.pgn").is_symlink());

    // A backup may replace an earlier one, but not if another program's log is next to it, nor a database of another
    // program; no other output replaces an archive.
    bench.ok(&["backup", "saved.db"]);
    bench.ok(&["backup", "saved.db", "--force"]);
    for name in ["saved.db-wal", "new.db-journal"] {
        fs::write(bench.path(name), "what another program has not written back yet").unwrap();
        let archive = name.split('-').next().unwrap();
        let line = refused_and_harmless(&bench, &["backup", archive, "--force"]);
        assert!(line.contains(name), "{line}");
        fs::remove_file(bench.path(name)).unwrap();
    }
    let foreign = rusqlite::Connection::open(bench.path("foreign.db")).unwrap();
    foreign.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(foreign);
    for arguments in [
        &["backup", "--force", "foreign.db"][..],
        &["export", "--force", "-o", "saved.db"],
        &["generate", "--games", "1", "--force", "-o", "foreign.db"],
        &["import", data("setup.pgn").to_str().unwrap(), "--rejects", "saved.db"],
        &["salvage", "plybook.db", "-o", "saved.db"],
    ] {
        refused_and_harmless(&bench, arguments);
    }
}

#[test]
fn no_file_is_created_without_matches() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    fs::write(bench.path("old.pgn"), "old").unwrap();
    let before = all(bench.folder.path());
    for arguments in [
        &["export", "--player", "nobody", "-o", "new.pgn"][..],
        &["export", "--player", "nobody", "-f", "-o", "old.pgn"],
    ] {
        let output = bench.run(arguments);
        let expected =
            "plybook: no player is called \"nobody\"\nplybook: no chess game matches the filters\n";
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), expected));
        assert!(all(bench.folder.path()) == before);
    }
}

/// A pipe that is no longer read.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

// Only Linux has /dev/full.
#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_written_directly() {
    let _lock = beside_others();
    let bench = crowded();
    let before = all(bench.folder.path());
    let import = |target| ["import", "bad.pgn", "--again", "--quiet", "--rejects", target];
    let cases: [(&[&str], i32); 8] = [
        (&["export", "-o", "/dev/null"], 0),
        (&["generate", "--games", "3", "-o", "/dev/null"], 0),
        (&import("/dev/null"), 1),
        (&["export", "-o", "/dev/full"], 2),
        (&["generate", "--games", "3", "-o", "/dev/full"], 2),
        (&import("/dev/full"), 2),
        (&["backup", "--force", "/dev/null"], 2),
        (&["salvage", "plybook.db", "-o", "/dev/null"], 2),
    ];
    for (arguments, code) in cases {
        let output = bench.run(arguments);
        let said = text(&output.stderr);
        assert_eq!(
            (output.status.code(), said.lines().count()),
            (Some(code), usize::from(code == 2)),
            "{said}"
        );
        assert!(code != 2 || said.contains("/dev/"), "{said}");
    }
    for arguments in
        [&["export"][..], &["export", "-o", "-"], &["generate", "--games", "3", "-o", "/dev/stdout"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.command(arguments).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    }
    let _ = fs::remove_file(bench.path("plybook.db"));
    bench.ok(&["import", "--quiet", data("famous.pgn").to_str().unwrap()]);
    assert!(all(bench.folder.path()).keys().eq(before.keys()));

    // A named pipe, with a reader that stays and one that ends.
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    for stays in [true, false] {
        let mut child = bench.command(&["generate", "--games", "2000", "-o", "pipe"]);
        let child = child.stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = fs::File::open(bench.path("pipe")).unwrap();
        let read = if stays { std::io::copy(&mut reader, &mut std::io::sink()).unwrap() } else { 0 };
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
        assert_eq!(read > 1_000_000, stays);
    }
}

#[test]
fn closed_pipes_do_not_change_the_exit_code() {
    let _lock = beside_others();
    let bench = Bench::with_games();
    fs::write(bench.path("bad.pgn"), BAD).unwrap();
    fs::copy(bench.path("plybook.db"), bench.path("damaged.db")).unwrap();
    let db = rusqlite::Connection::open(bench.path("damaged.db")).unwrap();
    db.execute_batch("UPDATE game SET plies = plies + 1 WHERE id = 3").unwrap();
    drop(db);
    let cases: [(&[&str], i32); 11] = [
        (&["verify"], 0),
        (&["verify", "-a", "damaged.db"], 1),
        (&["verify", "-a", "damaged.db", "--format", "json"], 1),
        (&["export"], 0),
        (&["games"], 0),
        (&["salvage", "plybook.db", "-o", "a.db"], 0),
        (&["salvage", "damaged.db", "-o", "b.db"], 1),
        (&["backup", "c.db"], 0),
        (&["import", "bad.pgn", "--again"], 1),
        (&["import", "bad.pgn", "--again", "--format", "json"], 1),
        (&["path", "1. e4 e5", "-a", "plybook.db"], 0),
    ];
    for (arguments, code) in cases {
        let output = bench.command(arguments).stdout(closed()).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        // The message does not concern the reader; only a damaged archive has a fix, which does not depend on it.
        let remedy = "plybook: to copy the intact games: plybook salvage damaged.db -o saved.db\n";
        let said = if arguments.starts_with(&["verify", "-a"]) { remedy } else { "" };
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(code), said),
            "{arguments:?}"
        );
        // The same if standard error is closed.
        let deaf = bench.command(&["show", "1", "-a", "none.db"]).stderr(closed()).status().unwrap();
        assert_eq!(deaf.code(), Some(2));
    }
}

#[test]
fn full_disks_leave_nothing_behind() {
    let _lock = beside_others();
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(1000)).unwrap();
    bench.import(&["many.pgn"]);
    let before = all(bench.folder.path());
    for command in [
        "export -o new.pgn",
        "generate --games 1000 -o new.pgn",
        "backup new.db",
        "salvage plybook.db -o new.db",
    ] {
        // A limit on file size simulates the full disk: writes beyond it fail.
        let script = format!("ulimit -f 40; exec {} {command}", env!("CARGO_BIN_EXE_plybook"));
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(bench.folder.path()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{command}: {said}");
        assert!(said.contains("new."), "{command}: {said}");
        assert!(all(bench.folder.path()) == before, "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_directories_are_reported_in_one_line() {
    let _lock = beside_others();
    let Some(shim) = common::shim::Shim::new() else { return };
    let (bench, temporary) = (crowded(), tempfile::tempdir().unwrap());
    let before = all(bench.folder.path());
    for writer in WRITERS {
        let output = shim.run_read_only(&bench, &[writer, &["new"]].concat(), temporary.path());
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{writer:?}: {said}");
        assert!(said.starts_with("plybook: new: "), "{writer:?}: {said}");
        assert!(all(bench.folder.path()) == before, "{writer:?}");
    }
}

/// Starts a command that handles signals, whatever this process does about them.
fn start(bench: &Bench, arguments: &[&str]) -> Child {
    minding_signals(bench, arguments).spawn().unwrap()
}

fn minding_signals(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = Command::new("env");
    if cfg!(target_os = "linux") {
        command.arg("--default-signal=INT,TERM,HUP");
    }
    command.arg(env!("CARGO_BIN_EXE_plybook")).args(arguments).current_dir(bench.folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command repeatedly with a signal in the middle: as soon as a file exists, or after a while. Returns the
/// result of the run that the signal reached.
fn stopped(bench: &Bench, arguments: &[&str], until: Option<&str>, name: &str) -> Output {
    for round in 0..200 {
        let before = all(bench.folder.path());
        let mut child = start(bench, arguments);
        let begin = Instant::now();
        match until {
            Some(file) => {
                while !bench.path(file).exists() && child.try_wait().unwrap().is_none() {
                    sleep(Duration::from_micros(100));
                }
            }
            None => {
                until_handled(child.id());
                sleep(Duration::from_millis(60));
            }
        }
        let running = child.try_wait().unwrap().is_none();
        if running {
            signal(child.id(), name);
        }
        let stopped = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(60));
        if output.status.code() != Some(0) {
            assert!(stopped.elapsed() < Duration::from_secs(2), "{arguments:?}");
            if name != "KILL" {
                assert_eq!(output.status.code(), Some(130), "{arguments:?}, round {round}");
                assert!(all(bench.folder.path()) == before, "{arguments:?}");
            }
            return output;
        }
        for made in ["new.db", "new.pgn"] {
            let _ = fs::remove_file(bench.path(made));
        }
    }
    panic!("no signal has reached {arguments:?}");
}

#[test]
fn stopped_commands_leave_nothing_and_set_the_exit_code() {
    let _lock = alone();
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "20000", "-o", "made.pgn"]);
    bench.ok(&["import", "made.pgn", "--quiet"]);
    let endless = ["generate", "--games", "100000000", "-o", "new.pgn"];
    let shards = ["export", "--format", "csv", "--positions", "--shards", "3", "-o", "new/"];
    let cases: [(&[&str], Option<&str>); 10] = [
        (&shards, Some("new/positions-00001-of-00003.csv.plybook-part")),
        (&endless, Some("new.pgn.plybook-part")),
        (&["generate", "--games", "100000000", "-o", "/dev/null"], None),
        (&["export", "-o", "new.pgn"], Some("new.pgn.plybook-part")),
        (&["backup", "new.db"], Some("new.db.plybook-part")),
        (&["salvage", "plybook.db", "-o", "new.db"], Some("new.db.plybook-part")),
        (&["verify"], None),
        (&["stats", "--positions"], None),
        // Their reader does not read.
        (&["export"], None),
        (&["games"], None),
    ];
    for name in ["INT", "TERM"] {
        for (arguments, part) in cases {
            stopped(&bench, arguments, part, name);
        }
    }
    // The file of a killed process has a recognizable name; the next run removes it.
    let salvage = ["salvage", "plybook.db", "-o", "new.db"];
    for (arguments, file) in [(&endless[..], "new.pgn"), (&salvage[..], "new.db")] {
        let part = format!("{file}.plybook-part");
        stopped(&bench, arguments, Some(&part), "KILL");
        assert!(bench.path(&part).exists() && !bench.path(file).exists());
    }
    bench.ok(&["generate", "--games", "3", "-o", "new.pgn"]);
    bench.ok(&["salvage", "plybook.db", "-o", "new.db"]);
    assert!(bench.ok(&["verify", "-a", "new.db"]).contains("20,000 games"));
    let left = all(bench.folder.path());
    assert!(left.keys().eq(["made.pgn", "new.db", "new.pgn", "plybook.db"].iter()), "{:?}", left.keys());
}

#[test]
fn temporary_copies_are_removed_on_signals() {
    let _lock = beside_others();
    let bench = Bench::new();
    fs::copy(data("archives/v3.db"), bench.path("plybook.db")).unwrap();
    // Large enough for a signal to arrive while it is copied.
    rusqlite::Connection::open(bench.path("plybook.db"))
        .unwrap()
        .execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (zeroblob(200000000))")
        .unwrap();
    let folder = bench.path("tmp");
    fs::create_dir(&folder).unwrap();
    let copies = || fs::read_dir(&folder).unwrap().count();
    for name in ["INT", "TERM"] {
        // A run that was faster than the signal proves nothing.
        let stopped = (0..10).any(|_| {
            let mut child = minding_signals(&bench, &["games"]).env("TMPDIR", &folder).spawn().unwrap();
            while copies() == 0 && child.try_wait().unwrap().is_none() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            signal(child.id(), name);
            let status = child.wait().unwrap();
            assert_eq!(copies(), 0, "{name}: {status}");
            status.code() == Some(130)
        });
        assert!(stopped, "{name} never came in time");
    }
}

#[test]
fn two_processes_do_not_write_the_same_file() {
    let _lock = beside_others();
    let bench = Bench::new();
    let endless = ["generate", "--games", "100000000", "-o", "new.pgn"];
    let first = start(&bench, &endless);
    while !bench.path("new.pgn.plybook-part").exists() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(100));
    assert!(
        bench
            .refused(&["generate", "--games", "1", "-o", "new.pgn"])
            .contains("another plybook process is writing")
    );
    // A file created there meanwhile is not replaced.
    signal(first.id(), "INT");
    first.wait_with_output().unwrap();
    bench.ok(&["generate", "--games", "1", "-o", "new.pgn"]);
}
