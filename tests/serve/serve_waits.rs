//! The limits of the server that take ten seconds to reach, tested at the same time.
#![cfg(all(feature = "web", unix))]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::common::{
    Bench, many_games,
    server::{Reply, Served},
};

const INFO: &[u8] = b"GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Waits until the server closes a connection, whatever it sends before.
fn wait_for_end(mut stream: TcpStream) {
    let mut bytes = [0; 1024];
    // A reset connection has ended too.
    while stream.read(&mut bytes).is_ok_and(|bytes| bytes > 0) {}
}

#[test]
fn clients_that_take_too_long_are_cut_off_while_others_are_answered() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let begin = Instant::now();
    let silent = served.connect();
    let half = served.connect();
    (&half).write_all(&INFO[..20]).unwrap();
    let dribbling = served.connect();
    let dribbles = dribbling.try_clone().unwrap();
    let asked = || {
        let stream = served.connect();
        (&stream).write_all(INFO).unwrap();
        assert!(Reply::read(&mut BufReader::new(stream.try_clone().unwrap())).is_some());
        stream
    };
    let (idle, half_of_second) = (asked(), asked());
    (&half_of_second).write_all(&INFO[..20]).unwrap();
    let half_at_once = served.connect();
    (&half_at_once).write_all(&[INFO, &INFO[..20]].concat()).unwrap();
    let (ended, ends) = mpsc::channel();
    thread::scope(|threads| {
        for (name, stream) in [
            ("silent", silent),
            ("half a head", half),
            ("a byte now and then", dribbling),
            ("half a second head", half_of_second),
            ("half a second head at once", half_at_once),
            ("idle", idle),
        ] {
            let ended = ended.clone();
            threads.spawn(move || {
                wait_for_end(stream);
                ended.send(name).unwrap();
            });
        }
        threads.spawn(move || {
            for byte in INFO.iter().cycle() {
                thread::sleep(Duration::from_millis(300));
                if (&dribbles).write_all(&[*byte]).is_err() {
                    break;
                }
            }
        });
        let mut slow = Vec::new();
        while slow.len() < 6 {
            assert_eq!(served.get("/api/v1/info").status, 200);
            slow.extend(ends.recv_timeout(Duration::from_millis(50)));
        }
        slow.sort_unstable();
        // After an answer, a connection may stay idle for as long as a header may take.
        let expected = [
            "a byte now and then",
            "half a head",
            "half a second head",
            "half a second head at once",
            "idle",
            "silent",
        ];
        assert_eq!(slow, expected);
        assert!((9..25).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
    });
}

#[test]
fn long_answers_in_progress_are_completed_when_the_server_stops() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), many_games(12_000)).unwrap();
    bench.run(&["import", "-q", "a.pgn"]);
    let mut served = Served::new(&bench, &["--threads", "1"]);
    let ask = |path: &str| {
        let stream = served.connect();
        (&stream).write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
        BufReader::with_capacity(1024, stream)
    };
    // It is too long to be sent before some of it is read.
    let mut export = ask("/api/v1/export");
    export.fill_buf().unwrap();
    let mut search = ask("/api/v1/games?ends_in=stalemate");
    thread::sleep(Duration::from_millis(50));
    served.signal("TERM");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(Reply::read(&mut search).unwrap().status, 200);
    // `read` fails if an answer is cut off.
    let games = Reply::read(&mut export).unwrap().text().matches("[Event ").count() as u64;
    assert_eq!(served.ended_within(Duration::from_secs(20)).expect("it goes on").code(), Some(0));
    assert_eq!(games, bench.ok(&["games", "--format", "ids"]).lines().count() as u64);
}

/// The most connections of a server.
const MOST: usize = 256;

#[test]
fn connections_that_send_no_complete_request_do_not_keep_others_out() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let form =
        b"POST /prepare HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\
        Content-Length: 1000\r\n\r\nopponent=";
    for begun in [&b""[..], &INFO[..20], form] {
        let open = || {
            let stream = served.connect();
            (&stream).write_all(begun).unwrap();
            stream
        };
        let mut half: Vec<TcpStream> = (0..MOST).map(|_| open()).collect();
        let kept = half.pop().unwrap();
        for _ in 0..3 {
            let begin = Instant::now();
            assert_eq!(served.get("/api/v1/info").status, 200);
            assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        }
        // The first had waited longest; the last still has its place.
        wait_for_end(half.remove(0));
        if begun == &INFO[..20] {
            (&kept).write_all(&INFO[20..]).unwrap();
            assert_eq!(Reply::read(&mut BufReader::new(kept)).unwrap().status, 200);
        }
    }
}

#[test]
fn an_answer_that_is_being_sent_keeps_its_place() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), many_games(12_000)).unwrap();
    bench.run(&["import", "-q", "a.pgn"]);
    let served = Served::new(&bench, &[]);
    let stream = served.connect();
    (&stream).write_all(b"GET /api/v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut export = BufReader::with_capacity(1024, stream);
    export.fill_buf().unwrap();
    let silent: Vec<TcpStream> = (0..MOST + 50).map(|_| served.connect()).collect();
    assert_eq!(served.get("/api/v1/info").status, 200);
    // `read` fails if an answer is cut off.
    let games = Reply::read(&mut export).unwrap().text().matches("[Event ").count() as u64;
    assert_eq!(games, bench.ok(&["games", "--format", "ids"]).lines().count() as u64);
    drop(silent);
}
