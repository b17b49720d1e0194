//! Requests that no page leads to, and archives without what pages are about: every answer has a status below 500.
#![cfg(feature = "web")]

use std::{
    fs,
    io::{BufReader, Write},
};

use super::serve_pages::page;
use crate::common::{
    Bench, data,
    server::{Reply, Served},
};

/// Routes, some with what they need.
const ROUTES: [&str; 35] = [
    "/",
    "/explorer",
    "/explorer?player=a&colour=white&play=e2e4",
    "/games",
    "/games?sort=date",
    "/games?play=e2e4&sort=elo",
    "/game/1",
    "/game/1?ply=1&in=games%3Fsort%3Ddate",
    "/report",
    "/players",
    "/players.csv",
    "/events",
    "/events.json",
    "/openings",
    "/openings.csv",
    "/prepare",
    "/prepare?opponent=*",
    "/prepare.json?opponent=*",
    "/duplicates?page=2",
    "/editor",
    "/about",
    "/search?q=a",
    "/search?q=1",
    "/player/%20",
    "/player/*",
    "/player/*.json",
    "/player/a.csv",
    "/event/%20%20",
    "/event/*",
    "/event/*.csv",
    "/opening/Sicilian%20Defense",
    "/opening/Sicilian%20Defense.json",
    "/opening/%3F",
    "/api/v1/suggest?q=1",
    "/api/v1/report",
];

/// Values that no parameter expects.
const VALUES: [&str; 14] = [
    "",
    "%00",
    "%ff%fe",
    "-1",
    "-9223372036854775808",
    "99999999999999999999999",
    "999999999",
    "5..1",
    "..-5",
    "%2f..%2f..%2fetc",
    "%20%20",
    "*%22*",
    "1-1",
    "%e2%80%ae",
];

fn status(served: &Served, method: &str, path: &str) -> u16 {
    let mut stream = served.connect();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    Reply::read_head(&mut BufReader::new(stream)).unwrap().status
}

#[test]
fn every_route_answers_whatever_the_archive_has() {
    let nameless = "[Event \"   \"]\n[White \"   \"]\n[Black \" \"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
        [White \"?\"]\n[Black \"\"]\n[WhiteElo \"4294967295\"]\n[BlackElo \"99999\"]\n[Date \"9999.99.99\"]\n\n*\n\n\
        [Event \"a/../b?c#d%2f\"]\n[White \"a.json\"]\n[Black \"a\"]\n[Date \"0001.01.01\"]\n\n1. e4 c5 1/2-1/2\n";
    let bench = Bench::new();
    fs::write(bench.path("nameless.pgn"), nameless).unwrap();
    for name in ["nameless", "removed"] {
        bench.ok(&["import", "-q", "--index", "nameless.pgn", "-a", &format!("{name}.db")]);
    }
    bench.ok(&["remove", "-a", "removed.db", "--id", "1..3"]);
    let xelto = data("xelto");
    bench.ok(&["import", "-q", "--index", xelto.to_str().unwrap(), "-a", "xelto.db"]);
    for name in ["nameless.db", "removed.db", "xelto.db"] {
        let served = Served::new(&bench, &[name]);
        for path in ROUTES {
            let known = status(&served, "GET", path);
            assert!(known < 500, "{name}: {path}: {known}");
            assert_eq!(status(&served, "HEAD", path), known, "{name}: {path}");
            assert_eq!(status(&served, "OPTIONS", path), 204, "{name}: {path}");
            for method in ["POST", "PUT", "DELETE", "TRACE", "BREW"] {
                // A form to compare with is missing.
                let expected = if method == "POST" && path.starts_with("/prepare") { 400 } else { 405 };
                assert_eq!(status(&served, method, path), expected, "{name}: {method} {path}");
            }
        }
    }
}

#[test]
fn no_parameter_or_name_is_an_error_of_the_server() {
    let bench = Bench::with_games();
    bench.ok(&["index", "--quiet"]);
    let served = Served::new(&bench, &[]);
    let mut seen = 0;
    for path in ROUTES.into_iter().step_by(2) {
        let (path, mark) = (path, if path.contains('?') { '&' } else { '?' });
        for name in ["year", "page", "after", "ply", "date", "q", "in", "id"] {
            for value in VALUES {
                let status = status(&served, "GET", &format!("{path}{mark}{name}={value}"));
                assert!(matches!(status, 200 | 303 | 400 | 404), "{path}{mark}{name}={value}: {status}");
                seen += 1;
            }
        }
    }
    for folder in ["/player/", "/event/", "/opening/", "/game/", "/api/v1/games/"] {
        let long = ["A".repeat(7_000), "%00".repeat(2_000), "*a".repeat(3_000), ".json".repeat(1_000)];
        for name in VALUES.map(str::to_owned).into_iter().chain(long) {
            let status = status(&served, "GET", &format!("{folder}{name}"));
            assert!(matches!(status, 200 | 400 | 404), "{folder}{name:.40}: {status}");
        }
    }
    let ids: String = (0..1_400).map(|id| format!("&id={id}")).collect();
    let nested =
        (0..6).fold("games".to_owned(), |list, _| format!("game/1?in={list}").replace(['%', '?'], "%25"));
    for path in [format!("/games?{ids}"), format!("/explorer?{ids}"), format!("/game/1?in={nested}")] {
        assert_eq!(status(&served, "GET", &path), 200, "{path:.60}");
    }
    assert!(seen > 1_500);
}

#[test]
fn a_pattern_of_many_events_lists_some_of_them() {
    let bench = Bench::new();
    let game = |number: usize| {
        format!("[Event \"E {number}\"]\n[Date \"{}.??.??\"]\n\n1. e4 *\n\n", 1900 + number % 90)
    };
    fs::write(bench.path("many.pgn"), (0..700).map(game).collect::<String>()).unwrap();
    bench.import(&["many.pgn"]);
    let served = Served::new(&bench, &[]);
    let html = page(&served, "/event/E*");
    assert_eq!(html.named("tr").count(), 501);
    assert!(html.text("main").contains("700 editions"));
    assert_eq!(served.json("/event/E*.json").as_array().unwrap().len(), 700);
}
