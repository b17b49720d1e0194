//! How long the server waits for clients, and how it ends.
#![cfg(all(feature = "web", unix))]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    io::{BufReader, Read, Write},
    net::TcpStream,
    sync::mpsc,
    thread,
    time::Duration,
};

use common::{
    Bench,
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
