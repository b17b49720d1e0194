//! How long the server waits for clients, and how it ends.
#![cfg(all(feature = "web", unix))]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    sync::mpsc,
    thread,
    time::Duration,
};

use common::{
    Bench, many_games,
    server::{Reply, Served},
};

const INFO: &[u8] = b"GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Waits until the server closes a connection, whatever it sends before.
fn wait_for_end(mut stream: TcpStream) {
    let mut bytes = [0; 1024];
    // One that is reset has ended too.
    while stream.read(&mut bytes).is_ok_and(|bytes| bytes > 0) {}
}

#[test]
fn clients_that_take_too_long_are_cut_off_while_others_are_answered() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
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
        while slow.len() < 5 {
            assert_eq!(served.get("/api/v1/info").status, 200);
            slow.extend(ends.recv_timeout(Duration::from_millis(50)));
        }
        slow.sort_unstable();
        // One that has been answered may take its time until it asks again, but not for ever.
        let expected = [
            "a byte now and then",
            "half a head",
            "half a second head",
            "half a second head at once",
            "silent",
        ];
        assert_eq!(slow, expected);
        assert_eq!(ends.recv(), Ok("idle"));
    });
}

#[test]
fn there_is_room_for_so_many_connections_and_others_wait() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let ask = |mut stream: TcpStream| {
        stream.write_all(INFO).unwrap();
        Reply::read(&mut BufReader::new(stream.try_clone().unwrap())).map(|_| stream)
    };
    let open: Vec<TcpStream> = (0..256).map(|_| ask(served.connect()).unwrap()).collect();
    let late = served.connect();
    (&late).write_all(INFO).unwrap();
    late.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    assert!((&late).read(&mut [0; 1]).is_err(), "a connection too many was answered");
    drop(open);
    late.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    assert_eq!(Reply::read(&mut BufReader::new(late)).unwrap().status, 200);
}

#[test]
fn a_signal_ends_the_server_and_idle_connections_do_not_keep_it() {
    for signal in ["TERM", "INT"] {
        let bench = Bench::with_games();
        let mut served = Served::new(&bench, &[]);
        let idle = served.connect();
        (&idle).write_all(INFO).unwrap();
        assert!(Reply::read(&mut BufReader::new(idle.try_clone().unwrap())).is_some());
        served.signal(signal);
        let status = served.ended_within(Duration::from_secs(4)).expect("it goes on");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

#[test]
fn answers_that_have_begun_are_whole_when_the_server_is_stopped() {
    let bench = Bench::with_games();
    let mut served = Served::new(&bench, &[]);
    let address = served.address;
    let clients: Vec<_> = (0..8)
        .map(|_| {
            thread::spawn(move || {
                let (mut answers, Ok(stream)) = (0, TcpStream::connect(address)) else { return 0 };
                let mut from = BufReader::new(stream.try_clone().unwrap());
                while (&stream).write_all(INFO).is_ok() {
                    // `read` fails where an answer breaks off.
                    let Some(reply) = Reply::read(&mut from) else { break };
                    assert_eq!(reply.status, 200);
                    answers += 1;
                }
                answers
            })
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    served.signal("TERM");
    assert_eq!(served.ended_within(Duration::from_secs(5)).expect("it goes on").code(), Some(0));
    let answers: u32 = clients.into_iter().map(|client| client.join().unwrap()).sum();
    assert!(answers > 0);
}

/// A bench with an archive of games of which none is indexed, enough for an answer that takes a while.
fn many(games: usize) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), many_games(games)).unwrap();
    bench.run(&["import", "-q", "a.pgn"]);
    bench
}

#[test]
fn long_answers_that_have_begun_are_whole_when_the_server_is_stopped() {
    let bench = many(12_000);
    let mut served = Served::new(&bench, &["--threads", "1"]);
    let ask = |path: &str| {
        let stream = served.connect();
        (&stream).write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
        BufReader::with_capacity(1024, stream)
    };
    // It is too long to be sent before anything of it is read.
    let mut export = ask("/api/v1/export");
    export.fill_buf().unwrap();
    let mut search = ask("/api/v1/games?ends_in=stalemate");
    thread::sleep(Duration::from_millis(50));
    served.signal("TERM");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(Reply::read(&mut search).unwrap().status, 200);
    // `read` fails where an answer breaks off.
    let games = Reply::read(&mut export).unwrap().text().matches("[Event ").count() as u64;
    assert_eq!(served.ended_within(Duration::from_secs(20)).expect("it goes on").code(), Some(0));
    assert_eq!(games, bench.ok(&["games", "--format", "ids"]).lines().count() as u64);
}

/// The processor time that the server has taken, in ticks of the system.
#[cfg(target_os = "linux")]
fn ticks(served: &Served) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", served.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11..=12].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn work_for_a_client_that_has_gone_stops() {
    let bench = many(60_000);
    let served = Served::new(&bench, &["--threads", "1"]);
    let send = |path: &str| {
        let stream = served.connect();
        (&stream).write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
        stream
    };
    for path in ["/api/v1/games", "/explorer", "/api/v1/report", "/api/v1/export"] {
        // All games are looked through, since none is indexed.
        let asked = |number: usize| format!("{path}?ends_in=stalemate&plies=..{number}");
        let begin = ticks(&served);
        assert_eq!(Reply::read(&mut BufReader::new(send(&asked(9001)))).unwrap().status, 200);
        let whole = ticks(&served) - begin;
        assert!(whole >= 16, "{path} takes only {whole} ticks");
        let begin = ticks(&served);
        let stream = send(&asked(9002));
        while ticks(&served) < begin + 3 {
            thread::sleep(Duration::from_millis(1));
        }
        drop(stream);
        let mut now = ticks(&served);
        loop {
            thread::sleep(Duration::from_millis(200));
            let before = std::mem::replace(&mut now, ticks(&served));
            if now == before {
                break;
            }
        }
        assert!(now - begin < whole / 2, "{path}: {} ticks of {whole}", now - begin);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_hundred_ask_at_the_same_time_is_found_out_once() {
    let bench = many(60_000);
    let served = Served::new(&bench, &["--threads", "1"]);
    let ask = |number: usize| {
        let stream = served.connect();
        let head = format!(
            "GET /api/v1/games?ends_in=stalemate&plies=..{number} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        );
        (&stream).write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    };
    let begin = ticks(&served);
    assert_eq!(Reply::read(&mut ask(9001)).unwrap().status, 200);
    let whole = ticks(&served) - begin;
    let begin = ticks(&served);
    let asked: Vec<_> = (0..100).map(|_| ask(9002)).collect();
    for mut one in asked {
        assert_eq!(Reply::read(&mut one).unwrap().status, 200);
    }
    let all = ticks(&served) - begin;
    assert!(whole >= 16 && all < 4 * whole, "{all} ticks, {whole} for one");
}
