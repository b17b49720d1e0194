//! What is left of uploads: nothing, even if the server is killed.
#![cfg(all(feature = "web", unix))]

use std::{
    fs,
    io::{BufReader, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use crate::{
    common::{
        Bench,
        server::{Reply, Served},
    },
    editor::Editor,
};

const GAME: &str = "1. a3 a6 2. h3 *\n";

/// A server that keeps uploads in a directory.
fn editor(temporary: &Path) -> Editor {
    let bench = Bench::with_games();
    let mut command = bench.command(&["serve", "-q", "--edit", "--port", "0"]);
    command.env("TMPDIR", temporary);
    let served = Served::of(command);
    Editor::browsing(bench, served)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Begins an upload whose end has not arrived, and waits until it is stored.
fn begun(editor: &Editor, temporary: &Path) -> (TcpStream, PathBuf) {
    let before = entries(temporary);
    let head = format!(
        "POST /edit/import?name=lock HTTP/1.1\r\n{}Accept: application/json\r\nContent-Length: {}\r\n\r\n",
        editor.headers(),
        GAME.len() + 1
    );
    let mut stream = editor.served.connect();
    stream.write_all(&[head.as_bytes(), GAME.as_bytes()].concat()).unwrap();
    let since = Instant::now();
    loop {
        let new = entries(temporary).into_iter().find(|path| !before.contains(path));
        if let Some(folder) =
            new.filter(|folder| fs::read(folder.join("lock")).is_ok_and(|text| !text.is_empty()))
        {
            return (stream, folder);
        }
        assert!(since.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_next_server_removes_uploads_of_a_killed_one_but_not_those_of_a_running_one() {
    let temporary = Bench::new();
    let temporary = temporary.folder.path();
    let killed = editor(temporary);
    let (_stream, left) = begun(&killed, temporary);
    // Dropping the server kills it.
    drop(killed);
    let running = editor(temporary);
    assert!(!left.exists());
    let (mut stream, arriving) = begun(&running, temporary);
    for own in ["plybook-upload-mine", "other"] {
        fs::create_dir(temporary.join(own)).unwrap();
        fs::write(temporary.join(own).join("file"), "mine").unwrap();
    }
    for _ in 0..3 {
        drop(editor(temporary));
        assert!(arriving.join("lock").exists());
    }
    stream.write_all(b"\n").unwrap();
    let reply = Reply::read(&mut BufReader::new(stream)).unwrap();
    assert!(reply.status == 200 && reply.text().contains("\"stored\":1"), "{}", reply.text());
    assert!(!arriving.exists() && temporary.join("other/file").exists());
    assert!(temporary.join("plybook-upload-mine/file").exists());
}

#[test]
fn servers_that_start_at_the_same_time_leave_each_other_alone() {
    let temporary = Bench::new();
    let temporary = temporary.folder.path();
    thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..3 {
                    let editor = editor(temporary);
                    let headers = editor.headers() + "Accept: application/json\r\n";
                    let reply = editor.send("/edit/import?name=a.pgn", &headers, GAME.as_bytes());
                    assert_eq!(reply.status, 200, "{}", reply.text());
                }
            });
        }
    });
    assert_eq!(entries(temporary), [] as [PathBuf; 0]);
}
