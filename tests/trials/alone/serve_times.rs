//! How long the server waits for clients, and how it ends.
#![cfg(all(feature = "web", unix))]

use std::{
    fs,
    io::{BufReader, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use crate::{
    alone,
    common::{
        Bench, many_games,
        server::{Reply, Served},
    },
};

const INFO: &[u8] = b"GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[test]
fn a_signal_ends_the_server_and_idle_connections_do_not_keep_it() {
    let _lock = alone();
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
    let _lock = alone();
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
    let _lock = alone();
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
    let _lock = alone();
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
